// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the members that a file's syntax tree accesses, by libclang: ast CODE.txt FLAG... FILE.c.
 * It looks at all functions of the file itself, at the functions of headers that CODE.txt names,
 * one a line, and at all variables. It walks the tree from the statements down: each expression
 * says what is done to the expressions in it. Prints lines of two forms:
 *
 *   a KIND FILE LINE COLUMN SFILE SLINE SCOLUMN STRUCT MEMBER FUNCTION LIFE FIRST SIZE GIVEN MACRO
 *   i FILE FIRST-LINE LAST-LINE STRUCT MEMBER FUNCTION LIFE
 *
 * KIND is get, set, rmw, address, call, or asm: an operand of which libclang does not say whether
 * it is read or written. FILE LINE COLUMN is the `.` or `->`, or the outermost macro's name, that
 * is MACRO; SFILE and so on is where the operator is written. Column 0: unknown.
 * FIRST and SIZE are the member's bits in the object that its chain begins with, -1 0 if unknown.
 * GIVEN is what an address is handed to: the function that is called, `=NAME` for a variable's
 * initialiser, or `-`. LIFE is live, dead (behind a constant condition) or maybe: behind one that
 * compilers may see differently. An i is an initialiser's member, by a designator or its order.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast.h"

enum deed { GET, SET, RMW, ADDRESS, CALL, ASM };
static const char *const deed_names[] = { "get", "set", "rmw", "address", "call", "asm" };

enum life { LIVE, MAYBE, DEAD };
static const char *const life_names[] = { "live", "maybe", "dead" };

/* The lines of a whole initialiser, since compilers do not agree on the lines of its members. */
struct lines {
	const char *file;
	unsigned int first, last;
};

/* The part of an expression's context that holds for everything in the expression. */
struct context {
	const char *function; /* The function that the expression is in. */
	enum life life; /* Whether the expression is evaluated. */
	/* The function whose argument the value is, "=VARIABLE" if it initialises one, or NULL. */
	const char *given;
	const struct lines *lines; /* The lines of the variable that is initialised, or NULL. */
};

static void walk(CXCursor cursor, enum deed deed, const struct context *context);

static struct context without_given(const struct context *context)
{
	struct context plain = *context;

	plain.given = NULL;
	return plain;
}

static struct context with_life(const struct context *context, enum life life)
{
	struct context changed = without_given(context);

	if (life > changed.life)
		changed.life = life;
	return changed;
}

static void walk_all(const struct tr_children *children, unsigned int from,
		     const struct context *context)
{
	struct context plain = without_given(context);

	for (unsigned int i = from; i < children->n; i++)
		walk(children->items[i], GET, &plain);
}

static enum CXTypeKind type_kind(CXCursor cursor)
{
	return clang_getCanonicalType(clang_getCursorType(cursor)).kind;
}

static bool is_array(CXCursor cursor)
{
	enum CXTypeKind kind = type_kind(cursor);

	return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
	       kind == CXType_VariableArray;
}

static CXCursor only_child(CXCursor cursor)
{
	struct tr_children children = tr_children(cursor);
	CXCursor child = children.n ? children.items[children.n - 1] : clang_getNullCursor();

	free(children.items);
	return child;
}

/*
 * If the value of @pointer is the address of an object that the expression names (`&x`, an array),
 * gets that object. So `*&p->m` and `p->array[1]` are accesses of m and of array.
 */
static bool pointed_object(CXCursor pointer, CXCursor *object_ret)
{
	for (;;) {
		CXCursor child;

		switch (clang_getCursorKind(pointer)) {
		case CXCursor_ParenExpr:
		case CXCursor_CStyleCastExpr:
			pointer = only_child(pointer);
			break;
		case CXCursor_UnexposedExpr:
			child = only_child(pointer);
			if (clang_getCursorKind(child) == 0)
				return false;
			if (is_array(child) && type_kind(pointer) == CXType_Pointer) {
				*object_ret = child;
				return true;
			}
			pointer = child;
			break;
		case CXCursor_UnaryOperator:
			if (clang_getCursorUnaryOperatorKind(pointer) ==
			    CXUnaryOperator_Extension) {
				pointer = only_child(pointer);
				break;
			}
			if (clang_getCursorUnaryOperatorKind(pointer) != CXUnaryOperator_AddrOf)
				return false;
			*object_ret = only_child(pointer);
			return true;
		default:
			return false;
		}
	}
}

