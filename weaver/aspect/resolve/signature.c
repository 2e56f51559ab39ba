// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds where functions have arguments and results, and what calls call; see signature.h. */
#include <dwarf.h>
#include <string.h>

#include "aspect/resolve/signature.h"
#include "aspect/resolve/values-member.h"
#include "database/db.h"
#include "image/dwarf/prototype.h"
#include "image/dwarf/units.h"
#include "runtime/plan-rules.h"
#include "runtime/blacklist-names.h"
#include "runtime/frame.h"

/* The registers of arguments, in the order of the calling convention. */
static const unsigned int registers[] = { WR_RDI, WR_RSI, WR_RDX, WR_RCX, WR_R8, WR_R9 };

enum { NR_REGISTERS = sizeof(registers) / sizeof(registers[0]), WORD = 8 };

/*
 * Returns whether the compiler has made this function with another prototype than the source has.
 * The symbol of such a function has a suffix that says so.
 */
static bool is_changed(const char *symbol)
{
	return strstr(symbol, ".isra.") || strstr(symbol, ".constprop.") ||
	       strstr(symbol, ".part.");
}

/*
 * Returns whether tasks regularly end inside this function. For such a task the function never
 * returns, so the task would count as inside the around-advice for ever. In any other function a
 * task ends only by accident, such as an oops.
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
 * Returns false if DWARF says that @parameter is in another register than the calling convention
 * says. registers[@number] is the parameter's register, or the first of two, by that convention.
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
		/* the function does not use the parameter, or DWARF does not say where it is */
		return true;
	wv_expression_compile(&input, &copy.location, &found);
	return found.kind != WV_FOUND_VALUE || !found.registers ||
	       found.registers & WR_BIT(registers[number]);
}

/*
 * Adds to ret->registers the number of registers of an argument whose type is at @offset of
 * .debug_info. Sets ret->why if the argument is not in registers. Sets *@type_ret to the type.
 */
static void add_type(const struct wv_finder *finder, uint64_t offset, struct wv_signature *ret,
		     struct wv_type *type_ret)
{
	wv_type_describe(wv_scopes_dies(finder->scopes), offset, type_ret);
	if (type_ret->kind == WV_TYPE_NONE)
		ret->why = "an argument is in no integer register";
	else if (type_ret->size > 2 * WORD)
		ret->why = "an argument is passed on the stack";
	ret->registers += (type_ret->size + WORD - 1) / WORD;
	if (ret->registers > NR_REGISTERS)
		ret->why = "an argument is passed on the stack";
}

/*
 * Adds the number of registers that hold @parameter to ret->registers. Sets ret->why if @parameter
 * is not in registers, or not in those of the calling convention.
 */
static void add_argument(const struct wv_finder *finder, const struct wv_scoped *parameter,
			 struct wv_signature *ret)
{
	const unsigned int number = ret->registers;
	struct wv_type type;

	add_type(finder, parameter->type, ret, &type);
	if (!ret->why && type.size && !is_in_place(finder, parameter, number))
		ret->why = "the compiler has moved its arguments";
}

static void add_result(const struct wv_finder *finder, uint64_t returned, struct wv_signature *ret)
{
	struct wv_type type;

	ret->returns = returned;
	ret->returned = returned;
	if (!returned)
		return;
	wv_type_describe(wv_scopes_dies(finder->scopes), returned, &type);
	if (type.kind == WV_TYPE_NONE)
		ret->why = "its result is in no integer register";
	else if (type.size > 2 * WORD)
		ret->why = "its result is in memory";
	else if (type.size > WORD)
		ret->why = "its result is in two registers";
}

/*
 * Returns whether callers in the joinpoint's unit may rely on which registers a function of the
 * same unit leaves alone (GCC's -fipa-ra). Around-advice changes registers that the function leaves
 * alone, so it would break such callers. Callers in other units rely on the calling convention
 * only.
 */
static bool knows_registers(const struct wv_finder *finder)
{
	const Dwarf_Die *found = wv_scopes_unit(finder->scopes);
	Dwarf_Die unit;

	if (!found)
		return true;
	unit = *found;
	return !wv_unit_keeps_convention(
		wv_die_text(wv_scopes_dies(finder->scopes), &unit, DW_AT_producer));
}

static const char no_prototype[] = "the kernel's DWARF has no prototype of it";
static const char is_copy[] =
	"it is a copy of the function whose arguments the compiler has changed";
static const char is_variadic[] = "it has a variable number of arguments";

static void refuse_endless(bool noreturn, const char *symbol, struct wv_signature *ret)
{
	if (!noreturn && !(symbol && ends_tasks(symbol)))
		return;
	ret->why = noreturn ? "it never returns" : "tasks end in it";
	ret->refusal = WEFT_REFUSAL_NO_END;
}

static void find_function(const struct wv_finder *finder, struct wv_signature *ret)
{
	const struct wv_scope *scope = &finder->scope;
	const char *symbol = finder->joinpoint->match->symbol;

	if (!scope->in_function)
		ret->why = no_prototype;
	else if (symbol && is_changed(symbol))
		ret->why = is_copy;
	else if (scope->variadic)
		ret->why = is_variadic;
	refuse_endless(scope->noreturn, symbol, ret);
	/*
	 * Depth 1 has the function's own parameters. Greater depths have the variables of its
	 * blocks and of functions that were inlined.
	 */
	wv_vec_for_each(scoped, &scope->list)
		if (!ret->why && scoped->parameter && scoped->depth == 1)
			add_argument(finder, scoped, ret);
	if (!ret->why)
		add_result(finder, scope->returned, ret);
	ret->preserves = !ret->why && knows_registers(finder);
}

