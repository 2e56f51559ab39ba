/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function ranges of the database. A function range begins at a function, or at code that only has
 * a label, and ends at the next symbol or at the end of its text area (struct wv_text_area). So
 * padding after a function belongs to the function's range. A splice is chosen within one function
 * range, and weft.ko decodes the same range. All addresses are those of the database (db.h).
 */
#ifndef WV_FUNCTION_RANGE_H
#define WV_FUNCTION_RANGE_H

#include "database/db.h"
#include "plan/image-text.h"
#include "splice/choose.h"

struct wv_function_range {
	uint64_t start, end;
	uint8_t *bytes;
	struct wv_chooser *chooser;
	/*
	 * end of the function according to its symbol; the bytes after it belong to no function; in
	 * a range that begins at a mere label: .end
	 */
	uint64_t code_end;
	bool c; /* the function was compiled by GCC from C, according to DWARF */
	/*
	 * an instruction of the range, before the first one that cannot be decoded, sets the
	 * direction flag or opens user memory (WR_TRAMPOLINE_SANITIZE)
	 */
	bool sanitize;
	/*
	 * number of the last request for this range; the range with the smallest number is evicted
	 * first
	 */
	uint64_t used;
};

struct wv_function_ranges;

/* Prepares to read function ranges of @db, which must stay open until the ranges are destroyed. */
int wv_function_ranges_create(struct wv_db *db, struct wv_function_ranges **ret,
			      struct wv_error *error);
void wv_function_ranges_destroy(struct wv_function_ranges *ranges);

/*
 * Sets *@ret to the text of image number @image, without init text. Number 0 is the vmlinux. Sets
 * *@ret to NULL if there is no such image.
 */
int wv_function_ranges_text(struct wv_function_ranges *ranges, uint64_t image,
			    const struct wv_image_text **ret, struct wv_error *error);

/*
 * Sets *@ret to the function range that contains @address, or to NULL if @address is outside the
 * text. The range stays valid while only it and its neighbours are requested. Requests for other
 * ranges may drop it from the cache.
 */
int wv_function_ranges_at(struct wv_function_ranges *ranges, uint64_t address,
			  const struct wv_function_range **ret, struct wv_error *error);

/*
 * Adds the padding that a springboard anywhere in @range can reach, also padding in neighbouring
 * ranges, ascending.
 */
int wv_function_ranges_padding(struct wv_function_ranges *ranges,
			       const struct wv_function_range *range, wv_padding_list *ret,
			       struct wv_error *error);

/*
 * Sets *@ret to the owner of the instruction at @address, as text for messages ("a jump label"), or
 * to NULL if the instruction has no owner.
 */
int wv_function_ranges_owner(struct wv_function_ranges *ranges, uint64_t address, const char **ret,
			     struct wv_error *error);

static inline void wv_cleanup_function_ranges(struct wv_function_ranges **ranges)
{
	wv_function_ranges_destroy(*ranges);
}
#define _cleanup_function_ranges_ __attribute__((cleanup(wv_cleanup_function_ranges)))

#endif /* WV_FUNCTION_RANGE_H */
