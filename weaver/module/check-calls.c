// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks the stack use and the calls of compiled advice; see check-calls.h.
 *
 * Advice runs on the stack that is current at the hit: that of a task deep in the kernel, or that
 * of an interrupt. Such a stack has 16 KiB, and the compiler cannot know how much of it is left. So
 * advice may use only a small part. Start and end blocks may use more, because they run in a
 * process, with few functions above them.
 *
 * Follows direct calls only, and does not count the frames of kernel functions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/generate/generate.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "base/str.h"
#include "database/sleep-path.h"
#include "module/call-graph.h"
#include "module/check-calls.h"
#include "runtime/plan-rules.h"
#include "runtime/blacklist-names.h"
#include "runtime/unbalanced.h"
#include "x86/decode.h"

/* Bytes of stack that a start or end block may use. */
enum { BLOCK_STACK = 8192 };

enum state { NEW, OPEN, DONE };

struct checker {
	const struct wv_aspect *aspect;
	const struct wv_selection *selection;
	struct wv_db *db;
	struct wv_call_graph graph;
	struct function_info {
		enum state state;
		/*
		 * bytes of stack of the function's own frame and of the deepest chain of calls from
		 * it
		 */
		uint64_t depth;
		/* number (from 1) of the last advice that was found to call the function */
		size_t advice;
		/*
		 * index in graph.calls of the call with the deepest chain; graph.calls.n: it calls
		 * nothing
		 */
		size_t deepest;
	} *info; /* indexed by function */
	struct wv_sleep_search *sleep;
	struct wv_error_list list;
};

static bool is_in_xml(const struct checker *checker, const struct wv_call_location *place)
{
	return place->file && !strcmp(place->file, wv_base_name(checker->aspect->path));
}

/* Returns the location @place if it is in the XML, else @otherwise. */
static struct wv_text_location locate(const struct checker *checker,
				      const struct wv_call_location *place,
				      struct wv_text_location otherwise)
{
	if (!is_in_xml(checker, place))
		return otherwise;
	return (struct wv_text_location){ .line = place->line, .column = place->column };
}

static void report_recursion(struct checker *checker, const struct wv_compiled_call *call,
			     struct wv_text_location from)
{
	const struct wv_compiled_function *functions = checker->graph.functions.data;

	if (call->from == call->to)
		wv_report_error(&checker->list, locate(checker, &call->place, from),
				"%s() calls itself: the stack that it takes has no bound",
				functions[call->to].name);
	else
		wv_report_error(&checker->list, locate(checker, &call->place, from),
				"%s() calls %s(), which leads back to %s(): the stack that they "
				"take has no bound",
				functions[call->from].name, functions[call->to].name,
				functions[call->from].name);
}

/*
 * Computes how much stack function @index takes, together with the deepest of its calls. Reports
 * functions that call themselves, and frames whose size is not fixed. @from: the location in the
 * XML of the advice or block that runs the function.
 */
static void measure(struct checker *checker, size_t index, struct wv_text_location from)
{
	const struct wv_compiled_function *function = &checker->graph.functions.data[index];
	struct function_info *info = &checker->info[index];

	info->state = OPEN;
	info->deepest = checker->graph.calls.n;
	if (function->unbounded)
		wv_report_error(&checker->list, locate(checker, &function->place, from),
				"%s() takes an amount of stack that is not known when it is "
				"compiled (alloca, or an array of variable length)",
				function->name);
	for (size_t i = function->first_call; i < function->first_call + function->nr_calls; i++) {
		const struct wv_compiled_call *call = &checker->graph.calls.data[i];
		struct function_info *callee = &checker->info[call->to];

		if (callee->state == OPEN) {
			report_recursion(checker, call, from);
			continue;
		}
		if (callee->state == NEW)
			measure(checker, call->to, from);
		if (callee->depth > info->depth) {
			info->depth = callee->depth;
			info->deepest = i;
		}
	}
	info->depth += function->frame;
	info->state = DONE;
}

/* Writes "helper() 120 bytes, other() 80 bytes" for the deepest calls from function @index. */
static void write_path(const struct checker *checker, size_t index, struct wv_str *out)
{
	size_t call = checker->info[index].deepest;

	while (call < checker->graph.calls.n) {
		const struct wv_compiled_function *function =
			&checker->graph.functions.data[checker->graph.calls.data[call].to];

		if (function->frame)
			wv_str_addf(out, ", %s() %llu", function->name,
				    (unsigned long long)function->frame);
		call = checker->info[function - checker->graph.functions.data].deepest;
	}
}

/*
 * Reports the function @name if it and its callees need more than @limit bytes of stack. Does
 * nothing if the module has no such function. @code: the advice or block for which the function was
 * generated. @what: the words for it in the message, such as "this advice".
 */
