/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds displaced ranges: the whole instructions that a jump splice at a shadow would cover.
 * Control must not enter such a range after its first byte: the processor would then execute the
 * middle of the jump. The functions below check that no branch leads there. The facts about a
 * function are collected once, and then serve for many addresses in it.
 *
 * Whether an instruction can run at another address is decided elsewhere (x86/relocate.h). But text
 * that another owner rewrites, or that a fault handler looks up by address, is recognised here.
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
	/*
	 * control does not continue, or the function ends, before the range is as long as the jump
	 */
	WV_DISPLACE_END,
	/*
	 * the range would have several instructions, and not all branch targets in the function are
	 * known
	 */
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
	 * Size in bytes: for FITS that of the range, and 0 for BOUNDARY. For all other answers it
	 * is the size of the shadow's own instruction, which a trap covers.
	 */
	uint8_t length;
	uint8_t instructions;
};

struct wv_displaceable;

/*
 * Decodes all of @function and notes the facts that the functions below need. @outside has
 * addresses in @function to which something outside of it leads, in any order: branches of other
 * functions (as foo.cold), fixups of faults elsewhere and, if @function's bytes are not the live
 * ones, replacements of alternatives. Addresses outside @function are ignored. Neither the bytes
 * nor @outside are needed after the call.
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
	/*
	 * .leaves is true, or the instruction is ud2, int3, int or hlt: control may not reach the
	 * next instruction
	 */
	bool stops;
	/* control never goes on to the next instruction, if the kernel does not rewrite this one */
	bool leaves;
	enum wr_filling filling;
	bool sanitize;	/* the instruction sets the direction flag or opens user memory */
};
struct wv_insn_info wv_displaceable_insn(const struct wv_displaceable *displaceable,
					 uint64_t address);

/*
 * Returns FITS if the instruction at @address may be in a displaced range, else why it may not.
 * @first says whether it is the range's first instruction or a later one. The instructions around
 * it are not considered.
 */
enum wv_displace_answer wv_displaceable_check(const struct wv_displaceable *displaceable,
					      uint64_t address, bool first);

/*
 * Returns whether all branch targets in the function are known. If they are not, a displaced range
 * can only have one instruction.
 */
bool wv_displaceable_known(const struct wv_displaceable *displaceable);

static inline void wv_cleanup_displaceable(struct wv_displaceable **displaceable)
{
	wv_displaceable_destroy(*displaceable);
}
#define _cleanup_displaceable_ __attribute__((cleanup(wv_cleanup_displaceable)))

#endif /* WV_DISPLACED_H */
