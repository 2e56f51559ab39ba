// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds all branch targets in the middle of a function; see single-entry.h. These are the targets
 * of direct branches and calls of the function itself (function.c notes them) and of its cold part,
 * which the compiler places elsewhere; those of jump labels, whose jumps are nops while they are
 * off; and fixups of the exception table. Return addresses need not be considered: a call is always
 * the last of its displaced instructions.
 *
 * If the function in question is itself a cold part, the function that it belongs to branches into
 * its middle. That function is found by the cold part's name, and must have a jump to the cold
 * part.
 *
 * Targets of jumps through registers cannot be found. A kernel built for retpolines or for IBT has
 * no jump tables, except in the BPF interpreter, so in its other functions all such jumps are tail
 * calls. On other kernels (compat/jump-tables.h) no displaced range has several instructions.
 *
 * This holds only for code that a compiler generated from C. Assembler may store addresses of its
 * middle anywhere, compute them, or be entered from another file. In the running kernel C and
 * assembler look alike, except that ftrace owns an entry in most C functions and in no assembler.
 * For the C functions without one (notrace functions, bodies of trace events, all of lib/ and
 * kernel/trace/) displaced ranges of several instructions are allowed only if the table of
 * joinpoints in the aspect's module says that the function is C:
 *
 *  - The table belongs to an aspect that was made from this very kernel's image (same build-id:
 *    build-id.c), and is loaded with the aspect's module, whose code runs in the kernel anyway. A
 *    plan comes from user space, so it cannot say that a function is C: its displaced range and
 *    slot must be exactly those that the table has for that joinpoint (plan-check.c).
 *  - The table says that, per DWARF, GCC generated the function or cold part from C, and gives its
 *    size, which must equal the size that the kernel's symbols give. Assembler has no such entry in
 *    DWARF, neither in files of its own nor inside C files.
 *  - In no displaced range of the table is any byte after the first one a branch target of the
 *    whole image (weaver/image/branch-targets.h). The search for branch targets considers the
 *    branches of all other code, and all operands and words of data that hold an address.
 *  - All checks that can be made in the live text are made nevertheless: instruction boundaries,
 *    the branch targets above, owners of the bytes, the blacklist (text-check.c). So no byte is
 *    displaced this way that a trap could not displace.
 *
 * Such functions may run in unusual contexts: where RCU is not watching, in interrupt entry or the
 * idle loop, in the interrupt that synchronizes text writes. That is safe, for these reasons. Entry
 * code and noinstr text are blacklisted. The wait until no task is in the middle of a displaced
 * range (optimize.c, grace.c) does not depend on RCU watching: each CPU has to switch tasks once,
 * which it cannot do inside code that runs with interrupts or preemption off, idle or not, nor in
 * an NMI. And each preempted task has to continue until it sleeps voluntarily or returns to user
 * space, and no task sleeps in the middle of a displaced range. The body of sched_switch's trace
 * event runs after RCU has noted a voluntary switch of its task, but it ends before the CPU has
 * switched. During that wait, and while bytes are written, the first byte of the displaced range is
 * an int3, as of any trap: code that arrives there, even in the synchronizing interrupt or an NMI,
 * is sent to the trampoline. The path from an int3 to the trampoline is not spliced itself
 * (runtime/blacklist-names.h). And the jump is reached only by code that could have reached the
 * trap.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/bitmap.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "compat/jump-tables.h"
#include "text/function.h"
#include "text/insn.h"
#include "text/module-text.h"
#include "text/sites.h"
#include "text/thunk-table.h"
#include "base/unexported.h"
#include "text/single-entry.h"
#include "base/lock.h"

enum { PARTS_MOST = 4, FENTRY_SIZE = 5 };

static const char cold[] = ".cold";

struct scan {
	struct wk_function *function;
	/* starts of the other symbols that were scanned, such as cold parts */
	unsigned long scanned[PARTS_MOST];
	unsigned int nr_scanned;
	char name[KSYM_SYMBOL_LEN];
};

static struct scan scan; /* too big for the stack; under wk_mutex */

static void mark(unsigned long target)
{
	struct wk_function *function = scan.function;

	if (wk_function_holds(function, target))
		__set_bit(target - function->start, function->entered);
}

static bool has_entry(unsigned long start)
{
	return wk_has(ftrace_text_reserved) &&
	       wk_call(ftrace_text_reserved)((void *)start, (void *)start + FENTRY_SIZE - 1);
}

/*
 * Returns the name of the symbol at @start. If the symbol is a cold part, *@end_ret is where
 * ".cold" begins in the name; otherwise it is NULL.
 */
static const char *name_of(unsigned long start, char **end_ret)
{
	sprint_symbol_no_offset(scan.name, start);
	*end_ret = strstr(scan.name, cold);
	return scan.name;
}

static bool is_cold(unsigned long start)
{
	char *end;

	if (has_entry(start))
		return false;
	name_of(start, &end);
	return end;
}

/* Is the function at @start the BPF interpreter, which jumps through a table? */
static bool is_interpreter(unsigned long start)
{
	char *end;

	return !strcmp(name_of(start, &end), "___bpf_prog_run");
}

static bool scan_part(unsigned long address);

/*
 * Handles a branch out of the function. Does nothing if it goes to the entry of another function.
 * If it goes to a cold part, or into the middle of another symbol, scans that symbol as well: its
 * branches may come back. Returns false if not all branch targets can be found.
 */
