// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds where functions have arguments and results; see signature.h. */
#include <dwarf.h>
#include <string.h>

#include "aspect/resolve/signature.h"
#include "image/dwarf/units.h"
#include "runtime/frame.h"

/* The registers of arguments, in the order of the calling convention. */
static const unsigned int registers[] = { WR_RDI, WR_RSI, WR_RDX, WR_RCX, WR_R8, WR_R9 };

enum { NR_REGISTERS = sizeof(registers) / sizeof(registers[0]), WORD = 8 };

/*
 * Returns whether the compiler has given the function another prototype than the source has. The
 * name of such a copy has a suffix, by which this function finds out.
 */
static bool is_changed(const char *symbol)
{
	return strstr(symbol, ".isra.") || strstr(symbol, ".constprop.") ||
	       strstr(symbol, ".part.");
}

/*
 * Returns whether tasks regularly end inside this function. The function never returns for such a
 * task, and so each of them would count as inside for ever. In any other function a task ends only
 * by accident, such as an oops.
 */
static bool ends_tasks(const char *symbol)
{
	static const char *const names[] = {
		"__schedule", "get_signal", "arch_do_signal_or_restart",
		"exit_to_user_mode_loop", "exit_to_user_mode_prepare", "syscall_exit_to_user_mode",
		"kthread", "worker_thread", "__seccomp_filter", "__secure_computing",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(symbol, names[i]))
			return true;
	return false;
}

/*
 * Returns false if DWARF says that @parameter is in other registers than the calling convention
 * has for it: registers[@number] is the first of these.
 */
static bool is_in_place(const struct wv_finder *finder, const struct wv_scoped *parameter,
			unsigned int number)
{
	struct wv_expression_input input = {
		.dies = wv_scopes_dies(finder->scopes), .address = finder->at,
		.text = finder->text, .module = finder->joinpoint->match->module, .at_entry = true,
	};
	struct wv_scoped copy = *parameter;
	struct wv_found found = { 0 };

	if (!parameter->has_location)
		return true; /* the function does not use it, or DWARF does not say */
	wv_expression_compile(&input, &copy.location, &found);
	return found.kind != WV_FOUND_VALUE || !found.registers ||
	       found.registers & WR_BIT(registers[number]);
}

/*
 * Adds the number of registers that hold @parameter to ret->registers. Sets ret->why if @parameter
 * is not in registers, or not in those of the calling convention.
 */
static void add_argument(const struct wv_finder *finder, const struct wv_scoped *parameter,
			 struct wv_signature *ret)
{
	unsigned int number = ret->registers;
	struct wv_type type;

	wv_type_describe(wv_scopes_dies(finder->scopes), parameter->type, &type);
	if (type.kind == WV_TYPE_NONE)
		ret->why = "an argument is in no integer register";
	else if (type.size > 2 * WORD)
		ret->why = "an argument is passed on the stack";
	ret->registers += (type.size + WORD - 1) / WORD;
	if (ret->registers > NR_REGISTERS)
		ret->why = "an argument is passed on the stack";
	if (!ret->why && type.size && !is_in_place(finder, parameter, number))
		ret->why = "the compiler has moved its arguments";
}

static void add_result(const struct wv_finder *finder, struct wv_signature *ret)
{
	struct wv_type type;

	ret->returns = finder->scope.returned;
	if (!finder->scope.returned)
		return;
	wv_type_describe(wv_scopes_dies(finder->scopes), finder->scope.returned, &type);
	if (type.kind == WV_TYPE_NONE)
		ret->why = "its result is in no integer register";
	else if (type.size > 2 * WORD)
		ret->why = "its result is in memory";
	else if (type.size > WORD)
		ret->why = "its result is in two registers";
}

/*
 * Returns whether the function's callers may have been compiled with the knowledge which registers
 * it changes. Only callers in its own unit can have that knowledge.
 */
static bool is_known_to_callers(const struct wv_finder *finder)
{
	const Dwarf_Die *found = wv_scopes_unit(finder->scopes);
	Dwarf_Die unit;

	if (!found)
		return true;
	unit = *found;
	return !wv_unit_keeps_convention(
		wv_die_text(wv_scopes_dies(finder->scopes), &unit, DW_AT_producer));
}

struct wv_signature wv_find_signature(const struct wv_finder *finder)
{
	struct wv_signature ret = { .refusal = WEFT_REFUSAL_SIGNATURE };
	const struct wv_scope *scope = &finder->scope;
	const char *symbol = finder->joinpoint->match->symbol;

	if (!scope->in_function)
		ret.why = "the kernel's DWARF has no prototype of it";
	else if (symbol && is_changed(symbol))
		ret.why = "it is a copy of the function whose arguments the compiler has changed";
	else if (scope->variadic)
		ret.why = "it has a variable number of arguments";
	if (scope->noreturn || (symbol && ends_tasks(symbol))) {
		ret.why = scope->noreturn ? "it never returns" : "tasks end in it";
		ret.refusal = WEFT_REFUSAL_NO_END;
	}
	/*
	 * Depth 1 has the function's own parameters. Greater depths have the variables of its
	 * blocks and of functions that were inlined.
	 */
	wv_vec_for_each(scoped, &scope->list)
		if (!ret.why && scoped->parameter && scoped->depth == 1)
			add_argument(finder, scoped, &ret);
	if (!ret.why)
		add_result(finder, &ret);
	ret.preserves = !ret.why && is_known_to_callers(finder);
	return ret;
}

void wv_find_result(const struct wv_finder *finder, struct wv_finding *ret)
{
	if (finder->joinpoint->when != WEFT_AROUND) {
		ret->found.why = "it is for around-advice; after-advice has $ret";
		return;
	}
	if (!finder->scope.returned) {
		ret->found.why = "the function returns nothing";
		return;
	}
	wv_type_describe(wv_scopes_dies(finder->scopes), finder->scope.returned, &ret->type);
	if (ret->type.kind != WV_TYPE_INTEGER && ret->type.kind != WV_TYPE_POINTER) {
		ret->found.why = "its type has no value in C's integers";
		return;
	}
	ret->found.kind = WV_FOUND_VALUE;
	strcpy(ret->found.text, "0"); /* never written: wv_around_write_begin() defines $return */
}

void wv_signature_limit(struct wv_finding *finding)
{
	uint32_t have = 0;

	for (unsigned int i = 0; i < NR_REGISTERS; i++)
		have |= WR_BIT(registers[i]);
	if (finding->found.kind == WV_FOUND_NOT || !(finding->found.registers & ~have))
		return;
	finding->found.kind = WV_FOUND_NOT;
	finding->found.why = "around-advice has only the arguments in registers";
}
