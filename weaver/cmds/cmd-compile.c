// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft compile`: its options. aspect-module.c does the work. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "aspect/generate/generate.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/options.h"

static const struct wv_option known[] = {
	WV_TEXT(struct wv_module_options, what.output, "output", 'o', "FILE", WV_COMPLETE_FILE,
		"the module to write, or a folder, where it gets the aspect's file name; it is "
		"replaced in one step "
		"(default: into the cache, ${XDG_CACHE_HOME:-~/.cache}/weft/aspects)"),
	WV_FLAG(struct wv_module_options, print_c, "print-c", 0,
		"write the generated C to standard output and build nothing"),
	WV_FLAG(struct wv_module_options, what.filtered, "filtered", 0,
		"leave room for --pid, --comm and --uid of `weft weave` and `weft run`, which "
		"every hit then asks"),
	WV_MAYBE_TEXT(struct wv_module_options, what.keep, "keep-c", 0, "FOLDER",
		      WV_COMPLETE_FOLDER,
		      "keep the generated C and its Kbuild: beside the module, or in FOLDER"),
	WV_FLAG(struct wv_module_options, what.by_kbuild, "kbuild", 0,
		"have kbuild build the module, even if its commands are known (see `weft learn`)"),
	WV_MODULE_OPTIONS(struct wv_module_options, ),
	{ 0 }
};

static bool is_folder(const char *path)
{
	struct stat status;

	return path && !stat(path, &status) && S_ISDIR(status.st_mode);
}

static int parse(int argc, char **argv, struct wv_module_options *options, int *first_ret,
		 struct wv_error *error)
{
	int first, failed;

	*options = (struct wv_module_options)WV_MODULE_DEFAULTS;
	failed = wv_options_parse(&wv_cmd_compile, argc, argv, options, &first, error);
	if (failed)
		return failed;
	if (first == argc)
		return wv_usage(error, "compile", "no aspect is named");
	if (first < argc - 1 && (options->print_c || !is_folder(options->what.output)))
		return wv_usage(error, "compile",
				"several aspects need -o FOLDER, and FOLDER has to be there");
	if (options->what.keep && !options->what.output)
		return wv_usage(error, "compile",
				"--keep-c needs -o: nothing is kept in the cache but modules");
	for (int i = first; first < argc - 1 && i < argc; i++)
		if (!strcmp(argv[i], "-"))
			return wv_usage(error, "compile",
					"- is standard input: it has one aspect, alone");
	*first_ret = first;
	return wv_module_complete(options, "compile", error);
}

/*
 * Returns the path of the module: @output, the value of -o; if that is a folder, a file in it with
 * the name of the aspect's file, and .ko in place of .xml. The caller frees the path.
 */
static char *output_of(const char *output, const char *aspect)
{
	const char *name = wv_base_name(aspect), *dot = strrchr(name, '.');
	char *ret;

	if (!output || !is_folder(output))
		return strdup(output ? output : "");
	return asprintf(&ret, "%s/%.*s.ko", output,
			(int)(dot && dot != name ? dot - name : (ptrdiff_t)strlen(name)),
			name) < 0 ? NULL : ret;
}

static int check_outputs_differ(size_t n, char *const *outputs, struct wv_error *error)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(outputs[i], outputs[j]))
				return wv_usage(error, "compile", "two aspects would both be %s",
						outputs[i]);
	return 0;
}

static void print_made(const char *output, size_t shadows)
{
	if (shadows)
		printf("%s: %s\n", output, wv_count_text(shadows, "shadow").text);
	else
		printf("%s: compiled before\n", output);
}

/* Compiles @n aspects to the modules that -o names, or prints their C. */
static int build(const struct wv_module_options *options, size_t n, char *const *aspects,
		 struct wv_error *error)
{
	_cleanup_free_ char **outputs = calloc(n, sizeof(*outputs));
	_cleanup_free_ size_t *shadows = calloc(n, sizeof(*shadows));
	int ret = outputs && shadows ? 0 : wv_no_memory(error);

	for (size_t i = 0; i < n && !ret; i++) {
		outputs[i] = output_of(options->what.output, aspects[i]);
		if (!outputs[i])
			ret = wv_no_memory(error);
	}
	if (!ret)
		ret = check_outputs_differ(n, outputs, error);
	if (!ret)
		ret = wv_module_build(options, n, aspects, outputs, shadows, error);
	for (size_t i = 0; i < n && !ret && !options->print_c; i++)
		print_made(outputs[i], shadows[i]);
	for (size_t i = 0; i < n && outputs; i++)
		free(outputs[i]);
	return ret;
}

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_module_options options;
	char cached[PATH_MAX];
	size_t shadows;
	int first = argc, ret = parse(argc, argv, &options, &first, error);

	if (!ret)
		ret = wv_module_take(&options, argv[first], &text, error);
	if (ret)
		return ret;
	argv[first] = (char *)options.what.aspect;
	if (options.what.output || options.print_c)
		return build(&options, argc - first, argv + first, error);
	ret = wv_module_cached(&options, cached, &shadows, error);
	if (!ret)
		print_made(cached, shadows);
	return ret;
}

const struct wv_cmd wv_cmd_compile = {
	.name = "compile",
	.run = run,
	.summary = "make a loadable module of an aspect",
	.usage = "[options] ASPECT.xml...|- [-o ASPECT.ko | -o FOLDER]",
	.options = known,
	.operands = { WV_COMPLETE_ASPECT_FILE },
	.more = true,
	.notes = "With - the aspect comes from standard input.\n"
		 "\n"
		 "What the module was made of (the aspect, kernel, database and weft itself) is "
		 "compared when one is taken\n"
		 "from the cache; the 100 used last are kept there.\n",
	.examples = "weft compile sock_state.xml --kernel linux -o sock_state.ko\n"
		    "weft compile *.xml --kernel linux -o modules\n"
		    "weft compile --print-c sock_state.xml\n",
};
