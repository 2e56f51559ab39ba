/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the text of each image in which splices are chosen: the addresses of the text, and the
 * ranges in it that must not be spliced. The text of the vmlinux is one area, from _text to _etext.
 * In a module each executable section that stays in memory is an area of its own, since the kernel
 * may load the sections far away from each other. All addresses are those of the database (db.h).
 */
#ifndef WV_IMAGE_TEXT_H
#define WV_IMAGE_TEXT_H

#include "base/vec.h"
#include "database/db.h"
#include "plan/kernel-blacklist.h"

/*
 * A contiguous range of text that the kernel loads as a whole. No splice reaches from one area into
 * another.
 */
struct wv_text_area {
	uint64_t start, end;
};

struct wv_image_text {
	uint64_t image; /* number of the image in the database */
	WV_VEC(struct wv_text_area) areas; /* ascending */
	struct wv_blacklist_list blacklist;
	/* address of __fentry__; in a module, the address by which the module refers to it; or 0 */
	uint64_t fentry;
};

struct wv_image_texts;

/*
 * Prepares to find the text of images in @db, which must stay open until wv_image_texts_destroy().
 */
int wv_image_texts_create(struct wv_db *db, struct wv_image_texts **ret, struct wv_error *error);
void wv_image_texts_destroy(struct wv_image_texts *texts);

/*
 * Sets *@ret to the text of the image that contains @address, or to NULL if there is no such image.
 * The text stays valid as long as @texts.
 */
int wv_image_texts_at(struct wv_image_texts *texts, uint64_t address,
		      const struct wv_image_text **ret, struct wv_error *error);

/* The area of @text that @address is in, or NULL. */
const struct wv_text_area *wv_text_area_at(const struct wv_image_text *text, uint64_t address);

#endif /* WV_IMAGE_TEXT_H */
