// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where an expression's source text names a member. The front end merges `p->a == 1 && p->b == 2`
 * into one test, and of the trees of the two members nothing is left. But the test has kept the
 * locations of the expression's first and last token, and the text between them is in the file.
 *
 * If both tokens are in the expansion of one macro, or of one that this macro uses, the tokens of
 * the expansion are read. Otherwise the text of the file is, without the arguments of macros.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

/* Expressions with more lines or more tokens than this are not read. */
#define LINES_MAX 256
#define TOKENS_MAX 4096

/* Macros that are nested deeper than this are not read. */
#define MACROS_MAX 8

/* Text from a file in which comments, strings and continuations are blanks. */
struct text {
	const char *file;
	int first_line;
	unsigned first_map, last_map; /* numbers of the line maps of the first and last token */
	auto_vec<char> bytes;
	auto_vec<unsigned> lines; /* index in .bytes of the first byte of each line */
};

/* A word, `->`, `&&`, `||`, or one byte of another token. */
struct token {
	location_t where;
	char text[WP_SPELLING_MAX];
};

/* Lines that were read. GCC would read a file from one of the lines before, for each token. */
#define KEPT_LINES 64

struct kept_line {
	const char *file; /* GCC has one string for each file; NULL: nothing is kept here */
	int line;
	char *text;
	size_t length;
};

static kept_line kept_lines[KEPT_LINES];

/* The text of a source line; empty if it cannot be read. Valid until the next call. */
static char_span source_line(const char *file, int line)
{
	kept_line *kept = &kept_lines[wp_key((uintptr_t)file, line, 0) % KEPT_LINES];

	if (kept->file == file && kept->line == line)
		return char_span(kept->text, kept->length);
	char_span span = wp_source_line(file, line);

	if (!span)
		return span;
	free(kept->text);
	*kept = { file, line, XNEWVEC(char, span.length() + 1), span.length() };
	memcpy(kept->text, span.get_buffer(), span.length());
	return char_span(kept->text, kept->length);
}

static bool is_word(char c)
{
	return ISALNUM(c) || c == '_' || c == '$';
}

/* Index in the set of ordinary line maps of the map that a location outside of macros is in. */
static unsigned map_number(location_t where)
{
	return linemap_check_ordinary(linemap_lookup(line_table, where)) -
	       LINEMAPS_ORDINARY_MAP_AT(line_table, 0);
}

/* Appends a line from column @first to column @last (0: to its end). False if it is not there. */
static bool append_line(text *text, int line, int first, int last)
{
	char_span span = source_line(text->file, line);
	int length = (int)span.length();

	if (!span || first > length)
		return false;
	text->lines.safe_push(text->bytes.length());
	for (int i = 0; i < length && (!last || i < last); i++)
		text->bytes.safe_push(i + 1 < first ? ' ' : span[i]);
	text->bytes.safe_push('\n');
	return true;
}

/* Reads the text between two locations of one file. */
static bool read_text(text *text, location_t start, location_t finish)
{
	expanded_location from = expand_location(start), to = expand_location(finish);

	if (!from.file || !to.file || strcmp(from.file, to.file) || from.line > to.line ||
	    to.line - from.line >= LINES_MAX)
		return false;
	text->file = from.file;
	text->first_line = from.line;
	text->first_map = map_number(start);
	text->last_map = map_number(finish);
	for (int line = from.line; line <= to.line; line++) {
		if (!append_line(text, line, line == from.line ? from.column : 1,
				 line == to.line ? to.column : 0))
			return false;
	}
	return true;
}

/* Index of the first byte after the string, character or comment that begins at @at; or @at. */
static unsigned end_of_quoted(const vec<char> *bytes, unsigned at)
{
	unsigned length = bytes->length(), i = at + 1;
	char first = (*bytes)[at], second = i < length ? (*bytes)[i] : 0;

	if (first == '"' || first == '\'') {
		for (; i < length && (*bytes)[i] != first; i++)
			i += (*bytes)[i] == '\\';
		return MIN(i + 1, length);
	}
	if (first != '/' || (second != '*' && second != '/'))
		return at;
	for (i = at + 2; i < length; i++) {
		if (second == '/' ? (*bytes)[i] == '\n'
				  : (*bytes)[i] == '/' && (*bytes)[i - 1] == '*' && i > at + 2)
			break;
	}
	return MIN(i + 1, length);
}

/*
 * Replaces what is no code by blanks. False if a line is a preprocessor directive, since the text
 * after that may not be compiled.
 */
