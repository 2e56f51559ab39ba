// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces GCC's terms for the generated C by the author's; see wording.h. */
#include <stdio.h>
#include <string.h>

#include "module/wording.h"
#include "base/suggest.h"

#define HINT "; did you mean "

enum { NAME_SIZE = 128, HINT_SIZE = 512 };

/*
 * The functions that runtime/advice.h offers to authors; its other names are only for generated
 * code.
 */
static const char *const functions[] = {
	"weft_log",	    "weft_now",	      "weft_peek", "weft_read", "weft_read_string",
	"weft_read_user",   "weft_str",	      "weft_unit", "weft_when",
};

static bool is_function(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i], name))
			return true;
	return false;
}

/*
 * Replaces the @n bytes at @at, which is in @text, by @by. @text has room for @size bytes; text
 * that no longer fits is cut off.
 */
static void replace(char *text, size_t size, char *at, size_t n, const char *by)
{
	char rest[1024];

	snprintf(rest, sizeof(rest), "%s", at + n);
	snprintf(at, size - (at - text), "%s%s", by, rest);
}

/* Replaces names of generated variables by the author's: 'weft_local_len' by '$(len)'. */
static void name_variables(char *text, size_t size)
{
	static const struct {
		const char *in_c, *written;
	} kinds[] = { { "'weft_local_", "$" },
		      { "'weft_field_", "$field" },
		      { "'weft_symbol_", "$sym" } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		for (char *at; (at = strstr(text, kinds[i].in_c));) {
			const char *name = at + strlen(kinds[i].in_c);
			size_t n = strcspn(name, "'");
			char written[NAME_SIZE];

			snprintf(written, sizeof(written), "'%s(%.*s)", kinds[i].written, (int)n,
				 name);
			/*
			 * the generated name has '$' for each dot of a path; keep the first $,
			 * which is the author's
			 */
			for (char *dot = written + strlen("'$"); (dot = strchr(dot, '$'));)
				*dot = '.';
			replace(text, size, at, strlen(kinds[i].in_c) + n, written);
		}
	}
}

/* Extracts the undeclared name from GCC's message about it. False: another message. */
static bool find_unknown(const char *text, char name[NAME_SIZE])
{
	static const char implicit[] = "implicit declaration of function '",
			  after[] = "' undeclared";
	const char *start =
		!strncmp(text, implicit, strlen(implicit)) ? text + strlen(implicit) : text + 1;

	if (start == text + 1 &&
	    (text[0] != '\'' || strncmp(start + strcspn(start, "'"), after, strlen(after))))
		return false;
	snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(start, "'"), start);
	return true;
}

/* Removes GCC's "did you mean" if it proposes one of weft's names that authors do not know. */
static void drop_hint(char *text)
{
	char *hint = strstr(text, HINT "'"), *end;
	char name[NAME_SIZE];

	if (!hint)
		return;
	end = hint + strlen(HINT "'");
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(end, "'"), end);
	end = strstr(end, "'?");
	if (end && (!strncmp(name, "wr_", 3) || (!strncmp(name, "weft_", 5) && !is_function(name))))
		memmove(hint, end + 2, strlen(end + 2) + 1);
}

/*
 * Adds @hint to the message, before the warning's option (" [-Wformat]") if there is one. Adds
 * nothing if the message already has a hint of GCC's.
 */
static void add_hint(char *text, size_t size, const char *hint)
{
	char *option = strstr(text, " [-W"), *old = strstr(text, HINT);

	if (!old)
		replace(text, size, option ? option : text + strlen(text), 0, hint);
}

static bool is_at(const struct wv_metric_expression *expression, struct wv_text_location location,
		  const char *name)
{
	return expression->text && !expression->word && !strcmp(expression->text, name) &&
	       expression->code.location.line == location.line &&
	       expression->code.location.column == location.column;
}

/*
 * Returns the words that the attribute `by` or `key` at @location accepts. Returns NULL if there is
 * no such attribute at @location, or if its C is not just @name.
 */
static const struct wv_metric_word *words_at(const struct wv_aspect *aspect,
					     struct wv_text_location location, const char *name)
{
	wv_vec_for_each(slot, &aspect->metrics) {
		const struct wv_metric *metric = *slot;

		for (size_t i = 0; i < metric->by.n; i++)
			if (is_at(&metric->by.key[i].expression, location, name))
				return wv_by_words;
		if (is_at(&metric->key, location, name) || is_at(&metric->to_key, location, name))
			return wv_key_words;
	}
	return NULL;
}

void wv_wording(const struct wv_aspect *aspect, struct wv_text_location location, char *text,
		size_t size)
{
	const struct wv_metric_word *words;
	char name[NAME_SIZE], hint[HINT_SIZE] = "";
	struct wv_suggestion suggestion = { .wanted = name };

	name_variables(text, size);
	drop_hint(text);
	if (!find_unknown(text, name))
		return;
	words = words_at(aspect, location, name);
	for (const struct wv_metric_word *word = words; word && word->name; word++)
		wv_suggestion_offer(&suggestion, word->name);
	for (size_t i = 0;
	     !words && !strncmp(name, "weft_", 5) && i < sizeof(functions) / sizeof(*functions);
	     i++)
		wv_suggestion_offer(&suggestion, functions[i]);
	wv_suggestion_text(&suggestion, hint, sizeof(hint));
	for (const struct wv_metric_word *word = words; word && word->name; word++)
		snprintf(hint + strlen(hint), sizeof(hint) - strlen(hint), "%s%s",
			 word != words ? ", "
			 : *hint       ? " It is C or "
				       : "; it is C or ",
			 word->name);
	add_hint(text, size, hint);
}
