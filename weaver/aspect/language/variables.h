/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables of advice ($rax, $target, $func ...) in one table. The checker, the generator and a
 * test of the manual read this table. GCC takes `$` as a letter of identifiers. So bodies are
 * compiled unchanged, and a declaration is generated for each variable that a body names.
 */
#ifndef WV_VARIABLES_H
#define WV_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

enum wv_variable_scope {
	WV_SCOPE_ANY,
	WV_SCOPE_CALL, /* has a value only at a call and at a function's entry */
	WV_SCOPE_ELAPSED, /* has a value only in C that runs after an elapsed time was measured */
};

struct wv_variable {
	const char *name; /* name of the variable, with its $ */
	const char *declaration; /* C of the declaration, without the value: "void *const $arg1" */
	const char *value; /* C of the value: an expression that uses `weft`, the hit's context */
	/*
	 * what the trampoline must store for the variable: the WR_BIT() of a register, or WR_TARGET
	 */
	uint32_t needs;
	enum wv_variable_scope scope;
};

extern const struct wv_variable wv_variables[];
extern const size_t wv_nr_variables;

#define WV_VARIABLE_BIT(index) (UINT64_C(1) << (index))

/* Kinds of variables whose value is found for each shadow separately (aspect/resolve/values.h). */
enum wv_reference_kind {
	WV_REFERENCE_LOCAL,	 /* $(name) */
	WV_REFERENCE_FIELD,	 /* $field(name) */
	WV_REFERENCE_SYMBOL, /* $sym(name) */
	WV_REFERENCE_TASK,	 /* $task(name): a <task> of the aspect */
	WV_REFERENCE_OBJECT, /* $obj */
	WV_REFERENCE_VALUE,	 /* $value */
	WV_REFERENCE_RETURN, /* $ret */
	WV_REFERENCE_RESULT, /* $return: in around-advice, the value that the caller will get */
	WV_REFERENCE_KINDS
};

/* How each kind is written, without the brackets and the name between them: "$field". */
extern const char *const wv_reference_words[];

/*
 * Stands for each dot of a path, $field(a.b), in the generated C. The replacement is one character,
 * so that columns stay the same. GCC accepts this character in identifiers.
 */
#define WV_PATH_DOT "$"

/*
 * Returns the index in wv_variables of @name (@n bytes, with its $); -1 if it is not one of them.
 */
int wv_variable_find(const char *name, size_t n);

#endif /* WV_VARIABLES_H */
