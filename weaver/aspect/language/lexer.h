/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tokens of a piece of C, as far as an advice body needs them told apart: names, and everything
 * in which a name is not one (strings, character constants, comments, numbers). The compiler proper
 * is GCC.
 */
#ifndef WV_LEXER_H
#define WV_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum wv_token_kind {
	WV_TOKEN_END,
	WV_TOKEN_BLANK, /* blanks and tabs, up to but without a line break */
	WV_TOKEN_NEWLINE,
	WV_TOKEN_NAME,
	WV_TOKEN_NUMBER,
	WV_TOKEN_STRING,    /* a character constant too */
	WV_TOKEN_COMMENT,
	WV_TOKEN_PUNCTUATION, /* one operator, as long as C takes it */
};

struct wv_token {
	enum wv_token_kind kind;
	size_t start, end; /* offsets into the text */
	bool open;	   /* a string or comment that is not closed */
};

/*
 * The token at @offset of @text, which is NUL-terminated at @n. Tokens cover the text without gaps.
 */
struct wv_token wv_token_at(const char *text, size_t n, size_t offset);

/* True where @token is exactly @word. */
bool wv_token_is(const char *text, const struct wv_token *token, const char *word);

/* The offset of the name @word in @text; (size_t)-1 where it is not used. */
size_t wv_token_find_name(const char *text, size_t n, const char *word);

#endif /* WV_LEXER_H */
