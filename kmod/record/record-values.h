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
#include "runtime/value-marks.h"

/*
 * Copies @format to @marked, with marks around each conversion. Returns the number of conversions;
 * 0: the record has no values (wr_values_of_format()), and @format itself must be used. If a string
 * argument contains mark bytes, its value is reported too short; nothing worse happens.
 */
unsigned int wk_values_mark(const char *format, char marked[WR_MARKED_MAX]);

/*
 * Removes the marks from @text and truncates it to at most @most bytes without its NUL. Returns the
 * number of values that lie wholly in the result; *@size_ret is the length of the result.
 */
unsigned int wk_values_take(char *text, unsigned int most, struct weft_value values[WR_VALUES_MAX],
			    u32 *size_ret);

/*
 * Does @fields name a value of a record of @format, whose values are called @names? @fields are
 * separated by commas, and compared with what the author wrote, but for blanks. With a width that
 * is an argument it is not known which name is whose, so none is.
 */
bool wk_values_any(const char *format, const char *names, const char *fields);

#endif /* WK_RECORD_VALUES_H */
