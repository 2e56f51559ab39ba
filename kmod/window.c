// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every way into the middle of a function; see window.h. Ways in are: direct branches and calls of the function itself (function.c
 * notes them) and of its cold part, which the compiler puts elsewhere; jump labels, whose jumps are nops while they are off; and
 * fixups of the exception table. Return addresses are no matter, since a call is the last of a window.
 *
 * Into the middle of a cold part come the function's branches, which is the one of its name that jumps there.
 *
 * Jumps through registers cannot be followed. A kernel built for retpolines has no jump tables, so there they are calls in tail
 * position, but for the BPF interpreter. Elsewhere, and in what is no compiler's function (one that ftrace does not own the
 * entry of), there are no windows.
 */
#include <linux/bitmap.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "function.h"
#include "insn.h"
#include "sites.h"
#include "symbols.h"
#include "text.h"
#include "window.h"

enum { PARTS_MOST = 4, FENTRY_SIZE = 5 };

static const char cold[] = ".cold";

struct scan {
	struct wk_function *function;
	unsigned long parts[PARTS_MOST]; /* starts of other parts that were looked at */
	unsigned int nr_parts;
	char name[KSYM_SYMBOL_LEN];
};

static struct scan scan; /* big, and wk_mutex is held */

static void mark(unsigned long target)
{
	struct wk_function *function = scan.function;

	if (wk_function_holds(function, target))
		__set_bit(target - function->start, function->entered);
}

static bool has_entry(unsigned long start)
{
	return wk_symbols.ftrace_text_reserved &&
	       wk_symbols.ftrace_text_reserved((void *)start, (void *)start + FENTRY_SIZE - 1);
}

/* The name of what begins at @start; where it is a cold part's, *@end_ret is where ".cold" begins in it, else NULL. */
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

static bool scan_part(unsigned long address);

/* A branch that leaves the function: to another's entry, which never comes back into the middle, or to a part of this one. */
static bool follow(unsigned long target)
{
	unsigned long size, offset;

	if (wk_function_holds(scan.function, target) ||
	    (target >= wk_symbols.thunk_start && target < wk_symbols.thunk_end))
		return true;
	if (!wk_symbols.kallsyms_lookup_size_offset(target, &size, &offset))
		return false;
	if (!offset && !is_cold(target))
		return true;
	for (unsigned int i = 0; i < scan.nr_parts; i++)
		if (scan.parts[i] == target - offset)
			return true;
	if (scan.nr_parts == PARTS_MOST)
		return false;
	scan.parts[scan.nr_parts++] = target - offset;
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
		if (step.flow == WK_FLOW_CALL)
			mark(step.target);
	}
}

/* Marks where the branches of another part lead; false where one of them is not understood. */
static bool scan_part(unsigned long start)
{
	const struct wk_function *part = wk_function_at(start);

	/* A kprobe there hides a branch as long as it is there. */
	if (!part || part->why == WEFT_REFUSAL_KPROBE)
		scan.function->passing = true;
	if (!part || part->why || part->lost)
		return false;
	mark_calls(part);
	return follow_exits(part);
}

/* The function that @part, called "NAME.cold", is a part of: the one called NAME that jumps there. NULL: none is known. */
static struct wk_function *find_whole(const struct wk_function *part)
{
	struct wk_function *whole;
	unsigned long start;
	char *end;

	name_of(part->start, &end);
	if (!end)
		return NULL;
	*end = '\0';
	start = wk_symbols.find(scan.name);
	whole = start && has_entry(start) ? wk_function_at(start) : NULL;
	for (unsigned int i = 0; whole && !whole->why && !whole->lost && i < whole->nr_exits; i++)
		if (wk_function_holds(part, whole->start + whole->exits[i]))
			return whole;
	return NULL;
}

static bool is_compiled(const struct wk_function *function)
{
	char *end;

	return has_entry(function->start) && strcmp(name_of(function->start, &end), "___bpf_prog_run");
}

/* Is @function's entered all there is, once it is marked? */
static bool find_ways(struct wk_function *function)
{
	const struct wk_function *whole;

	if (!IS_ENABLED(CONFIG_RETPOLINE) || function->why || function->lost || !wk_sites_known())
		return false;
	if (is_compiled(function))
		return follow_exits(function);
	whole = find_whole(function);
	if (!whole)
		return false;
	scan.parts[scan.nr_parts++] = whole->start;
	mark_calls(whole);
	return follow_exits(whole) && follow_exits(function);
}

/* Once a function. */
static void find_entered(struct wk_function *function)
{
	memset(&scan, 0, sizeof(scan));
	scan.function = function;
	function->windows = find_ways(function) ? WK_WINDOWS : WK_WINDOWS_NONE;
	wk_sites_mark(function->start, function->size, function->entered);
}

bool wk_window_is_closed(struct wk_function *function, unsigned long address, unsigned int size)
{
	unsigned long first = address - function->start;

	if (function->windows == WK_WINDOWS_UNKNOWN)
		find_entered(function);
	return function->windows == WK_WINDOWS && first + size <= function->size &&
	       find_next_bit(function->entered, first + size, first) >= first + size;
}
