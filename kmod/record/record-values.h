/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the values in a record's text. Each conversion of the format is put between two marks, the
 * kernel formats the text, and the marks are then removed from it. This needs no knowledge of the
 * arguments' types: a value is whatever a conversion has printed.
 */
#ifndef WK_RECORD_VALUES_H
#define WK_RECORD_VALUES_H

#include <linux/types.h>

#include "runtime/abi.h"

enum {
	WK_VALUES_MAX = 32,   /* per record; the text of a record with more is not taken apart */
	WK_MARKS_SIZE = 3,    /* bytes that the marks add to a value */
	WK_FORMAT_MAX = 1024, /* bytes of a format with its marks */
};

/*
 * Copies @format to @marked, with marks around each conversion. Returns the number of conversions;
 * 0: there are none, or the format is too long or contains mark bytes, so that @format itself must
 * be used.
 */
unsigned int wk_values_mark(const char *format, char marked[WK_FORMAT_MAX]);

/*
 * Removes the marks from @text and truncates it to at most @most bytes without its NUL. Returns the
 * number of values that lie wholly in the result; *@size_ret is the length of the result.
 */
unsigned int wk_values_take(char *text, unsigned int most, struct weft_value values[WK_VALUES_MAX],
			    u32 *size_ret);

#endif /* WK_RECORD_VALUES_H */
