// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds a joinpoint database: runs the passes in order; see build.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/progress.h"
#include "image/branch-targets.h"
#include "image/dwarf/debug.h"
#include "image/image.h"
#include "image/dwarf/lines.h"
#include "image/patch-sites.h"
#include "image/module-files.h"
#include "image/symbols.h"
#include "image/table-reader.h"
#include "index/build.h"
#include "index/inlined.h"
#include "index/merge.h"
#include "index/newer.h"
#include "index/parsed.h"
#include "index/stack-protector.h"
#include "index/coalesced.h"
#include "index/shadows.h"
#include "index/store.h"
#include "index/unlabelled.h"

/* State that is passed from pass to pass. */
struct build {
	struct wv_image *image;
	struct wv_merge merge;
	struct wv_symbols symbols;
	wv_rows rows;
	struct wv_debug debug;
	struct wv_owners owners;
	struct wv_branch_targets branch_targets;
	struct wv_operands operands;
	struct wv_inlined_list inlined;
	struct wv_shadows shadows;
};

static void cleanup_build(struct build *build)
{
	wv_shadows_deinit(&build->shadows);
	wv_inlined_list_deinit(&build->inlined);
	wv_operands_deinit(&build->operands);
	wv_branch_targets_deinit(&build->branch_targets);
	wv_owners_deinit(&build->owners);
	wv_debug_deinit(&build->debug);
	wv_vec_deinit(&build->rows);
	wv_symbols_deinit(&build->symbols);
	wv_merge_deinit(&build->merge);
	wv_image_close(build->image);
}

static int check_kind(const struct wv_image *image, bool is_module, struct wv_error *error)
{
	if (!is_module && wv_image_is_relocatable(image))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
				  "not linked (an object or a module); the vmlinux comes first");
	if (is_module && !wv_image_is_relocatable(image))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0, "not a module");
	return 0;
}

/*
 * Reads the joinpoint table. This comes first, so that an image without a table is reported at
 * once.
 */
static int read_table(struct build *build, bool is_module, bool *no_table_ret,
		      struct wv_error *error)
{
	const char *path = wv_image_path(build->image);
	const struct wv_section *section;
	struct wv_table table;
	struct wv_unit unit = { 0 };
	bool more = true;
	int ret;

	ret = wv_image_section(build->image, WEFT_TABLE_SECTION, &section, error);
	if (ret)
		return ret;
	*no_table_ret = is_module && (!section || !section->data);
	if (*no_table_ret)
		return 0;
	if (!section || !section->data)
		return wv_fail_at(
			error, WV_E_FORMAT, path, 0, 0,
			"has no joinpoint table (section " WEFT_TABLE_SECTION
			"); build the kernel with make KCFLAGS=-fplugin=.../weft_joinpoints.so, "
			"or see --records");
	wv_table_init(&table, path, section->data, section->size);
	while (!ret && more) {
		ret = wv_table_next(&table, &unit, &more, error);
		if (!ret && more)
			ret = wv_merge_unit(&build->merge, &unit, error);
	}
	wv_unit_deinit(&unit);
	return ret;
}

static void count(const struct build *build, struct wv_index_totals *ret)
{
	ret->units += build->merge.nr_units;
	ret->accesses += build->merge.nr_accesses;
	ret->joinpoints += build->merge.joinpoints.n;
	ret->lines += build->shadows.lines.n;
	ret->coalesced += build->shadows.coalesced.n;
	ret->dropped += build->merge.nr_dropped;
	ret->inlined += build->inlined.list.n;
	wv_vec_for_each(symbol, &build->symbols.list)
		ret->functions += !symbol->label;
	wv_vec_for_each(joinpoint, &build->merge.joinpoints) {
		uint32_t name = build->merge.functions.data[joinpoint->function].name;

		ret->data += !*wv_pool_get(&build->merge.names, name);
	}
	for (size_t i = 0; i <= WEFT_PRECISION_OPTIMIZED_OUT; i++)
		ret->by_precision[i] += build->shadows.nr_joinpoints[i];
	wv_vec_for_each(shadow, &build->shadows.list)
		ret->shadows += shadow->chosen != WV_CHOSEN_NOT;
}

/* Sets @name to the image's name: the module's, as the kernel knows it. */
static void name_image(const char *path, bool is_module, char name[WV_MODULE_NAME_SIZE])
{
	if (is_module)
		wv_module_name(path, name);
	else
		strcpy(name, "vmlinux");
}

static int read_image(struct build *build, bool is_module, struct wv_index_image *image,
		      struct wv_error *error)
{
	int ret = check_kind(build->image, is_module, error);

