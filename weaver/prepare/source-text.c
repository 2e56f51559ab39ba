// SPDX-License-Identifier: GPL-2.0-or-later
/* Splits a C source file into parts without preprocessing it; see source-text.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prepare/programs.h"
#include "prepare/source-text.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

const char *wv_next_word(const char *text, size_t size, size_t *at, size_t *n_ret)
{
	size_t start;

	while (*at < size && !is_word(text[*at]))
		++*at;
	start = *at;
	while (*at < size && is_word(text[*at]))
		++*at;
	*n_ret = *at - start;
	return *n_ret ? text + start : NULL;
}

/* ---- blanking comments and literals, and taking directives out ------------------------------- */

/* Returns the end of the comment or literal that begins at @at, or @at if none begins there. */
static const char *skip_quoted(const char *at)
{
	char quote = *at;
	const char *end;

	if (at[0] == '/' && at[1] == '*') {
		end = strstr(at + 2, "*/");
		return end ? end + 2 : at + strlen(at);
	}
	if (at[0] == '/' && at[1] == '/')
		return at + strcspn(at, "\n");
	if (quote != '"' && quote != '\'')
		return at;
	for (at++; *at && *at != quote && *at != '\n'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at == quote ? at + 1 : at;
}

/*
 * Replaces comments and literals by blanks. Line breaks stay, and so do the paths in quotes after
 * #include.
 */
static void blank_quoted(char *text)
{
	bool keeps = false;

	for (char *at = text; *at;) {
		const char *end = skip_quoted(at);

		if (*at == '\n')
			keeps = false;
		if (*at == '#') {
			const char *word = at + 1 + strspn(at + 1, " \t");

			keeps = !strncmp(word, "include", 7);
		}
		if (end == at) {
			at++;
			continue;
		}
		if (keeps && *at == '"') {
			at = (char *)end;
			continue;
		}
		for (; at < end; at++)
			if (*at != '\n')
				*at = ' ';
	}
}

/* Returns the end of the directive that begins at @at, after its last continuation line. */
static char *directive_end(char *at)
{
	while (*at && *at != '\n')
		at += at[0] == '\\' && at[1] == '\n' ? 2 : 1;
	return at;
}

/* Moves the directives from text->code to @directives, one per line, and leaves blanks instead. */
static void take_directives(struct wv_source_text *text, struct wv_str *directives)
{
	bool line_start = true;

	for (char *at = text->code; *at; at++) {
		char *end;

		if (*at == '#' && line_start) {
			end = directive_end(at);
			for (; at < end; at++) {
				char one = *at == '\n' || *at == '\\' ? ' ' : *at;

				wv_str_add_n(directives, &one, 1);
				if (*at != '\n')
					*at = ' ';
			}
			wv_str_add(directives, "\n");
			at--;
			continue;
		}
		line_start = *at == '\n' || (line_start && (*at == ' ' || *at == '\t'));
	}
}

/* ---- splitting code into parts --------------------------------------------------------------- */

static struct wv_source_part *add_part(struct wv_source_text *text, enum wv_part_kind kind,
				       const char *start, const char *end)
{
	struct wv_source_part *part = wv_vec_push(&text->parts);

	if (part)
		*part = (struct wv_source_part){
			.kind = kind, .text = start, .n = end - start, .first_name = text->names.n
		};
	return part;
}

static int add_name(struct wv_source_text *text, struct wv_source_part *part, const char *name,
		    size_t n)
{
	struct wv_name *slot = wv_vec_push(&text->names);

	if (!slot)
		return -1;
	*slot = (struct wv_name){ name, n };
	part->nr_names++;
	return 0;
}

static int split_directives(struct wv_source_text *text)
{
	char *end;

	for (char *line = text->directives; line && *line; line = end + 1) {
		size_t at = 0, n, size;
		const char *word;
		struct wv_source_part *part;

		end = strchr(line, '\n');
		size = end - line;
		word = wv_next_word(line, size, &at, &n);
		if (!word)
			continue;
		if (n == 7 && !strncmp(word, "include", n)) {
			size_t open = strcspn(line, "<\""), close;

			if (open >= size)
				continue;
			close = strcspn(line + open + 1, ">\"");
			part = add_part(text, WV_PART_INCLUDE, line + open + 1,
					line + open + 1 + close);
		} else if (n == 6 && !strncmp(word, "define", n)) {
			word = wv_next_word(line, size, &at, &n);
			if (!word)
				continue;
			part = add_part(text, WV_PART_NAMED, line + at, end);
			if (part && add_name(text, part, word, n))
				return -1;
		} else {
			continue;
		}
		if (!part)
			return -1;
	}
	return 0;
}

/*
 * Returns whether the word, which a parenthesis follows, is a macro or keyword such as __section().
 * In a declaration these have arguments, as functions do, but the declared function has another
 * name.
 */
static bool is_attribute(const char *word, size_t n)
{
	static const char *const attributes[] = {
		"__attribute__", "__attribute",	   "__printf",	     "__scanf",
		"__acquires",	 "__releases",	   "__must_hold",    "__cond_acquires",
		"__aligned",	 "__section",	   "__alloc_size",   "__no_sanitize",
		"__malloc",	 "__realloc_size", "__diagnose_as",  "__compiletime_error",
		"__nonnull",	 "__assume_aligned", "__compiletime_warning", "__acquires_shared",
		"__counted_by",	 "__cond_lock",	   "asm",	     "__releases_shared",
		"__must_hold_shared", "__typeof__",  "typeof",	     "__always_unused",
	};

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (strlen(attributes[i]) == n && !strncmp(word, attributes[i], n))
			return true;
	return false;
}

/*
 * Properties of a heading. A heading is a text outside of all functions: all that stands before the
 * opening brace of a block, or a whole statement without its semicolon.
 * .is_static: the heading has the word `static`.
 * .is_type: the heading has the word `struct`, `union` or `enum`.
 * .initializes: the heading has an `=`.
 * .names_nothing: the heading has the word `typedef` or `extern`.
 * .accesses: the heading has a `->`.
 * All but .accesses do not count what is inside of parentheses.
 */
struct heading {
	bool is_static, is_type, initializes, accesses, names_nothing;
	size_t nr_words;    /* number of words before the first parenthesis */
	/*
	 * number of words that may be the name of a function: a parenthesis follows them, they are
	 * not inside of parentheses, and is_attribute() is false for them
	 */
	size_t nr_callable;
	const char *last;   /* the last byte of the heading that is not blank */
};

static bool is(const char *word, size_t n, const char *wanted)
{
	return strlen(wanted) == n && !strncmp(word, wanted, n);
}

/*
 * Sets @ret to the properties of the heading from @start up to @end. If @part is not NULL, adds to
 * it the words that may be the name of a function (.nr_callable). Returns -1 if memory runs out.
 */
static int read_heading(struct wv_source_text *text, const char *start, const char *end,
			struct wv_source_part *part, struct heading *ret)
{
	size_t depth = 0;
	bool opened = false;

	*ret = (struct heading){ .last = start };
	for (const char *at = start; at < end; at++) {
		size_t here = 0, n;
		const char *word, *after;

		if (!isspace((unsigned char)*at))
			ret->last = at;
		opened |= *at == '(';
		if (*at == '(')
			depth++;
		else if (*at == ')')
			depth -= depth > 0;
		else if (*at == '=' && !depth)
			ret->initializes = true;
		else if (at[0] == '-' && at + 1 < end && at[1] == '>')
			ret->accesses = true;
		if (!is_word(*at))
			continue;
		word = wv_next_word(at, end - at, &here, &n);
		at += n - 1;
		ret->last = at;
		after = at + 1;
		while (after < end && isspace((unsigned char)*after))
			after++;
		ret->nr_words += !opened;
		ret->is_static |= !depth && is(word, n, "static");
		ret->is_type |= !depth && (is(word, n, "struct") || is(word, n, "union") ||
					   is(word, n, "enum"));
		ret->names_nothing |= !depth && (is(word, n, "typedef") || is(word, n, "extern"));
		if (depth || after == end || *after != '(' || is_attribute(word, n))
			continue;
		ret->nr_callable++;
		if (part && add_name(text, part, word, n))
			return -1;
	}
	return 0;
}

/*
 * Adds a part for a block: a function or an initializer. Adds none if the block is the definition
 * of a type. The block's heading begins at @start, its braces are at @open and before @end. Returns
 * -1 if memory runs out.
 */
static int add_block(struct wv_source_text *text, const char *start, const char *open,
		     const char *end)
{
	struct heading heading;
	struct wv_source_part *part;

	read_heading(text, start, open, NULL, &heading);
	if (heading.is_type && !heading.initializes && *heading.last != ')' &&
	    !heading.nr_callable)
		return 0;
	part = add_part(text, WV_PART_LOOSE, start, end);
	if (!part)
		return -1;
	/* The part stays WV_PART_LOOSE, unless it is a static function with a name. */
	if (heading.initializes || !heading.is_static || !heading.nr_callable)
		return 0;
	part->kind = WV_PART_NAMED;
	return read_heading(text, start, open, part, &heading);
}

/*
 * Adds a part for a statement outside of all functions: a definition with an initializer, or the
 * invocation of a macro. Adds none for a declaration. An invocation has one word before its first
 * parenthesis; a declaration has more than one, or no parenthesis. @end is the semicolon. Returns
 * -1 if memory runs out.
 */
static int add_statement(struct wv_source_text *text, const char *start, const char *end)
{
	struct heading heading;

	read_heading(text, start, end, NULL, &heading);
	if (heading.names_nothing ||
	    (!heading.initializes && !heading.accesses &&
	     (heading.nr_words != 1 || !heading.nr_callable)))
		return 0;
	return add_part(text, WV_PART_LOOSE, start, end) ? 0 : -1;
}

/*
 * Splits text->code into parts. The code has all branches of each #if, and each branch may open a
 * brace or a parenthesis that is closed only once, after the #endif. So braces and parentheses need
 * not match. Therefore a '{' at the beginning of a line is always taken to be outside of
 * parentheses, and a '}' at the beginning of a line to end the block. Returns -1 if memory runs
 * out.
 */
static int split_code(struct wv_source_text *text)
{
	const char *start = text->code, *open = NULL, *at;
	size_t braces = 0, parentheses = 0;
	int ret = 0;

	for (at = start; *at && !ret; at++) {
		bool first = at == text->code || at[-1] == '\n';

		if (*at == '(' && !braces) {
			parentheses++;
		} else if (*at == ')' && !braces) {
			parentheses -= parentheses > 0;
		} else if (*at == '{' && (!parentheses || first)) {
			parentheses = 0;
			if (!braces++)
				open = at;
		} else if (*at == '}' && braces && (!--braces || first)) {
			braces = 0;
			ret = add_block(text, start, open, at + 1);
			start = at + 1;
		} else if (*at == ';' && !braces && !parentheses) {
			ret = add_statement(text, start, at);
			start = at + 1;
		}
	}
	/* If the file ends inside of braces or parentheses, add the text since the last part. */
	if (!ret && (braces || parentheses) && !add_part(text, WV_PART_LOOSE, start, at))
		ret = -1;
	return ret;
}

int wv_source_text_read(const char *source, const char *path, struct wv_source_text *ret,
			struct wv_error *error)
{
	struct wv_str bytes = { 0 }, directives = { 0 };
	char *file;

	*ret = (struct wv_source_text){ .path = strdup(path) };
	if (!ret->path || asprintf(&file, "%s/%s", source, path) < 0)
		return wv_no_memory(error);
	if (!wv_read_text(file, &bytes)) {
		wv_str_deinit(&bytes);
		wv_fail_errno(error, errno, "%s", file);
		free(file);
		return -error->code;
	}
	free(file);
	ret->code = bytes.data ? bytes.data : strdup("");
	if (!ret->code)
		return wv_no_memory(error);
	blank_quoted(ret->code);
	take_directives(ret, &directives);
	ret->directives = directives.data;
	if (directives.failed || split_directives(ret) || split_code(ret))
		return wv_no_memory(error);
	return 0;
}

void wv_source_text_deinit(struct wv_source_text *text)
{
	free(text->path);
	free(text->code);
	free(text->directives);
	wv_vec_deinit(&text->parts);
	wv_vec_deinit(&text->names);
}
