// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes around-advice; see write-around.h. */
#include <stdio.h>
#include <string.h>

#include "aspect/generate/write-around.h"
#include "aspect/generate/write-values.h"
#include "aspect/language/holds.h"
#include "runtime/plan-rules.h"
#include "runtime/abi.h"
#include "runtime/frame.h"

/* The registers of arguments, in the order of the calling convention. */
static const struct {
	unsigned int number;
	const char *name; /* in C */
} registers[] = {
	{ WR_RDI, "WR_RDI" }, { WR_RSI, "WR_RSI" }, { WR_RDX, "WR_RDX" },
	{ WR_RCX, "WR_RCX" }, { WR_R8, "WR_R8" },   { WR_R9, "WR_R9" },
};

enum { NR_REGISTERS = sizeof(registers) / sizeof(registers[0]) };

static bool is_woven(const struct wv_selected *joinpoint)
{
	return wr_is_around(joinpoint->when) && !joinpoint->refusal;
}

bool wv_around_wanted(const struct wv_aspect *aspect)
{
	wv_vec_for_each(advice, &aspect->advices)
		if (advice->around)
			return true;
	return false;
}

size_t wv_around_count(const struct wv_selection *selection)
{
	size_t n = 0;

	wv_vec_for_each(joinpoint, &selection->list)
		n += is_woven(joinpoint);
	return n;
}

void wv_around_write_forward(const struct wv_selection *selection, struct wv_str *out)
{
	const size_t n = wv_around_count(selection);

	if (n)
		wv_str_addf(out, "\nstatic struct weft_around weft_arounds[%zu];\n", n);
	for (size_t i = 0; i < n; i++)
		wv_str_addf(out, "extern const struct wr_location weft_location_%zu, "
				 "weft_location_odd_%zu;\n", i, i);
}

/* Returns whether the C of @advice names argument @number: $arg1 is number 1. */
static bool names_argument(const struct wv_aspect_advice *advice, unsigned int number)
{
	char name[sizeof("$arg4294967295")];
	int index;

	snprintf(name, sizeof(name), "$arg%u", number);
	index = wv_variable_find(name, strlen(name));
	return index >= 0 && advice->code.variables & WV_VARIABLE_BIT(index);
}

static bool is_through(const struct wv_values *values, size_t index)
{
	return index < values->advices.n && values->advices.data[index].through;
}

/*
 * Returns how many argument registers the advice passes on in weft_proceed(): as many as the
 * function with the most arguments has, of those that the advice is for; or more, if the advice's C
 * names a later register. If is_through() is true, the register after these has the target of calls
 * through pointers; check_through() in values-find.c has made sure that one is left.
 */
static unsigned int count_arguments(const struct wv_values *values,
				    const struct wv_aspect_advice *advice, size_t index)
{
	unsigned int n = index < values->advices.n ? values->advices.data[index].arguments : 0;
	const uint32_t named = wv_values_registers(values, index);

	for (unsigned int i = n; i < NR_REGISTERS; i++)
		if (names_argument(advice, i + 1) || named & WR_BIT(registers[i].number))
			n = i + 1;
	return n;
}

/* Returns how many arguments the entries of the advice take. */
static unsigned int count_registers(const struct wv_values *values,
				    const struct wv_aspect_advice *advice, size_t index)
{
	return count_arguments(values, advice, index) + is_through(values, index);
}

struct wv_declaration wv_around_declaration(const struct wv_aspect_advice *advice,
					    const struct wv_variable *variable)
{
	struct wv_declaration ret;

	if (advice->around && !strncmp(variable->name, "$arg", strlen("$arg")))
		snprintf(ret.text, sizeof(ret.text), "void *%s", variable->name);
	else
		snprintf(ret.text, sizeof(ret.text), "%s", variable->declaration);
	return ret;
}

