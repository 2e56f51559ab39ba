// SPDX-License-Identifier: GPL-2.0-or-later
/* Splits the arguments of a weft_log() statement; see argument-names.h. */
#include <string.h>

#include "runtime/value-names.h"
#include "trace/argument-names.h"

struct wv_argument_name wv_argument_split(const char *start, const char *end)
{
	const struct wr_piece whole = wr_piece_trim((struct wr_piece){ start, end });
	const struct wr_piece value = wr_argument_value(whole);
	struct wv_argument_name name = { value.start, value.end, end, end };
	const char *quote = NULL;

	if (value.end < whole.end)
		quote = memchr(value.end, '"', (size_t)(end - value.end));
	if (quote) {
		name.unit = quote + 1;
		name.unit_end = name.unit + strcspn(name.unit, "\"");
	}
	return name;
}

struct wv_argument_name wv_argument_name(const char *names, size_t index)
{
	const char *end = wr_argument_end(names);

	for (; index && *end; index--) {
		names = end + 1;
		end = wr_argument_end(names);
	}
	return index ? (struct wv_argument_name){ end, end, end, end }
		     : wv_argument_split(names, end);
}
