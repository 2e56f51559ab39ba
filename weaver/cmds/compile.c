// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft compile`: its options; aspect-module.c does the work. */
#include <getopt.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/options.h"

const char wv_help_compile[] =
	"  -o, --output FILE     the module to write; it is replaced in one step (default: into the\n"
	"                        cache, ${XDG_CACHE_HOME:-~/.cache}/weft/aspects)\n"
	"      --print-c         write the generated C to standard output and build nothing\n"
	"      --keep-c[=FOLDER] keep the generated C and its Kbuild: beside the module, or in FOLDER\n"
	WV_MODULE_HELP;

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static int parse_options(int argc, char **argv, struct wv_module_options *options, struct wv_error *error)
{
	enum { PRINT_C = WV_OPTION_OTHERS, KEEP_C };
	static const struct option known[] = {
		WV_MODULE_OPTIONS,
		{ "output", required_argument, NULL, 'o' },
		{ "print-c", no_argument, NULL, PRINT_C },
		{ "keep-c", optional_argument, NULL, KEEP_C },
		{ NULL }
	};
	int option, failed = 0;
	bool taken;

	optind = 0;
	while (!failed && (option = getopt_long(argc, argv, ":o:" WV_MODULE_LETTERS, known, NULL)) != -1) {
		failed = wv_module_option(options, "compile", option, optarg, &taken, error);
		if (taken)
			continue;
		switch (option) {
		case 'o':
			failed = wv_option_once("compile", "--output", optarg, &options->output, error);
			break;
		case PRINT_C:
			options->print_c = true;
			break;
		case KEEP_C:
			options->keep = optarg ? optarg : "";
			/* `--keep-c FOLDER` too: a folder can be nothing else here. */
			if (!optarg && optind < argc && is_folder(argv[optind]))
				options->keep = argv[optind++];
			break;
		case ':':
			return wv_usage(error, "compile", "%s needs a value", argv[optind - 1]);
		default:
			return wv_usage(error, "compile", "unknown option %s", argv[optind - 1]);
		}
	}
	if (failed)
		return failed;
	if (optind != argc - 1)
		return wv_usage(error, "compile", optind == argc ? "no aspect is named" :
								   "one aspect at a time");
	if (options->keep && !options->output)
		return wv_usage(error, "compile", "--keep-c needs -o: nothing is kept in the cache but modules");
	options->aspect = argv[optind];
	return wv_module_defaults(options, "compile", error);
}

int wv_cmd_compile(int argc, char **argv, struct wv_error *error)
{
	struct wv_module_options options = { 0 };
	char cached[PATH_MAX];
	size_t count = 0;
	int ret = parse_options(argc, argv, &options, error);

	if (ret)
		return ret;
	if (!options.output && !options.print_c)
		ret = wv_module_cached(&options, cached, &count, error);
	else
		ret = wv_module_build(&options, &count, error);
	if (ret || options.print_c)
		return ret;
	if (count)
		printf("%s: %zu shadow%s\n", options.output, count, count == 1 ? "" : "s");
	else
		printf("%s: compiled before\n", cached);
	return 0;
}