static bool follow(unsigned long target)
{
	unsigned long size, offset;

	if (wk_function_holds(scan.function, target) || wk_is_thunk(target))
		return true;
	if (!wk_call(kallsyms_lookup_size_offset)(target, &size, &offset))
		return false;
	if (!offset && !is_cold(target))
		return true;
	for (unsigned int i = 0; i < scan.nr_scanned; i++)
		if (scan.scanned[i] == target - offset)
			return true;
	if (scan.nr_scanned == PARTS_MOST)
		return false;
	scan.scanned[scan.nr_scanned++] = target - offset;
	return scan_part(target - offset);
}

static bool follow_exits(const struct wk_function *part)
{
	for (unsigned int i = 0; i < part->nr_exits; i++) {
		unsigned long target = part->start + part->exits[i];

		mark(target);
		if (!follow(target))
			return false;
		cond_resched();
	}
	return true;
}

/*
 * Marks the targets of the calls in @part. The calls are found by decoding its instructions again,
 * since ->exits has only the jumps.
 */
static void mark_calls(const struct wk_function *part)
{
	struct wk_step step;

	for (unsigned int at = 0; at < part->known; at += step.length) {
		unsigned int room = min_t(unsigned int, part->size - at, WEFT_INSN_MAX);

		if (!wk_insn_step(part->start + at, part->text + at, room, &step))
			return;
		if (step.calls)
			mark(step.target);
	}
}

/*
 * Marks the targets of the branches of the symbol at @start; returns false if one of them is
 * unknown.
 */
static bool scan_part(unsigned long start)
{
	const struct wk_function *part = wk_function_at(start);

	/*
	 * A kprobe in this symbol may hide a branch, so the result is not final: because ->passing
	 * is set, the function is decoded again at the next request, when the kprobe may be gone.
	 */
	if (!part || part->why == WEFT_REFUSAL_KPROBE)
		scan.function->passing = true;
	if (!part || part->why || part->lost)
		return false;
	mark_calls(part);
	return follow_exits(part);
}

/*
 * Returns the address of the symbol scan.name: in the module that holds @address or, if there is
 * none, in the kernel. 0: there is no such symbol. For modules the kernel's lookup takes
 * "module:name".
 */
static unsigned long find_in_same(unsigned long address)
{
	const struct module *module = wk_module_text_owner(address);
	char name[MODULE_NAME_LEN + sizeof(scan.name)];

	if (!module)
		return wk_call(find)(scan.name);
	snprintf(name, sizeof(name), "%s:%s", module->name, scan.name);
	return wk_call(find)(name);
}

/*
 * Returns the function that the cold part @part belongs to: if the part is called NAME.cold, the
 * function called NAME, provided that it jumps to the part. NULL: no such function is known.
 */
static struct wk_function *find_whole(const struct wk_function *part)
{
	struct wk_function *whole;
	unsigned long start;
	char *end;

	name_of(part->start, &end);
	if (!end)
		return NULL;
	*end = '\0';
	start = find_in_same(part->start);
	whole = start && !is_interpreter(start) ? wk_function_at(start) : NULL;
	for (unsigned int i = 0; whole && !whole->why && !whole->lost && i < whole->nr_exits; i++)
		if (wk_function_holds(part, whole->start + whole->exits[i]))
			return whole;
	return NULL;
}

/* Marks in @function->entered the targets of branches. Returns the value for ->displaceable. */
static int find_ways(struct wk_function *function)
{
	const bool cold = is_cold(function->start);
	const struct wk_function *whole = function;

	if (!wk_no_jump_tables() || function->why || function->lost ||
	    !wk_sites_known(function->start) || is_interpreter(function->start))
		return WK_ENTRIES_UNKNOWABLE;
	if (cold) {
		whole = find_whole(function);
		if (!whole)
			return WK_ENTRIES_UNKNOWABLE;
		scan.scanned[scan.nr_scanned++] = whole->start;
		mark_calls(whole);
		if (!follow_exits(whole))
			return WK_ENTRIES_UNKNOWABLE;
	}
	if (!follow_exits(function))
		return WK_ENTRIES_UNKNOWABLE;
	return has_entry(whole->start) ? WK_ENTRIES_KNOWN : WK_ENTRIES_IF_C;
}

/* Computes @function->displaceable and ->entered; called once for each function. */
static void find_entered(struct wk_function *function)
{
	memset(&scan, 0, sizeof(scan));
	scan.function = function;
	function->displaceable = find_ways(function);
	wk_sites_mark(function->start, function->size, function->entered);
}

bool wk_may_be_single_entry(const struct wk_function *function, u32 c_size)
{
	return function->displaceable == WK_ENTRIES_KNOWN ||
	       (function->displaceable == WK_ENTRIES_IF_C && c_size == function->size);
}

bool wk_is_single_entry(struct wk_function *function, unsigned long address, unsigned int size,
			u32 c_size)
{
	unsigned long first = address - function->start;

	wk_assert_locked();
	if (function->displaceable == WK_ENTRIES_UNKNOWN)
		find_entered(function);
	return wk_may_be_single_entry(function, c_size) && first + size <= function->size &&
	       find_next_bit(function->entered, first + size, first) >= first + size;
}

void __init wk_single_entry_init(void)
{
	if (!wk_no_jump_tables())
		pr_notice("this kernel was compiled with jump tables, without retpolines and "
			  "without indirect branch tracking: a splice of several instructions "
			  "stays a trap\n");
}
