/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables of advice ($rax, $target, $func ...): one table that the checker, the generator and
 * the manual's test go by. `$` is an identifier character for GCC, so a body is compiled as it
 * stands and only what it names is declared.
 */
#ifndef WV_VARIABLES_H
#define WV_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

enum wv_variable_scope {
	WV_SCOPE_ANY,
	WV_SCOPE_CALL, /* means something at a call or a function's entry only */
};

struct wv_variable {
	const char *name; /* with its $ */
	const char *declaration; /* C, without its value: "void *const $arg1" */
	const char *value; /* C, from `weft` (runtime/advice.h) */
	uint32_t needs; /* WR_BIT() of what the trampoline has to store for it, or WR_TARGET */
	enum wv_variable_scope scope;
};

extern const struct wv_variable wv_variables[];
extern const size_t wv_nr_variables;

#define WV_VARIABLE_BIT(index) (UINT64_C(1) << (index))

/* Variables whose value is found for each shadow: aspect/resolve/values.h. */
enum wv_reference_kind {
	WV_REFERENCE_LOCAL,	 /* $(name) */
	WV_REFERENCE_FIELD,	 /* $field(name) */
	WV_REFERENCE_SYMBOL, /* $sym(name) */
	WV_REFERENCE_TASK,	 /* $task(name): a <task> of the aspect's */
	WV_REFERENCE_OBJECT, /* $obj */
	WV_REFERENCE_VALUE,	 /* $value */
	WV_REFERENCE_RETURN, /* $ret */
	WV_REFERENCE_KINDS
};

/* How C names each of them, without the brackets that all but $obj, $value and $ret have. */
extern const char *const wv_reference_words[];

/* The index of @name (@n bytes with its $), or -1. */
int wv_variable_find(const char *name, size_t n);

#endif /* WV_VARIABLES_H */
