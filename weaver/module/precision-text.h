/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes that shadows of an aspect's accesses are not exact, so that its counts may be too high.
 * The words are the same after a compile, at a weave, in the list and in reports.
 */
#ifndef WV_PRECISION_TEXT_H
#define WV_PRECISION_TEXT_H

#include <stdint.h>

#include "base/json-writer.h"
#include "base/str.h"
#include "runtime/abi.h"

/*
 * Adds "of 9 shadows of accesses 6 are exact and 3 are not (line 3): ...", without a line break.
 * Adds nothing if all are exact. @n: numbers of shadows, indexed by enum weft_precision
 * (runtime/precision-count.h).
 */
void wv_precision_text(const uint32_t n[WEFT_PRECISION_OPTIMIZED_OUT], struct wv_str *out);

/* Adds an object with each number that is not 0: "accesses":{"exact":6,"line":3}. */
void wv_precision_json(const uint32_t n[WEFT_PRECISION_OPTIMIZED_OUT], struct wv_json *json);

#endif /* WV_PRECISION_TEXT_H */