static void check_stack(struct checker *checker, const char *name, const char *what,
		  const struct wv_aspect_code *code, uint64_t limit)
{
	const struct wv_compiled_function *function = wv_call_graph_find(&checker->graph, name);
	_cleanup_str_ struct wv_str path = { 0 };
	size_t index;

	if (!function)
		return;
	index = function - checker->graph.functions.data;
	if (checker->info[index].state == NEW)
		measure(checker, index, code->location);
	if (checker->info[index].depth <= limit)
		return;
	write_path(checker, index, &path);
	wv_report_error(&checker->list, code->location,
			"%s needs %s of stack, more than %llu (itself %llu%s)", what,
			wv_count_text(checker->info[index].depth, "byte").text,
			(unsigned long long)limit,
			(unsigned long long)function->frame, path.data ? path.data : "");
}

/*
 * The functions of runtime/balance-check.h that mark an error, each with the words for its message.
 * The compiler leaves a call of one of them in the module where advice certainly does not give back
 * what it took.
 */
static const struct {
	const char *mark, *what;
} balances[] = {
#define MARK(name, words) { "weft_unbalanced_" #name, words },
	WEFT_UNBALANCED(MARK)
#undef MARK
};

/*
 * If @callee is one of weft's mark functions, reports the error that its call marks, and returns
 * true.
 */
static bool report_mark(struct checker *checker, const struct wv_compiled_function *callee,
			struct wv_text_location location)
{
	if (!strcmp(callee->name, "weft_allocation_sleeps")) {
		wv_report_error(&checker->list, location,
				"an allocation with these flags may sleep, and advice must not: "
				"use GFP_ATOMIC or GFP_NOWAIT");
		return true;
	}
	for (size_t i = 0; i < sizeof(balances) / sizeof(*balances); i++) {
		if (strcmp(callee->name, balances[i].mark))
			continue;
		wv_report_error(&checker->list, location,
				"this advice does not give back what it takes, or gives back too "
				"much: %s",
				balances[i].what);
		return true;
	}
	return false;
}

/* Reports the call of @callee, a function outside the module, if @callee may sleep. */
static int check_outside(struct checker *checker, const struct wv_compiled_function *callee,
			 struct wv_text_location location, struct wv_error *error)
{
	_cleanup_str_ struct wv_str path = { 0 };
	/* GCC writes an asterisk before a name that is an assembler name, not one of C. */
	const char *name = callee->title + (*callee->title == '*');
	bool sleeps;
	int ret = wv_sleep_path(checker->sleep, name, &sleeps, &path, error);

	if (!ret && sleeps)
		wv_report_error(&checker->list, location,
				"%s() may sleep, and advice must not: %s", name,
				path.data ? path.data : name);
	return ret;
}

/*
 * Checks all calls out of the module that function @index makes, directly or through functions of
 * the module. @advice: number (from 1) of the advice that is checked. Each advice visits a function
 * only once. @from: the location in the XML at which the function was called.
 */
static int check_sleep(struct checker *checker, size_t index, size_t advice,
		       struct wv_text_location from, struct wv_error *error)
{
	const struct wv_compiled_function *function = &checker->graph.functions.data[index];
	int ret = 0;

	if (checker->info[index].advice == advice)
		return 0;
	checker->info[index].advice = advice;
	for (size_t i = 0; i < function->nr_calls && !ret; i++) {
		const struct wv_compiled_call *call =
			&checker->graph.calls.data[function->first_call + i];
		const struct wv_compiled_function *callee =
			&checker->graph.functions.data[call->to];
		struct wv_text_location location = locate(checker, &call->place, from);

		if (report_mark(checker, callee, location))
			continue;
		if (callee->external)
			ret = check_outside(checker, callee, location, error);
		else
			ret = check_sleep(checker, call->to, advice, location, error);
	}
	return ret;
}

/* ---- checking the functions in <never-sleeps> ------------------------------------------------ */

/*
 * Passes the functions that the author trusts (<never-sleeps>) to the search for ways to sleep,
 * before the search begins. Reports a trusted function in which all ways to sleep end, such as
 * schedule(): to trust this one would switch the check off. The author has to name one of its
 * callers.
 */
static int trust(struct checker *checker, struct wv_error *error)
{
	int ret = 0;

	wv_vec_for_each(awake, &checker->aspect->awake) {
		enum wv_sleep_trust trust = WV_SLEEP_TRUSTED;

		ret = wv_sleep_trust(checker->sleep, awake->function, &trust, error);
		if (ret)
			return ret;
		if (trust == WV_SLEEP_ITSELF)
			wv_report_error(&checker->list, awake->location,
					"%s() is where all ways to sleep end; name the function on "
					"the way that advice does not get to sleep by",
					awake->function);
	}
	return 0;
}

/*
 * Reports each <never-sleeps> that did not change a result of the search: such a <never-sleeps>
 * could hide an error later.
 */
