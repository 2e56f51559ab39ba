// SPDX-License-Identifier: GPL-2.0-or-later
/* A small C lexer; see lexer.h. Trigraphs are not supported; the kernel does not use them. */
#include <ctype.h>
#include <string.h>

#include "aspect/language/lexer.h"

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool continues_name(char c)
{
	return begins_name(c) || isdigit((unsigned char)c);
}

/*
 * Returns the end of the string or character constant that begins at @start. A backslash is skipped
 * together with the next byte; if this is a line break, the string continues on the next line. Any
 * other line break ends the string, and sets *@open: it is not terminated.
 */
static size_t end_of_string(const char *text, size_t n, size_t start, bool *open)
{
	size_t end = start + 1;

	while (end < n && text[end] != text[start]) {
		if (text[end] == '\n') {
			*open = true;
			return end;
		}
		end += text[end] == '\\' && end + 1 < n ? 2 : 1;
	}
	*open = end >= n;
	return *open ? n : end + 1;
}

static size_t end_of_line_comment(const char *text, size_t n, size_t start)
{
	size_t end = start;

	while (end < n && text[end] != '\n')
		end += text[end] == '\\' && end + 1 < n ? 2 : 1;
	return end < n ? end : n;
}

static size_t end_of_number(const char *text, size_t n, size_t start)
{
	size_t end = start + 1;

	while (end < n && (continues_name(text[end]) || text[end] == '.' ||
			   (strchr("+-", text[end]) && strchr("eEpP", text[end - 1]))))
		end++;
	return end;
}

static size_t length_of_operator(const char *s)
{
	static const char *const operators[] = {
		"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
		"&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##",
	};

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (!strncmp(s, operators[i], strlen(operators[i])))
			return strlen(operators[i]);
	return 1;
}

struct wv_token wv_token_at(const char *text, size_t n, size_t offset)
{
	struct wv_token token = { .start = offset, .end = offset + 1 };
	char c = text[offset];

	if (offset >= n) {
		token.end = offset;
		token.kind = WV_TOKEN_END;
	} else if (c == '\n') {
		token.kind = WV_TOKEN_NEWLINE;
	} else if (isspace((unsigned char)c)) {
		token.kind = WV_TOKEN_BLANK;
		while (token.end < n && isspace((unsigned char)text[token.end]) &&
		       text[token.end] != '\n')
			token.end++;
	} else if (begins_name(c)) {
		token.kind = WV_TOKEN_NAME;
		while (token.end < n && continues_name(text[token.end]))
			token.end++;
	} else if (isdigit((unsigned char)c) ||
		   (c == '.' && isdigit((unsigned char)text[offset + 1]))) {
		token.kind = WV_TOKEN_NUMBER;
		token.end = end_of_number(text, n, offset);
	} else if (c == '"' || c == '\'') {
		token.kind = WV_TOKEN_STRING;
		token.end = end_of_string(text, n, offset, &token.open);
	} else if (c == '/' && text[offset + 1] == '/') {
		token.kind = WV_TOKEN_COMMENT;
		token.end = end_of_line_comment(text, n, offset);
	} else if (c == '/' && text[offset + 1] == '*') {
		const char *close = strstr(text + offset + 2, "*/");

		token.kind = WV_TOKEN_COMMENT;
		token.open = !close;
		token.end = close ? (size_t)(close - text) + 2 : n;
	} else {
		token.kind = WV_TOKEN_PUNCTUATION;
		token.end = offset + length_of_operator(text + offset);
	}
	return token;
}

bool wv_token_is(const char *text, const struct wv_token *token, const char *word)
{
	return token->end - token->start == strlen(word) &&
	       !strncmp(text + token->start, word, strlen(word));
}

size_t wv_token_find_name(const char *text, size_t n, const char *word)
{
	struct wv_token token = { .kind = WV_TOKEN_NEWLINE };

	for (size_t offset = 0; token.kind != WV_TOKEN_END; offset = token.end) {
		token = wv_token_at(text, n, offset);
		if (token.kind == WV_TOKEN_NAME && wv_token_is(text, &token, word))
			return token.start;
	}
	return (size_t)-1;
}

size_t wv_token_next_comma(const char *text, size_t n, size_t offset)
{
	struct wv_token token;
	int depth = 0;

	for (; offset < n; offset = token.end) {
		token = wv_token_at(text, n, offset);
		if (token.kind != WV_TOKEN_PUNCTUATION || token.end - token.start != 1)
			continue;
		if (strchr("([{", text[offset]))
			depth++;
		else if (strchr(")]}", text[offset]))
			depth--;
		else if (text[offset] == ',' && depth <= 0)
			return offset;
	}
	return n;
}
