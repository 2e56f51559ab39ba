/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first fault in an aspect's advice, as text for a terminal and as JSON. */
#ifndef WV_FAULT_REPORT_H
#define WV_FAULT_REPORT_H

#include "base/json-writer.h"
#include "base/str.h"
#include "live/requests.h"

/* Lines, each indented: what, where, who, the stack. Nothing if @name's advice had no fault. */
void wv_fault_text(const struct wv_device *device, const char *name, struct wv_str *out);

/* The same as a member "fault"; none if there was no fault. */
void wv_fault_json(const struct wv_device *device, const char *name, struct wv_json *json);

#endif /* WV_FAULT_REPORT_H */
