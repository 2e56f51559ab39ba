/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports the first fault in an aspect's advice, as text for a terminal and as JSON. */
#ifndef WV_FAULT_REPORT_H
#define WV_FAULT_REPORT_H

#include "base/json-writer.h"
#include "base/str.h"
#include "live/requests.h"

/*
 * Adds indented lines with the fault, its location, the task and the stack. Adds nothing if the
 * advice of the aspect @name had no fault.
 */
void wv_fault_text(const struct wv_device *device, const char *name, struct wv_str *out);

/*
 * Adds the fault as the key "fault" to the object that is open in @json. Adds nothing if there was
 * no fault.
 */
void wv_fault_json(const struct wv_device *device, const char *name, struct wv_json *json);

#endif /* WV_FAULT_REPORT_H */
