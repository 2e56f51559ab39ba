// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the parts of the text; see text-parts.h. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/text-parts.h"
#include "database/db-handle.h"
#include "database/db.h"
#include "image/image.h"

void wv_parts_deinit(wv_parts *parts)
{
	wv_vec_for_each(part, parts) {
		free(part->module);
		free(part->section);
		free(part->anchor);
	}
	wv_vec_deinit(parts);
}

int wv_parts_add_kernel(wv_parts *parts, struct wv_db *db, struct wv_error *error)
{
	struct wv_text_part *part = wv_vec_push(parts);
	const uint8_t *build_id;

	if (!part)
		return wv_no_memory(error);
	build_id = wv_db_build_id(db, &part->build_id_size);
	memcpy(part->build_id, build_id, part->build_id_size);
	return 0;
}

/*
 * Returns the section that contains the offset ?1, the build-id of its image, and whether the
 * module frees the section after its initialization.
 */
static const char section_sql[] =
	"SELECT section.offset, section.size, section.name, anchor, anchor_offset, image.name,"
	" build_id, section.name GLOB '.init*' OR section.name GLOB '.altinstr_*'"
	" FROM section JOIN image ON image.id = section.offset >> " WV_SQL(WV_IMAGE_OFFSET_BITS)
	" WHERE section.offset = (SELECT max(offset) FROM section WHERE offset <= ?1)"
	" AND ?1 - section.offset < section.size";

static char *copy(sqlite3_stmt *row, int column)
{
	return strdup(wv_db_text(row, column));
}

/* Adds the section in @row as a part. */
static int add_section(wv_parts *parts, sqlite3_stmt *row, struct wv_error *error)
{
	const size_t build_id_size = sqlite3_column_bytes(row, 6);
	struct wv_text_part *part;

	if (!build_id_size || build_id_size > WEFT_BUILD_ID_MAX)
		return wv_fail(error, WV_E_FORMAT,
			       "module %s has no build-id, so another build of it would be taken "
			       "for it: link it with --build-id", wv_db_text(row, 5));
	if (sqlite3_column_type(row, 3) == SQLITE_NULL)
		return wv_fail(error, WV_E_FORMAT,
			       "section %s of module %s has no symbol with a unique name, by which "
			       "it could be found in the running kernel",
			       wv_db_text(row, 2), wv_db_text(row, 5));
	if (parts->n > UINT16_MAX)
		return wv_fail(error, WV_E_NO_MATCH, "the aspect has shadows in more than %u "
			       "sections of modules; narrow it with <within>", UINT16_MAX);
	part = wv_vec_push(parts);
	if (!part)
		return wv_no_memory(error);
	part->start = sqlite3_column_int64(row, 0);
	part->size = sqlite3_column_int64(row, 1);
	part->section = copy(row, 2);
	part->anchor = copy(row, 3);
	part->anchor_offset = sqlite3_column_int64(row, 4);
	part->module = copy(row, 5);
	memcpy(part->build_id, sqlite3_column_blob(row, 6), build_id_size);
	part->build_id_size = build_id_size;
	return part->section && part->anchor && part->module ? 0 : wv_no_memory(error);
}

/*
 * Finds the part that contains one shadow, and the shadow's offset in that part. The caller passes
 * shadows in ascending order of offsets. So each one is in the last part that was found, or in a
 * new one.
 */
static int find_location(wv_parts *parts, struct wv_db *db, sqlite3_stmt *section, uint64_t offset,
			 struct wv_shadow_location *ret, struct wv_error *error)
{
	const struct wv_text_part *last = &parts->data[parts->n - 1];
	bool more;
	int failed;

	*ret = (struct wv_shadow_location){ .text_offset = offset };
	if (!(offset >> WV_IMAGE_OFFSET_BITS))
		return 0;
	if (offset - last->start >= last->size) {
		sqlite3_reset(section);
		sqlite3_bind_int64(section, 1, (sqlite3_int64)offset);
		failed = wv_db_step(db, section, &more, error);
		if (!failed && (!more || sqlite3_column_int(section, 7)))
			*ret = (struct wv_shadow_location){ .gone = true };
		else if (!failed)
			failed = add_section(parts, section, error);
		if (failed || ret->gone)
			return failed;
		last = &parts->data[parts->n - 1];
	}
	ret->part = parts->n - 1;
	ret->text_offset = offset - last->start;
	return 0;
}

/*
 * Finds where the executable sections of @image are. Sets *@away_ret as wv_parts_add_program()
 * does, and *@end_ret to the offset in the file where the last of these sections ends.
 */
static int find_text(const struct wv_image *image, uint64_t *away_ret, uint64_t *end_ret,
		     struct wv_error *error)
{
	*end_ret = 0;
	wv_vec_for_each(section, wv_image_sections(image)) {
		const uint64_t away = section->address - section->file_offset;
		const uint64_t end = section->file_offset + section->size;

		if (!(section->flags & SHF_EXECINSTR) || section->type == SHT_NOBITS)
			continue;
		if (*end_ret && away != *away_ret)
			return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
					  "its text is in several segments");
		*away_ret = away;
		if (end > *end_ret)
			*end_ret = end;
	}
	if (!*end_ret)
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0, "has no text");
	return 0;
}

int wv_parts_add_program(wv_parts *parts, struct wv_image *image, const char *path,
			 uint64_t *away_ret, struct wv_error *error)
{
	struct wv_text_part *part;
	const uint8_t *build_id;
	uint64_t end;
	int failed = find_text(image, away_ret, &end, error);

	if (failed)
		return failed;
	if (parts->n > UINT16_MAX)
		return wv_fail(error, WV_E_NO_MATCH, "the aspect has shadows in more than %u parts",
			       UINT16_MAX);
	part = wv_vec_push(parts);
	if (!part)
		return wv_no_memory(error);
	part->size = end;
	part->section = strdup("");
	part->anchor = strdup("");
	part->module = strdup(path);
	build_id = wv_image_build_id(image, &part->build_id_size);
	if (!part->build_id_size)
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
				  "has no build-id");
	memcpy(part->build_id, build_id, part->build_id_size);
	return part->section && part->anchor && part->module ? 0 : wv_no_memory(error);
}

int wv_parts_find(wv_parts *parts, struct wv_db *db, const uint64_t *offsets, size_t n,
		  struct wv_shadow_location *ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *section = NULL;
	int failed = wv_db_prepare(db, section_sql, &section, error);

	if (!failed)
		failed = wv_parts_add_kernel(parts, db, error);
	for (size_t i = 0; i < n && !failed; i++)
		failed = find_location(parts, db, section, offsets[i], &ret[i], error);
	return failed;
}
