// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft index`: builds the joinpoint database of a kernel and says in one line what is in it. */
#include <getopt.h>
#include <stdio.h>
#include <time.h>

#include "cmds/cmd.h"
#include "joinpoint/build.h"

const char wv_help_index[] =
	"  -o, --output DB  the database to write; an existing one is replaced when all went well\n"
	"\n"
	"VMLINUX must have been built with the plugin:\n"
	"  make KCFLAGS=-fplugin=.../weft_joinpoints.so\n";

struct options {
	const char *image, *database;
};

static int parse(int argc, char **argv, struct options *ret, struct wv_error *error)
{
	static const struct option long_options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ NULL },
	};
	int option;

	*ret = (struct options){ 0 };
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, "o:", long_options, NULL)) >= 0) {
		if (option != 'o')
			return wv_usage(error, "index", "unknown or incomplete option '%s'",
					argv[optind - 1]);
		ret->database = optarg;
	}
	if (optind == argc)
		return wv_usage(error, "index", "which vmlinux?");
	if (optind + 1 < argc)
		return wv_usage(error, "index", "unexpected argument '%s'", argv[optind + 1]);
	if (!ret->database)
		return wv_usage(error, "index", "where to? give -o DB");
	ret->image = argv[optind];
	return 0;
}

int wv_cmd_index(int argc, char **argv, struct wv_error *error)
{
	struct wv_index_totals totals;
	struct timespec start, end;
	struct options options;
	int ret;

	ret = parse(argc, argv, &options, error);
	if (ret)
		return ret;
	clock_gettime(CLOCK_MONOTONIC, &start);
	ret = wv_index_build(options.image, options.database, &totals, error);
	if (ret)
		return ret;
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%s: %zu records, %zu joinpoints (%zu exact, %zu column, %zu operand, %zu line, "
	       "%zu elided: %zu in static data, %zu served elsewhere), "
	       "%zu functions and %zu inlined copies, %.1f s\n",
	       options.database, totals.records, totals.joinpoints,
	       totals.by_precision[WEFT_PRECISION_EXACT],
	       totals.by_precision[WEFT_PRECISION_COLUMN],
	       totals.by_precision[WEFT_PRECISION_OPERAND], totals.by_precision[WEFT_PRECISION_LINE],
	       totals.by_precision[WEFT_PRECISION_ELIDED], totals.data, totals.served,
	       totals.functions, totals.copies,
	       (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
	return 0;
}
