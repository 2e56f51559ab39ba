// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the text of images; see image-text.h. Of thousands of modules a plan needs only a few, so
 * the text of an image is read when it is first requested.
 */
#include <stdlib.h>
#include <string.h>

#include "database/db-handle.h"
#include "plan/image-text.h"

struct wv_image_texts {
	struct wv_db *db;
	WV_VEC(struct wv_image_text *) list; /* images whose text was asked for */
};

int wv_image_texts_create(struct wv_db *db, struct wv_image_texts **ret, struct wv_error *error)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return wv_no_memory(error);
	(*ret)->db = db;
	return 0;
}

static void forget(struct wv_image_text *text)
{
	if (!text)
		return;
	wv_vec_deinit(&text->areas);
	wv_vec_deinit(&text->blacklist.list);
	free(text);
}

void wv_image_texts_destroy(struct wv_image_texts *texts)
{
	if (!texts)
		return;
	wv_vec_for_each(text, &texts->list)
		forget(*text);
	wv_vec_deinit(&texts->list);
	free(texts);
}

static int add_area(struct wv_image_text *text, uint64_t start, uint64_t end,
		    struct wv_error *error)
{
	struct wv_text_area *area = wv_vec_push(&text->areas);

	if (!area)
		return wv_no_memory(error);
	*area = (struct wv_text_area){ start, end };
	return 0;
}

/*
 * Finds the bounds of the vmlinux's text. The text ends at _etext. If the image has no such symbol,
 * it ends where the contiguous pieces of text end that begin at _text.
 */
static int find_vmlinux(struct wv_db *db, struct wv_image_text *text, struct wv_error *error)
{
	uint64_t start = db->text_address, end = wv_db_symbol_address(db, "_etext");
	uint8_t byte;
	int ret;

	text->fentry = wv_db_symbol_address(db, "__fentry__");
	if (!end) {
		for (end = start; wv_db_bytes(db, end - start, &byte, 1);)
			end += WV_SCHEMA_TEXT_PIECE;
		/* The last piece is shorter than WV_SCHEMA_TEXT_PIECE: go back to its end. */
		while (end > start && !wv_db_bytes(db, end - 1 - start, &byte, 1))
			end--;
	}
	ret = add_area(text, start, end, error);
	return ret ? ret : wv_blacklist_read(&text->blacklist, db, error);
}

/*
 * Selects the sections of a module that contain text, with two exceptions. The kernel frees init
 * sections after init; their names are as in module_init_section() of kernel/module/main.c. And the
 * replacements of alternatives never run at their own addresses.
 */
static const char sections_sql[] =
	"SELECT offset, size FROM section WHERE offset >= ?1 AND offset < ?2"
	" AND name NOT GLOB '.init*' AND name NOT GLOB '.altinstr_*' ORDER BY offset";

static int find_module(struct wv_db *db, struct wv_image_text *text, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *sections = NULL;
	const uint64_t first = text->image << WV_IMAGE_OFFSET_BITS;
	const uint64_t last = (text->image + 1) << WV_IMAGE_OFFSET_BITS;
	bool more;
	int ret = wv_db_prepare(db, sections_sql, &sections, error);

	if (ret)
		return ret;
	sqlite3_bind_int64(sections, 1, (sqlite3_int64)first);
	sqlite3_bind_int64(sections, 2, (sqlite3_int64)last);
	ret = wv_db_step(db, sections, &more, error);
	while (!ret && more) {
		uint64_t start = db->text_address + (uint64_t)sqlite3_column_int64(sections, 0);

		ret = add_area(text, start, start + (uint64_t)sqlite3_column_int64(sections, 1),
			       error);
		if (!ret)
			ret = wv_db_step(db, sections, &more, error);
	}
	if (!ret)
		ret = wv_db_import(db, "__fentry__", text->image, &text->fentry, error);
	return ret ? ret : wv_blacklist_read_module(&text->blacklist, db, text->image, error);
}

int wv_image_texts_at(struct wv_image_texts *texts, uint64_t address,
		      const struct wv_image_text **ret, struct wv_error *error)
{
	const uint64_t image = (address - texts->db->text_address) >> WV_IMAGE_OFFSET_BITS;
	struct wv_image_text **slot;
	int failed;

	*ret = NULL;
	wv_vec_for_each(text, &texts->list) {
		if ((*text)->image != image)
			continue;
		*ret = *text;
		return 0;
	}
	if (image >= texts->db->images.strings.n)
		return 0;
	slot = wv_vec_push(&texts->list);
	if (slot)
		*slot = calloc(1, sizeof(**slot));
	if (!slot || !*slot) {
		texts->list.n -= slot != NULL;
		return wv_no_memory(error);
	}
	(*slot)->image = image;
	failed = image ? find_module(texts->db, *slot, error) :
			 find_vmlinux(texts->db, *slot, error);
	if (failed) {
		forget(*slot);
		texts->list.n--;
		return failed;
	}
	*ret = *slot;
	return 0;
}

const struct wv_text_area *wv_text_area_at(const struct wv_image_text *text, uint64_t address)
{
	wv_vec_for_each(area, &text->areas)
		if (address - area->start < area->end - area->start)
			return area;
	return NULL;
}
