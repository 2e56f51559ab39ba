// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists the members that a file's syntax tree mentions, by libclang: another compiler's view of the
 * source from which the plugin notes accesses. For each member it goes up through the parents until
 * one of them decides what is done with the member. The plugin goes the other way: it starts at a
 * statement and hands the kind of access down to the members. So both are unlikely to make the same
 * mistake.
 *
 *   member KIND FILE:LINE SPELLING-FILE:LINE:COLUMN MEMBER FUNCTION CODE FIRST:LAST STRUCT
 *   init FILE:FIRST-LINE:LAST-LINE MEMBER FUNCTION
 *   part STRUCT OFFSET SIZE COUNT STRUCT-OF-THE-PART MEMBER POINTEE
 *
 * FILE:LINE is the location of the outermost macro's name, if the member comes from a macro; the
 * column is that of the `.` or `->`, 0 if it is unknown. KIND is get, set, rmw, address, call, or
 * asm: an asm's operand that is no plain value, whose constraint libclang does not show. CODE is
 * live, or dead after a constant condition. FIRST and LAST are the member's bytes in STRUCT, the
 * object that its chain of members begins with or the element of an array in it. Parts are what is
 * in a struct, on all levels: COUNT of SIZE bytes; the first one is the struct itself. POINTEE is
 * the struct that the part points to, "bytes" if it points to anything of one byte or to void, else
 * "-".
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libclang.h"

/* A cursor of libclang's tree, with its parents. */
struct node {
	CXCursor cursor;	   /* The cursor itself. */
	const struct node *parent; /* The node that contains it, or NULL. */
	unsigned int index;	   /* The index among the parent's children. */
	bool dead;		   /* The code is never evaluated. */
};

/*
 * What an expression is on the way up from a member: the object itself, a pointer to it, or a
 * value.
 */
enum state { OBJECT, POINTER, VALUE };

struct list {
	CXCursor *items;
	unsigned int n, room;
};

struct location {
	const char *file;
	unsigned int line, column, offset;
};

static CXTranslationUnit unit;

static const char *text_of(CXString string)
{
	const char *text = clang_getCString(string);
	char *copy = strdup(text ? text : "");

	clang_disposeString(string);
	return copy;
}

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct list *list = data;

	if (list->n == list->room) {
		list->room = list->room ? 2 * list->room : 8;
		list->items = realloc(list->items, list->room * sizeof(*list->items));
		if (!list->items)
			err(1, "memory");
	}
	list->items[list->n++] = cursor;
	return CXChildVisit_Continue;
}

static struct list children_of(CXCursor cursor)
{
	struct list list = { 0 };

	clang_visitChildren(cursor, collect, &list);
	return list;
}

static struct location location_of(CXSourceLocation location,
				   void (*resolve)(CXSourceLocation, CXFile *, unsigned *,
						   unsigned *, unsigned *))
{
	static CXFile last_file;
	static const char *last_name = "-";
	struct location place = { "-", 0, 0, 0 };
	CXFile file;

	resolve(location, &file, &place.line, &place.column, &place.offset);
	if (!file)
		return place;
	if (file != last_file) {
		last_file = file;
		last_name = text_of(clang_getFileName(file));
	}
	place.file = last_name;
	return place;
}

/*
 * Goes back from a member's name to its operator, `.` or `->`. The column becomes 0 if there is no
 * operator.
 */
static void step_to_operator(CXSourceLocation location, struct location *place)
{
	unsigned int at, line = place->line;
	const char *text;
	size_t size;
	CXFile file;

	clang_getSpellingLocation(location, &file, NULL, NULL, &at);
	place->column = 0;
	text = file ? clang_getFileContents(unit, file, &size) : NULL;
	if (!text || at > size)
		return;
	while (at && strchr(" \t\n\\", text[at - 1]))
		line -= text[--at] == '\n';
	if (at >= 2 && text[at - 1] == '>' && text[at - 2] == '-')
		at -= 2;
	else if (at >= 1 && text[at - 1] == '.')
		at--;
	else
		return;
	place->line = line;
	place->column = 1;
	while (at && text[at - 1] != '\n') {
		at--;
		place->column++;
	}
}

