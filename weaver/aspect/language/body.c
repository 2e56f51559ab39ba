// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks and writes the author's C; see body.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/body.h"
#include "aspect/language/check-format.h"
#include "aspect/language/lexer.h"
#include "aspect/language/variables.h"
#include "base/suggest.h"

/* Maximum nesting of brackets that is checked. Deeper ones are left to GCC. */
#define DEEPEST 64

struct checker {
	struct wv_aspect_code *code;
	struct wv_error_list *list;
	const char *text;
	size_t open[DEEPEST]; /* offsets of the brackets that are open */
	size_t depth;
	/*
	 * true: brackets are not checked, or not any more. In code with #if and #else, a bracket
	 * may be opened twice. A string that is not closed may contain closing brackets.
	 */
	bool any_brackets;
};

static struct wv_text_location location_of(const struct checker *checker, size_t offset)
{
	return wv_xml_text_location(&checker->code->text, offset);
}

static void report_variable(struct checker *checker, const struct wv_token *token)
{
	char name[64], text[256];
	struct wv_suggestion suggestion = { .wanted = name };
	struct wv_str all = { 0 };

	snprintf(name, sizeof(name), "%.*s", (int)(token->end - token->start),
		 checker->text + token->start);
	for (size_t i = 0; i < wv_nr_variables; i++) {
		wv_suggestion_offer(&suggestion, wv_variables[i].name);
		wv_str_addf(&all, " %s", wv_variables[i].name);
	}
	for (size_t i = 0; i < WV_REFERENCE_KINDS; i++) {
		wv_suggestion_offer(&suggestion, wv_reference_words[i]);
		wv_str_addf(&all, " %s%s", wv_reference_words[i],
			    i < WV_REFERENCE_OBJECT ? "(name)" : "");
	}
	wv_suggestion_text(&suggestion, text, sizeof(text));
	wv_report_error(checker->list, location_of(checker, token->start),
		    "unknown variable %s%s There are%s", name, *text ? text : ".",
		    wv_str_text(&all));
	wv_str_deinit(&all);
}

/* Returns the next token that is not a blank, a line break or a comment. */
static struct wv_token next_token(const struct checker *checker, size_t offset)
{
	struct wv_token token;

	do {
		token = wv_token_at(checker->text, checker->code->text.bytes.n, offset);
		offset = token.end;
	} while (token.kind == WV_TOKEN_BLANK || token.kind == WV_TOKEN_NEWLINE ||
		 token.kind == WV_TOKEN_COMMENT);
	return token;
}

static void add_named(struct checker *checker, enum wv_reference_kind kind,
		      const struct wv_token *at, const char *name, size_t n)
{
	struct wv_aspect_code *code = checker->code;
	struct wv_reference *slot;

	wv_vec_for_each(named, &code->named)
		if (named->kind == kind && strlen(named->name) == n &&
		    !strncmp(named->name, name, n))
			return;
	wv_vec_for_each(named, &code->tasks)
		if (named->kind == kind && strlen(named->name) == n &&
		    !strncmp(named->name, name, n))
			return;
	slot = kind == WV_REFERENCE_TASK ? wv_vec_push(&code->tasks) : wv_vec_push(&code->named);
	if (slot) {
		slot->kind = kind;
		slot->location = location_of(checker, at->start);
		slot->name = strndup(name, n);
	}
	checker->list->no_memory |= !slot || !slot->name;
}

/*
 * Returns the last token of the path that begins with @name: names with dots between them, and
 * nothing else. Returns @name if no dot follows.
 */
static struct wv_token path_end(const struct checker *checker, struct wv_token name)
{
	const size_t n = checker->code->text.bytes.n;

	for (;;) {
		struct wv_token dot = wv_token_at(checker->text, n, name.end);
		struct wv_token next = wv_token_at(checker->text, n, dot.end);

		if (!wv_token_is(checker->text, &dot, ".") || next.kind != WV_TOKEN_NAME)
			return name;
		name = next;
	}
}

/*
 * Handles @token if it is the first word of a variable whose location differs between shadows
 * (aspect/resolve/values.h). Adds the variable to those that the code names. If the brackets after
 * @token are wrong, reports that instead. Returns false if @token is another name.
 */