	wv_progress_stage("what the compiler noted");
	if (!ret && image->folder)
		ret = wv_parsed_read(&build->merge, build->image, image->folder, image->stamped,
				     &image->proof, error);
	else if (!ret)
		ret = read_table(build, is_module, &image->no_table, error);
	if (!ret)
		ret = wv_protector_step(&build->merge, build->image, error);
	/*
	 * The main files of one module lie in a few folders only, which do not show the source
	 * tree.
	 */
	if (is_module)
		build->merge.paths.has_root = false;
	if (!ret)
		ret = wv_symbols_init(&build->symbols, build->image, error);
	wv_progress_stage("line tables");
	if (!ret)
		ret = wv_lines_read(build->image, &build->merge.paths, &build->rows, error);
	wv_progress_stage("debug information");
	if (!ret)
		ret = wv_merge_sort(&build->merge, error);
	if (!ret)
		ret = wv_debug_init(&build->debug, build->image, error);
	if (!ret)
		ret = wv_owners_init(&build->owners, build->image, error);
	wv_progress_stage("branches");
	if (!ret)
		ret = wv_branch_targets_init(&build->branch_targets, build->image, &build->symbols,
				       &build->owners, error);
	wv_progress_stage("operands and inlined instances");
	if (!ret)
		ret = wv_operands_init(&build->operands, build->image, &build->debug, &build->merge,
				       error);
	if (!ret)
		ret = wv_inlined_list_init(&build->inlined, &build->debug, &build->rows,
					   &build->merge, &build->symbols, error);
	wv_progress_stage("shadows");
	if (!ret)
		ret = wv_shadows_init(&build->shadows, &build->merge, &build->rows, &build->symbols,
				      &build->operands, error);
	if (!ret)
		ret = wv_unlabelled_add(&build->shadows, &build->merge, &build->rows,
					&build->symbols, &build->operands, &build->inlined, error);
	if (!ret)
		ret = wv_coalesced_find(&build->shadows, &build->merge, &build->symbols,
				     &build->inlined, error);
	if (!ret && image->folder)
		ret = wv_parsed_check(&build->merge, &build->symbols, &build->debug, &build->rows,
				      image->folder, error);
	return ret;
}

static int index_image(struct wv_store *store, struct wv_index_image *image, bool is_module,
		       struct wv_index_totals *totals, bool *take_failed_ret,
		       struct wv_error *error)
{
	__attribute__((cleanup(cleanup_build))) struct build build = { 0 };
	struct wv_contents contents = { .symbols = &build.symbols,
					.merge = &build.merge,
					.shadows = &build.shadows,
					.operands = &build.operands,
					.inlined = &build.inlined,
					.debug = &build.debug,
					.owners = &build.owners,
					.branch_targets = &build.branch_targets };
	char name[WV_MODULE_NAME_SIZE];
	const uint8_t *build_id;
	size_t size;
	int ret = wv_image_open(image->path, &build.image, error);

	if (ret)
		return ret;
	name_image(image->path, is_module, name);
	build_id = wv_image_build_id(build.image, &size);
	ret = wv_store_take(store, name, build_id, size, &image->taken, error);
	*take_failed_ret = ret;
	if (ret || image->taken)
		return ret;
	ret = read_image(&build, is_module, image, error);
	contents.name = name;
	contents.image = build.image;
	wv_progress_stage("writing");
	if (!ret)
		ret = wv_store_add(store, &contents, error);
	if (!ret)
		image->newer = wv_newer_sources(&build.merge.paths, image->path, image->newer_name,
						sizeof(image->newer_name));
	if (!ret)
		count(&build, totals);
	return ret;
}

static int index_all(struct wv_index_image *images, size_t n, const char *database_path, bool keep,
		     struct wv_index_totals *ret, bool *take_failed_ret, struct wv_error *error)
{
	struct wv_store *store;
	int failed = wv_store_create(database_path, keep, &store, error);

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < n && !failed; i++)
		failed = index_image(store, &images[i], i, ret, take_failed_ret, error);
	if (!failed)
		failed = wv_store_finish(store, error);
	wv_store_destroy(store);
	return failed;
}

/*
 * Rejects two modules of one name, since nothing would distinguish their rows, and a database path
 * that is the path of an image.
 */
static int check_images(const struct wv_index_image *images, size_t n, const char *database_path,
			struct wv_error *error)
{
	_cleanup_pool_ struct wv_pool names = { 0 };
	struct stat database, image;
	bool exists = !stat(database_path, &database);

	for (size_t i = 0; i < n; i++) {
		char name[WV_MODULE_NAME_SIZE];
		uint32_t number;

		if (exists && !stat(images[i].path, &image) && image.st_dev == database.st_dev &&
		    image.st_ino == database.st_ino)
			return wv_fail(error, WV_E_USAGE, "the database would replace the image %s",
				       images[i].path);
		name_image(images[i].path, i, name);
		number = wv_pool_add(&names, name);
		if (number == WV_POOL_FAILED)
			return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
		if (number < i)
			return wv_fail(error, WV_E_USAGE,
				       "%s and %s are both named '%s': a kernel has one",
				       images[number].path, images[i].path, name);
	}
	return 0;
}

int wv_index_images(struct wv_index_image *images, size_t n, const char *database_path, bool fresh,
		    struct wv_index_totals *ret, struct wv_error *error)
{
	bool take_failed = false;
	int failed = check_images(images, n, database_path, error);

	if (!failed)
		failed = index_all(images, n, database_path, !fresh, ret, &take_failed, error);
	/* If copying from the old database fails, start again and read all images. */
	if (take_failed)
		failed = index_all(images, n, database_path, false, ret, &take_failed, error);
	return failed;
}

int wv_index_build(const char *image_path, const char *database_path,
		   struct wv_index_totals *ret, struct wv_error *error)
{
	struct wv_index_image image = { .path = image_path };

	return wv_index_images(&image, 1, database_path, true, ret, error);
}
