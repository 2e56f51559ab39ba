// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the name, the source location and the bits of a member in libclang's tree (declared in
 * ast.h).
 */
#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "ast.h"

CXTranslationUnit tr_unit;

char *tr_text(CXString string)
{
	const char *text = clang_getCString(string);
	char *copy = strdup(text ? text : "");

	clang_disposeString(string);
	return copy;
}

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct tr_children *list = data;

	(void)parent;
	if (list->n == list->room) {
		list->room = list->room ? 2 * list->room : 4;
		list->items = realloc(list->items, list->room * sizeof(*list->items));
		if (!list->items)
			err(1, "memory");
	}
	list->items[list->n++] = cursor;
	return CXChildVisit_Continue;
}

struct tr_children tr_children(CXCursor cursor)
{
	struct tr_children list = { 0 };

	clang_visitChildren(cursor, collect, &list);
	return list;
}

/* Returns the file's name. Names are never freed; one unit has some hundred files. */
static const char *file_name(CXFile file)
{
	static CXFile last;
	static const char *name = "-";

	if (file && file != last) {
		last = file;
		name = tr_text(clang_getFileName(file));
		if (!strncmp(name, "./", 2))
			name += 2;
	}
	return file ? name : "-";
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static char *word_at(CXFile file, unsigned int at)
{
	size_t size, n = 0;
	const char *text = file ? clang_getFileContents(tr_unit, file, &size) : NULL;

	if (text && at < size)
		while (at + n < size && is_word(text[at + n]))
			n++;
	return strndup(n ? text + at : "", n);
}

char *tr_first_word(CXCursor cursor)
{
	unsigned int at;
	CXFile file;

	clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, NULL,
				  NULL, &at);
	return word_at(file, at);
}

/*
 * Goes back from a member's name over blanks, continued lines and comments to its `.` or `->`. If
 * something else is before the name, as in a macro that is given the name, the column is 0.
 */
static void step_to_operator(CXFile file, unsigned int at, unsigned int *line, unsigned int *column)
{
	size_t size;
	const char *text = file ? clang_getFileContents(tr_unit, file, &size) : NULL;
	unsigned int n = *line;

	*column = 0;
	if (!text || at > size)
		return;
	for (;;) {
		if (at && strchr(" \t\n\\", text[at - 1])) {
			n -= text[--at] == '\n';
		} else if (at >= 2 && text[at - 1] == '/' && text[at - 2] == '*') {
			for (at -= 2; at >= 2 && strncmp(text + at - 2, "/*", 2); at--)
				n -= text[at - 1] == '\n';
			at -= at >= 2 ? 2 : at;
		} else {
			break;
		}
	}
	if (at >= 2 && text[at - 1] == '>' && text[at - 2] == '-')
		at -= 2;
	else if (at >= 1 && text[at - 1] == '.')
		at--;
	else
		return;
	*line = n;
	*column = 1;
	for (; at && text[at - 1] != '\n'; at--)
		++*column;
}

struct tr_place tr_place_of_member(CXCursor member)
{
	CXSourceLocation location = clang_getCursorLocation(member);
	unsigned int expanded_at, spelled_at;
	CXFile expanded, spelled;
	struct tr_place place = { .macro = "-" };
	char *word;

	clang_getExpansionLocation(location, &expanded, &place.line, &place.column, &expanded_at);
	clang_getSpellingLocation(location, &spelled, &place.spelling_line, &place.spelling_column,
				  &spelled_at);
	place.file = file_name(expanded);
	place.spelling_file = file_name(spelled);
	step_to_operator(spelled, spelled_at, &place.spelling_line, &place.spelling_column);
	if (expanded == spelled && expanded_at == spelled_at) {
		place.line = place.spelling_line;
		place.column = place.spelling_column;
		return place;
	}
	word = word_at(expanded, expanded_at);
	if (*word)
		place.macro = word;
	else
		free(word);
	return place;
}

void tr_lines(CXCursor cursor, const char **file_ret, unsigned int *first_ret,
	      unsigned int *last_ret)
{
	CXSourceRange extent = clang_getCursorExtent(cursor);
	CXFile file;

	clang_getExpansionLocation(clang_getRangeEnd(extent), &file, last_ret, NULL, NULL);
	clang_getExpansionLocation(clang_getRangeStart(extent), &file, first_ret, NULL, NULL);
	*file_ret = file_name(file);
}

