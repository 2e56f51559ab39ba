// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes what the database says of an image as a whole: its identity, its units, its sections. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/linux-version.h"
#include "image/anchors.h"
#include "image/banner.h"
#include "image/dwarf/units.h"
#include "index/rows.h"
#include "index/store-rows.h"

/* Adds the kernel's series ("6.12"); "" if the image does not have it. */
static int add_linux(struct wv_rows *rows)
{
	static const char before[] = "Linux version ";
	struct wv_store *store = rows->store;
	struct wv_linux_text text = { "" };
	char banner[WV_BANNER_MAX];
	wv_linux_version version = 0;
	int ret = wv_image_banner(store->contents->image, banner, store->error);

	if (ret)
		return ret;
	if (!strncmp(banner, before, strlen(before)))
		version = wv_linux_version_of(banner + strlen(before));
	if (version)
		text = wv_linux_version_text(version);
	wv_rows_text(rows, "linux");
	wv_rows_text(rows, text.text);
	return wv_rows_end(rows);
}

/*
 * Writes facts about the vmlinux, in the order of their keys. Equal images must give equal
 * databases, so no fact may depend on where or when the database was made.
 */
int wv_store_meta(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	const uint8_t *build_id;
	size_t size;
	int ret;

	if (store->number)
		return 0;
	ret = wv_rows_start(store, "meta", 2, &rows);
	if (ret)
		return ret;
	build_id = wv_image_build_id(contents->image, &size);
	wv_rows_text(&rows, "build_id");
	wv_rows_bytes(&rows, build_id, size);
	ret = wv_rows_end(&rows);
	if (ret)
		return ret;
	ret = add_linux(&rows);
	if (ret)
		return ret;
	wv_rows_text(&rows, "schema");
	wv_rows_number(&rows, WV_SCHEMA_VERSION);
	ret = wv_rows_end(&rows);
	if (ret)
		return ret;
	wv_rows_text(&rows, "source_root");
	wv_rows_text(&rows, wv_paths_root(&contents->merge->paths));
	ret = wv_rows_end(&rows);
	if (ret)
		return ret;
	wv_rows_text(&rows, "text_address");
	wv_rows_number(&rows, contents->symbols->text);
	return wv_rows_end(&rows);
}

int wv_store_image(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	_cleanup_rows_ struct wv_rows rows = { 0 };
	const uint8_t *build_id;
	size_t size;
	int ret = wv_rows_start(store, "image", 7, &rows);

	if (ret)
		return ret;
	build_id = wv_image_build_id(contents->image, &size);
	wv_rows_number(&rows, store->number);
	wv_rows_text(&rows, contents->name);
	wv_rows_bytes(&rows, build_id, size);
	wv_rows_number(&rows, contents->merge->nr_units);
	wv_rows_number(&rows, contents->merge->nr_accesses);
	wv_rows_number(&rows, contents->merge->joinpoints.n);
	wv_rows_number(&rows, contents->mentions != NULL);
	return wv_rows_end(&rows);
}

static int compare_names(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;

	return strcmp(*a, *b);
}

/* Writes the C units of an image, if they were compiled separately from it (parsed.h). */
int wv_store_units(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_free_ const char **names = calloc(merge->units.strings.n + 1, sizeof(*names));
	_cleanup_rows_ struct wv_rows rows = { 0 };
	size_t n = 0;
	int ret = names ? wv_rows_start(store, "unit", 3, &rows) : wv_no_memory(store->error);

	wv_vec_for_each(name, &merge->units.strings)
		if (!ret && wv_unit_is_c(*name))
			names[n++] = *name;
	if (n)
		qsort(names, n, sizeof(*names), compare_names);
	for (size_t i = 0; i < n && !ret; i++) {
		wv_rows_id(&rows, i);
		wv_rows_text(&rows, names[i]);
		wv_rows_number(&rows, merge->unit_is_known.data[wv_pool_find(&merge->units,
									     names[i])]);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

/*
 * Writes for each word how many units with unknown accesses have it in their source text, in the
 * order of the words.
 */
int wv_store_mentions(struct wv_store *store)
{
	const struct wv_mention_counts *mentions = store->contents->mentions;
	const size_t n = mentions ? mentions->words.strings.n : 0;
	_cleanup_free_ const char **words = calloc(n + 1, sizeof(*words));
	_cleanup_rows_ struct wv_rows rows = { 0 };
	int ret = words ? wv_rows_start(store, "mention", 3, &rows) : wv_no_memory(store->error);

	for (size_t i = 0; i < n && !ret; i++)
		words[i] = wv_pool_get(&mentions->words, i);
	if (n && !ret)
		qsort(words, n, sizeof(*words), compare_names);
	for (size_t i = 0; i < n && !ret; i++) {
		wv_rows_number(&rows, store->number);
		wv_rows_text(&rows, words[i]);
		wv_rows_number(&rows,
			       mentions->units.data[wv_pool_find(&mentions->words, words[i])]);
		ret = wv_rows_end(&rows);
	}
	return ret;
}

bool wv_store_is_text(const struct wv_section *section)
{
	return (section->flags & SHF_EXECINSTR) && (section->flags & SHF_ALLOC);
}

/*
 * Adds two values: the anchor of a module's section (anchors.h) and the anchor's offset in the
 * section. Adds NULL for both if there is no anchor.
 */
static void add_anchor(struct wv_rows *rows, const struct wv_anchors *anchors,
		       const struct wv_section *section)
{
	const struct wv_symbol *anchor = NULL;

	if (wv_image_is_relocatable(rows->store->contents->image))
		anchor = wv_anchors_of(anchors, rows->store->contents->symbols, section);
	if (!anchor) {
		wv_rows_null(rows);
		wv_rows_null(rows);
		return;
	}
	wv_rows_text(rows, anchor->name);
	wv_rows_number(rows, anchor->address - section->address);
}

int wv_store_sections(struct wv_store *store)
{
	_cleanup_rows_ struct wv_rows rows = { 0 };
	struct wv_anchors anchors;
	int ret = wv_rows_start(store, "section", 5, &rows);

	if (!ret)
		ret = wv_anchors_init(&anchors, store->contents->image, store->error);
	if (ret)
		return ret;
	wv_vec_for_each(section, wv_image_sections(store->contents->image)) {
		if (ret || !wv_store_is_text(section) || !section->size)
			continue;
		wv_rows_offset(&rows, section->address);
		wv_rows_text(&rows, section->name);
		wv_rows_number(&rows, section->size);
		add_anchor(&rows, &anchors, section);
		ret = wv_rows_end(&rows);
	}
	wv_anchors_deinit(&anchors);
	return ret;
}
