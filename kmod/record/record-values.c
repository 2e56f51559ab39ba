// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the values in the text of records; see record-values.h. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/value-names.h"
#include "record/record-values.h"

unsigned int wk_values_mark(const char *format, char marked[WR_MARKED_MAX])
{
	unsigned int n = wr_values_of_format(format), used = 0;
	struct wr_conversion conversion;

	if (!n)
		return 0;
	for (const char *end; *format; format = end) {
		char type = 0;

		end = format + 1;
		if (*format == '%') {
			wr_conversion_parse(format, &conversion);
			end = conversion.end;
			type = wr_value_letter(&conversion);
		}
		if (type) {
			marked[used++] = WR_MARK_BEGIN;
			marked[used++] = type;
		}
		memcpy(marked + used, format, end - format);
		used += end - format;
		if (type)
			marked[used++] = WR_MARK_END;
	}
	marked[used] = '\0';
	return n;
}

unsigned int wk_values_take(char *text, unsigned int most, struct weft_value values[WR_VALUES_MAX],
			    u32 *size_ret)
{
	struct weft_value *value = NULL;
	unsigned int n = 0, used = 0;

	for (const char *from = text; *from && used < most; from++) {
		if (*from == WR_MARK_END && value) {
			value->end = used;
			value = NULL;
			n++;
		} else if (*from == WR_MARK_BEGIN && !value && from[1] && n < WR_VALUES_MAX) {
			value = &values[n];
			*value = (struct weft_value){ .start = used, .type = *++from };
		} else if (*from != WR_MARK_BEGIN && *from != WR_MARK_END) {
			text[used++] = *from;
		} else if (*from == WR_MARK_BEGIN && from[1] && !value) {
			from++; /* there is no room for another value: skip its type */
		}
	}
	text[used] = '\0';
	*size_ret = used;
	return n;
}

bool wk_values_any(const char *format, const char *names, const char *fields)
{
	const unsigned int n = wr_values_of_format(format);

	if (!n || wr_arguments_count(names) != n)
		return false;
	for (unsigned int i = 0; i < n; i++) {
		const char *end = wr_argument_end(names);

		if (wr_is_named(wr_argument_value((struct wr_piece){ names, end }), fields))
			return true;
		names = end + 1;
	}
	return false;
}
