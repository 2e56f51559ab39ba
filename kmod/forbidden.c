// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of forbidden text; see forbidden.h. The kernel's own list for kprobes is not enough: a
 * kprobe's int3 is handled before the notifiers run, weft's by one of them where the entry code is not hooked, and then the way
 * there has to be free of splices too. Every entry says which of the reasons holds; each was seen to kill a
 * kernel or stands beside one that was.
 */
#include <linux/init.h>
#include <linux/kernel.h>

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
	/*
	 * exc_int3 -> notify_die -> atomic_notifier_call_chain takes the RCU read lock: a trap
	 * there traps again.
	 */
	{ "__rcu_read_lock", NULL, WEFT_REFUSAL_OWN_TEXT, .notifier = true },
	{ "__rcu_read_unlock", NULL, WEFT_REFUSAL_OWN_TEXT, .notifier = true },
	{ "rcu_read_unlock_special", NULL, WEFT_REFUSAL_OWN_TEXT, .notifier = true },
	/* Tracers' hooks in nmi_enter(), which an int3 passes. */
	{ "trace_hwlat_callback", NULL, WEFT_REFUSAL_OWN_TEXT, .notifier = true },
	{ "trace_osnoise_callback", NULL, WEFT_REFUSAL_OWN_TEXT, .notifier = true },
	/*
	 * Advice ends with preempt_enable_notrace(), which comes here again while a reschedule is
	 * due.
	 */
	{ "preempt_schedule_notrace", NULL, WEFT_REFUSAL_OWN_TEXT },
	/*
	 * ftrace copies these to make trampolines, and patches the calls in them without looking.
	 */
	{ "ftrace_stub", "return_to_handler", WEFT_REFUSAL_FTRACE },
	{ "__fentry__", NULL, WEFT_REFUSAL_FTRACE },
	{ "ftrace_caller", "ftrace_caller_end", WEFT_REFUSAL_FTRACE },
	{ "ftrace_regs_caller", "ftrace_regs_caller_end", WEFT_REFUSAL_FTRACE },
	{ "ftrace_stub_direct_tramp", NULL, WEFT_REFUSAL_FTRACE },
	{ "return_to_handler", NULL, WEFT_REFUSAL_FTRACE },
	/*
	 * The trampolines of static calls: rewritten as wholes, after a check that BUG()s on what
	 * it does not know.
	 */
	{ "__static_call_text_start", "__static_call_text_end", WEFT_REFUSAL_STATIC_CALL },
	/*
	 * A CPU that comes up, or wakes, has no interrupt table for a while; one that goes down for
	 * kexec has none any more.
	 */
	{ "start_secondary", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "cr4_init", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "cpu_init", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "cpu_init_exception_handling", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "cpu_init_secondary", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "load_direct_gdt", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "load_fixmap_gdt", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "restore_processor_state", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "__restore_processor_state", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "relocate_kernel", NULL, WEFT_REFUSAL_BLACKLISTED },
	{ "machine_kexec", NULL, WEFT_REFUSAL_BLACKLISTED },
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
