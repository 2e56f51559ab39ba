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
 * Does @fields name a value of a record with @format, whose values are called @names? Both are
 * lists separated by commas, in which blanks do not count. False also if the numbers of names and
 * values differ, as with a width that is an argument: it is then unknown which name belongs to
 * which value.
 */
bool wk_values_any(const char *format, const char *names, const char *fields);

#endif /* WK_RECORD_VALUES_H */
