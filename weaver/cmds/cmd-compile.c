// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft compile`: its options. aspect-module.c does the work. */
#include <stdio.h>

#include "base/notation.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/options.h"

static const struct wv_option known[] = {
	WV_TEXT(struct wv_module_options, what.output, "output", 'o', "FILE", WV_COMPLETE_FILE,
		"the module to write; it is replaced in one step "
		"(default: into the cache, ${XDG_CACHE_HOME:-~/.cache}/weft/aspects)"),
	WV_FLAG(struct wv_module_options, print_c, "print-c", 0,
		"write the generated C to standard output and build nothing"),
	WV_FLAG(struct wv_module_options, what.filtered, "filtered", 0,
		"leave room for --pid, --comm and --uid of `weft weave` and `weft run`, which "
		"every hit then asks"),
	WV_MAYBE_TEXT(struct wv_module_options, what.keep, "keep-c", 0, "FOLDER",
		      WV_COMPLETE_FOLDER,
		      "keep the generated C and its Kbuild: beside the module, or in FOLDER"),
	WV_MODULE_OPTIONS(struct wv_module_options, ),
	{ 0 }
};

static int parse(int argc, char **argv, struct wv_module_options *options, struct wv_error *error)
{
	int first, failed;

	*options = (struct wv_module_options)WV_MODULE_DEFAULTS;
	failed = wv_options_parse(&wv_cmd_compile, argc, argv, options, &first, error);
	if (failed)
		return failed;
	if (first != argc - 1)
		return wv_usage(error, "compile",
				first == argc ? "no aspect is named" : "one aspect at a time");
	if (options->what.keep && !options->what.output)
		return wv_usage(error, "compile",
				"--keep-c needs -o: nothing is kept in the cache but modules");
	options->what.aspect = argv[first];
	return wv_module_complete(options, "compile", error);
}

static int run(int argc, char **argv, struct wv_error *error)
{
	struct wv_module_options options;
	char cached[PATH_MAX];
	const char *output;
	size_t count = 0;
	int ret = parse(argc, argv, &options, error);

	if (ret)
		return ret;
	output = options.what.output;
	if (output || options.print_c) {
		ret = wv_module_build(&options, &count, error);
	} else {
		ret = wv_module_cached(&options, cached, &count, error);
		output = cached;
	}
	if (ret || options.print_c)
		return ret;
	if (count)
		printf("%s: %s\n", output, wv_count_text(count, "shadow").text);
	else
		printf("%s: compiled before\n", output);
	return 0;
}

const struct wv_cmd wv_cmd_compile = {
	.name = "compile",
	.run = run,
	.summary = "make a loadable module of an aspect",
	.usage = "[options] ASPECT.xml [-o ASPECT.ko]",
	.options = known,
	.operands = { WV_COMPLETE_ASPECT_FILE },
	.notes = "What the module was made of (the aspect, kernel, database and weft itself) is "
		 "compared when one is taken\n"
		 "from the cache; the 100 used last are kept there.\n",
	.examples = "weft compile sock_state.xml --kernel linux -o sock_state.ko\n"
		    "weft compile --print-c sock_state.xml\n",
};
