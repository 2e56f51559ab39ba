/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which splice a joinpoint gets. The weaver uses these rules for its plans. weft.ko uses
 * them for the plans that it makes itself, for modules that are being loaded.
 */
#ifndef WR_PLAN_RULES_H
#define WR_PLAN_RULES_H

#include "abi.h"

/* Returns whether advice that runs at @when (enum weft_when) is around-advice. */
static inline int wr_is_around(unsigned int when)
{
	return when == WEFT_AROUND || when == WEFT_AROUND_CALL;
}

/*
 * Returns the cheapest kind of splice for one instruction of @length bytes whose first byte is
 * @first: a direct call redirected to the trampoline, a jump over the instruction, or a trap.
 */
static inline enum weft_splice_kind wr_plan_kind(unsigned int length, __u8 first)
{
	const __u8 direct_call = 0xe8;

	if (length == WEFT_JUMP_SIZE && first == direct_call)
		return WEFT_SPLICE_CALL;
	return length >= WEFT_JUMP_SIZE ? WEFT_SPLICE_JUMP : WEFT_SPLICE_TRAP;
}

/*
 * Returns whether @joinpoint has a displaced range of its own, found when its aspect was compiled.
 * If so, sets the kind, length and slot of @ret.
 */
static inline int wr_plan_range(const struct weft_joinpoint *joinpoint, struct weft_splice *ret)
{
	const unsigned int least = joinpoint->slot ? WEFT_SHORT_SIZE :
				   joinpoint->before == joinpoint->displaced ? 1 : WEFT_JUMP_SIZE;

	if (joinpoint->displaced < least || joinpoint->displaced > WEFT_DISPLACED_MAX ||
	    joinpoint->before > joinpoint->displaced)
		return 0;
	ret->kind = joinpoint->slot ? WEFT_SPLICE_SPRINGBOARD :
		    joinpoint->displaced < WEFT_JUMP_SIZE ? WEFT_SPLICE_TRAP : WEFT_SPLICE_JUMP;
	ret->slot = joinpoint->slot;
	ret->length = joinpoint->displaced;
	return 1;
}

/*
 * Two entries of @joinpoints may be partners: one at a call, and one at the call's return address
 * (weft_joinpoint.returns). Neither is spliced without the other. Returns the index of the partner
 * of entry @index; @n if the table has none. The search begins at @index, since the table is
 * sorted, and partners are near each other.
 */
static inline __u32 wr_plan_partner(const struct weft_joinpoint *joinpoints, __u32 n, __u32 index)
{
	const struct weft_joinpoint *own = &joinpoints[index];
	const int calls = own->when == WEFT_CALLING;
	const __u64 wanted = own->text_offset + (calls ? own->returns : -(__u64)own->returns);

	for (__u32 i = index + (calls ? 1 : -1); i < n; i += calls ? 1 : -1) {
		const struct weft_joinpoint *other = &joinpoints[i];

		if (other->part != own->part || (calls ? other->text_offset > wanted :
							 other->text_offset < wanted))
			break;
		if (other->text_offset == wanted && other->advice == own->advice &&
		    other->returns == own->returns &&
		    other->when == (calls ? WEFT_RETURNED : WEFT_CALLING))
			return i;
	}
	return n;
}

#endif /* WR_PLAN_RULES_H */
