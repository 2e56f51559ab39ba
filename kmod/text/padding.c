// SPDX-License-Identifier: GPL-2.0-or-later
/* Proves that bytes are padding; see padding.h. */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "base/table-memory.h"
#include "runtime/trampoline.h"
#include "text/function.h"
#include "text/insn.h"
#include "text/padding.h"
#include "text/sites.h"
#include "text/text-check.h"
#include "text/single-entry.h"

/*
 * Returns whether control never continues after the instruction that @step describes, at @address.
 * Returns false for the jump of a jump label: it may become a nop at any time, and control would
 * then continue after it.
 */
static bool leaves(const struct wk_step *step, unsigned long address)
{
	return wr_leaves(&step->fields) &&
	       !(step->jumps &&
		 wk_sites_owner(address, step->length) == WEFT_REFUSAL_JUMP_LABEL);
}

/*
 * May one of these bytes be a branch target, or be rewritten by another owner (a jump label that is
 * off)?
 */
static bool is_blocked(struct wk_function *function, unsigned long address, unsigned int length)
{
	return !wk_is_single_entry(function, address, length, function->size) ||
	       wk_sites_owner(address, length);
}

/*
 * Computes function->padding, once, by wr_padding_next() of runtime/x86-rules.h. The result is
 * valid if the function is C, which wk_may_be_single_entry() decides.
 */
static void find_padding(struct wk_function *function)
{
	enum wr_before before = WR_BEFORE_REACHED;
	struct wk_step step;

	function->padding = kvcalloc(BITS_TO_LONGS(function->size), sizeof(long), WK_GFP_TABLE);
	if (!function->padding || function->why)
		return;
	for (unsigned int at = 0; at < function->size; at += step.length) {
		unsigned int room = min_t(unsigned int, function->size - at, WEFT_INSN_MAX);
		const unsigned long address = function->start + at;
		enum wr_filling filling;
		bool blocked;

		if (!wk_insn_step(address, function->text + at, room, &step))
			break;
		filling = wr_filling_of(&step.fields);
		/* is_blocked() is expensive, so it is called only if its result matters. */
		blocked = before != WR_BEFORE_REACHED && filling &&
			  is_blocked(function, address, step.length);
		if (wr_padding_next(&before, filling, blocked, leaves(&step, address)))
			bitmap_set(function->padding, at, step.length);
		cond_resched();
	}
}

bool wk_is_padding(unsigned long address, unsigned int size, u32 c_size)
{
	struct wk_function *function = wk_function_at(address);
	unsigned int at;

	if (!function)
		return false;
	if (!function->padding)
		find_padding(function);
	at = address - function->start;
	return function->padding && wk_may_be_single_entry(function, c_size) &&
	       at + size <= function->size &&
	       find_next_zero_bit(function->padding, at + size, at) >= at + size &&
	       !wk_text_owner(function, address, size);
}