struct wv_declaration wv_around_value(const struct wv_values *values,
				      const struct wv_aspect_advice *advice, size_t index,
				      const struct wv_variable *variable)
{
	struct wv_declaration ret;

	if (!advice->around || variable->needs != WR_BIT(WR_TARGET))
		snprintf(ret.text, sizeof(ret.text), "%s", variable->value);
	else if (is_through(values, index))
		snprintf(ret.text, sizeof(ret.text), "(void *)wr_reg(weft, %s)",
			 registers[count_arguments(values, advice, index)].name);
	else
		snprintf(ret.text, sizeof(ret.text), "(void *)weft->shadow->target.value");
	return ret;
}

/*
 * Writes the call that weft_proceed() is, such as "wr_proceed_2(weft_inside, (unsigned long)$arg1,
 * wr_reg(weft, WR_RSI)": an argument that the advice names is passed as the advice has left it, any
 * other one as it was at the hit.
 */
static void write_call(const struct wv_values *values, const struct wv_aspect_advice *advice,
		       size_t index, struct wv_str *out)
{
	const unsigned int own = count_arguments(values, advice, index);
	const unsigned int n = own + is_through(values, index);

	wv_str_addf(out, "wr_proceed_%u(weft_inside", n);
	for (unsigned int i = 0; i < n; i++) {
		if (i < own && names_argument(advice, i + 1))
			wv_str_addf(out, ", (unsigned long)$arg%u", i + 1);
		else
			wv_str_addf(out, ", wr_reg(weft, %s)", registers[i].name);
	}
}

static bool returns(const struct wv_values *values, size_t index)
{
	return index < values->advices.n && values->advices.data[index].returns;
}

void wv_around_write_begin(const struct wv_values *values, const struct wv_aspect_advice *advice,
			   size_t index, struct wv_str *out)
{
	const char *type = wv_values_result_type(values, index);

	wv_str_add(out, "\n#undef WR_PASS\n#define WR_PASS weft_proceed()\n"
			"#define $return (*weft_return)\n#define weft_proceed() ");
	if (returns(values, index))
		wv_str_addf(out, "(*weft_return = (%s)", type);
	else
		wv_str_add(out, "((void)");
	write_call(values, advice, index, out);
	wv_str_addf(out,
		    "))\nstatic __always_inline void weft_body_%zu(const struct weft_hit *weft,\n"
		    "\t\tconst struct wr_inside *weft_inside, typeof(%s) *weft_return)\n{\n",
		    index, type);
	if (!returns(values, index))
		wv_str_add(out, "\t*weft_return = 0;\n");
}

void wv_around_write_end(struct wv_str *out)
{
	wv_str_add(out, "}\n#undef $return\n#undef weft_proceed\n"
			"#undef WR_PASS\n#define WR_PASS\n");
}

/* Does the C have an array, or the address of a variable? True also where it may only seem so. */
static bool may_have_array(const struct wv_aspect_code *code)
{
	const char *c = code->text.bytes.data;

	for (size_t i = 0; i < code->text.bytes.n; i++) {
		if (c[i] == '[')
			return true;
		if (c[i] == '&' && (i + 1 == code->text.bytes.n || c[++i] != '&'))
			return true;
	}
	return false;
}

/*
 * Returns whether the compiler is to add its stack protector to the entries of @advice: the check
 * that the body has not written past the end of an array. An entry has a variable whose address is
 * taken, so the compiler would add the check to each entry, even if there is no array.
 */
static bool needs_protector(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice)
{
	wv_vec_for_each(declare, &aspect->declares)
		if (may_have_array(declare))
			return true;
	return may_have_array(&advice->code);
}

/*
 * Returns whether @advice may hold a lock, or have preemption, softirqs or interrupts off, while it
 * calls weft_proceed().
 */
static bool may_hold_in_call(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice)
{
	wv_vec_for_each(declare, &aspect->declares)
		if (wv_code_may_hold(declare))
			return true;
	return wv_code_may_hold(&advice->code);
}

