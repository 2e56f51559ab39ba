// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the thunks; see thunks.h. They are found in two ways. First, by the names in
 * runtime/blacklist-names.h: these are all thunks of this kernel, also those that are not active,
 * and the weaver finds the same ones in an image. Second, by following the branches in the live
 * text, since alternatives decide only at boot which thunks run and how they branch to each other.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/blacklist-names.h"
#include "base/unexported.h"
#include "text/insn.h"
#include "text/text.h"
#include "text/thunk-table.h"
#include "text/thunks.h"

enum { THUNK_MAX = 4096 };

/* The symbols that bound the thunks; ->start, ->end: 0 if this kernel does not have them. */
static struct {
	const char *first, *last;
	unsigned long start, end;
} ranges[] __initdata = {
#define WK_RANGE(first_, last_) { .first = first_, .last = last_ },
	WR_THUNK_RANGES(WK_RANGE)
};

/* the live address of __x86_return_thunk, if that thunk is not the active one; else 0 */
static unsigned long passive __initdata;

noinline notrace void wk_return(void)
{
}

/*
 * Notes the function that holds @address. Does nothing if it is noted already, or if @address is
 * not kernel text.
 */
static int __init note(unsigned long address)
{
	unsigned long size, offset, start;

	if (!wk_text_contains(address, 1) ||
	    !wk_call(kallsyms_lookup_size_offset)(address, &size, &offset))
		return 0;
	start = address - offset;
	for (unsigned int i = 0; i < wk_thunk_table.nr; i++)
		if (wk_thunk_table.list[i].start == start)
			return 0;
	if (wk_thunk_table.nr == WK_THUNKS_MOST) {
		pr_err("what this kernel's returns run through leads to %ps and has no end\n",
		       (void *)address);
		return -E2BIG;
	}
	wk_thunk_table.list[wk_thunk_table.nr++] = (struct wk_thunk){ start, start + size, -1 };
	return 0;
}

/*
 * Notes the targets of the direct jumps and calls between @start and @end, or, if @first, only that
 * of the first one. Stops at bytes that cannot be decoded: they are filler, or the tail of a thunk
 * that overlaps with the next one, which begins at @end and is noted then.
 */
static int __init follow(unsigned long start, unsigned long end, bool first)
{
	u8 bytes[WEFT_INSN_MAX];
	int ret = 0;

	for (unsigned long at = start; at < end && !ret;) {
		unsigned int room = min_t(unsigned long, end - at, sizeof(bytes));
		struct wk_step step;

		memcpy(bytes, (void *)at, room);
		if (!wk_insn_step(at, bytes, room, &step))
			return note(end);
		if (step.calls || step.jumps) {
			ret = note(step.target);
			if (first)
				break;
		}
		at += step.length;
	}
	return ret;
}

/* Notes which register the thunk at @address is for: the last word of its @name is the register. */
static void __init note_register(const char *name, unsigned long address)
{
	static const char *const registers[WR_NR_REGISTERS] = {
		"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
	};
	int number = match_string(registers, WR_NR_REGISTERS, strrchr(name, '_') + 1);

	for (unsigned int i = 0; i < wk_thunk_table.nr && number >= 0; i++)
		if (wk_thunk_table.list[i].start == address)
			wk_thunk_table.list[i].number = number;
}

static bool __init is_in_range(unsigned long address)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(ranges); i++)
		if (ranges[i].start && address >= ranges[i].start && address < ranges[i].end)
			return true;
	return false;
}

/*
 * Called by the kernel for each of its symbols. Notes the symbol @name at @address if it is a
 * thunk. The walk over the symbols ends when this function returns a value other than 0.
 */
static int __init visit(void *data, const char *name, WK_SYMBOL_OWNER unsigned long address)
{
	static const char *const names[] = { WR_THUNK_NAMES };
	int ret;

	if (!strncmp(name, WR_THUNK_PREFIX, strlen(WR_THUNK_PREFIX))) {
		ret = note(address);
		note_register(name, address);
		return ret;
	}
	if (is_in_range(address))
		return note(address);
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return note(address);
	return 0;
}

/* Notes the active return thunk: wk_return() ends in a jump to it, if returns need one. */
static int __init note_active(void)
{
	unsigned long own = (unsigned long)wk_return, size, offset;
	unsigned long compiled = wk_call(find)("__x86_return_thunk");
	unsigned long variable = wk_call(find)("x86_return_thunk");
	const unsigned int before = wk_thunk_table.nr;
	int ret;

	if (!wk_call(kallsyms_lookup_size_offset)(own, &size, &offset))
		return 0;
	ret = follow(own, own - offset + size, true);
	/*
	 * __x86_return_thunk is the thunk that compiled returns name. If the kernel has replaced
	 * the returns by something else, this thunk never runs. In newer kernels it then issues a
	 * warning, by a call of ordinary code; so its branches must not be followed. Its address
	 * alone does not show that it never runs: the kernel's variable x86_return_thunk still
	 * holds it if all returns became plain ret instructions.
	 */
	if (wk_thunk_table.nr == before || wk_thunk_table.list[before].start != compiled)
		passive = compiled;
	/*
	 * The return of wk_return() may have stayed a plain ret although others became jumps: with
	 * the ITS mitigation that depends on the position in the cache line. So the kernel's
	 * variable x86_return_thunk is read, too.
	 */
	if (!ret && variable)
		ret = note(*(unsigned long *)variable);
	return ret;
}

int __init wk_thunks_find(int (*add)(unsigned long start, unsigned long end))
{
	int ret = note_active();

	for (unsigned int i = 0; i < ARRAY_SIZE(ranges); i++) {
		ranges[i].start = wk_call(find)(ranges[i].first);
		ranges[i].end = wk_call(find)(ranges[i].last);
	}
	if (!ret)
		ret = wk_call(each_symbol)(visit, NULL);
	for (unsigned int i = 0; i < wk_thunk_table.nr && !ret; i++) {
		const struct wk_thunk *thunk = &wk_thunk_table.list[i];

		ret = add(thunk->start, thunk->end);
		if (!ret && thunk->start != passive)
			ret = follow(thunk->start, min(thunk->end, thunk->start + THUNK_MAX),
				     false);
	}
	return ret;
}
