/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the C of tags (<tag>) and of the advice that asks for them (<xflow>). */
#ifndef WV_WRITE_TAGS_H
#define WV_WRITE_TAGS_H

#include "aspect/generate/write-metrics.h"
#include "aspect/language/aspect-model.h"
#include "base/str.h"

/* Writes the variables of each tag; to be called before all advice. */
void wv_tags_write_storage(const struct wv_aspect *aspect, struct wv_str *out);

/*
 * Writes the check of tags, which stands between the variables and the body of @advice: the advice
 * returns unless the objects of its pointcut's <xflow>s carry their tags. In the advice that starts
 * a pair the result of the check is stored in the variable weft_active instead, as guards do
 * (guard.h).
 */
void wv_tags_write_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
			 wv_write_code write, void *context, struct wv_str *out);

/* Writes the body of @advice, which tags or untags objects. */
void wv_tags_write_body(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
			wv_write_code write, void *context, struct wv_str *out);

/*
 * The first writes the table of tags for weft.ko, the second the members of struct weft_aspect that
 * point weft.ko to this table.
 */
void wv_tags_write_table(const struct wv_aspect *aspect, struct wv_str *out);
void wv_tags_write_end(const struct wv_aspect *aspect, struct wv_str *out);

#endif /* WV_WRITE_TAGS_H */
