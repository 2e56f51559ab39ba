/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports the tags of an aspect (<tag>): what each has counted, and why objects have not got it or
 * have lost it. Adds nothing if the aspect has no tags, or if weft.ko does not know the aspect.
 */
#ifndef WV_TAG_REPORT_H
#define WV_TAG_REPORT_H

#include "base/json-writer.h"
#include "base/str.h"
#include "live/requests.h"

/* Adds lines for each tag. */
void wv_tags_text(const struct wv_device *device, const struct weft_status *status,
		  struct wv_str *out);

/*
 * Adds the key "tags" to the object that is open in @json; docs/aspect-language.md says what it
 * contains.
 */
void wv_tags_json(const struct wv_device *device, const char *name, struct wv_json *json);

/* Adds a line: an object with the keys "aspect" and "tags". */
void wv_tags_json_line(const struct wv_device *device, const char *name, struct wv_str *out);

/* Returns whether the aspect has tags. */
bool wv_tags_any(const struct wv_device *device, const char *name);

#endif /* WV_TAG_REPORT_H */
