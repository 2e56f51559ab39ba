// SPDX-License-Identifier: GPL-2.0-or-later
/* Forbidden text; see forbidden.h. What is forbidden, and why, stands in runtime/forbidden.h. */
#include <linux/init.h>
#include <linux/kernel.h>

#include "../runtime/forbidden.h"
#include "forbidden.h"
#include "symbols.h"
#include "trap.h"

struct forbidden {
	const char *first, *last; /* symbols; last NULL: first alone */
	enum weft_refusal refusal;
	bool notifier; /* only where the trap goes through the notifiers */
	unsigned long start, end; /* live; empty where this kernel has no such symbol */
};

static struct forbidden ranges[] __ro_after_init = {
#define WK_RANGE(first_, last_, refusal_, notifier_) \
	{ .first = first_, .last = last_, .refusal = refusal_, .notifier = notifier_ },
	WR_FORBIDDEN_TEXT(WK_RANGE)
};

/*
 * What objtool lets be called between stac and clac, and is no part of sanitizers: its list of "uaccess safe" functions.
 */
static const char *const open_names[] = {
	"csum_partial_copy_generic", "copy_mc_fragile", "copy_mc_fragile_handle_tail",
	"copy_mc_enhanced_fast_string", "copy_user_generic_unrolled", "copy_user_generic_string",
	"copy_user_enhanced_fast_string", "__copy_user_nocache", "clear_user_original", "clear_user_rep_good",
	"clear_user_erms", "rep_movs_alternative", "rep_stos_alternative", "ftrace_likely_update",
	"__memset", "memset_erms", "memset_orig", "memset",
};
static unsigned long opens[ARRAY_SIZE(open_names)] __ro_after_init;

bool wk_forbidden_careful(unsigned long start)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(opens); i++)
		if (start == opens[i])
			return true;
	return false;
}

/* A range's end: behind the last symbol, as far as kallsyms knows its size. */
static unsigned long __init end_of(unsigned long symbol)
{
	unsigned long size, offset;

	if (!wk_symbols.kallsyms_lookup_size_offset(symbol, &size, &offset))
		return symbol;
	return symbol - offset + size;
}

void __init wk_forbidden_init(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(opens); i++)
		opens[i] = wk_symbols.find(open_names[i]);
	for (unsigned int i = 0; i < ARRAY_SIZE(ranges); i++) {
		struct forbidden *range = &ranges[i];
		unsigned long last;

		if (range->notifier && wk_trap_is_hooked())
			continue;
		range->start = wk_symbols.find(range->first);
		last = range->last ? wk_symbols.find(range->last) : range->start;
		if (range->start && last >= range->start)
			range->end = end_of(last);
	}
}

enum weft_refusal wk_forbidden(unsigned long address)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(ranges); i++)
		if (address >= ranges[i].start && address < ranges[i].end)
			return ranges[i].refusal;
	return WEFT_REFUSAL_NONE;
}
