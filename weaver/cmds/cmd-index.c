// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft index`: builds the joinpoint database of a kernel and summarizes it in one line. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "cmds/proof-report.h"
#include "cmds/show-progress.h"
#include "image/module-files.h"
#include "database/pointcut.h"
#include "index/build.h"

struct options {
	char **images;
	size_t n;
	const char *database, *objects, *modules;
	bool no_accesses, update, differences;
};

static const struct wv_option known[] = {
	WV_TEXT(struct options, database, "output", 'o', "DB", WV_COMPLETE_DATABASE,
		"the database to write; an existing one is replaced when all went well"),
	WV_FLAG(struct options, update, "update", 'u',
		"do not read again what that one has already, by name and build-id, and the same "
		"weft has put there"),
	WV_TEXT(struct options, modules, "modules", 'm', "FOLDER", WV_COMPLETE_FOLDER,
		"index all modules in FOLDER, too: a kernel's build folder, or the debug package's "
		"/usr/lib/debug/lib/modules/RELEASE"),
	WV_TEXT(struct options, objects, "objects", 'O', "FOLDER", WV_COMPLETE_FOLDER,
		"VMLINUX was built without the plugin: take accesses and instructions from the "
		"objects in FOLDER, which were compiled with it from VMLINUX's source, where "
		"VMLINUX's functions are proven to be the same; else take the instructions from "
		"its debug information"),
	WV_FLAG(struct options, no_accesses, "no-accesses", 'n',
		"VMLINUX was built without the plugin, and no accesses are wanted: only functions, "
		"lines and calls"),
	WV_FLAG(struct options, differences, "differences", 'D',
		"with --objects: list the functions that are not the same, and what differs"),
	{ 0 }
};

static int parse(int argc, char **argv, struct options *ret, struct wv_error *error)
{
	int first, failed;

	*ret = (struct options){ 0 };
	failed = wv_options_parse(&wv_cmd_index, argc, argv, ret, &first, error);
	if (failed)
		return failed;
	if (first == argc)
		return wv_usage(error, "index", "which vmlinux?");
	if (!ret->database)
		return wv_usage(error, "index", "no database to write: give -o DB");
	if (ret->no_accesses && ret->objects)
		return wv_usage(error, "index",
				"--objects gives accesses, and --no-accesses is without");
	if (ret->differences && !ret->objects)
		return wv_usage(error, "index", "--differences are those of --objects");
	if (ret->objects && ret->update)
		return wv_usage(error, "index", "--objects are always read anew: no --update");
	ret->images = argv + first;
	ret->n = argc - first;
	return 0;
}

static void print_images(const struct wv_index_image *images, size_t n, bool no_accesses)
{
	const char *without = NULL;
	size_t taken = 0, no_table = 0;

	for (size_t i = 0; i < n; i++) {
		taken += images[i].taken;
		if (images[i].no_table && !no_table++)
			without = images[i].path;
		if (images[i].newer)
			fprintf(stderr,
				"weft: warning: %s%s changed after %s was built: lines are those "
				"of the older text\n",
				images[i].newer_name,
				images[i].newer > 1 ? " and other source files" : "",
				images[i].path);
	}
	if (no_table && !no_accesses)
		fprintf(stderr,
			"weft: warning: %s%s no joinpoint table: only functions and lines are "
			"known\n", without,
			no_table > 1 ? " and other modules have" : " has");
	if (n > 1 || taken)
		printf("%s: %zu unchanged, %zu without a table\n", wv_count_text(n, "image").text,
		       taken, no_table);
}

/*
 * Sets *@ret to a list of the images that the command line names, and after them of the modules in
 * the folder of --modules. The caller frees the list.
 */
static int list_images(const struct options *options, struct wv_module_files *modules,
		       struct wv_index_image **ret, size_t *n_ret, struct wv_error *error)
{
	int failed = 0;

