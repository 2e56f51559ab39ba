// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists an image's units; see units.h. */
#include <dwarf.h>
#include <stdlib.h>

#include "image/dwarf/dies.h"
#include "image/dwarf/units.h"

/*
 * Final names need the root of the source tree, which is known only when all names have been added
 * to @paths. So all are added first and read back afterwards.
 */
int wv_units_read(struct wv_image *image, struct wv_paths *paths, struct wv_pool *mains,
		  struct wv_error *error)
{
	_cleanup_dies_ struct wv_dies *dies = NULL;
	WV_VEC(uint32_t) numbers = { 0 };
	bool more = true;
	Dwarf_Die unit;
	int ret = wv_dies_create(image, &dies, error);

	while (!ret && more) {
		const char *name, *directory;
		uint32_t *slot;

		ret = wv_dies_next_unit(dies, &more, &unit, error);
		if (ret || !more)
			continue;
		name = wv_die_text(dies, &unit, DW_AT_name);
		directory = wv_die_text(dies, &unit, DW_AT_comp_dir);
		if (!name)
			continue;
		slot = wv_vec_push(&numbers);
		if (slot)
			*slot = wv_paths_add_main(paths, directory ? directory : "", name);
		if (!slot || *slot == WV_POOL_FAILED)
			ret = wv_no_memory(error);
	}
	if (!ret && !numbers.n)
		ret = wv_fail(error, WV_E_FORMAT,
			      "%s has no debug information; the image of the debug package is needed",
			      wv_image_path(image));
	for (size_t i = 0; i < numbers.n && !ret; i++)
		if (wv_pool_add(mains, wv_paths_name(paths, numbers.data[i])) == WV_POOL_FAILED)
			ret = wv_no_memory(error);
	wv_vec_deinit(&numbers);
	return ret;
}