/*
 * For each enum wv_preserves, the names of an entry and of the macro that defines it. The number of
 * the joinpoint follows the entry's name.
 */
static const struct {
	const char *name, *macro; /* .macro NULL: WEFT_AROUND_AT() defines the entry */
} entries[] = {
	[WV_PRESERVES_USUAL] = { "weft_around_" },
	[WV_PRESERVES_MOST] = { "weft_around_most_", "WEFT_AROUND_MOST" },
	[WV_PRESERVES_ALL] = { "weft_around_all_", "WEFT_AROUND_ALL" },
};

void wv_around_write_entries(const struct wv_selection *selection, const struct wv_aspect *aspect,
			     const struct wv_values *values, size_t index, uint64_t stack,
			     struct wv_str *out)
{
	const struct wv_aspect_advice *advice = &aspect->advices.data[index];
	const unsigned int arguments = count_registers(values, advice, index);
	size_t n = 0, joinpoints = 0;

	wv_vec_for_each(joinpoint, &selection->list)
		joinpoints += is_woven(joinpoint) && joinpoint->advice == index;

	wv_str_addf(out, "WEFT_AROUND(%zu, typeof(%s), %d)", index,
		    wv_values_result_type(values, index), may_hold_in_call(aspect, advice));
	wv_vec_for_each(joinpoint, &selection->list) {
		if (!is_woven(joinpoint))
			continue;
		if (joinpoint->advice == index) {
			const char *macro = entries[joinpoint->preserves].macro;

			wv_str_addf(out, " WEFT_AROUND_AT(%zu, %zu, %u, %llu, %d, %s, %s)",
				    index, n, arguments, (unsigned long long)stack, macro != NULL,
				    joinpoints == 1 ? "frame" : "execution.frame",
				    needs_protector(aspect, advice) ? ""
								    : "WR_NO_STACK_PROTECTOR");
			if (macro)
				wv_str_addf(out, " %s(%zu, %u)", macro, n, arguments);
		}
		n++;
	}
	wv_str_add(out, "\n");
}

/*
 * Writes the register in which the entry of @joinpoint gets the target of a call through a pointer;
 * WR_NONE if it gets none.
 */
static void write_target(const struct wv_aspect *aspect, const struct wv_values *values,
			 const struct wv_selected *joinpoint, struct wv_str *out)
{
	const size_t index = joinpoint->advice;
	const struct wv_aspect_advice *advice = &aspect->advices.data[index];

	if (joinpoint->when == WEFT_AROUND_CALL && is_through(values, index))
		wv_str_add(out, registers[count_arguments(values, advice, index)].name);
	else
		wv_str_add(out, "WR_NONE");
}

void wv_around_write_table(const struct wv_selection *selection, const struct wv_aspect *aspect,
			   const struct wv_values *values, struct wv_str *out)
{
	size_t n = 0;

	if (!wv_around_count(selection))
		return;
	wv_str_add(out, "\nstatic struct weft_around weft_arounds[] = {\n");
	wv_vec_for_each(joinpoint, &selection->list) {
		if (!is_woven(joinpoint))
			continue;
		wv_str_addf(out,
			    "\t{ .entry = (unsigned long)%s%zu, .joinpoint = %zu, .target = ",
			    entries[joinpoint->preserves].name, n,
			    (size_t)(joinpoint - selection->list.data));
		write_target(aspect, values, joinpoint, out);
		wv_str_addf(out, ",\n\t  .arguments = %u,",
			    count_registers(values, &aspect->advices.data[joinpoint->advice],
					    joinpoint->advice));
		if (entries[joinpoint->preserves].macro)
			wv_str_addf(out, " .rest = (unsigned long)weft_around_rest_%zu,", n);
		wv_str_addf(out, " .locations = { &weft_location_%zu, "
				 "&weft_location_odd_%zu } },\n", n, n);
		n++;
	}
	wv_str_add(out, "};\n");
}
