// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds C that may hold something of a CPU; see holds.h.
 *
 * Which functions of the kernel raise the preemption count, and return so, neither their names nor
 * the kernel's debug information tell: idr_preload() does, and inline assembler that does it may be
 * in any header. So nothing is looked for. C holds nothing if all that it calls is in the list
 * below, or is weft's: weft's macros and functions give back what they take. An operator alone
 * takes nothing. Everything else may hold something.
 *
 * The text is that before the preprocessor. A word may be a macro of the author's, which stands for
 * any text; so a `#` counts as a call of something unknown. A macro of the kernel without brackets
 * is a value, such as `current` or `jiffies`. A backslash may join two halves of a word, and a
 * digraph is another way to write a `#` or a `]`; who writes such things is not believed.
 */
#include <string.h>

#include "aspect/language/holds.h"
#include "aspect/language/lexer.h"

/* What holds nothing after it, of the names that brackets follow. */
static const char *const harmless[] = {
	/* C */
	"if", "else", "for", "while", "do", "switch", "case", "return", "sizeof", "typeof",
	"__typeof__", "offsetof",
	/* the kernel's macros that only read, write or compute */
	"READ_ONCE", "WRITE_ONCE", "likely", "unlikely", "barrier", "min", "max", "min_t", "max_t",
	"ARRAY_SIZE", "BIT", "IS_ERR", "IS_ERR_OR_NULL", "PTR_ERR", "ERR_PTR", "container_of",
	/* its functions on bytes in memory */
	"strcmp", "strncmp", "strlen", "memcmp", "memcpy", "memset",
};

static bool is_harmless(const char *text, const struct wv_token *name)
{
	if (text[name->start] == '$' || !strncmp(text + name->start, "weft_", strlen("weft_")))
		return true;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		if (wv_token_is(text, name, harmless[i]))
			return true;
	return false;
}

/*
 * Returns whether a call of something unknown may begin at a `(` that comes after the token
 * @before. A `)` or `]` before it may be the end of a pointer to a function.
 */
static bool may_call(const char *text, const struct wv_token *before)
{
	if (before->kind == WV_TOKEN_NAME)
		return !is_harmless(text, before);
	return wv_token_is(text, before, ")") || wv_token_is(text, before, "]");
}

/* Returns whether @token makes the text another one before it is compiled. */
static bool changes_text(const char *text, const struct wv_token *token)
{
	const char *at = text + token->start;

	return token->kind == WV_TOKEN_PUNCTUATION &&
	       (*at == '#' || *at == '\\' || !strncmp(at, "%:", 2) || !strncmp(at, ":>", 2));
}

bool wv_code_may_hold(const struct wv_aspect_code *code)
{
	const char *text = code->text.bytes.data;
	struct wv_token token = { .kind = WV_TOKEN_NEWLINE }, before = token;

	for (size_t offset = 0; text && token.kind != WV_TOKEN_END; offset = token.end) {
		token = wv_token_at(text, code->text.bytes.n, offset);
		if (changes_text(text, &token))
			return true;
		if (wv_token_is(text, &token, "(") && may_call(text, &before))
			return true;
		if (token.kind != WV_TOKEN_BLANK && token.kind != WV_TOKEN_NEWLINE &&
		    token.kind != WV_TOKEN_COMMENT)
			before = token;
	}
	return false;
}
