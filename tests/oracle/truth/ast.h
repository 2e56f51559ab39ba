/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the functions of ast-place.c, which finds a member's name and where it is written, for
 * ast.c, which finds what is done to a member.
 */
#ifndef WEFT_TESTS_TRUTH_AST_H
#define WEFT_TESTS_TRUTH_AST_H

#include <stdbool.h>

#include "libclang.h"

struct tr_children {
	CXCursor *items;
	unsigned int n, room;
};

/*
 * A source location in the form of the database: that of the outermost macro's name, if there is
 * one.
 */
struct tr_place {
	/* The file of the location, and the file in which the operator is spelled. */
	const char *file, *spelling_file;
	/* The positions in .file and in .spelling_file; columns may be 0: not shown. */
	unsigned int line, column, spelling_line, spelling_column;
	const char *macro; /* The outermost macro's name, or "-". */
};

extern CXTranslationUnit tr_unit;

char *tr_text(CXString string);
struct tr_children tr_children(CXCursor cursor);

/* Returns where a member's operator is, with the columns 0 if the source does not show it. */
struct tr_place tr_place_of_member(CXCursor member);
/* Gets the first and last line of a cursor, each by its outermost macro. */
void tr_lines(CXCursor cursor, const char **file_ret, unsigned int *first_ret,
	      unsigned int *last_ret);
/*
 * Returns the first word at a cursor as it is spelled, or "" if there is none. The caller frees it.
 */
char *tr_first_word(CXCursor cursor);

/* Returns the value of an expression if it is a constant integer, else -1. */
long long tr_constant(CXCursor expression);
/* Whether a pointer is a constant 0, perhaps with casts, as in `&((struct s *)0)->m`. */
bool tr_is_null(CXCursor pointer);
/* Whether a field has a name of its own. */
bool tr_is_named(CXCursor field);
/*
 * Returns the struct that a field is a member of, by its tag or typedef. A struct that has neither
 * gets the name of the struct around it; "-" if there is none.
 */
const char *tr_struct_of(CXCursor field);
/*
 * Finds the member's bits in the object that its chain of members begins with. Returns false if a
 * type of unknown size is on the way.
 */
bool tr_bits(CXCursor member, long long *first_ret, long long *size_ret);

#endif /* WEFT_TESTS_TRUTH_AST_H */
