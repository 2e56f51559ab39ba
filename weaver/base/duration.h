/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time spans as people write them: a decimal number and a unit, "2s", "1.5ms", "250us". */
#ifndef WV_DURATION_H
#define WV_DURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The list of units, for messages. */
#define WV_DURATION_UNITS "ns, us, ms, s or min"

/*
 * Parses @text; *@ret is in nanoseconds. False: @text is not a time span, is not a whole number of
 * nanoseconds, or is more than 2^60 ns (36 years).
 */
bool wv_duration_parse(const char *text, uint64_t *ret);

enum { WV_DURATION_TEXT = 32 };

/*
 * Formats a time span with about three digits, in a unit that keeps the number short. Returns
 * @text.
 */
const char *wv_duration_text(uint64_t nanoseconds, char text[WV_DURATION_TEXT]);

#endif /* WV_DURATION_H */
