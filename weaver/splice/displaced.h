/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Displaced ranges: the whole instructions that a jump splice at a shadow would cover, and whether
 * control can arrive at any of them but the first, which would then run into the middle of the
 * jump. Built once for a function, asked for many addresses.
 *
 * Whether an instruction can run elsewhere is not asked here (relocate.h). Only what another owner
 * rewrites, or what a fault handler looks up by its address, is known here as well.
 */
#ifndef WV_DISPLACED_H
#define WV_DISPLACED_H

#include "x86/decode.h"
#include "base/error.h"
#include "splice/function-info.h"

enum wv_displace_answer {
	WV_DISPLACE_FITS,
	WV_DISPLACE_BOUNDARY, /* no instruction begins there */
	WV_DISPLACE_OWNED,    /* it would cover text that is rewritten, or looked up by a fault */
	WV_DISPLACE_ENDBR,    /* it would cover an endbr */
	WV_DISPLACE_BRANCH_TARGET,  /* a branch or a fixup goes to a byte behind the first */
	WV_DISPLACE_RETURN,   /* a call in it would return to a byte behind the first */
	/* control does not go on, or the function ends, before there are enough bytes */
	WV_DISPLACE_END,
	/* more than one instruction, in a function whose flow is not understood */
	WV_DISPLACE_UNKNOWN,
	/* Of displaced ranges that may begin before the shadow (choose.h): */
	/* it would cover an instruction that cannot run elsewhere, or may not be spliced */
	WV_DISPLACE_FIXED,
	WV_DISPLACE_LONG,	    /* more bytes or instructions than a displaced range can have */
	WV_DISPLACE_TAKEN,    /* it would overlap another displaced range of the same aspect */
	WV_DISPLACE_ANSWERS
};

struct wv_displaced {
	enum wv_displace_answer answer;
	/* FITS: all of it; else the shadow's own instruction, which a trap covers. BOUNDARY: 0. */
	uint8_t length;
	uint8_t instructions;
};

struct wv_displaceable;

/*
 * @outside: where control comes in from beyond @function, in any order: branches of other
 *           functions, as from foo.cold, fixups of faults elsewhere, and, where @function's bytes
 *           are not the live ones, the targets of replacements. Addresses not in @function do no
 *           harm. Neither the bytes nor @outside are needed after the call.
 */
int wv_displaceable_create(const struct wv_function_info *function, const uint64_t *outside,
			   size_t nr_outside, struct wv_decoder *decoder,
			   struct wv_displaceable **ret, struct wv_error *error);
void wv_displaceable_destroy(struct wv_displaceable *displaceable);

/*
 * The smallest displaced range of at least WEFT_JUMP_SIZE bytes at @address, or why there is none.
 */
void wv_displaced_at(const struct wv_displaceable *displaceable, uint64_t address,
		     struct wv_displaced *ret);

/* What is known of the instruction at @address. */
struct wv_insn_info {
	uint8_t length; /* 0: none begins there */
	/* control comes in at its first byte from elsewhere than the instruction before */
	bool branch_target;
	bool owned, endbr, call;
	bool stops;	/* control does not go on behind it, or nothing says so */
	bool leaves;	/* control does not go on behind it */
	enum wr_filling filling;
	bool sanitize;	/* it sets the direction flag or opens user memory */
};
struct wv_insn_info wv_displaceable_insn(const struct wv_displaceable *displaceable,
					 uint64_t address);

/*
 * FITS, or why the instruction at @address can be no part of a displaced range, or, where @first is
 * not set, none but its first; not what follows from what stands before or behind it.
 */
enum wv_displace_answer wv_displaceable_check(const struct wv_displaceable *displaceable,
					      uint64_t address, bool first);

/* Whether nothing arrives in the middle of a displaced range that it does not know of. */
bool wv_displaceable_known(const struct wv_displaceable *displaceable);

static inline void wv_cleanup_displaceable(struct wv_displaceable **displaceable)
{
	wv_displaceable_destroy(*displaceable);
}
#define _cleanup_displaceable_ __attribute__((cleanup(wv_cleanup_displaceable)))

#endif /* WV_DISPLACED_H */