static bool is_array(CXCursor cursor)
{
	switch (clang_getCanonicalType(clang_getCursorType(cursor)).kind) {
	case CXType_ConstantArray:
	case CXType_IncompleteArray:
	case CXType_VariableArray:
		return true;
	default:
		return false;
	}
}

static bool is_function_pointer(CXCursor cursor)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));

	if (type.kind == CXType_Pointer)
		type = clang_getCanonicalType(clang_getPointeeType(type));
	return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

static const char *read_or_address(enum state state)
{
	return state == POINTER ? "address" : "get";
}

/* Returns the kind that a unary operator gives its operand, or NULL after setting *@state. */
static const char *through_unary(CXCursor operator, enum state * state)
{
	switch (clang_getCursorUnaryOperatorKind(operator)) {
	case CXUnaryOperator_AddrOf:
		*state = *state == OBJECT ? POINTER : *state;
		return NULL;
	case CXUnaryOperator_Deref:
		if (*state == POINTER) {
			*state = OBJECT;
			return NULL;
		}
		return is_function_pointer(operator) ? NULL : "get";
	case CXUnaryOperator_PostInc:
	case CXUnaryOperator_PostDec:
	case CXUnaryOperator_PreInc:
	case CXUnaryOperator_PreDec:
		return *state == OBJECT ? "rmw" : read_or_address(*state);
	case CXUnaryOperator_Extension:
	case CXUnaryOperator_Real:
	case CXUnaryOperator_Imag:
		return NULL;
	default:
		return read_or_address(*state);
	}
}

static const char *through_binary(const struct node *node, enum state state)
{
	enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(node->parent->cursor);

	if (kind == CXBinaryOperator_Assign && node->index == 0 && state == OBJECT)
		return "set";
	if (kind == CXBinaryOperator_Comma && node->index == 1)
		return NULL;
	return read_or_address(state);
}

/* Goes through an implicit conversion: of an array to its address, or of an object to its value. */
static const char *through_conversion(const struct node *node, enum state *state)
{
	if (*state == OBJECT)
		*state =
			is_array(node->cursor) && !is_array(node->parent->cursor) ? POINTER : VALUE;
	return NULL;
}

static const char *kind_of(const struct node *member)
{
	const char *kind = NULL;
	enum state state = OBJECT;

	for (const struct node *node = member; !kind && node->parent; node = node->parent) {
		CXCursor parent = node->parent->cursor;

		switch (clang_getCursorKind(parent)) {
		case CXCursor_ParenExpr:
		case CXCursor_CStyleCastExpr:
		case CXCursor_GenericSelectionExpr:
			break;
		case CXCursor_UnexposedExpr:
			kind = through_conversion(node, &state);
			break;
		case CXCursor_UnaryOperator:
			kind = through_unary(parent, &state);
			break;
		case CXCursor_BinaryOperator:
			kind = through_binary(node, state);
			break;
		case CXCursor_CompoundAssignOperator:
			kind = node->index == 0 ? "rmw" : read_or_address(state);
			break;
		case CXCursor_ArraySubscriptExpr:
			if (node->index || state == VALUE)
				kind = read_or_address(state);
			state = OBJECT;
			break;
		case CXCursor_MemberRefExpr:
			if (state == VALUE)
				return "get";
			kind = kind_of(node->parent);
			return strcmp(kind, "call") ? kind : "get";
		case CXCursor_CallExpr:
			kind = node->index == 0 && state == VALUE ? "call" : read_or_address(state);
			break;
		case CXCursor_GCCAsmStmt:
			kind = state == OBJECT ? "asm" : read_or_address(state);
			break;
		default:
			kind = read_or_address(state);
		}
	}
	return kind ? kind : "get";
}

/*
 * Returns the object that a member is accessed in, without parentheses and anonymous structs
 * between.
 */