static bool check_named(struct checker *checker, const struct wv_token *token)
{
	enum wv_reference_kind kind = WV_REFERENCE_LOCAL;
	struct wv_token open, name, last, close;

	while (kind < WV_REFERENCE_KINDS &&
	       !wv_token_is(checker->text, token, wv_reference_words[kind]))
		kind++;
	if (kind == WV_REFERENCE_KINDS)
		return false;
	if (kind >= WV_REFERENCE_OBJECT) {
		add_named(checker, kind, token, "", 0);
		return true;
	}
	open = next_token(checker, token->end);
	name = next_token(checker, open.end);
	last = kind == WV_REFERENCE_FIELD ? path_end(checker, name) : name;
	close = next_token(checker, last.end);
	if (!wv_token_is(checker->text, &open, "(") || name.kind != WV_TOKEN_NAME ||
	    !wv_token_is(checker->text, &close, ")"))
		wv_report_error(checker->list, location_of(checker, token->start),
			    "%s wants one name between brackets, as in %s(name)%s",
			    wv_reference_words[kind], wv_reference_words[kind],
			    kind == WV_REFERENCE_FIELD ? ", or a path, as in $field(name.name)"
						       : "");
	else
		add_named(checker, kind, token, checker->text + name.start, last.end - name.start);
	return true;
}

static void check_name(struct checker *checker, const struct wv_token *token)
{
	int variable;

	if (checker->text[token->start] != '$' || check_named(checker, token))
		return;
	variable = wv_variable_find(checker->text + token->start, token->end - token->start);
	if (variable < 0)
		report_variable(checker, token);
	else
		checker->code->variables |= WV_VARIABLE_BIT(variable);
}

static char partner(char close)
{
	return close == ')' ? '(' : close == ']' ? '[' : '{';
}

/*
 * Returns whether @token is the name of a function that the code calls here. Functions of weft do
 * not count, because they take no stack traces. The answer is a guess by the bracket after the
 * name:
 * - A macro, or a type's name in a declaration, may count. Then each hit runs a few instructions
 *   more.
 * - A call through a pointer in brackets does not count.
 */
static bool is_called(const struct checker *checker, const struct wv_token *token)
{
	static const char *const words[] = { "if",     "while",	  "for",      "switch",
					     "return", "sizeof",  "typeof",   "__typeof__",
					     "asm",    "__asm__", "volatile", "__volatile__",
					     "else" };
	struct wv_token open = next_token(checker, token->end);

	if (checker->text[token->start] == '$' || !wv_token_is(checker->text, &open, "(") ||
	    !strncmp(checker->text + token->start, "weft_", strlen("weft_")))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (wv_token_is(checker->text, token, words[i]))
			return false;
	return true;
}

static void check_bracket(struct checker *checker, const struct wv_token *token)
{
	char c = checker->text[token->start];

	if (token->end - token->start != 1 || !strchr("(){}[]", c) || checker->depth > DEEPEST)
		return;
	if (strchr("({[", c)) {
		if (checker->depth < DEEPEST)
			checker->open[checker->depth] = token->start;
		checker->depth++;
		return;
	}
	if (!checker->depth) {
		wv_report_error(checker->list, location_of(checker, token->start),
			    "this '%c' closes nothing", c);
		/* report no more errors about brackets: they would follow from this one */
		checker->depth = DEEPEST + 1;
		return;
	}
	checker->depth--;
	if (checker->text[checker->open[checker->depth]] != partner(c)) {
		struct wv_text_location open = location_of(checker, checker->open[checker->depth]);

		wv_report_error(checker->list, location_of(checker, token->start),
			    "this '%c' meets a '%c' (%u:%u)", c,
			    checker->text[checker->open[checker->depth]], open.line, open.column);
		checker->depth = DEEPEST + 1;
	}
}

static bool has_directives(const char *text, size_t n)
{
	struct wv_token token = { .kind = WV_TOKEN_NEWLINE };
	bool line_start = true;

	for (size_t offset = 0; token.kind != WV_TOKEN_END; offset = token.end) {
		token = wv_token_at(text, n, offset);
		if (line_start && token.kind == WV_TOKEN_PUNCTUATION && text[token.start] == '#')
			return true;
		if (token.kind == WV_TOKEN_NEWLINE)
			line_start = true;
		else if (token.kind != WV_TOKEN_BLANK && token.kind != WV_TOKEN_COMMENT)
			line_start = false;
	}
	return false;
}

bool wv_body_is_empty(const struct wv_aspect_code *code)
{
	const char *text = code->text.bytes.data;
	struct wv_token token = { .kind = WV_TOKEN_NEWLINE };

	for (size_t offset = 0; token.kind != WV_TOKEN_END; offset = token.end) {
		token = wv_token_at(text, code->text.bytes.n, offset);
		if (token.kind != WV_TOKEN_BLANK && token.kind != WV_TOKEN_NEWLINE &&
		    token.kind != WV_TOKEN_COMMENT && token.kind != WV_TOKEN_END &&
		    !(token.kind == WV_TOKEN_PUNCTUATION && text[token.start] == ';'))
			return false;
	}
	return true;
}

