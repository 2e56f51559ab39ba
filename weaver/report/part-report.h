/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports the state of an aspect's parts other than the kernel itself: of sections of modules, and
 * of programs. Adds nothing if the aspect has no such parts, or if weft.ko does not know the
 * aspect.
 */
#ifndef WV_PART_REPORT_H
#define WV_PART_REPORT_H

#include "base/json-writer.h"
#include "base/str.h"
#include "live/requests.h"

/* Adds a line for each such part. */
void wv_parts_text(const struct wv_device *device, const char *name, struct wv_str *out);

/*
 * Adds the key "modules" to the object that is open in @json; docs/aspect-language.md says what it
 * contains.
 */
void wv_parts_json(const struct wv_device *device, const char *name, struct wv_json *json);

#endif /* WV_PART_REPORT_H */
