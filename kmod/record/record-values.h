/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a record's values stand in its text. The text is made by the kernel's own formatting, from
 * a format in which each conversion stands between two marks; they are then taken out. So whatever
 * a conversion prints is found, and nothing about arguments has to be known.
 */
#ifndef WK_RECORD_VALUES_H
#define WK_RECORD_VALUES_H

#include <linux/types.h>

#include "runtime/abi.h"

enum {
	WK_VALUES_MAX = 32,   /* of one record; the text has the others, too */
	WK_MARKS_SIZE = 3,    /* bytes that a marked value is longer */
	WK_FORMAT_MAX = 1024, /* of a format with its marks */
};

/*
 * Returns how many conversions are marked in @marked; 0: there are none, or the format is too long,
 * and is to be used itself.
 */
unsigned int wk_values_mark(const char *format, char marked[WK_FORMAT_MAX]);

/*
 * Takes the marks out of @text, which is cut to at most @most bytes without its NUL. Returns how
 * many values lie wholly in it; *@size_ret is what is left of the text.
 */
unsigned int wk_values_take(char *text, unsigned int most, struct weft_value values[WK_VALUES_MAX],
			    u32 *size_ret);

#endif /* WK_RECORD_VALUES_H */