static void walk_object_of(CXCursor pointer, enum deed deed, const struct context *context)
{
	struct context plain = without_given(context);
	CXCursor object;

	if (pointed_object(pointer, &object))
		walk(object, deed, context);
	else
		walk(pointer, GET, &plain);
}

static void print_member(CXCursor member, enum deed deed, const struct context *context)
{
	CXCursor field = clang_getCursorReferenced(member);
	struct tr_place place = tr_place_of_member(member);
	char *name = tr_text(clang_getCursorSpelling(member));
	long long first, size;

	if (!tr_bits(member, &first, &size)) {
		first = -1;
		size = 0;
	}
	printf("a %s %s %u %u %s %u %u %s %s %s %s %lld %lld %s %s\n", deed_names[deed], place.file,
	       place.line, place.column, place.spelling_file, place.spelling_line,
	       place.spelling_column, tr_struct_of(field), name, context->function,
	       life_names[context->life], first, size,
	       deed == ADDRESS && context->given ? context->given : "-", place.macro);
	free(name);
}

static void walk_member(CXCursor member, enum deed deed, const struct context *context)
{
	CXCursor base = only_child(member);

	/* An offset in a struct is computed, and no object is accessed. */
	if (deed == ADDRESS && type_kind(base) == CXType_Pointer && tr_is_null(base))
		return;
	if (tr_is_named(member))
		print_member(member, deed, context);
	if (clang_getCursorKind(base) == 0)
		return;
	/*
	 * A read or write of a member is one of the struct around it, too. A call only reads that
	 * struct.
	 */
	if (type_kind(base) == CXType_Pointer)
		walk_object_of(base, deed == CALL ? GET : deed, context);
	else
		walk(base, deed == CALL ? GET : deed, context);
}

/* Returns whether @name is a builtin that does not compute its operand, but asks about it. */
static bool is_question(const char *name)
{
	return !strcmp(name, "__builtin_constant_p") || !strcmp(name, "__builtin_object_size") ||
	       !strcmp(name, "__builtin_dynamic_object_size");
}

/* Finds whether an expression asks about something that only an optimizing compiler knows. */
static enum CXChildVisitResult find_question(CXCursor cursor, CXCursor parent, CXClientData data)
{
	bool *asks = data;
	char *name;

	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_CallExpr) {
		name = tr_text(clang_getCursorSpelling(cursor));
		*asks = *asks || is_question(name);
		free(name);
	}
	if (!*asks)
		clang_visitChildren(cursor, find_question, data);
	return CXChildVisit_Continue;
}

static bool asks_compiler(CXCursor cursor)
{
	bool asks = false;

	find_question(cursor, cursor, &asks);
	return asks;
}

/* Walks a condition, and what is evaluated if it is true and if it is false. */
static void walk_branches(const struct tr_children *children, enum deed deed,
			  const struct context *context)
{
	struct context plain = without_given(context);
	long long value = tr_constant(children->items[0]);
	bool asks = asks_compiler(children->items[0]);

	walk(children->items[0], GET, &plain);
	for (unsigned int i = 1; i < children->n; i++) {
		enum life life = asks					? MAYBE :
				 value < 0 || (value != 0) == (i == 1) ? LIVE :
									  DEAD;
		struct context branch = with_life(context, life);

		branch.given = context->given;
		walk(children->items[i], deed == CALL ? GET : deed, &branch);
	}
}

/* Walks a switch. If its value is constant, code after the other labels is dead. */
static void walk_switch(const struct tr_children *children, const struct context *context)
{
	long long value = tr_constant(children->items[0]);
	struct context branch = without_given(context);
	struct tr_children body;
	enum life life = MAYBE;

	walk(children->items[0], GET, &branch);
	if (children->n < 2 || value < 0 ||
	    clang_getCursorKind(children->items[1]) != CXCursor_CompoundStmt) {
		walk_all(children, 1, context);
		return;
	}
	body = tr_children(children->items[1]);
	for (unsigned int i = 0; i < body.n; i++) {
		if (clang_getCursorKind(body.items[i]) == CXCursor_CaseStmt) {
			struct tr_children label = tr_children(body.items[i]);

			life = tr_constant(label.items[0]) == value ? LIVE : DEAD;
			free(label.items);
		} else if (clang_getCursorKind(body.items[i]) == CXCursor_DefaultStmt) {
			life = MAYBE;
		}
		branch = with_life(context, life);
		walk(body.items[i], GET, &branch);
	}
	free(body.items);
}

