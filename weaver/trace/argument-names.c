// SPDX-License-Identifier: GPL-2.0-or-later
/* Splits the arguments of a weft_log() statement; see argument-names.h. */
#include <ctype.h>
#include <string.h>

#include "trace/argument-names.h"

const char *wv_argument_end(const char *at)
{
	size_t depth = 0;
	char quote = 0;

	for (; *at; at++) {
		if (quote) {
			if (*at == '\\' && at[1])
				at++;
			else if (*at == quote)
				quote = 0;
		} else if (*at == '"' || *at == '\'') {
			quote = *at;
		} else if (strchr("([{", *at)) {
			depth++;
		} else if (strchr(")]}", *at)) {
			depth -= depth > 0;
		} else if (*at == ',' && !depth) {
			break;
		}
	}
	return at;
}

struct wv_argument_name wv_argument_split(const char *start, const char *end)
{
	static const char word[] = "weft_unit(";
	struct wv_argument_name name = { .unit = end, .unit_end = end };
	const char *inside, *comma, *quote;

	while (start < end && isspace((unsigned char)*start))
		start++;
	inside = start + strlen(word);
	if (!strncmp(start, word, strlen(word)) && (comma = wv_argument_end(inside)) < end &&
	    *comma == ',' && (quote = memchr(comma, '"', (size_t)(end - comma)))) {
		start = inside;
		name.unit = quote + 1;
		name.unit_end = name.unit + strcspn(name.unit, "\"");
		end = comma;
	}
	while (start < end && isspace((unsigned char)*start))
		start++;
	while (start < end && isspace((unsigned char)end[-1]))
		end--;
	name.start = start;
	name.end = end;
	return name;
}

struct wv_argument_name wv_argument_name(const char *names, size_t index)
{
	const char *end = wv_argument_end(names);

	for (; index && *end; index--) {
		names = end + 1;
		end = wv_argument_end(names);
	}
	return index ? (struct wv_argument_name){ end, end, end, end }
		     : wv_argument_split(names, end);
}
