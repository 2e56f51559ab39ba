/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows: the whole instructions that a jump splice at a shadow would cover, and whether control can arrive at any of them but
 * the first, which would then run into the middle of the jump. Built once for a function, asked for many addresses.
 *
 * Whether an instruction can run elsewhere is not asked here: weft.ko decides that (kmod/insn.c). Only what another owner
 * rewrites, or what a fault handler looks up by its address, is known here as well.
 */
#ifndef WEFT_SPLICE_WINDOW_H
#define WEFT_SPLICE_WINDOW_H

#include "base/decode.h"
#include "base/error.h"
#include "splice/function.h"

enum wv_window_answer {
	WV_WINDOW_FITS,
	WV_WINDOW_BOUNDARY, /* no instruction begins there */
	WV_WINDOW_OWNED,    /* it would cover text that is rewritten, or looked up by a fault */
	WV_WINDOW_ENDBR,    /* it would cover an endbr */
	WV_WINDOW_ARRIVAL,  /* a branch or a fixup goes to a byte behind the first */
	WV_WINDOW_RETURN,   /* a call in it would return to a byte behind the first */
	WV_WINDOW_END,	    /* control does not go on, or the function ends, before there are enough bytes */
	WV_WINDOW_UNKNOWN,  /* more than one instruction, in a function whose flow is not understood */
	WV_WINDOW_ANSWERS
};

struct wv_window {
	enum wv_window_answer answer;
	/* FITS: all of it; else the shadow's own instruction, which a trap covers. BOUNDARY: 0. */
	uint8_t length;
	uint8_t instructions;
};

struct wv_windows;

/*
 * @outside: where control comes in from beyond @function, in any order: branches of other functions, as from foo.cold, fixups
 * of faults elsewhere, and, where @function's bytes are not the live ones, the targets of replacements.
 * Addresses not in @function do no harm. Neither the bytes nor @outside are needed after the call.
 */
int wv_windows_create(const struct wv_function *function, const uint64_t *outside, size_t nr_outside,
		      struct wv_decoder *decoder, struct wv_windows **ret, struct wv_error *error);
void wv_windows_destroy(struct wv_windows *windows);

/* The smallest window of at least WEFT_JUMP_SIZE bytes at @address, or why there is none. */
void wv_window_at(const struct wv_windows *windows, uint64_t address, struct wv_window *ret);

static inline void wv_cleanup_windows(struct wv_windows **windows)
{
	wv_windows_destroy(*windows);
}
#define _cleanup_windows_ __attribute__((cleanup(wv_cleanup_windows)))

#endif /* WEFT_SPLICE_WINDOW_H */
