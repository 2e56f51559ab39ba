// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the rows of one image. The tables are filled one after another, so that each table's pages
 * are adjacent in the file. Positions in lists count from 0. The ids in the database count from 1,
 * and have the image's number in their upper bits.
 */
#include "index/store-handle.h"
#include "index/store-rows.h"

/* Checks that the image needs no more ids than fit below the image's number (WV_IMAGE_ID_BITS). */
static int check_room(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	const size_t numbers[] = { contents->merge->joinpoints.n, contents->merge->names.strings.n,
				   contents->merge->files.n, contents->symbols->list.n,
				   contents->inlined->names->strings.n };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i] >= 1u << WV_IMAGE_ID_BITS)
			return wv_fail_at(store->error, WV_E_FORMAT,
					  wv_image_path(contents->image), 0, 0,
					  "too much for a database: %zu of a kind", numbers[i]);
	if (store->number >= WV_IMAGES_MAX)
		return wv_fail(store->error, WV_E_USAGE, "more than %u images", WV_IMAGES_MAX);
	return 0;
}

int wv_store_rows(struct wv_store *store)
{
	static int (*const steps[])(struct wv_store *) = {
		check_room,
		wv_store_meta,
		wv_store_mentions,
		wv_store_image,
		wv_store_units,
		wv_store_sections,
		wv_store_files,
		wv_store_fields,
		wv_store_functions,
		wv_store_joinpoints,
		wv_store_symbols,
		wv_store_shadows,
		wv_store_fates,
		wv_store_lines,
		wv_store_inlines,
		wv_store_copies,
		wv_store_places,
		wv_store_calls,
		wv_store_owners,
		wv_store_branch_targets,
		wv_store_text,
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && !ret; i++)
		ret = steps[i](store);
	return ret;
}