void wv_body_check(struct wv_aspect_code *code, struct wv_error_list *list)
{
	struct checker checker = { .code = code, .list = list, .text = code->text.bytes.data };
	struct wv_token token = { .kind = WV_TOKEN_NEWLINE };
	size_t n = code->text.bytes.n;
	bool macros = has_directives(checker.text, n);

	checker.any_brackets = macros;
	for (size_t offset = 0; token.kind != WV_TOKEN_END; offset = token.end) {
		token = wv_token_at(checker.text, n, offset);
		if (token.kind == WV_TOKEN_NAME)
			check_name(&checker, &token);
		if (token.kind == WV_TOKEN_NAME && wv_token_is(checker.text, &token, "weft_log"))
			wv_format_check(&code->text, token.end, macros, list);
		if (token.kind == WV_TOKEN_NAME)
			code->calls |= is_called(&checker, &token);
		else if (token.kind == WV_TOKEN_PUNCTUATION && !checker.any_brackets)
			check_bracket(&checker, &token);
		if (!token.open)
			continue;
		/*
		 * A string that is not closed extends to the end of its line, a comment to the end
		 * of the text. The brackets that close earlier ones may be inside, so do not report
		 * open brackets.
		 */
		checker.any_brackets = true;
		wv_report_error(list, location_of(&checker, token.start), "this %s is not closed",
			    token.kind == WV_TOKEN_COMMENT ? "comment" :
			    checker.text[token.start] == '"' ? "string" :
							       "character constant");
	}
	if (!checker.any_brackets && checker.depth && checker.depth <= DEEPEST)
		wv_report_error(list, location_of(&checker, checker.open[checker.depth - 1]),
				"this '%c' is not closed",
				checker.text[checker.open[checker.depth - 1]]);
}

/* ---- writing the author's C ------------------------------------------------------------------ */

struct writer {
	const struct wv_xml_text *body;
	struct wv_str *out;
	/* index in body->columns of the first entry that advance() has not used */
	size_t next_column;
	/*
	 * The column that the next byte has in the XML (.wanted), and the column that it would have
	 * in the C so far (.written).
	 */
	unsigned int wanted, written;
	/* true: the next byte is inside $field(...), where a dot becomes WV_PATH_DOT */
	bool in_field;
};

/*
 * Sets .wanted to the column that the byte at @offset has in the XML. To be called with ascending
 * offsets.
 */
static void advance(struct writer *writer, size_t offset)
{
	while (writer->next_column < writer->body->columns.n &&
	       writer->body->columns.data[writer->next_column].offset <= offset) {
		const struct wv_xml_column *column =
			&writer->body->columns.data[writer->next_column++];

		writer->wanted = column->column + (offset - column->offset);
	}
}

static void write_token(struct writer *writer, const struct wv_token *token)
{
	const char *text = writer->body->bytes.data;
	bool is_dot = writer->in_field && wv_token_is(text, token, ".");

	if (wv_token_is(text, token, wv_reference_words[WV_REFERENCE_FIELD]))
		writer->in_field = true;
	else if (wv_token_is(text, token, ")"))
		writer->in_field = false;
	advance(writer, token->start);
	for (; writer->written < writer->wanted && token->kind != WV_TOKEN_NEWLINE;
	     writer->written++)
		wv_str_add(writer->out, " ");
	for (size_t offset = token->start; offset < token->end; offset++) {
		advance(writer, offset);
		wv_str_add_n(writer->out, is_dot ? WV_PATH_DOT : text + offset, 1);
		writer->wanted = text[offset] == '\n' ? 1 : writer->wanted + 1;
		writer->written = text[offset] == '\n' ? 1 : writer->written + 1;
	}
}

/* Returns the offset of the first line of the body that is not blank. */
static size_t first_offset(const struct wv_xml_text *body)
{
	size_t start = 0;

	for (size_t i = 0; i < body->bytes.n && isspace((unsigned char)body->bytes.data[i]); i++)
		if (body->bytes.data[i] == '\n')
			start = i + 1;
	return start;
}

unsigned int wv_body_line(const struct wv_aspect_code *code)
{
	return wv_xml_text_location(&code->text, first_offset(&code->text)).line;
}

void wv_body_write(const struct wv_aspect_code *code, struct wv_str *out)
{
	const struct wv_xml_text *body = &code->text;
	struct writer writer = { .body = body, .out = out, .written = 1 };
	size_t offset = first_offset(body), end = body->bytes.n;
	struct wv_token token;

	while (end > offset && isspace((unsigned char)body->bytes.data[end - 1]))
		end--;
	if (offset == end)
		return;
	writer.wanted = wv_xml_text_location(body, offset).column;
	while (writer.next_column < body->columns.n &&
	       body->columns.data[writer.next_column].offset <= offset)
		/* skip the entries up to the first byte, whose column is in .wanted already */
		writer.next_column++;
	for (; offset < end; offset = token.end) {
		token = wv_token_at(body->bytes.data, end, offset);
		write_token(&writer, &token);
	}
	/*
	 * Add an empty line, if a backslash at the very end would join the next line to the body.
	 */
	wv_str_add(out, body->bytes.data[end - 1] == '\\' ? "\n\n" : "\n");
}
