/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a piece of C into tokens, only as exactly as the checks of a body need. It distinguishes
 * names from strings, character constants, comments and numbers: text inside those that looks like
 * a name is no name. Everything else is left to GCC.
 */
#ifndef WV_LEXER_H
#define WV_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum wv_token_kind {
	WV_TOKEN_END,
	WV_TOKEN_BLANK, /* blanks and tabs; ends before a line break */
	WV_TOKEN_NEWLINE,
	WV_TOKEN_NAME,
	WV_TOKEN_NUMBER,
	WV_TOKEN_STRING,    /* includes character constants */
	WV_TOKEN_COMMENT,
	WV_TOKEN_PUNCTUATION, /* one operator; the longest match, as in C */
};

struct wv_token {
	enum wv_token_kind kind;
	size_t start, end; /* offsets into the text */
	bool open;	   /* a string or comment that is not terminated */
};

/*
 * The token at @offset of @text, which has @n bytes and a NUL after them. The next token begins at
 * .end. WV_TOKEN_END if @offset is @n.
 */
struct wv_token wv_token_at(const char *text, size_t n, size_t offset);

/* Whether @token is exactly @word. */
bool wv_token_is(const char *text, const struct wv_token *token, const char *word);

/*
 * The offset of the next comma of @text, @n bytes, from @offset on, that is not inside of brackets;
 * @n if there is none.
 */
size_t wv_token_next_comma(const char *text, size_t n, size_t offset);

/* The offset of the first token in @text that is the name @word; (size_t)-1 if there is none. */
size_t wv_token_find_name(const char *text, size_t n, const char *word);

#endif /* WV_LEXER_H */
