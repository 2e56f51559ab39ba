// SPDX-License-Identifier: GPL-2.0-or-later
/* The proof that bytes are padding; see padding.h. */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "runtime/trampoline.h"
#include "text/function.h"
#include "text/insn.h"
#include "text/padding.h"
#include "text/sites.h"
#include "text/text-check.h"
#include "text/single-entry.h"

enum { INT3 = 0xcc };

/* A run of nops and int3s; what ends it does not matter. */
struct run {
	unsigned int start, end; /* bytes from the function's start */
	bool dead;		 /* control does not come in at its start */
};

/*
 * An int3 right behind a jump or return stays what it is: it stops what the processor runs there on
 * speculation. A byte that control may come to ends what can be used, and everything behind it; so
 * does a jump label, which is a nop while it is off.
 */
static void mark_run(struct wk_function *function, struct run run)
{
	if (!run.dead || run.start == run.end)
		return;
	if (function->text[run.start] == INT3)
		run.start++;
	for (unsigned int at = run.start; at < run.end; at++) {
		unsigned long address = function->start + at;

		if (!wk_is_single_entry(function, address, 1, function->size) ||
		    wk_sites_owner(address, 1))
			return;
		__set_bit(at, function->padding);
	}
}

static bool is_padding(const struct wr_insn *insn)
{
	return insn->bytes[0] == INT3 || wk_insn_is_nop(insn);
}

/* A jump label's jump may become a nop at any time: then control comes to what stands behind it. */
static bool goes_away(const struct wr_insn *insn)
{
	return insn->ends && insn->kind != WR_INSN_CALL && insn->kind != WR_INSN_CALL_INDIRECT &&
	       !(insn->kind == WR_INSN_JUMP &&
		 wk_sites_owner(insn->address, insn->length) == WEFT_REFUSAL_JUMP_LABEL);
}

/*
 * Once a function: what is padding if the aspect's table vouches for the function, where it has to.
 */
static void find_padding(struct wk_function *function)
{
	struct run run = { 0 };
	bool ended = false;

	function->padding = kvcalloc(BITS_TO_LONGS(function->size), sizeof(long), GFP_KERNEL);
	if (!function->padding || function->why)
		return;
	for (unsigned int at = 0; at < function->size;) {
		unsigned int room = min_t(unsigned int, function->size - at, WEFT_INSN_MAX);
		struct wr_insn insn;
		/*
		 * What cannot be relocated is decoded nevertheless, if it is an instruction: it is
		 * none that ends.
		 */
		bool known = wk_insn_decode(function->start + at, function->text + at, room,
					    &insn) != WEFT_REFUSAL_UNDECODABLE;

		if (!known)
			break;
		if (!is_padding(&insn)) {
			mark_run(function, run);
			ended = goes_away(&insn);
			run = (struct run){ .start = at + insn.length, .dead = ended };
		}
		at += insn.length;
		run.end = at;
		cond_resched();
	}
	mark_run(function, run);
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
