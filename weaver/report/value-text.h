/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the values of a record as JSON: each value with the name and the unit that the author gave
 * it, and with its type.
 */
#ifndef WV_VALUE_TEXT_H
#define WV_VALUE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "base/json-writer.h"

/*
 * Adds "values":[{"name":"$(len)","type":"unsigned","unit":"B","value":12}, ...] to the object that
 * is open in @json; numbers are JSON numbers. @text is the record's text; the caller has checked
 * that the values lie inside it. @names is the C text of the arguments, separated by commas.
 */
void wv_values_json(const struct weft_value *values, size_t n, const char *text, const char *names,
		    struct wv_json *json);

#endif /* WV_VALUE_TEXT_H */