static int check_trust(struct checker *checker, struct wv_error *error)
{
	int ret = 0;

	if (checker->list.errors.list.n)
		return 0;
	wv_vec_for_each(awake, &checker->aspect->awake) {
		bool needed = true;

		ret = wv_sleep_trust_is_needed(checker->sleep, awake->function, &needed, error);
		if (ret)
			return ret;
		if (!needed)
			wv_report_error(&checker->list, awake->location,
					"no advice gets to sleep by way of %s(): remove this",
					awake->function);
	}
	return 0;
}

/*
 * Returns the name of the function that around-advice at @joinpoint runs instead of. Returns NULL
 * if the function is not known, since the joinpoint is a call through a pointer. The name is valid
 * until the next call.
 */
static const char *replaced_by(const struct checker *checker, const struct wv_selected *joinpoint)
{
	const struct wv_match *match = joinpoint->match;
	struct wv_insn insn;
	uint64_t distance;
	const char *name;

	if (joinpoint->when == WEFT_AROUND)
		return match->symbol;
	if (!wv_decode_rules(match->bytes, match->nr_bytes, match->address, &insn) || !insn.direct)
		return NULL;
	name = wv_db_symbol_at(checker->db, insn.target, &distance);
	return name && strncmp(name, WR_THUNK_PREFIX, strlen(WR_THUNK_PREFIX)) ? name : NULL;
}

/*
 * Sets *@ret to whether around-advice @index may sleep. Such advice runs instead of functions, so
 * it may sleep only if all of these functions may. Functions that are not known do not count. Sets
 * @name_ret to the name of a function of the module that runs the advice, or to "" if there is
 * none.
 */
static int check_around(struct checker *checker, size_t index, char *name_ret, size_t size,
			bool *ret, struct wv_error *error)
{
	size_t n = 0;

	*name_ret = '\0';
	*ret = true;
	wv_vec_for_each(joinpoint, &checker->selection->list) {
		_cleanup_str_ struct wv_str path = { 0 };
		const char *replaced;
		bool sleeps;
		int failed;

		if (!wr_is_around(joinpoint->when) || joinpoint->refusal)
			continue;
		n++;
		if (joinpoint->advice != index || !*ret)
			continue;
		snprintf(name_ret, size, "weft_around_%zu", n - 1);
		replaced = replaced_by(checker, joinpoint);
		if (!replaced)
			continue;
		failed = wv_sleep_path(checker->sleep, replaced, &sleeps, &path, error);
		if (failed)
			return failed;
		*ret = sleeps;
	}
	return 0;
}

static int check_all(struct checker *checker, struct wv_error *error)
{
	const struct wv_aspect *aspect = checker->aspect;
	int ret = 0;

	for (size_t i = 0; i < aspect->advices.n && !ret; i++) {
		bool deep = wv_is_deep(aspect, &aspect->advices.data[i]);
		const struct wv_compiled_function *function;
		bool sleeps = false;
		char name[40];

		snprintf(name, sizeof(name), "weft_%s_%zu", deep ? "deep" : "entry", i);
		if (aspect->advices.data[i].around)
			ret = check_around(checker, i, name, sizeof(name), &sleeps, error);
		check_stack(checker, name, "this advice", &aspect->advices.data[i].code,
			    deep || aspect->stack < WV_STACK_SMALL ? aspect->stack
								   : WV_STACK_SMALL);
		function = wv_call_graph_find(&checker->graph, name);
		if (function && !sleeps && !ret)
			ret = check_sleep(checker, function - checker->graph.functions.data, i + 1,
					  aspect->advices.data[i].code.location, error);
	}
	check_stack(checker, "weft_start", "the start block", &aspect->start, BLOCK_STACK);
	check_stack(checker, "weft_end", "the end block", &aspect->end, BLOCK_STACK);
	return ret;
}

int wv_check_calls(const struct wv_aspect *aspect, const struct wv_selection *selection,
		   struct wv_db *db, const char *graph, struct wv_errors *errors,
		   struct wv_error *error)
{
	struct checker checker = { .aspect = aspect, .selection = selection, .db = db,
				   .list = { .path = aspect->path } };
	int ret = wv_sleep_search_create(db, &checker.sleep, error);

	if (!ret && wv_call_graph_parse(&checker.graph, graph))
		checker.info = calloc(checker.graph.functions.n + 1, sizeof(*checker.info));
	if (!ret && !checker.info)
		ret = wv_no_memory(error);
	/* A graph without functions means that the kernel's compiler cannot write call graphs. */
	if (!ret && checker.graph.functions.n)
		ret = trust(&checker, error);
	if (!ret)
		ret = check_all(&checker, error);
	if (!ret && checker.graph.functions.n)
		ret = check_trust(&checker, error);
	if (!ret && wv_error_list_finish(&checker.list, error))
		ret = -WV_E_ADVICE;
	wv_vec_for_each(one, &checker.list.errors.list)
		one->code = WV_E_ADVICE;
	*errors = checker.list.errors;
	free(checker.info);
	wv_sleep_search_destroy(checker.sleep);
	wv_call_graph_deinit(&checker.graph);
	return ret;
}
