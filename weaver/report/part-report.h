/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports what became of an aspect in each section of each module that it has joinpoints in.
 * Nothing if it is in the kernel alone, or the kernel does not know it.
 */
#ifndef WV_PART_REPORT_H
#define WV_PART_REPORT_H

#include "base/json-writer.h"
#include "base/str.h"
#include "live/requests.h"

/* Adds a line for each section. */
void wv_parts_text(const struct wv_device *device, const char *name, struct wv_str *out);

/* Adds the key "modules" to the object that @json is in; docs/aspect-language.md lists its keys. */
void wv_parts_json(const struct wv_device *device, const char *name, struct wv_json *json);

#endif /* WV_PART_REPORT_H */
