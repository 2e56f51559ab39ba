/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of each image in which splices are chosen: where it is, and what of it must not be
 * spliced. Of the vmlinux it is all from _text to _etext; of a module each executable section that
 * stays in memory is an area of its own, which the kernel puts where it likes. All addresses are
 * those of the database (db.h).
 */
#ifndef WV_IMAGE_TEXT_H
#define WV_IMAGE_TEXT_H

#include "base/vec.h"
#include "database/db.h"
#include "plan/kernel-blacklist.h"

/* Text that stays together. No splice reaches from one area to another. */
struct wv_text_area {
	uint64_t start, end;
};

struct wv_image_text {
	uint64_t image; /* its number in the database */
	WV_VEC(struct wv_text_area) areas; /* ascending */
	struct wv_blacklist_list blacklist;
	uint64_t fentry; /* address of __fentry__, or of what stands for it in a module; or 0 */
};

struct wv_image_texts;

/* @db must stay open until wv_image_texts_destroy(). */
int wv_image_texts_create(struct wv_db *db, struct wv_image_texts **ret, struct wv_error *error);
void wv_image_texts_destroy(struct wv_image_texts *texts);

/* The text of the image that @address is in; it stays valid. NULL: there is no such image. */
int wv_image_texts_at(struct wv_image_texts *texts, uint64_t address,
		      const struct wv_image_text **ret, struct wv_error *error);

/* The area of @text that @address is in, or NULL. */
const struct wv_text_area *wv_text_area_at(const struct wv_image_text *text, uint64_t address);

#endif /* WV_IMAGE_TEXT_H */
