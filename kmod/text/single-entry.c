// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every way into the middle of a function; see single-entry.h. Ways in are: direct branches and
 * calls of the function itself (function.c notes them) and of its cold part, which the compiler
 * puts elsewhere; jump labels, whose jumps are nops while they are off; and fixups of the exception
 * table. Return addresses do not matter, since a call is the last of its displaced instructions.
 *
 * Conversely, branches of a function lead into the middle of its cold part. The function is the one
 * of that name that jumps there.
 *
 * Jumps through registers cannot be followed. A kernel built for retpolines has no jump tables, so
 * there they are calls in tail position, but for the BPF interpreter. Elsewhere there are no
 * displaced ranges.
 *
 * All of that holds for what a compiler made of C. Assembler may keep addresses of its middle
 * anywhere, compute them, or be jumped into from another file; nothing in the running kernel tells
 * the two apart, but that ftrace owns an entry in most C functions and in no other. In the rest,
 * notrace functions, bodies of trace events, all of lib/ and kernel/trace/, there are displaced
 * ranges where the aspect's table says that they are C:
 *
 *  - The table is that of an aspect made from this very kernel's image (its build-id is the
 *    kernel's: build-id.c), and comes into the kernel with the aspect's module, whose code runs in
 *    the kernel anyway. A plan, which comes from outside, cannot say that a function is C: its
 *    displaced range has to be, byte for byte, the one that the table has for that joinpoint, and
 *    so has its slot (plan-check.c).
 *  - It says of a function, or a cold part, that DWARF has it as code that GCC made of C, and how
 *    far it reaches; that has to be what the kernel's symbols say. Assembler has no such entry, be
 *    it a file of its own or stand in a C file.
 *  - It has no displaced range into which anything leads in the whole image
 *    (weaver/image/branch-targets.h): branches of any other code, and every operand and word of
 *    data that holds an address.
 *  - What can be seen here is looked at all the same, in the live text: where instructions begin,
 *    all ways in above, and who owns the bytes or forbids to touch them (text-check.c). Nothing is
 *    allowed that way that a trap would not be.
 *
 * Such functions run where others do not: where RCU does not watch, on the path of an interrupt or
 * of the idle loop, in the interrupt by which text is written. That is safe, too. Entry code and
 * noinstr text are blacklisted. The wait for tasks in the middle of a displaced range (optimize.c,
 * grace.c) does not depend on RCU watching: every CPU has to switch tasks once, which it cannot do
 * in the middle of anything that runs with interrupts or preemption off, idle or not, nor in an
 * NMI; and every preempted task has to go on and sleep or leave the kernel, and none sleeps in the
 * middle of a displaced range. The body of sched_switch's trace event runs after RCU has noted the
 * switch of its task as a voluntary one; but it has finished before the CPU has switched. During
 * that wait, and while bytes are written, the first byte of the displaced range is an int3 like
 * that of any trap: code that arrives from the synchronising interrupt, or by an NMI, is sent to
 * the trampoline. The path from an int3 to the trampoline has no splice itself
 * (runtime/blacklist-names.h), and a jump is reached only by code that could have reached the trap.
 */
#include <linux/bitmap.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "text/function.h"
#include "text/insn.h"
#include "text/sites.h"
#include "base/unexported.h"
#include "text/single-entry.h"

enum { PARTS_MOST = 4, FENTRY_SIZE = 5 };

static const char cold[] = ".cold";

struct scan {
	struct wk_function *function;
	unsigned long fields[PARTS_MOST]; /* starts of other parts that were looked at */
	unsigned int nr_fields;
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
	return wk_unexported.ftrace_text_reserved &&
	       wk_unexported.ftrace_text_reserved((void *)start, (void *)start + FENTRY_SIZE - 1);
}

/*
 * The name of what begins at @start; where it is a cold part's, *@end_ret is where ".cold" begins
 * in it, else NULL.
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

/* Its jumps lead to where a table says. */
static bool is_interpreter(unsigned long start)
{
	char *end;

	return !strcmp(name_of(start, &end), "___bpf_prog_run");
}

static bool scan_part(unsigned long address);

/*
 * A branch that leaves the function: to another's entry, which never comes back into the middle, or
 * to a part of this one.
 */
static bool follow(unsigned long target)
{
	unsigned long size, offset;

	if (wk_function_holds(scan.function, target) ||
	    (target >= wk_unexported.thunk_start && target < wk_unexported.thunk_end))
		return true;
	if (!wk_unexported.kallsyms_lookup_size_offset(target, &size, &offset))
		return false;
	if (!offset && !is_cold(target))
		return true;
	for (unsigned int i = 0; i < scan.nr_fields; i++)
		if (scan.fields[i] == target - offset)
			return true;
	if (scan.nr_fields == PARTS_MOST)
		return false;
	scan.fields[scan.nr_fields++] = target - offset;
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

/* Calls are not among the exits. */
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

/* Marks the targets of another part's branches; false if one of them is unknown. */
static bool scan_part(unsigned long start)
{
	const struct wk_function *part = wk_function_at(start);

	/* A kprobe there hides a branch: transient. */
	if (!part || part->why == WEFT_REFUSAL_KPROBE)
		scan.function->passing = true;
	if (!part || part->why || part->lost)
		return false;
	mark_calls(part);
	return follow_exits(part);
}

/*
 * The function that @part, called "NAME.cold", is a part of: the one called NAME that jumps there.
 * NULL: none is known.
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
	start = wk_unexported.find(scan.name);
	whole = start && !is_interpreter(start) ? wk_function_at(start) : NULL;
	for (unsigned int i = 0; whole && !whole->why && !whole->lost && i < whole->nr_exits; i++)
		if (wk_function_holds(part, whole->start + whole->exits[i]))
			return whole;
	return NULL;
}

/* Does @function->entered, once marked, hold all branch targets? */
static int find_ways(struct wk_function *function)
{
	const bool cold = is_cold(function->start);
	const struct wk_function *whole = function;

	if (!IS_ENABLED(CONFIG_RETPOLINE) || function->why || function->lost || !wk_sites_known() ||
	    is_interpreter(function->start))
		return WK_ENTRIES_UNKNOWABLE;
	if (cold) {
		whole = find_whole(function);
		if (!whole)
			return WK_ENTRIES_UNKNOWABLE;
		scan.fields[scan.nr_fields++] = whole->start;
		mark_calls(whole);
		if (!follow_exits(whole))
			return WK_ENTRIES_UNKNOWABLE;
	}
	if (!follow_exits(function))
		return WK_ENTRIES_UNKNOWABLE;
	return has_entry(whole->start) ? WK_ENTRIES_KNOWN : WK_ENTRIES_IF_C;
}

/* Once a function. */
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

	if (function->displaceable == WK_ENTRIES_UNKNOWN)
		find_entered(function);
	return wk_may_be_single_entry(function, c_size) && first + size <= function->size &&
	       find_next_bit(function->entered, first + size, first) >= first + size;
}