long long tr_constant(CXCursor expression)
{
	CXEvalResult result = clang_Cursor_Evaluate(expression);
	long long value = -1;

	if (result && clang_EvalResult_getKind(result) == CXEval_Int)
		value = clang_EvalResult_getAsLongLong(result);
	if (result)
		clang_EvalResult_dispose(result);
	return value;
}

bool tr_is_null(CXCursor pointer)
{
	enum CXCursorKind kind = clang_getCursorKind(pointer);

	while (kind == CXCursor_ParenExpr || kind == CXCursor_CStyleCastExpr ||
	       kind == CXCursor_UnexposedExpr) {
		struct tr_children children = tr_children(pointer);

		pointer = children.n ? children.items[children.n - 1] : clang_getNullCursor();
		free(children.items);
		kind = clang_getCursorKind(pointer);
	}
	return kind == CXCursor_IntegerLiteral && !tr_constant(pointer);
}

bool tr_is_named(CXCursor field)
{
	char *name = tr_text(clang_getCursorSpelling(field));
	bool named = *name && !strchr(name, '(') && !strchr(name, ' ');

	free(name);
	return named;
}

/* The names of structs that were asked for, by their cursors; a unit has some hundred. */
static struct known {
	CXCursor record;
	const char *name;
} known[8192];
static unsigned int nr_known;

static const char *record_name(CXCursor record)
{
	enum CXCursorKind kind = clang_getCursorKind(record);
	char *name;

	if (kind != CXCursor_StructDecl && kind != CXCursor_UnionDecl)
		return "-";
	name = tr_text(clang_getCursorSpelling(record));
	if (*name && !strchr(name, '(') && !strchr(name, ' '))
		return name;
	free(name);
	name = tr_text(clang_getTypeSpelling(clang_getCursorType(record)));
	if (*name && !strchr(name, '(') && !strchr(name, ' '))
		return name;
	free(name);
	return record_name(clang_getCursorSemanticParent(record));
}

const char *tr_struct_of(CXCursor field)
{
	CXCursor record = clang_getCursorSemanticParent(field);
	const char *name;

	for (unsigned int i = nr_known; i--;) {
		if (clang_equalCursors(known[i].record, record))
			return known[i].name;
	}
	name = record_name(record);
	if (nr_known < sizeof(known) / sizeof(known[0]))
		known[nr_known++] = (struct known){ record, name };
	return name;
}

/*
 * Returns the object that a member is accessed in, without parentheses and anonymous structs
 * between.
 */
static CXCursor object_of(CXCursor member)
{
	for (;;) {
		struct tr_children children = tr_children(member);
		enum CXCursorKind kind;

		if (!children.n)
			return clang_getNullCursor();
		member = children.items[0];
		free(children.items);
		kind = clang_getCursorKind(member);
		if (kind != CXCursor_ParenExpr &&
		    (kind != CXCursor_MemberRefExpr || tr_is_named(member)))
			return member;
	}
}

bool tr_bits(CXCursor member, long long *first_ret, long long *size_ret)
{
	*size_ret = clang_getFieldDeclBitWidth(clang_getCursorReferenced(member));
	if (*size_ret < 0)
		*size_ret = 8 * clang_Type_getSizeOf(clang_getCursorType(member));
	*first_ret = 0;
	while (clang_getCursorKind(member) == CXCursor_MemberRefExpr) {
		CXCursor object = object_of(member);
		CXType type = clang_getCanonicalType(clang_getCursorType(object));
		bool pointer = type.kind == CXType_Pointer;
		char *name = tr_text(clang_getCursorSpelling(member));
		long long offset;

		if (pointer)
			type = clang_getCanonicalType(clang_getPointeeType(type));
		offset = clang_Type_getOffsetOf(type, name);
		free(name);
		if (offset < 0)
			return false;
		*first_ret += offset;
		if (pointer)
			break;
		member = object;
	}
	return *size_ret > 0;
}
