// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the values in the text of records; see record-values.h. */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "record/record-values.h"

/*
 * Marks around a value in the formatted text: BEGIN, a byte with the value's type, the value, END.
 * If a string argument contains these bytes itself, its value is reported too short; nothing worse
 * happens.
 */
enum { BEGIN = 1, END = 2 };

/*
 * Parses a conversion; @format points after its '%'. Returns the end of the conversion, or NULL if
 * the format ends within it. *@type_ret is the type of struct weft_value; 0 for "%%".
 */
static const char *skip_conversion(const char *format, char *type_ret)
{
	format += strspn(format, "-+ #0123456789.*");
	format += strspn(format, "hlLzt");
	if (!*format)
		return NULL;
	*type_ret = *format == '%' ? 0 : *format;
	if (*format++ != 'p' || !isalnum(*format))
		return format;
	*type_ret = strchr("sSB", *format) ? 'S' : strchr("Kx", *format) ? 'p' : 't';
	while (isalnum(*format))
		format++;
	return format;
}

unsigned int wk_values_mark(const char *format, char marked[WK_FORMAT_MAX])
{
	unsigned int n = 0, used = 0;

	while (*format) {
		const char *end = format + 1;
		char type = 0;

		if (*format == BEGIN || *format == END)
			return 0;
		if (*format == '%')
			end = skip_conversion(format + 1, &type);
		if (!end || used + (end - format) + WK_MARKS_SIZE >= WK_FORMAT_MAX)
			return 0;
		if (type) {
			marked[used++] = BEGIN;
			marked[used++] = type;
			n++;
		}
		memcpy(marked + used, format, end - format);
		used += end - format;
		if (type)
			marked[used++] = END;
		format = end;
	}
	marked[used] = '\0';
	return n;
}

unsigned int wk_values_take(char *text, unsigned int most, struct weft_value values[WK_VALUES_MAX],
			    u32 *size_ret)
{
	struct weft_value *value = NULL;
	unsigned int n = 0, used = 0;

	for (const char *from = text; *from && used < most; from++) {
		if (*from == END && value) {
			value->end = used;
			value = NULL;
			n++;
		} else if (*from == BEGIN && !value && from[1] && n < WK_VALUES_MAX) {
			value = &values[n];
			*value = (struct weft_value){ .start = used, .type = *++from };
		} else if (*from != BEGIN && *from != END) {
			text[used++] = *from;
		} else if (*from == BEGIN && from[1] && !value) {
			from++; /* there is no room for another value: skip its type */
		}
	}
	text[used] = '\0';
	*size_ret = used;
	return n;
}
