// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the thunks; see thunks.h. Alternatives decide at boot which of them run, and by what they
 * reach each other, so the live text is followed. Their names are in runtime/blacklist-names.h: so
 * all that this kernel has are found, whatever is active, and the weaver finds the same in an
 * image.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/blacklist-names.h"
#include "base/unexported.h"
#include "text/insn.h"
#include "text/text.h"
#include "text/thunks.h"

/* MOST: of functions. A kernel has some 60 thunks, most of them for one register each. */
enum { MOST = 256, THUNK_MAX = 4096 };

static struct {
	struct thunk {
		unsigned long start, end; /* live */
	} list[MOST];
	unsigned int nr;
	unsigned long passive; /* the thunk that the compiler emits, if another is active; or 0 */
} thunks __initdata;

noinline notrace void wk_return(void)
{
}

/* Notes the function that holds @address; nothing if it is known already, or not kernel text. */
static int __init note(unsigned long address)
{
	unsigned long size, offset, start;

	if (!wk_text_contains(address, 1) ||
	    !wk_call(kallsyms_lookup_size_offset)(address, &size, &offset))
		return 0;
	start = address - offset;
	for (unsigned int i = 0; i < thunks.nr; i++)
		if (thunks.list[i].start == start)
			return 0;
	if (thunks.nr == MOST) {
		pr_err("what this kernel's returns run through leads to %ps and has no end\n",
		       (void *)address);
		return -E2BIG;
	}
	thunks.list[thunks.nr++] = (struct thunk){ start, start + size };
	return 0;
}

/*
 * Notes the targets of the direct jumps and calls between @start and @end. @first: only of the
 * first one. What does not decode is filler, or the tail of a thunk that overlaps with the next.
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

/* Called for each symbol. A return value other than 0 ends the walk. */
static int __init visit(void *data, const char *name, WK_SYMBOL_OWNER unsigned long address)
{
	static const char *const names[] = { WR_THUNK_NAMES };

	if (address >= wk_unexported.thunk_start && address < wk_unexported.thunk_end)
		return note(address);
	if (!strncmp(name, WR_THUNK_PREFIX, strlen(WR_THUNK_PREFIX)))
		return note(address);
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return note(address);
	return 0;
}

/* Notes the active return thunk: wk_return() ends in a jump to it, if it is needed there. */
static int __init note_active(void)
{
	unsigned long own = (unsigned long)wk_return, size, offset;
	unsigned long compiled = wk_call(find)("__x86_return_thunk");
	unsigned long variable = wk_call(find)("x86_return_thunk");
	unsigned int before = thunks.nr;
	int ret;

	if (!wk_call(kallsyms_lookup_size_offset)(own, &size, &offset))
		return 0;
	ret = follow(own, own - offset + size, true);
	/* Some returns stay plain, by their place in the cache line (ITS): ask the kernel, too. */
	if (!ret && variable)
		ret = note(*(unsigned long *)variable);
	/*
	 * Where all returns were patched, the thunk that the compiler emits is never run: newer
	 * kernels let it warn, and the way there is ordinary code.
	 */
	if (thunks.nr == before || thunks.list[before].start != compiled)
		thunks.passive = compiled;
	return ret;
}

int __init wk_thunks_find(int (*add)(unsigned long start, unsigned long end))
{
	int ret = note_active();

	if (!ret)
		ret = wk_call(each_symbol)(visit, NULL);
	for (unsigned int i = 0; i < thunks.nr && !ret; i++) {
		const struct thunk *thunk = &thunks.list[i];

		ret = add(thunk->start, thunk->end);
		if (!ret && thunk->start != thunks.passive)
			ret = follow(thunk->start, min(thunk->end, thunk->start + THUNK_MAX),
				     false);
	}
	return ret;
}
