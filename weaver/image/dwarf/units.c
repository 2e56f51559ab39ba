// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the names and ranges of the units of .debug_info; see units.h. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "image/dwarf/dies.h"
#include "image/dwarf/units.h"

static int compare(const void *left, const void *right)
{
	const struct wv_unit_range *a = left, *b = right;

	return wv_order(a->start, b->start) ?: wv_order(a->end, b->end);
}

static int add_ranges(struct wv_units *units, Dwarf_Die *unit, uint32_t file,
		      struct wv_error *error)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(unit, next, &base, &start, &end)) > 0) {
		struct wv_unit_range *range;

		if (start >= end)
			continue;
		range = wv_vec_push(&units->ranges);
		if (!range)
			return wv_no_memory(error);
		*range = (struct wv_unit_range){ start, end, file };
	}
	return 0;
}

static int add_unit(struct wv_units *units, const struct wv_dies *dies, Dwarf_Die *unit,
		    struct wv_paths *paths, struct wv_error *error)
{
	const char *name = wv_die_text(dies, unit, DW_AT_name);
	const char *directory = wv_die_text(dies, unit, DW_AT_comp_dir);
	uint32_t *slot;

	if (!name)
		return 0;
	slot = wv_vec_push(&units->files);
	if (!slot)
		return wv_no_memory(error);
	*slot = wv_paths_add_main(paths, directory ? directory : "", name);
	if (*slot == WV_POOL_FAILED)
		return wv_no_memory(error);
	return add_ranges(units, unit, *slot, error);
}

int wv_units_read(struct wv_image *image, struct wv_paths *paths, struct wv_units *ret,
		  struct wv_error *error)
{
	_cleanup_dies_ struct wv_dies *dies = NULL;
	bool more = true;
	Dwarf_Die unit;
	int failed = wv_dies_create(image, &dies, error);

	memset(ret, 0, sizeof(*ret));
	while (!failed && more) {
		failed = wv_dies_next_unit(dies, &more, &unit, error);
		if (!failed && more)
			failed = add_unit(ret, dies, &unit, paths, error);
	}
	if (failed)
		wv_units_deinit(ret);
	else if (ret->ranges.n)
		qsort(ret->ranges.data, ret->ranges.n, sizeof(*ret->ranges.data), compare);
	return failed;
}

void wv_units_deinit(struct wv_units *units)
{
	wv_vec_deinit(&units->ranges);
	wv_vec_deinit(&units->files);
}

uint32_t wv_units_at(const struct wv_units *units, uint64_t address)
{
	size_t after = wv_vec_partition(&units->ranges, range, range->start <= address);
	const struct wv_unit_range *last = after ? &units->ranges.data[after - 1] : NULL;

	return last && address < last->end ? last->file : WV_POOL_FAILED;
}

bool wv_unit_keeps_convention(const char *producer)
{
	return producer && !strncmp(producer, "GNU C", strlen("GNU C")) &&
	       strstr(producer, " -mskip-rax-setup") &&
	       (strstr(producer, " -p ") || strstr(producer, " -fno-ipa-ra") ||
		strstr(producer, " -flive-patching"));
}

bool wv_unit_is_c(const char *name)
{
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, ".c") && *name != '.' && *name != '/';
}