static CXCursor object_of(CXCursor member)
{
	for (;;) {
		struct list children = children_of(member);
		enum CXCursorKind kind;
		const char *name;
		bool named;

		if (!children.n)
			return clang_getNullCursor();
		member = children.items[0];
		free(children.items);
		kind = clang_getCursorKind(member);
		name = text_of(clang_getCursorSpelling(member));
		named = *name && !strchr(name, '(');
		free((char *)name);
		if (kind != CXCursor_ParenExpr && (kind != CXCursor_MemberRefExpr || named))
			return member;
	}
}

/* Returns a struct's name without its keyword, or "-" if it has none. */
static const char *struct_name(CXType type)
{
	const char *name = text_of(clang_getCursorSpelling(clang_getTypeDeclaration(type)));

	return *name && !strchr(name, '(') && !strchr(name, ' ') ? name : "-";
}

/*
 * Finds the member's bits in the object that its chain of members begins with, and the struct of
 * that object. If an array is indexed on the way, its element takes the place of the object.
 * Returns false if a type of unknown size is on the way.
 */
static bool find_bits(CXCursor member, long long *first_ret, long long *size_ret,
		      const char **struct_ret)
{
	*size_ret = clang_getFieldDeclBitWidth(clang_getCursorReferenced(member));
	if (*size_ret < 0)
		*size_ret = 8 * clang_Type_getSizeOf(clang_getCursorType(member));
	*first_ret = 0;
	while (clang_getCursorKind(member) == CXCursor_MemberRefExpr) {
		CXCursor object = object_of(member);
		CXType type = clang_getCanonicalType(clang_getCursorType(object));
		bool pointer = type.kind == CXType_Pointer;
		const char *name = text_of(clang_getCursorSpelling(member));
		long long offset;

		if (pointer)
			type = clang_getCanonicalType(clang_getPointeeType(type));
		offset = clang_Type_getOffsetOf(type, name);
		free((char *)name);
		if (offset < 0)
			return false;
		*first_ret += offset;
		*struct_ret = struct_name(type);
		if (pointer)
			break;
		member = object;
	}
	return *size_ret > 0;
}

static const char *pointee_name(CXType type)
{
	if (type.kind != CXType_Pointer)
		return "-";
	type = clang_getCanonicalType(clang_getPointeeType(type));
	if (type.kind == CXType_Record)
		return struct_name(type);
	return type.kind == CXType_Void || clang_Type_getSizeOf(type) == 1 ? "bytes" : "-";
}

/*
 * The struct whose parts are printed, and the offset in it, in bits, at which the present level
 * begins.
 */
struct part {
	const char *whole;
	long long base;
};

static enum CXVisitorResult print_part(CXCursor field, CXClientData data)
{
	const struct part *part = data;
	CXType type = clang_getCanonicalType(clang_getCursorType(field));
	struct part inner = { part->whole, part->base + clang_Cursor_getOffsetOfField(field) };
	long long count = 1;
	const char *name;

	/* An array without a size counts as one element. */
	while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray) {
		if (type.kind == CXType_ConstantArray)
			count *= clang_getNumElements(type);
		type = clang_getCanonicalType(clang_getArrayElementType(type));
	}
	name = text_of(clang_getCursorSpelling(field));
	printf("part %s %lld %lld %lld %s %s %s\n", part->whole, inner.base / 8,
	       clang_Type_getSizeOf(type), count,
	       type.kind == CXType_Record ? struct_name(type) : "-",
	       *name && !strchr(name, '(') ? name : "-", pointee_name(type));
	free((char *)name);
	if (type.kind == CXType_Record)
		clang_Type_visitFields(type, print_part, &inner);
	return CXVisit_Continue;
}

/*
 * Prints the layout of a struct that has a name: its parts on all levels, of an array the first
 * element.
 */
static void print_layout(CXCursor definition)
{
	CXType type = clang_getCursorType(definition);
	struct part part = { struct_name(type), 0 };

	if (!strcmp(part.whole, "-"))
		return;
	printf("part %s 0 %lld 1 %s - -\n", part.whole, clang_Type_getSizeOf(type), part.whole);
	clang_Type_visitFields(type, print_part, &part);
}

