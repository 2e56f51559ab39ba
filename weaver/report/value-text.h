/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a record: what the author called each, of what type and unit it is. */
#ifndef WV_VALUE_TEXT_H
#define WV_VALUE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "base/json-writer.h"

/*
 * Adds "values":[{"name":"$(len)","type":"unsigned","unit":"B","value":12}, ...] to the object that
 * is open in @json; numbers are numbers. @text is the record's; the values lie inside it, which was
 * checked. @names are the arguments with commas between.
 */
void wv_values_json(const struct weft_value *values, size_t n, const char *text, const char *names,
		    struct wv_json *json);

#endif /* WV_VALUE_TEXT_H */
