/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables of advice ($rax, $target, $func ...): one table used by the checker, the generator
 * and the manual's test. `$` is an identifier character for GCC, so a body is compiled unchanged
 * and only the variables that it names are declared.
 */
#ifndef WV_VARIABLES_H
#define WV_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

enum wv_variable_scope {
	WV_SCOPE_ANY,
	WV_SCOPE_CALL, /* valid only at a call or a function's entry */
};

struct wv_variable {
	const char *name; /* including its $ */
	const char *declaration; /* C declarator, without a value: "void *const $arg1" */
	const char *value; /* C, in terms of `weft` (runtime/advice.h) */
	/* WR_BIT() of the register that the trampoline must store for it, or WR_TARGET */
	uint32_t needs;
	enum wv_variable_scope scope;
};

extern const struct wv_variable wv_variables[];
extern const size_t wv_nr_variables;

#define WV_VARIABLE_BIT(index) (UINT64_C(1) << (index))

/* Variables whose value is found separately for each shadow: aspect/resolve/values.h. */
enum wv_reference_kind {
	WV_REFERENCE_LOCAL,	 /* $(name) */
	WV_REFERENCE_FIELD,	 /* $field(name) */
	WV_REFERENCE_SYMBOL, /* $sym(name) */
	WV_REFERENCE_TASK,	 /* $task(name): a <task> of the aspect */
	WV_REFERENCE_OBJECT, /* $obj */
	WV_REFERENCE_VALUE,	 /* $value */
	WV_REFERENCE_RETURN, /* $ret */
	WV_REFERENCE_KINDS
};

/* Spelling of each in C, without the brackets that all but $obj, $value and $ret have. */
extern const char *const wv_reference_words[];

/* The index of @name (@n bytes including its $), or -1. */
int wv_variable_find(const char *name, size_t n);

#endif /* WV_VARIABLES_H */