static void print_member(const struct node *node, const char *function)
{
	CXSourceLocation location = clang_getCursorLocation(node->cursor);
	struct location expansion = location_of(location, clang_getExpansionLocation);
	struct location spelling = location_of(location, clang_getSpellingLocation);
	bool plain = expansion.offset == spelling.offset && expansion.file == spelling.file;
	const char *name = text_of(clang_getCursorSpelling(node->cursor));
	const char *structure = "-";
	long long first, size;

	step_to_operator(location, &spelling);
	if (plain)
		expansion.line = spelling.line;
	/*
	 * In libclang's tree an anonymous struct is a member too, which the source does not
	 * mention.
	 */
	if (*name && !strchr(name, '(')) {
		printf("member %s %s:%u %s:%u:%u %s %s %s", kind_of(node), expansion.file,
		       expansion.line, spelling.file, spelling.line, spelling.column, name,
		       function, node->dead ? "dead" : "live");
		if (find_bits(node->cursor, &first, &size, &structure))
			printf(" %lld:%lld %s\n", first / 8, (first + size - 1) / 8, structure);
		else
			puts(" - -");
	}
	free((char *)name);
}

/*
 * Prints a designator. The plugin's line may be that of the value, the variable or the statement,
 * so the first and last lines are printed.
 */
static void print_designator(const struct node *node, const char *function)
{
	const struct node *variable = node->parent;
	CXSourceRange extent = clang_getCursorExtent(node->parent->cursor);
	struct location last = location_of(clang_getRangeEnd(extent), clang_getExpansionLocation);
	const char *name = text_of(clang_getCursorSpelling(node->cursor));
	struct location first;

	while (variable->parent && clang_getCursorKind(variable->cursor) != CXCursor_VarDecl &&
	       clang_getCursorKind(variable->parent->cursor) != CXCursor_CompoundStmt)
		variable = variable->parent;
	first = location_of(clang_getCursorLocation(variable->cursor), clang_getExpansionLocation);
	if (*name && !strchr(name, '('))
		printf("init %s:%u:%u %s %s\n", first.file, first.line, last.line, name, function);
	free((char *)name);
}

/* Returns 0 or 1 if the condition is constant, otherwise -1. */
static int constant(CXCursor condition)
{
	CXEvalResult result = clang_Cursor_Evaluate(condition);
	int value = -1;

	if (result && clang_EvalResult_getKind(result) == CXEval_Int)
		value = clang_EvalResult_getAsLongLong(result) != 0;
	if (result)
		clang_EvalResult_dispose(result);
	return value;
}

/* Returns which child of a branching expression is never evaluated, or UINT_MAX. */
static unsigned int dead_child(CXCursor cursor, const struct list *children)
{
	enum CXBinaryOperatorKind operator;
	int value;

	switch (clang_getCursorKind(cursor)) {
	case CXCursor_IfStmt:
	case CXCursor_ConditionalOperator:
		value = constant(children->items[0]);
		return value == 1 ? 2 : value == 0 ? 1 : (unsigned int)-1;
	case CXCursor_BinaryOperator:
		operator= clang_getCursorBinaryOperatorKind(cursor);
		if (operator!= CXBinaryOperator_LAnd && operator!= CXBinaryOperator_LOr)
			break;
		if (constant(children->items[0]) == (operator== CXBinaryOperator_LOr))
			return 1;
		break;
	default:
		break;
	}
	return (unsigned int)-1;
}

/*
 * Returns whether the cursor is a __builtin_types_compatible_p(). libclang has no kind for this, so
 * the first word of the expression is compared.
 */
static bool is_test_of_types(CXCursor cursor)
{
	static const char word[] = "__builtin_types_compatible_p";
	const char *text;
	unsigned int at;
	size_t size;
	CXFile file;

	clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, NULL,
				  NULL, &at);
	text = file ? clang_getFileContents(unit, file, &size) : NULL;
	return text && at + sizeof(word) < size && !strncmp(text + at, word, sizeof(word) - 1);
}