static bool blank_text(text *text)
{
	vec<char> *bytes = &text->bytes;
	bool line_begins = false;
	unsigned end;

	for (unsigned i = 0; i < bytes->length(); i = MAX(end, i + 1)) {
		char c = (*bytes)[i];

		end = end_of_quoted(bytes, i);
		if (c == '#' && line_begins)
			return false;
		line_begins = c == '\n' || (line_begins && (ISSPACE(c) || end > i));
		if (c == '\\')
			(*bytes)[i] = ' ';
		for (unsigned k = i; k < end; k++)
			(*bytes)[k] = (*bytes)[k] == '\n' ? '\n' : ' ';
	}
	return true;
}

/* The location of the byte at @at. UNKNOWN_LOCATION if it is in no line map. */
static location_t location_of_byte(const text *text, unsigned at)
{
	unsigned line = 0;

	while (line + 1 < text->lines.length() && text->lines[line + 1] <= at)
		line++;
	unsigned column = at - text->lines[line] + 1;
	linenum_type number = text->first_line + line;

	/* The last map that begins at this line or before is the one that GCC has read it with. */
	for (unsigned i = text->last_map; i + 1 > text->first_map; i--) {
		const line_map_ordinary *map = LINEMAPS_ORDINARY_MAP_AT(line_table, i);

		if (ORDINARY_MAP_STARTING_LINE_NUMBER(map) <= number &&
		    !strcmp(LINEMAP_FILE(map), text->file))
			return wp_pure(linemap_position_for_line_and_column(line_table, map, number,
									    column));
	}
	return UNKNOWN_LOCATION;
}

/* Copies the token that begins at @at; returns its length. A longer word is cut. */
static size_t copy_token(const char *at, size_t length, char text[WP_SPELLING_MAX])
{
	size_t n = 0;

	while (n < length && is_word(at[n]))
		n++;
	if (!n && length)
		n = 1;
	if (n == 1 && length > 1 && ((*at == '-' && at[1] == '>') ||
				     ((*at == '&' || *at == '|') && at[1] == *at)))
		n = 2;
	memcpy(text, at, MIN(n, WP_SPELLING_MAX - 1));
	text[MIN(n, WP_SPELLING_MAX - 1)] = '\0';
	return n;
}

static bool read_tokens(location_t start, location_t finish, vec<token> *tokens)
{
	text text;

	if (!read_text(&text, start, finish) || !blank_text(&text))
		return false;
	unsigned length = text.bytes.length();

	for (unsigned i = 0; i < length;) {
		const char *at = text.bytes.address() + i;
		token token;

		if (ISSPACE(*at)) {
			i++;
			continue;
		}
		token.where = location_of_byte(&text, i);
		if (token.where == UNKNOWN_LOCATION || tokens->length() == TOKENS_MAX)
			return false;
		i += copy_token(at, length - i, token.text);
		tokens->safe_push(token);
	}
	return true;
}

/* Reads the token at a location, which may be in a macro's expansion, where it is spelled. */
static bool read_token(location_t where, token *token)
{
	expanded_location at = expand_location_to_spelling_point(where);
	char_span line = at.file ? source_line(at.file, at.line) : char_span(NULL, 0);

	token->where = where;
	if (!line || at.column <= 0 || (size_t)at.column > line.length())
		return false;
	copy_token(line.get_buffer() + at.column - 1, line.length() - at.column + 1, token->text);
	return true;
}

static bool is_in_macro(location_t where)
{
	return linemap_location_from_macro_expansion_p(line_table, where);
}

static const line_map_macro *macro_map(location_t where)
{
	return linemap_check_macro(linemap_lookup(line_table, where));
}

/* Consecutive tokens of one macro's expansion have consecutive locations. */
static bool read_consecutive(location_t start, location_t finish, vec<token> *tokens)
{
	for (location_t at = start; at <= finish; at++) {
		token token;

		if (tokens->length() == TOKENS_MAX || !read_token(at, &token))
			return false;
		tokens->safe_push(token);
	}
	return true;
}

/*
 * Reads the tokens between two locations in the expansion of a macro. The last one may be in the
 * expansion of a macro that this macro's text uses, and so on: then the tokens up to the name of
 * that macro are read, and the tokens of its expansion up to the last one.
 */
static bool read_expansion(location_t start, location_t finish, vec<token> *tokens)
{
	auto_vec<location_t> ends;
	location_t end = finish;

	while (is_in_macro(end) && macro_map(end) != macro_map(start)) {
		if (ends.length() == MACROS_MAX)
			return false;
		ends.safe_push(end);
		end = wp_macro_name_location(macro_map(end), 0);
	}
	if (!is_in_macro(end) || end < start)
		return false;
	if (!ends.length())
		return read_consecutive(start, end, tokens);
	if (!read_consecutive(start, end - 1, tokens))
		return false;
	for (unsigned i = ends.length(); i--;) {
		if (!read_consecutive(MAP_START_LOCATION(macro_map(ends[i])), ends[i] - (i > 0),
				      tokens))
			return false;
	}
	return true;
}

