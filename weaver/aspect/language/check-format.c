// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks formats of weft_log(); see check-format.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/check-format.h"
#include "aspect/language/lexer.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "runtime/log-format.h"

static struct wv_token next_token(const struct wv_xml_text *body, size_t offset)
{
	struct wv_token token;

	do {
		token = wv_token_at(body->bytes.data, body->bytes.n, offset);
		offset = token.end;
	} while (token.kind == WV_TOKEN_BLANK || token.kind == WV_TOKEN_NEWLINE ||
		 token.kind == WV_TOKEN_COMMENT);
	return token;
}

static void report(struct wv_error_list *list, struct wv_text_location location, const char *text,
		   const struct wr_conversion *conversion)
{
	int n = conversion->end - text;

	if (conversion->extension)
		wv_report_error(list, location,
				"%.*s leads to memory that weft_log cannot read safely; after %%p "
				"it has the letters %s and %s",
				n, text, WR_POINTERS_PLAIN, WR_POINTERS_COPIED);
	else
		wv_report_error(
			list, location,
			"weft_log has no %.*s; there are %%d %%i %%u %%x %%X %%o %%c %%s %%p", n,
			text);
}

/* Checks the conversions in one string literal. Returns the number of arguments that they take. */
static unsigned int check_literal(const struct wv_xml_text *body, const struct wv_token *token,
				  struct wv_error_list *list)
{
	_cleanup_free_ char *text =
		strndup(body->bytes.data + token->start, token->end - token->start - 1);
	struct wr_conversion conversion;
	unsigned int n = 0;

	if (!text) {
		list->no_memory = true;
		return 0;
	}
	for (const char *s = text; (s = strchr(s, '%')); s = conversion.end) {
		if (wr_conversion_parse(s, &conversion))
			n += wr_conversion_arguments(&conversion);
		else
			report(list, wv_xml_text_location(body, token->start + (s - text)), s,
			       &conversion);
	}
	return n;
}

/*
 * Returns whether @token may begin a format: it is a string literal, or may be a macro for one. As
 * usual in the kernel, only a name in capitals, or one that a bracket follows, is taken for a
 * macro. @macros: the body has preprocessor directives, so that any name may be a macro.
 */
static bool may_be_literal(const struct wv_xml_text *body, const struct wv_token *token,
			   bool macros)
{
	const char *text = body->bytes.data;
	struct wv_token next = next_token(body, token->end);

	if (token->kind != WV_TOKEN_NAME)
		return token->kind == WV_TOKEN_STRING;
	if (text[token->start] == '$')
		return false;
	if (macros || wv_token_is(text, &next, "("))
		return true;
	for (size_t i = token->start; i < token->end; i++)
		if (islower((unsigned char)text[i]))
			return false;
	return true;
}

void wv_format_check(const struct wv_xml_text *body, size_t offset, bool macros,
		     struct wv_error_list *list)
{
	struct wv_token token = next_token(body, offset);
	struct wv_token first = next_token(body, token.end);
	unsigned int n = 0;

	if (!wv_token_is(body->bytes.data, &token, "("))
		return;
	if (!may_be_literal(body, &first, macros)) {
		wv_report_error(list, wv_xml_text_location(body, first.start),
				"weft_log wants its format here, a literal such as \"%%d\"; a text "
				"that varies is printed by \"%%s\"");
		return;
	}
	for (token = first; token.kind == WV_TOKEN_STRING && !token.open;
	     token = next_token(body, token.end))
		n += check_literal(body, &token, list);
	if (n > WR_ARGUMENTS_MAX)
		wv_report_error(list, wv_xml_text_location(body, first.start),
			    "this record has %s; %u is the most", wv_count_text(n, "value").text,
			    WR_ARGUMENTS_MAX);
}
