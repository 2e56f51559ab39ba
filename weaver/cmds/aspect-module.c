// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiles an aspect and prints the messages; see aspect-module.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/show-progress.h"

int wv_module_complete(struct wv_module_options *options, const char *command,
		       struct wv_error *error)
{
	struct wv_compile *what = &options->what;

	if (!what->kernel)
		what->kernel = wv_default_kernel();
	if (!what->db)
		what->db = wv_default_database(what->kernel);
	if (!what->db)
		return wv_usage(error, command,
				"no database of this kernel's joinpoints: run `weft prepare`, or "
				"give --db FILE, or set WEFT_DB");
	if (!what->kernel && !options->print_c)
		return wv_usage(error, command,
				"no headers of the running kernel: apt install "
				"linux-headers-$(uname -r), or give --kernel FOLDER, or set "
				"WEFT_KERNEL");
	return 0;
}

/* @aspect: its file, to be named where there are messages; NULL: it is the only one. */
static void print_messages(const char *aspect, const struct wv_messages *messages, bool verbose)
{
	const unsigned int log = WV_MESSAGE_BIT(WV_MESSAGE_LOG);
	_cleanup_str_ struct wv_str text = { 0 };

	wv_progress_end();
	wv_messages_text(messages, verbose ? WV_MESSAGES_ALL : WV_MESSAGES_ALL & ~log, &text);
	if (aspect && text.n)
		fprintf(stderr, "weft: %s:\n", aspect);
	fputs(wv_str_text(&text), stderr);
}

int wv_module_build(const struct wv_module_options *options, size_t n, char *const *aspects,
		    char *const *outputs, size_t *shadows, struct wv_error *error)
{
	_cleanup_free_ struct wv_compile *what = calloc(n, sizeof(*what));
	_cleanup_free_ struct wv_compiled *compiled = calloc(n, sizeof(*compiled));
	int ret;

	if (!what || !compiled)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++) {
		what[i] = options->what;
		what[i].aspect = aspects[i];
		what[i].output = options->print_c ? NULL : outputs[i];
	}
	wv_progress_begin("compiling", n == 1 ? aspects[0] : "aspects");
	ret = wv_compile(what, n, compiled, error);
	for (size_t i = 0; i < n; i++)
		print_messages(n > 1 ? aspects[i] : NULL, &compiled[i].messages, options->verbose);
	if (ret == -WV_E_USAGE) {
		const struct wv_error plain = *error;

		ret = wv_usage(error, "compile", "%s", plain.message);
	}
	for (size_t i = 0; i < n; i++) {
		if (!ret && options->print_c)
			ret = wv_print(&compiled[i].source, error);
		shadows[i] = compiled[i].shadows;
		wv_compiled_deinit(&compiled[i]);
	}
	return ret;
}

int wv_module_cached(const struct wv_module_options *options, char path[PATH_MAX],
		     size_t *shadows_ret, struct wv_error *error)
{
	struct wv_compiled compiled;
	int ret;

	wv_progress_begin("compiling", options->what.aspect);
	ret = wv_compile_cached(&options->what, path, &compiled, error);
	print_messages(NULL, &compiled.messages, options->verbose);
	*shadows_ret = compiled.shadows;
	wv_compiled_deinit(&compiled);
	return ret;
}
