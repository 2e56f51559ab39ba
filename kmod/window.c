// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every way into the middle of a function; see window.h. Ways in are: direct branches and calls of the function itself and of
 * its cold part, which the compiler puts elsewhere; jump labels, whose jumps are nops while they are off; and fixups of the
 * exception table. Return addresses are no matter, since a call is the last of a window.
 *
 * Jumps through registers cannot be followed. A kernel built for retpolines has no jump tables, so there they are calls in tail
 * position, but for the BPF interpreter. Elsewhere, and in what is no compiler's function (one that ftrace does not own the
 * entry of), there are no windows.
 */
#include <linux/bitmap.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "function.h"
#include "insn.h"
#include "sites.h"
#include "symbols.h"
#include "text.h"
#include "window.h"

enum { PARTS_MOST = 4, FENTRY_SIZE = 5 };

struct scan {
	struct wk_function *function;
	unsigned long parts[PARTS_MOST]; /* starts of cold parts that were looked at */
	unsigned int nr_parts;
	char name[KSYM_SYMBOL_LEN];
};

static struct scan scan; /* big, and wk_mutex is held */

static void mark(unsigned long target)
{
	struct wk_function *function = scan.function;

	if (target - function->start < function->size)
		__set_bit(target - function->start, function->entered);
}

static bool is_cold(unsigned long address)
{
	sprint_symbol_no_offset(scan.name, address);
	return strstr(scan.name, ".cold");
}

static bool scan_text(unsigned long start, unsigned long size);

/* A branch that leaves the function: to another's entry, which never comes back into the middle, or to a part of this one. */
static bool follow(unsigned long target)
{
	unsigned long size, offset;

	if (target - scan.function->start < scan.function->size)
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
	return scan_text(target - offset, size);
}

/* Marks where the branches in this text lead; false where one of them is not understood. */
static bool scan_text(unsigned long start, unsigned long size)
{
	u8 bytes[WEFT_INSN_MAX];
	struct wr_insn insn;

	for (unsigned long at = start; at < start + size; at += insn.length) {
		unsigned int room = min_t(unsigned long, start + size - at, WEFT_INSN_MAX);
		enum weft_refusal refusal;

		if (wk_text_read(at, bytes, room, true))
			return false;
		refusal = wk_insn_decode(at, bytes, room, &insn);
		/* loop and jrcxz are among these: branches that are not decoded. */
		if (refusal == WEFT_REFUSAL_UNDECODABLE || refusal == WEFT_REFUSAL_UNRELOCATABLE)
			return false;
		if (insn.kind == WR_INSN_JUMP || insn.kind == WR_INSN_JUMP_COND || insn.kind == WR_INSN_CALL)
			mark(insn.target);
		if ((insn.kind == WR_INSN_JUMP || insn.kind == WR_INSN_JUMP_COND) && !follow(insn.target))
			return false;
		cond_resched();
	}
	return true;
}

static bool is_compiled(const struct wk_function *function)
{
	void *start = (void *)function->start;

	if (!IS_ENABLED(CONFIG_RETPOLINE) || !wk_symbols.ftrace_text_reserved ||
	    !wk_symbols.ftrace_text_reserved(start, start + FENTRY_SIZE - 1))
		return false;
	sprint_symbol_no_offset(scan.name, function->start);
	return !strstr(scan.name, ".cold") && strcmp(scan.name, "___bpf_prog_run");
}

/* Once a function. */
static void find_entered(struct wk_function *function)
{
	function->entered = kvcalloc(BITS_TO_LONGS(function->size), sizeof(long), GFP_KERNEL);
	if (!function->entered)
		return;
	memset(&scan, 0, sizeof(scan));
	scan.function = function;
	function->windows = !function->why && wk_sites_known() && is_compiled(function) &&
			    scan_text(function->start, function->size);
	wk_sites_mark(function->start, function->size, function->entered);
}

bool wk_window_is_closed(struct wk_function *function, unsigned long address, unsigned int size)
{
	unsigned long first = address - function->start;

	if (!function->entered)
		find_entered(function);
	return function->windows && first + size <= function->size &&
	       find_next_bit(function->entered, first + size, first) >= first + size;
}
