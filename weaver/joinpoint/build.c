// SPDX-License-Identifier: GPL-2.0-or-later
/* The passes that make a joinpoint database, in their order. */
#include <stdlib.h>
#include <string.h>

#include "image/debug.h"
#include "image/image.h"
#include "image/lines.h"
#include "image/symbols.h"
#include "image/table.h"
#include "joinpoint/build.h"
#include "joinpoint/copies.h"
#include "joinpoint/merge.h"
#include "joinpoint/shadows.h"
#include "joinpoint/store.h"

/* What the passes hand on. */
struct build {
	struct wv_image *image;
	struct wv_merge merge;
	struct wv_symbols symbols;
	wv_rows rows;
	struct wv_debug debug;
	struct wv_operands operands;
	struct wv_copies copies;
	struct wv_shadows shadows;
};

static void cleanup_build(struct build *build)
{
	wv_shadows_deinit(&build->shadows);
	wv_copies_deinit(&build->copies);
	wv_operands_deinit(&build->operands);
	wv_debug_deinit(&build->debug);
	wv_vec_deinit(&build->rows);
	wv_symbols_deinit(&build->symbols);
	wv_merge_deinit(&build->merge);
	wv_image_close(build->image);
}

/* The table comes first: an image without one is told at once. */
static int read_table(struct build *build, struct wv_error *error)
{
	const char *path = wv_image_path(build->image);
	const struct wv_section *section;
	struct wv_table table;
	struct wv_unit unit = { 0 };
	bool more = true;
	int ret;

	if (wv_image_is_relocatable(build->image))
		return wv_fail_at(error, WV_E_FORMAT, path, 0, 0,
				  "not linked (an object or a module); index the vmlinux");
	ret = wv_image_section(build->image, WEFT_TABLE_SECTION, &section, error);
	if (ret)
		return ret;
	if (!section || !section->data)
		return wv_fail_at(error, WV_E_FORMAT, path, 0, 0,
				  "has no joinpoint table (section " WEFT_TABLE_SECTION
				  "); build the kernel with make KCFLAGS=-fplugin=.../weft_joinpoints.so");
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
	*ret = (struct wv_index_totals){
		.units = build->merge.nr_units,
		.records = build->merge.nr_records,
		.joinpoints = build->merge.joinpoints.n,
		.lines = build->shadows.lines.n,
		.served = build->shadows.served.n,
		.dropped = build->merge.nr_dropped,
	};
	wv_vec_for_each(symbol, &build->symbols.list)
		ret->functions += !symbol->label;
	wv_vec_for_each(joinpoint, &build->merge.joinpoints) {
		uint32_t name = build->merge.functions.data[joinpoint->function].name;

		ret->data += !*wv_pool_get(&build->merge.names, name);
	}
	ret->copies = build->copies.list.n;
	memcpy(ret->by_precision, build->shadows.nr_joinpoints, sizeof(ret->by_precision));
	wv_vec_for_each(shadow, &build->shadows.list)
		ret->shadows += shadow->chosen != WV_CHOSEN_NOT;
}

int wv_index_build(const char *image_path, const char *database_path,
		   struct wv_index_totals *ret, struct wv_error *error)
{
	__attribute__((cleanup(cleanup_build))) struct build build = { 0 };
	struct wv_contents contents = { .symbols = &build.symbols, .merge = &build.merge,
					.shadows = &build.shadows,
					.operands = &build.operands,
					.copies = &build.copies };
	int failed;

	failed = wv_image_open(image_path, &build.image, error);
	if (!failed)
		failed = read_table(&build, error);
	if (!failed)
		failed = wv_symbols_init(&build.symbols, build.image, error);
	if (!failed)
		failed = wv_lines_read(build.image, &build.merge.paths, &build.rows, error);
	if (!failed)
		failed = wv_merge_sort(&build.merge, error);
	if (!failed)
		failed = wv_debug_init(&build.debug, build.image, error);
	if (!failed)
		failed = wv_operands_init(&build.operands, build.image, &build.debug, &build.merge,
					  error);
	if (!failed)
		failed = wv_copies_init(&build.copies, &build.debug, &build.rows, &build.merge,
					&build.symbols, error);
	if (!failed)
		failed = wv_shadows_init(&build.shadows, &build.merge, &build.rows, &build.symbols,
					 &build.operands, error);
	contents.image = build.image;
	if (!failed)
		failed = wv_store(database_path, &contents, error);
	if (!failed)
		count(&build, ret);
	return failed;
}
