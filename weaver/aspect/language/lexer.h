/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a piece of C into tokens, only as exactly as the checks of a body need. It distinguishes
 * names from strings, character constants, comments and numbers, so that text inside these is not
 * taken for a name. Everything else is left to GCC.
 */
#ifndef WV_LEXER_H
#define WV_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum wv_token_kind {
	WV_TOKEN_END,
	WV_TOKEN_BLANK, /* blanks and tabs in one line */
	WV_TOKEN_NEWLINE,
	WV_TOKEN_NAME,
	WV_TOKEN_NUMBER,
	WV_TOKEN_STRING,    /* a string or a character constant */
	WV_TOKEN_COMMENT,
	WV_TOKEN_PUNCTUATION, /* an operator; the longest one possible, as in C */
};

struct wv_token {
	enum wv_token_kind kind;
	size_t start, end; /* offsets in the text */
	bool open;	   /* true: a string or comment that is not terminated */
};

/*
 * Returns the token at @offset of @text, which has @n bytes and a NUL after them. The next token
 * begins at .end of this one. The kind is WV_TOKEN_END if @offset is @n.
 */
struct wv_token wv_token_at(const char *text, size_t n, size_t offset);

/* Returns whether @token is exactly @word. */
bool wv_token_is(const char *text, const struct wv_token *token, const char *word);

/*
 * Returns the offset of the next comma in @text (@n bytes), from @offset on, that is not inside
 * brackets; @n if there is none.
 */
size_t wv_token_next_comma(const char *text, size_t n, size_t offset);

/* Returns the offset of the first name @word in @text; (size_t)-1 if there is none. */
size_t wv_token_find_name(const char *text, size_t n, const char *word);

#endif /* WV_LEXER_H */
