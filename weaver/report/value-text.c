// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats the values of records; see value-text.h. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/value-text.h"
#include "runtime/value-names.h"
#include "trace/argument-names.h"

static const struct type {
	char conversion;
	const char *name;
	int base; /* number base; 0: the value is not a number */
} types[] = {
	{ 'd', "signed", 10 },	 { 'i', "signed", 10 },	  { 'u', "unsigned", 10 },
	{ 'x', "unsigned", 16 }, { 'X', "unsigned", 16 }, { 'o', "unsigned", 8 },
	{ 'c', "character", 0 }, { 's', "text", 0 },	  { 'p', "pointer", 0 },
	{ 'S', "symbol", 0 },
};

static const struct type *find_type(char conversion)
{
	static const struct type words = { 't', "words", 0 };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].conversion == conversion)
			return &types[i];
	return &words;
}

/*
 * Guesses whether the author wrote the blank that follows the @n characters of @text, which end
 * with an operator or a quote. @next is the character after the blank. The blank may be weft's:
 * where the XML has `&gt;`, the C has '>' and blanks, so that columns stay the same, and the
 * preprocessor makes one blank of these when it makes a string of the C.
 *
 * After `->` the blank is never taken for the author's. After another operator it is taken for the
 * author's if there is also a blank before the operator, after an operand; after a quote, unless a
 * bracket or comma follows.
 */
static bool is_written(const char *text, size_t n, char next)
{
	if (strchr("\"'", text[n - 1]))
		return !strchr(")],", next);
	if (n > 1 && !strncmp(text + n - 2, "->", 2))
		return false;
	while (n && strchr("<>&=", text[n - 1]))
		n--;
	if (!n || text[n - 1] != ' ')
		return false;
	while (n && text[n - 1] == ' ')
		n--;
	return n && !strchr("(,=<>&|!+-*/%?:[", text[n - 1]);
}

/* Removes from a name the blanks that the author did not write. */
static void tidy(char *text)
{
	size_t n = 0;
	char quote = 0;

	for (const char *at = text; *at; at++) {
		bool filled = !quote && *at == ' ' && n && strchr("<>&\"'", text[n - 1]);

		if (filled && !is_written(text, n, at[1]))
			continue;
		if (quote && *at == '\\' && at[1])
			text[n++] = *at++;
		else if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? 0 : *at;
		text[n++] = *at;
	}
	text[n] = '\0';
}

/* Adds the piece of the author's C from @start up to @end, without blanks at both ends. */
static void add_piece(struct wv_json *json, const char *key, const char *start, const char *end)
{
	_cleanup_free_ char *text = NULL;

	while (start < end && isspace((unsigned char)*start))
		start++;
	while (start < end && isspace((unsigned char)end[-1]))
		end--;
	text = strndup(start, (size_t)(end - start));
	json->out->failed |= !text;
	if (text)
		tidy(text);
	wv_json_text(json, key, text ? text : "");
}

/* Adds the keys "name" and "unit" for the argument from @start up to @end. */
static void add_name(struct wv_json *json, const char *start, const char *end)
{
	const struct wv_argument_name name = wv_argument_split(start, end);

	add_piece(json, "name", name.start, name.end);
	add_piece(json, "unit", name.unit, name.unit_end);
}

/*
 * Adds the number that @text has as the key "value", in JSON's syntax: without a plus sign and
 * leading zeros. Returns false if the text is not a number.
 */
static bool add_number(struct wv_json *json, const struct type *type, const char *text)
{
	unsigned long long number;
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	if (!*text || !type->base)
		return false;
	errno = 0;
	number = *text == '-' ? (unsigned long long)strtoll(text, &end, type->base)
			      : strtoull(text, &end, type->base);
	end += strspn(end, " ");
	if (errno || *end || end == text)
		return false;
	if (*text == '-')
		wv_json_signed(json, "value", (int64_t)number);
	else
		wv_json_unsigned(json, "value", number);
	return true;
}

static void add_value(struct wv_json *json, const struct type *type, const char *start, size_t n)
{
	_cleanup_free_ char *text = strndup(start, n);

	json->out->failed |= !text;
	if (!text || !add_number(json, type, text))
		wv_json_text(json, "value", text ? text : "");
}

void wv_values_json(const struct weft_value *values, size_t n, const char *text, const char *names,
		    struct wv_json *json)
{
	/*
	 * An argument that gives a width (`%*d`) has a name, but no value. If there is such an
	 * argument, there are more names than values, and it is not known which name belongs to
	 * which value. All names are left empty then.
	 */
	bool named = wr_arguments_count(names) == n;

	wv_json_begin_array(json, "values");
	for (size_t i = 0; i < n; i++) {
		const struct type *type = find_type((char)values[i].type);
		const char *end = named ? wr_argument_end(names) : names;

		wv_json_begin_object(json, NULL);
		add_name(json, names, end);
		wv_json_text(json, "type", type->name);
		add_value(json, type, text + values[i].start, values[i].end - values[i].start);
		wv_json_end_object(json);
		if (named && *end)
			names = end + 1;
	}
	wv_json_end_array(json);
}
