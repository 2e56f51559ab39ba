/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows: the whole instructions that a jump splice at a shadow would cover, and whether control can arrive at any of them but
 * the first, which would then run into the middle of the jump. Built once for a function, asked for many addresses.
 *
 * Whether an instruction can run elsewhere is not asked here: weft.ko decides that (kmod/text/insn.c). Only what another owner
 * rewrites, or what a fault handler looks up by its address, is known here as well.
 */
#ifndef WV_DISPLACED_H
#define WV_DISPLACED_H

#include "x86/decode.h"
#include "base/error.h"
#include "splice/function-info.h"

enum wv_window_answer {
	WV_WINDOW_FITS,
	WV_WINDOW_BOUNDARY, /* no instruction begins there */
	WV_WINDOW_OWNED,    /* it would cover text that is rewritten, or looked up by a fault */
	WV_WINDOW_ENDBR,    /* it would cover an endbr */
	WV_WINDOW_ARRIVAL,  /* a branch or a fixup goes to a byte behind the first */
	WV_WINDOW_RETURN,   /* a call in it would return to a byte behind the first */
	WV_WINDOW_END,	    /* control does not go on, or the function ends, before there are enough bytes */
	WV_WINDOW_UNKNOWN,  /* more than one instruction, in a function whose flow is not understood */
	/* Of windows that may begin before the shadow (choose.h): */
	WV_WINDOW_FIXED,    /* it would cover an instruction that cannot run elsewhere, or may not be spliced */
	WV_WINDOW_LONG,	    /* more bytes or instructions than a window can have */
	WV_WINDOW_TAKEN,    /* it would overlap another window of the same aspect */
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

/* What is known of the instruction at @address. */
struct wv_spot {
	uint8_t length; /* 0: none begins there */
	bool arrival;	/* control comes in at its first byte from elsewhere than the instruction before */
	bool owned, endbr, call;
	bool stops;	/* control does not go on behind it, or nothing says so */
	bool leaves;	/* control does not go on behind it */
	bool padding;	/* nop or int3 */
};
struct wv_spot wv_windows_spot(const struct wv_windows *windows, uint64_t address);

/*
 * FITS, or why the instruction at @address can be no part of a window, or, where @first is not set, none but its first; not what
 * follows from what stands before or behind it.
 */
enum wv_window_answer wv_windows_check(const struct wv_windows *windows, uint64_t address, bool first);

/* Whether nothing arrives in the middle of a window that it does not know of. */
bool wv_windows_known(const struct wv_windows *windows);

static inline void wv_cleanup_windows(struct wv_windows **windows)
{
	wv_windows_destroy(*windows);
}
#define _cleanup_windows_ __attribute__((cleanup(wv_cleanup_windows)))

#endif /* WV_DISPLACED_H */
