// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiles an aspect and prints the messages; see aspect-module.h. */
#include <stdio.h>

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
				"no database: --db FILE, or WEFT_DB in the environment");
	if (!what->kernel && !options->print_c)
		return wv_usage(error, command,
				"--kernel is missing: no WEFT_KERNEL in the environment, no folder "
				"build/ of the running kernel");
	return 0;
}

static void print_messages(const struct wv_messages *messages, bool verbose)
{
	const unsigned int log = WV_MESSAGE_BIT(WV_MESSAGE_LOG);
	_cleanup_str_ struct wv_str text = { 0 };

	wv_progress_end();
	wv_messages_text(messages, verbose ? WV_MESSAGES_ALL : WV_MESSAGES_ALL & ~log, &text);
	fputs(text.failed || !text.data ? "" : text.data, stderr);
}

int wv_module_build(const struct wv_module_options *options, size_t *shadows_ret,
		    struct wv_error *error)
{
	struct wv_compile what = options->what;
	struct wv_compiled compiled;
	int ret;

	if (options->print_c)
		what.output = NULL;
	wv_progress_begin("compiling", what.aspect);
	ret = wv_compile(&what, &compiled, error);
	print_messages(&compiled.messages, options->verbose);
	if (ret == -WV_E_USAGE) {
		const struct wv_error plain = *error;

		ret = wv_usage(error, "compile", "%s", plain.message);
	}
	if (!ret && options->print_c)
		ret = wv_print(&compiled.source, error);
	*shadows_ret = compiled.shadows;
	wv_compiled_deinit(&compiled);
	return ret;
}

int wv_module_cached(const struct wv_module_options *options, char path[PATH_MAX],
		     size_t *shadows_ret, struct wv_error *error)
{
	struct wv_compiled compiled;
	int ret;

	wv_progress_begin("compiling", options->what.aspect);
	ret = wv_compile_cached(&options->what, path, &compiled, error);
	print_messages(&compiled.messages, options->verbose);
	*shadows_ret = compiled.shadows;
	wv_compiled_deinit(&compiled);
	return ret;
}