/* Returns whether a child belongs to a type, or to an expression whose value is not computed. */
static bool is_unevaluated(const struct node *parent, const struct list *children, unsigned int i)
{
	CXCursor child = children->items[i];
	const char *name;
	bool hidden;

	switch (clang_getCursorKind(parent->cursor)) {
	case CXCursor_UnaryExpr: /* These are sizeof and the like. */
	case CXCursor_StaticAssert:
	case CXCursor_ParmDecl:
	case CXCursor_FieldDecl:
	case CXCursor_StructDecl:
	case CXCursor_UnionDecl:
	case CXCursor_EnumDecl:
	case CXCursor_TypedefDecl:
		return true;
	case CXCursor_FunctionDecl:
		return clang_getCursorKind(child) != CXCursor_CompoundStmt;
	case CXCursor_VarDecl:
		return !clang_equalCursors(child,
					   clang_Cursor_getVarDeclInitializer(parent->cursor));
	case CXCursor_CStyleCastExpr:
	case CXCursor_CompoundLiteralExpr:
		return i + 1 < children->n;
	case CXCursor_GenericSelectionExpr:
		return i == 0;
	case CXCursor_UnexposedExpr:
		return is_test_of_types(parent->cursor);
	case CXCursor_CallExpr:
		name = text_of(clang_getCursorSpelling(parent->cursor));
		hidden = !strcmp(name, "__builtin_constant_p") ||
			 !strcmp(name, "__builtin_object_size");
		free((char *)name);
		return hidden;
	default:
		return false;
	}
}

static void visit(const struct node *node, const char *function)
{
	enum CXCursorKind kind = clang_getCursorKind(node->cursor);
	struct list children = children_of(node->cursor);
	const char *name = NULL;
	unsigned int dead;

	if ((kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl) &&
	    clang_isCursorDefinition(node->cursor)) {
		print_layout(node->cursor);
	} else if (kind == CXCursor_FunctionDecl && clang_isCursorDefinition(node->cursor)) {
		function = name = text_of(clang_getCursorSpelling(node->cursor));
	} else if (kind == CXCursor_MemberRefExpr) {
		print_member(node, function);
	} else if (kind == CXCursor_MemberRef && node->parent && node->parent->parent &&
		   clang_getCursorKind(node->parent->parent->cursor) == CXCursor_InitListExpr) {
		print_designator(node, function);
	}
	dead = node->dead || !children.n ? (unsigned int)-1 : dead_child(node->cursor, &children);
	for (unsigned int i = 0; i < children.n; i++) {
		struct node child = { children.items[i], node, i, node->dead || i == dead };

		if (!is_unevaluated(node, &children, i))
			visit(&child, function);
	}
	free(children.items);
	free((char *)name);
}

static void report_errors(void)
{
	unsigned int shown = 0;

	for (unsigned int i = 0; i < clang_getNumDiagnostics(unit); i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && shown++ < 8)
			fprintf(stderr, "%s\n",
				text_of(clang_formatDiagnostic(
					diagnostic, clang_defaultDiagnosticDisplayOptions())));
		clang_disposeDiagnostic(diagnostic);
	}
}

int main(int argc, char **argv)
{
	CXIndex index = clang_createIndex(0, 0);
	enum CXErrorCode failure;
	struct node root = { 0 };

	if (argc < 2)
		errx(2, "usage: members FLAG... FILE.c");
	failure = clang_parseTranslationUnit2(index, NULL, (const char *const *)argv + 1, argc - 1,
					      NULL, 0, CXTranslationUnit_KeepGoing, &unit);
	if (failure)
		errx(1, "libclang cannot parse the file (%d)", failure);
	report_errors();
	root.cursor = clang_getTranslationUnitCursor(unit);
	visit(&root, "-");
	clang_disposeTranslationUnit(unit);
	clang_disposeIndex(index);
	return 0;
}