/*
 * Finds the type of the functions that are called through the member at the joinpoint. @ret->addr
 * is NULL if the type is not known.
 */
static int find_pointed(struct wv_finder *finder, Dwarf_Die *ret)
{
	struct wv_type pointer;
	bool known = false;
	int failed = wv_find_member_type(finder, &known, &pointer);

	if (failed || !known ||
	    !wv_type_function(wv_scopes_dies(finder->scopes), pointer.entry, ret))
		ret->addr = NULL;
	return failed;
}

/*
 * Finds what DWARF says of the call at the joinpoint. Sets @function_ret to the DWARF entry of the
 * called function, or of its type; @function_ret->addr is NULL if neither is known.
 */
static int find_callee(struct wv_finder *finder, const struct wv_insn *insn,
		       Dwarf_Die *function_ret, struct wv_signature *ret)
{
	uint64_t distance;
	const char *symbol = insn->direct ? wv_db_symbol_at(finder->db, insn->target, &distance) :
					    NULL;
	bool made;
	int failed = wv_scopes_call(finder->scopes, finder->at, finder->at + insn->length, &made,
				    function_ret, finder->error);

	if (failed)
		return failed;
	ret->through = !insn->direct ||
		       (symbol && !strncmp(symbol, WR_THUNK_PREFIX, strlen(WR_THUNK_PREFIX)));
	/*
	 * GCC writes no DWARF for a call through a pointer about which it has nothing to say. An
	 * exact shadow shows that the compiler has made the call.
	 */
	made |= ret->through && finder->joinpoint->match->precision == WEFT_PRECISION_EXACT;
	if (!made || knows_registers(finder)) {
		ret->why = !made ? "no call that the compiler has made" :
				   "code around it may count on registers that what it calls "
				   "leaves alone (-fipa-ra)";
		return 0;
	}
	if (ret->through)
		return find_pointed(finder, function_ret);
	if (symbol && is_changed(symbol))
		ret->why = is_copy;
	refuse_endless(false, symbol, ret);
	return 0;
}

static void find_prototype(const struct wv_finder *finder, const struct wv_prototype *prototype,
			   struct wv_signature *ret)
{
	struct wv_type type;

	if (!prototype->known)
		ret->why = no_prototype;
	else if (prototype->variadic)
		ret->why = is_variadic;
	if (prototype->noreturn)
		refuse_endless(true, NULL, ret);
	wv_vec_for_each(parameter, &prototype->parameters)
		if (!ret->why)
			add_type(finder, *parameter, ret, &type);
	if (!ret->why && ret->through && ret->registers == NR_REGISTERS)
		ret->why = "its six arguments leave no register for the call's target";
	if (!ret->why)
		add_result(finder, prototype->returned, ret);
}

static int find_called(struct wv_finder *finder, struct wv_signature *ret)
{
	const struct wv_match *match = finder->joinpoint->match;
	struct wv_prototype prototype = { 0 };
	struct wv_insn insn;
	Dwarf_Die function;
	int failed;

	if (!wv_decode_rules(match->bytes, match->nr_bytes, match->address, &insn)) {
		ret->why = "its instruction is not known";
		return 0;
	}
	failed = find_callee(finder, &insn, &function, ret);
	if (failed || ret->why)
		return failed;
	if (function.addr)
		failed = wv_prototype_read(wv_scopes_dies(finder->scopes), &function, &prototype,
					   finder->error);
	if (!failed)
		find_prototype(finder, &prototype, ret);
	wv_prototype_deinit(&prototype);
	return failed;
}

int wv_find_signature(struct wv_finder *finder, struct wv_signature *ret)
{
	*ret = (struct wv_signature){ .refusal = WEFT_REFUSAL_SIGNATURE };
	if (finder->joinpoint->when == WEFT_AROUND_CALL)
		return find_called(finder, ret);
	find_function(finder, ret);
	return 0;
}

int wv_find_result(struct wv_finder *finder, struct wv_finding *ret)
{
	struct wv_signature signature;
	int failed;

	if (!wr_is_around(finder->joinpoint->when)) {
		ret->found.why = "it is for around-advice; after-advice has $ret";
		return 0;
	}
	failed = wv_find_signature(finder, &signature);
	if (failed)
		return failed;
	if (!signature.returned) {
		ret->found.why = "the function returns nothing";
		return 0;
	}
	wv_type_describe(wv_scopes_dies(finder->scopes), signature.returned, &ret->type);
	if (ret->type.kind != WV_TYPE_INTEGER && ret->type.kind != WV_TYPE_POINTER) {
		ret->found.why = "its type has no value in C's integers";
		return 0;
	}
	ret->found.kind = WV_FOUND_VALUE;
	strcpy(ret->found.text, "0"); /* never written: wv_around_write_begin() defines $return */
	return 0;
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
