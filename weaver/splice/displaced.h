/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Displaced ranges: the whole instructions that a jump splice at a shadow would cover, and whether
 * control can enter the range after its first byte, which would execute the middle of the jump.
 * Built once for a function, queried for many addresses.
 *
 * Whether an instruction can run at another address is decided elsewhere (x86/relocate.h). Only
 * text that another owner rewrites, or that a fault handler looks up by address, is checked here as
 * well.
 */
#ifndef WV_DISPLACED_H
#define WV_DISPLACED_H

#include "x86/decode.h"
#include "base/error.h"
#include "splice/function-info.h"

enum wv_displace_answer {
	WV_DISPLACE_FITS,
	WV_DISPLACE_BOUNDARY, /* no instruction begins at the address */
	/*
	 * the range would cover text that another owner rewrites, or that a fault handler looks up
	 */
	WV_DISPLACE_OWNED,
	WV_DISPLACE_ENDBR,    /* the range would cover an endbr */
	/* a branch or a fixup leads to a byte of the range after the first */
	WV_DISPLACE_BRANCH_TARGET,
	WV_DISPLACE_RETURN,   /* a call in the range would return to a byte after the first */
	/* after too few bytes control does not continue, or the function ends */
	WV_DISPLACE_END,
	/* several instructions, in a function whose control flow is not fully known */
	WV_DISPLACE_UNKNOWN,
	/*
	 * The following answers are only for displaced ranges that may begin before the shadow
	 * (choose.h).
	 */
	/*
	 * the range would cover an instruction that cannot run at another address, or must not be
	 * spliced
	 */
	WV_DISPLACE_FIXED,
	/* the range would exceed the maximum bytes or instructions */
	WV_DISPLACE_LONG,
	/* the range would overlap another displaced range of the same aspect */
	WV_DISPLACE_TAKEN,
	WV_DISPLACE_ANSWERS
};

struct wv_displaced {
	enum wv_displace_answer answer;
	/*
	 * Size in bytes. FITS: size of the range. BOUNDARY: 0. All other answers: size of the
	 * shadow's own instruction, which a trap covers.
	 */
	uint8_t length;
	uint8_t instructions;
};

struct wv_displaceable;

/*
 * Sweeps over @function and notes what is needed for queries.
 * @outside: branch targets in @function from elsewhere, in any order: branches of other functions
 *           (as foo.cold), fixups of faults elsewhere and, if @function's bytes are not the live
 *           ones, the targets of replacements. Addresses outside @function are ignored.
 * Neither the bytes nor @outside are needed after the call.
 */
int wv_displaceable_create(const struct wv_function_info *function, const uint64_t *outside,
			   size_t nr_outside, struct wv_decoder *decoder,
			   struct wv_displaceable **ret, struct wv_error *error);
void wv_displaceable_destroy(struct wv_displaceable *displaceable);

/*
 * Finds the shortest displaced range of at least WEFT_JUMP_SIZE bytes that begins at @address, or
 * the reason why there is none, and stores it in *@ret.
 */
void wv_displaced_at(const struct wv_displaceable *displaceable, uint64_t address,
		     struct wv_displaced *ret);

/* Facts about the instruction at @address. */
struct wv_insn_info {
	uint8_t length; /* length of the instruction; 0: none begins there */
	/* control may reach the instruction's first byte other than from the instruction before */
	bool branch_target;
	bool owned, endbr, call;
	bool stops;	/* control may not continue after the instruction */
	bool leaves;	/* control certainly does not continue after the instruction */
	enum wr_filling filling;
	bool sanitize;	/* the instruction sets the direction flag or opens user memory */
};
struct wv_insn_info wv_displaceable_insn(const struct wv_displaceable *displaceable,
					 uint64_t address);

/*
 * Returns FITS, or why the instruction at @address cannot be in a displaced range: as the range's
 * first instruction (@first), or as a later one. Neighbouring instructions are not considered.
 */
enum wv_displace_answer wv_displaceable_check(const struct wv_displaceable *displaceable,
					      uint64_t address, bool first);

/*
 * Returns whether all branch targets in the function are known. If not, a displaced range is one
 * instruction only.
 */
bool wv_displaceable_known(const struct wv_displaceable *displaceable);

static inline void wv_cleanup_displaceable(struct wv_displaceable **displaceable)
{
	wv_displaceable_destroy(*displaceable);
}
#define _cleanup_displaceable_ __attribute__((cleanup(wv_cleanup_displaceable)))

#endif /* WV_DISPLACED_H */
