/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which formats of weft_log() have values in their records. weft.ko finds the values in a text that
 * the kernel has formatted, by marks that it puts around each conversion of the format. `weft read`
 * formats the records of a file itself, and must show values for the same formats. Freestanding.
 */
#ifndef WEFT_VALUE_MARKS_H
#define WEFT_VALUE_MARKS_H

#include "log-format.h"

enum {
	/* the marks around a value: BEGIN, a byte with the value's type, the value, END */
	WR_MARK_BEGIN = 1,
	WR_MARK_END = 2,
	WR_MARKS_SIZE = 3,   /* bytes that the marks add to a value */
	WR_MARKED_MAX = 1024, /* bytes of a format with its marks and its NUL */
	WR_VALUES_MAX = 32,  /* per record */
};

/*
 * Returns the number of values in a record of @format. 0: there are none, or too many, or the
 * format is too long with its marks, or it contains mark bytes itself.
 */
static inline unsigned int wr_values_of_format(const char *format)
{
	struct wr_conversion conversion;
	unsigned int values = 0, size = 0;

	for (const char *end; *format; format = end) {
		end = format + 1;
		if (*format == WR_MARK_BEGIN || *format == WR_MARK_END)
			return 0;
		if (*format == '%') {
			if (!wr_conversion_parse(format, &conversion))
				return 0;
			end = conversion.end;
			values += conversion.type != '%';
		}
		size += end - format;
	}
	return values <= WR_VALUES_MAX && size + WR_MARKS_SIZE * values < WR_MARKED_MAX ? values
											 : 0;
}

/* Returns the type letter that struct weft_value has for this conversion; 0 for "%%". */
static inline char wr_value_letter(const struct wr_conversion *conversion)
{
	if (conversion->type == '%')
		return 0;
	if (conversion->type != 'p' || !conversion->extension)
		return conversion->type;
	return wr_is_one_of(conversion->extension, "sSB")  ? 'S'
	       : wr_is_one_of(conversion->extension, "Kx") ? 'p'
							   : 't';
}

#endif /* WEFT_VALUE_MARKS_H */