static void walk_binary(CXCursor cursor, const struct tr_children *children, enum deed deed,
			const struct context *context)
{
	enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
	struct context plain = without_given(context), second = plain;

	if (children->n < 2)
		return;
	if (kind == CXBinaryOperator_Assign) {
		walk(children->items[0], SET, &plain);
	} else {
		walk(children->items[0], GET, &plain);
		if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr) {
			if (asks_compiler(children->items[0]))
				second.life = MAYBE > second.life ? MAYBE : second.life;
			else if (tr_constant(children->items[0]) >= 0 &&
				 (tr_constant(children->items[0]) != 0) ==
					 (kind == CXBinaryOperator_LOr))
				second.life = DEAD;
		}
	}
	if (kind == CXBinaryOperator_Comma)
		walk(children->items[1], deed, context);
	else
		walk(children->items[1], GET, &second);
}

static void walk_unary(CXCursor cursor, CXCursor operand, enum deed deed,
		       const struct context *context)
{
	struct context plain = without_given(context);

	switch (clang_getCursorUnaryOperatorKind(cursor)) {
	case CXUnaryOperator_AddrOf:
		walk(operand, ADDRESS, context);
		break;
	case CXUnaryOperator_Deref:
		if (deed == CALL)
			walk(operand, CALL, context);
		else
			walk_object_of(operand, deed, context);
		break;
	case CXUnaryOperator_PostInc:
	case CXUnaryOperator_PostDec:
	case CXUnaryOperator_PreInc:
	case CXUnaryOperator_PreDec:
		walk(operand, RMW, &plain);
		break;
	case CXUnaryOperator_Extension:
	case CXUnaryOperator_Real:
	case CXUnaryOperator_Imag:
		walk(operand, deed, context);
		break;
	default:
		walk(operand, GET, &plain);
	}
}

static void walk_call(CXCursor cursor, const struct tr_children *children,
		      const struct context *context)
{
	char *name = tr_text(clang_getCursorSpelling(cursor));
	struct context argument = without_given(context);

	if (children->n && !is_question(name)) {
		walk(children->items[0], CALL, &argument);
		argument.given = *name ? name : NULL;
		for (unsigned int i = 1; i < children->n; i++)
			walk(children->items[i], GET, &argument);
	}
	free(name);
}

static void walk_subscript(const struct tr_children *children, enum deed deed,
			   const struct context *context)
{
	struct context plain = without_given(context);

	if (children->n < 2)
		return;
	walk_object_of(children->items[0], deed == CALL ? GET : deed, context);
	walk(children->items[1], GET, &plain);
}

static void print_init(CXCursor field, const char *file, unsigned int first, unsigned int last,
		       const struct context *context)
{
	char *name = tr_text(clang_getCursorSpelling(field));

	if (tr_is_named(field))
		printf("i %s %u %u %s %s %s %s\n", file, first, last, tr_struct_of(field), name,
		       context->function, life_names[context->life]);
	free(name);
}

struct fields {
	CXCursor items[512];
	unsigned int n;
};

static enum CXVisitorResult collect_field(CXCursor field, CXClientData data)
{
	struct fields *fields = data;

	if (fields->n < 512 && (tr_is_named(field) || type_kind(field) == CXType_Record))
		fields->items[fields->n++] = field;
	return CXVisit_Continue;
}

static void walk_list(CXCursor list, const struct lines *lines, const struct context *context)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(list));
	struct tr_children children = tr_children(list);
	struct context plain = without_given(context);
	struct fields fields = { .n = 0 };
	bool by_order = type.kind == CXType_Record;

	if (by_order)
		clang_Type_visitFields(type, collect_field, &fields);
	for (unsigned int i = 0; i < children.n; i++) {
		struct tr_children parts = { 0 };
		CXCursor child = children.items[i];

		if (clang_getCursorKind(child) == CXCursor_UnexposedExpr)
			parts = tr_children(child);
		if (parts.n && clang_getCursorKind(parts.items[0]) == CXCursor_MemberRef) {
			by_order = false;
			for (unsigned int k = 0; k + 1 < parts.n; k++)
				print_init(clang_getCursorReferenced(parts.items[k]), lines->file,
					   lines->first, lines->last, context);
			child = parts.items[parts.n - 1];
		} else if (type.kind == CXType_ConstantArray && parts.n > 1) {
			child = parts.items[parts.n - 1]; /* The value, after [INDEX]. */
		} else if (by_order && i < fields.n) {
			enum CXTypeKind kind = type_kind(fields.items[i]);

			/*
			 * A struct without braces takes several values, so from here on the order
			 * of the values does not name members.
			 */
			if ((kind == CXType_Record || kind == CXType_ConstantArray) &&
			    type_kind(child) != kind)
				by_order = false;
			else
				print_init(fields.items[i], lines->file, lines->first, lines->last,
					   context);
		}
		if (clang_getCursorKind(child) == CXCursor_InitListExpr)
			walk_list(child, lines, context);
		else
			walk(child, GET, &plain);
		free(parts.items);
	}
	free(children.items);
}