	if (options->modules)
		failed = wv_module_files_add(modules, options->modules, error);
	if (!failed && options->modules && !modules->list.n)
		failed = wv_fail(error, WV_E_FAILURE, "no module (.ko) in %s", options->modules);
	*n_ret = options->n + modules->list.n;
	*ret = failed ? NULL : calloc(*n_ret, sizeof(**ret));
	if (!*ret)
		return failed ? failed : wv_no_memory(error);
	for (size_t i = 0; i < *n_ret; i++)
		(*ret)[i] = (struct wv_index_image){
			.path = i < options->n ? options->images[i] :
						 modules->list.data[i - options->n],
			.folder = options->objects,
			.no_accesses = options->no_accesses,
		};
	return 0;
}

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_module_files_ struct wv_module_files modules = { 0 };
	struct wv_index_image *images;
	struct wv_index_totals totals;
	struct timespec start, end;
	struct options options;
	size_t n;
	int ret;

	ret = parse(argc, argv, &options, error);
	if (ret)
		return ret;
	clock_gettime(CLOCK_MONOTONIC, &start);
	ret = list_images(&options, &modules, &images, &n, error);
	if (ret)
		return ret;
	wv_progress_begin("indexing", options.images[0]);
	ret = wv_index_images(images, n, options.database, !options.update, &totals, error);
	wv_progress_end();
	if (!ret)
		print_images(images, n, options.no_accesses);
	if (!ret && options.objects)
		wv_proofs_print(images, n, options.differences);
	for (size_t i = 0; i < n; i++)
		wv_proof_result_deinit(&images[i].proof);
	free(images);
	if (ret)
		return ret;
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (!totals.functions)
		return 0; /* the images have not changed, so the database was not built again */
	printf("%s: %zu %s, %s (%zu exact, %zu column, %zu operand, %zu line, %zu optimized out",
	       options.database, totals.accesses, wv_plural(totals.accesses, "access", "accesses"),
	       wv_count_text(totals.joinpoints, "joinpoint").text,
	       totals.by_precision[WEFT_PRECISION_EXACT],
	       totals.by_precision[WEFT_PRECISION_COLUMN],
	       totals.by_precision[WEFT_PRECISION_OPERAND],
	       totals.by_precision[WEFT_PRECISION_LINE],
	       totals.by_precision[WEFT_PRECISION_OPTIMIZED_OUT]);
	printf(": %zu in static data", totals.data);
	for (unsigned int i = 0; i <= WEFT_FATE_COUNT; i++)
		printf(", %zu %s", totals.by_fate[i], wv_fate_name(i));
	printf("), %s and %s, %.1f s\n", wv_count_text(totals.functions, "function").text,
	       wv_count_text(totals.inlined, "inlined instance").text,
	       (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
	return 0;
}

const struct wv_cmd wv_cmd_index = {
	.name = "index",
	.run = run,
	.summary = "build the joinpoint database of a kernel or a program",
	.usage = "VMLINUX [MODULE.ko...] [--modules FOLDER] -o DB\n"
		 "       weft index PROGRAM -o PROGRAM.weft",
	.options = known,
	.operands = { WV_COMPLETE_IMAGE },
	.more = true,
	.notes = "Without --objects or --no-accesses, VMLINUX must have been built with the "
		 "plugin:\n"
		 "  make KCFLAGS=-fplugin=.../weft_joinpoints.so\n"
		 "PROGRAM is an executable file or a shared library. It needs a build-id and\n"
		 "debug information (-g). Its accesses are known if it was built with the plugin:\n"
		 "  make CFLAGS='-O2 -g -fplugin=.../weft_joinpoints.so'\n",
	.examples =
		"weft index linux/vmlinux -o linux/vmlinux.weft\n"
		"weft index linux/vmlinux --modules linux -o linux/vmlinux.weft\n"
		"weft index --update linux/vmlinux linux/net/ipv6/ipv6.ko -o linux/vmlinux.weft\n"
		"weft index ./nginx -o nginx.weft\n"
		"weft index vmlinux-6.1.0-56-cloud-amd64 --objects objects -o shipped.weft\n"
		"weft index /usr/lib/debug/boot/vmlinux-6.1.0-56-amd64 --no-accesses "
		"-o shipped.weft\n",
};