static bool is_operator(const token *token)
{
	return !strcmp(token->text, ".") || !strcmp(token->text, "->");
}

static bool is_name(const token *token)
{
	return is_word(*token->text) && !ISDIGIT(*token->text);
}

/* Index of the opening parenthesis or bracket that belongs to the closing one at @at. */
static unsigned opening(const vec<token> *tokens, unsigned at)
{
	unsigned depth = 0;

	for (;; at--) {
		char c = *(*tokens)[at].text;

		depth += c == ')' || c == ']';
		depth -= c == '(' || c == '[';
		if (!depth || !at)
			return at;
	}
}

/* Whether a chain of members, of which one has its operator at @at, has a `&` before it. */
static bool is_address(const vec<token> *tokens, unsigned at)
{
	while (at) {
		const token *before = &(*tokens)[at - 1];

		if (*before->text == ')' || *before->text == ']')
			at = opening(tokens, at - 1);
		else if (is_name(before) || is_operator(before))
			at--;
		else
			return !strcmp(before->text, "&");
	}
	return false;
}

/* Index after the closing parenthesis that belongs to the opening one at @at. */
static unsigned after_closing(const vec<token> *tokens, unsigned at)
{
	unsigned depth = 0;

	for (; at < tokens->length(); at++) {
		depth += !strcmp((*tokens)[at].text, "(");
		depth -= !strcmp((*tokens)[at].text, ")");
		if (!depth)
			return at + 1;
	}
	return at;
}

/*
 * Removes the arguments of macros: what the compiler has seen of them are the tokens of the macros'
 * expansions, which have other locations.
 */
static void remove_arguments(vec<token> *tokens)
{
	unsigned left = 0, length = tokens->length();

	for (unsigned i = 0, after; i < length; i = after) {
		const token *it = &(*tokens)[i];
		bool macro = i + 1 < length && is_name(it) && !(i && is_operator(it - 1)) &&
			     !strcmp(it[1].text, "(") && wp_macro_defined(it->text);

		after = macro ? after_closing(tokens, i + 1) : i + 1;
		(*tokens)[left++] = *it;
	}
	tokens->truncate(left);
}

/* Where the text outside of macros has a token: itself, or the name of the macro it comes from. */
static location_t outside(location_t where)
{
	return wp_pure(linemap_resolve_location(line_table, where, LRK_MACRO_EXPANSION_POINT,
						NULL));
}

/* Reads all tokens of the text of an expression; see wp_spellings_find(). */
static bool read_expression(location_t expression, vec<token> *tokens)
{
	source_range range = get_range_from_loc(line_table, expression);
	location_t start = wp_pure(range.m_start), finish = wp_pure(range.m_finish);

	if (start <= BUILTINS_LOCATION || finish <= BUILTINS_LOCATION || start == finish)
		return false;
	if (is_in_macro(start) && is_in_macro(finish)) {
		if (read_expansion(start, finish, tokens))
			return true;
		tokens->truncate(0);
	}
	return read_tokens(outside(start), outside(finish), tokens);
}

void wp_spellings_find(location_t expression, vec<wp_spelling> *found)
{
	auto_vec<token> tokens;

	if (!read_expression(expression, &tokens))
		return;
	remove_arguments(&tokens);
	for (unsigned i = 2; i < tokens.length(); i++) {
		wp_spelling spelling = {};

		if (!is_operator(&tokens[i - 1]) || !is_name(&tokens[i]))
			continue;
		spelling.where = tokens[i - 1].where;
		spelling.address = is_address(&tokens, i - 1);
		memcpy(spelling.member, tokens[i].text, sizeof(spelling.member));
		if (is_name(&tokens[i - 2]))
			memcpy(spelling.object, tokens[i - 2].text, sizeof(spelling.object));
		found->safe_push(spelling);
	}
}

bool wp_spelled_operator(location_t where)
{
	token token;

	return where > BUILTINS_LOCATION && read_token(where, &token) && is_operator(&token);
}

bool wp_spelled_logical(location_t where)
{
	token token;

	return where > BUILTINS_LOCATION && read_token(where, &token) &&
	       (!strcmp(token.text, "||") || !strcmp(token.text, "&&"));
}

bool wp_spelled_member(location_t where, char member[WP_SPELLING_MAX])
{
	token token;

	if (!wp_spelled_operator(where) || !read_token(where, &token))
		return false;
	if (is_in_macro(where)) {
		const line_map_macro *map = macro_map(where);

		where++;
		if (where >= MAP_START_LOCATION(map) + MACRO_MAP_NUM_MACRO_TOKENS(map))
			return false;
	} else {
		where = linemap_position_for_loc_and_offset(line_table, where,
							    strlen(token.text));
	}
	if (!read_token(where, &token) || !is_name(&token))
		return false;
	memcpy(member, token.text, WP_SPELLING_MAX);
	return true;
}