static void walk_variable(CXCursor variable, const struct context *context)
{
	CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
	struct context inner = without_given(context);
	char name[128];
	struct lines lines;
	char *text;

	if (clang_getCursorKind(value) == 0)
		return;
	tr_lines(variable, &lines.file, &lines.first, &lines.last);
	inner.lines = &lines;
	if (clang_getCursorKind(value) == CXCursor_InitListExpr) {
		walk_list(value, &lines, &inner);
		return;
	}
	text = tr_text(clang_getCursorSpelling(variable));
	snprintf(name, sizeof(name), "=%s", text);
	free(text);
	inner.given = name;
	walk(value, GET, &inner);
}

/*
 * Returns whether the cursor is a __builtin_types_compatible_p(), for which libclang has no kind.
 */
static bool is_test_of_types(CXCursor cursor)
{
	char *word = tr_first_word(cursor);
	bool is = !strcmp(word, "__builtin_types_compatible_p");

	free(word);
	return is;
}

static void walk_unexposed(CXCursor cursor, const struct tr_children *children, enum deed deed,
			   const struct context *context)
{
	char *word;

	if (children->n == 1) {
		CXCursor child = children->items[0];
		/* In a conversion to a pointer, the array becomes its address. */
		if (is_array(child) && type_kind(cursor) == CXType_Pointer)
			walk(child, ADDRESS, context);
		else
			walk(child, deed, context);
		return;
	}
	if (is_test_of_types(cursor))
		return;
	word = tr_first_word(cursor);
	if (!strcmp(word, "__builtin_choose_expr") && children->n == 3) {
		long long value = tr_constant(children->items[0]);

		walk(children->items[value ? 1 : 2], deed, context);
	} else {
		walk_all(children, 0, context);
	}
	free(word);
}

/* Walks an asm's operands: those that are values are read, others may be read, written, or both. */
static void walk_asm(const struct tr_children *children, const struct context *context)
{
	struct context plain = without_given(context);

	for (unsigned int i = 0; i < children->n; i++)
		walk(children->items[i],
		     clang_getCursorKind(children->items[i]) == CXCursor_UnexposedExpr ? GET : ASM,
		     &plain);
}

static void walk_literal(CXCursor cursor, const struct tr_children *children,
			 const struct context *context)
{
	CXCursor last = children->items[children->n - 1];
	struct lines lines;

	tr_lines(cursor, &lines.file, &lines.first, &lines.last);
	if (clang_getCursorKind(last) == CXCursor_InitListExpr)
		walk_list(last, context->lines ? context->lines : &lines, context);
	else
		walk(last, GET, context);
}

/* Walks those expressions in which each part has a meaning of its own. */
static void walk_known(CXCursor cursor, const struct tr_children *children, enum deed deed,
		       const struct context *context)
{
	struct context plain = without_given(context);

	switch (clang_getCursorKind(cursor)) {
	case CXCursor_ParenExpr:
	case CXCursor_CStyleCastExpr:
		walk(children->items[children->n - 1], deed, context);
		break;
	case CXCursor_UnexposedExpr:
		walk_unexposed(cursor, children, deed, context);
		break;
	case CXCursor_UnaryOperator:
		walk_unary(cursor, children->items[0], deed, context);
		break;
	case CXCursor_BinaryOperator:
		walk_binary(cursor, children, deed, context);
		break;
	case CXCursor_CompoundAssignOperator:
		walk(children->items[0], RMW, &plain);
		walk_all(children, 1, context);
		break;
	case CXCursor_ArraySubscriptExpr:
		walk_subscript(children, deed, context);
		break;
	case CXCursor_ConditionalOperator:
	case CXCursor_IfStmt:
		walk_branches(children, deed, context);
		break;
	case CXCursor_SwitchStmt:
		walk_switch(children, context);
		break;
	case CXCursor_CompoundLiteralExpr:
		walk_literal(cursor, children, context);
		break;
	case CXCursor_GenericSelectionExpr:
		walk_all(children, 1, context);
		break;
	case CXCursor_GCCAsmStmt:
		walk_asm(children, context);
		break;
	default:
		walk_all(children, 0, context);
	}
}

