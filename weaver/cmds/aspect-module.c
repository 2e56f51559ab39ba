// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiles an aspect and prints the messages; see aspect-module.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/xml/xml.h"
#include "base/cleanup.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/show-progress.h"

bool wv_is_aspect_source(const char *named)
{
	return !strcmp(named, "-") || wv_is_aspect_file(named);
}

int wv_module_take(struct wv_module_options *options, const char *named, struct wv_str *text,
		   struct wv_error *error)
{
	char buffer[4096];
	size_t n;

	options->what.aspect = named;
	options->what.text = NULL;
	if (strcmp(named, "-"))
		return 0;
	options->what.aspect = WV_STDIN_ASPECT;
	options->what.text = text;
	wv_str_add(text, "");
	while (text->n <= WV_XML_MAX && (n = fread(buffer, 1, sizeof(buffer), stdin)))
		wv_str_add_n(text, buffer, n);
	if (ferror(stdin))
		return wv_fail_errno(error, errno, "standard input");
	return text->failed ? wv_no_memory(error) : 0;
}

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

/*
 * Prints @text without the lines that begin with a blank, which have details of the line before.
 */
static void print_brief(const char *text)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (*text != ' ')
			fprintf(stderr, "%.*s\n", (int)strcspn(text, "\n"), text);
}

/*
 * Prints the messages of a compile. If there are any, and @aspect is not NULL, first prints
 * @aspect, the name of the aspect's file. @aspect is NULL if the command has only one aspect.
 */
static void print_messages(const char *aspect, const struct wv_messages *messages,
			   const struct wv_module_options *options, bool failed)
{
	const unsigned int log = WV_MESSAGE_BIT(WV_MESSAGE_LOG);
	_cleanup_str_ struct wv_str text = { 0 };

	wv_progress_end();
	if (options->quiet && !failed)
		return;
	wv_messages_text(messages, options->verbose ? WV_MESSAGES_ALL : WV_MESSAGES_ALL & ~log,
			 &text);
	if (aspect && text.n)
		fprintf(stderr, "weft: %s:\n", aspect);
	if (options->brief && !options->verbose && !failed)
		print_brief(wv_str_text(&text));
	else
		fputs(wv_str_text(&text), stderr);
}

int wv_module_build(const struct wv_module_options *options, size_t n, char *const *aspects,
		    char *const *outputs, size_t *shadows, struct wv_error *error)
{
	_cleanup_free_ struct wv_compile *what = calloc(n, sizeof(*what));
	_cleanup_free_ struct wv_compile_result *compiled = calloc(n, sizeof(*compiled));
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
		print_messages(n > 1 ? aspects[i] : NULL, &compiled[i].messages, options, ret);
	if (ret == -WV_E_USAGE) {
		const struct wv_error plain = *error;

		ret = wv_usage(error, "compile", "%s", plain.message);
	}
	for (size_t i = 0; i < n; i++) {
		if (!ret && options->print_c)
			ret = wv_print(&compiled[i].source, error);
		shadows[i] = compiled[i].shadows;
		wv_compile_result_deinit(&compiled[i]);
	}
	return ret;
}

int wv_module_cached(const struct wv_module_options *options, char path[PATH_MAX],
		     size_t *shadows_ret, struct wv_error *error)
{
	struct wv_compile_result compiled;
	int ret;

	wv_progress_begin("compiling", options->what.aspect);
	ret = wv_compile_cached(&options->what, path, &compiled, error);
	print_messages(NULL, &compiled.messages, options, ret);
	*shadows_ret = compiled.shadows;
	wv_compile_result_deinit(&compiled);
	return ret;
}