static void walk(CXCursor cursor, enum deed deed, const struct context *context)
{
	struct tr_children children;

	switch (clang_getCursorKind(cursor)) {
	case CXCursor_MemberRefExpr:
		walk_member(cursor, deed, context);
		return;
	case CXCursor_VarDecl:
		walk_variable(cursor, context);
		return;
	case CXCursor_DeclRefExpr:
	case CXCursor_UnaryExpr: /* These are sizeof and the like. */
	case CXCursor_StaticAssert:
	case CXCursor_StructDecl:
	case CXCursor_UnionDecl:
	case CXCursor_EnumDecl:
	case CXCursor_TypedefDecl:
	case CXCursor_FunctionDecl:
		return;
	default:
		break;
	}
	children = tr_children(cursor);
	if (children.n && clang_getCursorKind(cursor) == CXCursor_CallExpr)
		walk_call(cursor, &children, context);
	else if (children.n)
		walk_known(cursor, &children, deed, context);
	free(children.items);
}

/* The names of header functions that have code, sorted. */
static char **wanted;
static size_t nr_wanted, wanted_room;
static const char *main_file;

static void read_wanted(const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	if (!f)
		err(1, "%s", path);
	while (getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (nr_wanted == wanted_room) {
			wanted_room = wanted_room ? 2 * wanted_room : 256;
			wanted = realloc(wanted, wanted_room * sizeof(*wanted));
			if (!wanted)
				err(1, "memory");
		}
		wanted[nr_wanted++] = strdup(line);
	}
	free(line);
	fclose(f);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_wanted(const char *name)
{
	return bsearch(&name, wanted, nr_wanted, sizeof(*wanted), by_name);
}

static void look_at_top(CXCursor cursor)
{
	struct context context = { "-", LIVE, NULL, NULL };
	struct tr_children children;
	unsigned int first, last;
	const char *file;
	char *name;

	tr_lines(cursor, &file, &first, &last);
	if (clang_getCursorKind(cursor) == CXCursor_VarDecl) {
		/* A compiler may leave out variables that headers define. */
		context.life = strcmp(file, main_file) ? MAYBE : LIVE;
		walk_variable(cursor, &context);
		return;
	}
	if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl ||
	    !clang_isCursorDefinition(cursor))
		return;
	name = tr_text(clang_getCursorSpelling(cursor));
	if (!strcmp(file, main_file) || is_wanted(name)) {
		context.function = name;
		children = tr_children(cursor);
		for (unsigned int i = 0; i < children.n; i++)
			if (clang_getCursorKind(children.items[i]) == CXCursor_CompoundStmt)
				walk(children.items[i], GET, &context);
		free(children.items);
	}
	free(name);
}

/* Returns false, after printing errors, if the file is not parsed as in the kernel's build. */
static bool is_sound(void)
{
	unsigned int bad = 0;

	for (unsigned int i = 0; i < clang_getNumDiagnostics(tr_unit); i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(tr_unit, i);
		char *text;

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && bad++ < 8) {
			text = tr_text(clang_formatDiagnostic(
				diagnostic, clang_defaultDiagnosticDisplayOptions()));
			fprintf(stderr, "%s\n", text);
			free(text);
		}
		clang_disposeDiagnostic(diagnostic);
	}
	return !bad;
}

int main(int argc, char **argv)
{
	CXIndex index = clang_createIndex(0, 0);
	struct tr_children top;
	bool sound;

	if (argc < 3)
		errx(2, "usage: ast CODE.txt FLAG... FILE.c");
	read_wanted(argv[1]);
	qsort(wanted, nr_wanted, sizeof(*wanted), by_name);
	main_file = argv[argc - 1];
	if (clang_parseTranslationUnit2(index, NULL, (const char *const *)argv + 2, argc - 2, NULL,
					0, CXTranslationUnit_KeepGoing, &tr_unit))
		errx(1, "libclang cannot parse the file");
	sound = is_sound();
	top = tr_children(clang_getTranslationUnitCursor(tr_unit));
	for (unsigned int i = 0; i < top.n; i++)
		look_at_top(top.items[i]);
	free(top.items);
	clang_disposeTranslationUnit(tr_unit);
	clang_disposeIndex(index);
	return !sound;
}
