/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function as the splice engine sees it: its bytes, and what is known of it that the bytes do not
 * say. Addresses are all of one space, link or live; nothing here knows which, or what they belong
 * to.
 */
#ifndef WV_FUNCTION_INFO_H
#define WV_FUNCTION_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands behind an address that code calls or jumps to. */
enum wv_callee {
	WV_CALLEE_UNKNOWN,  /* may read and change, or leave, any register */
	WV_CALLEE_COMPILED, /* keeps to the C calling convention */
	WV_CALLEE_THUNK,    /* goes on at the address that a register holds */
	WV_CALLEE_RETURN,   /* returns: a return thunk */
	WV_CALLEE_NEUTRAL,  /* changes nothing that its caller sees: ftrace's __fentry__ */
};

/* Bytes that are not what runs, or that a fault may leave. */
struct wv_rewritten {
	uint64_t address;
	uint32_t size;	 /* 0: the instruction that begins there */
	bool jumps;	 /* it is a jump to .target or a nop, and nothing else */
	/* enum weft_refusal: why nothing of it can be spliced; NONE: one instruction of it can */
	uint8_t refusal;
	uint64_t target;
};

/* Registers that the C calling convention has for arguments. */
#define WV_ARGUMENTS_MAX 6u

/* Addresses that may not be spliced whatever stands there. */
struct wv_blacklist {
	uint64_t start, end;
	uint8_t refusal; /* enum weft_refusal */
};

struct wv_function_info {
	uint64_t start;
	const uint8_t *bytes;
	size_t size;
	bool compiled; /* it and its calls keep to the C calling convention */
	/*
	 * Who calls it may know which of the registers that the convention gives away it leaves
	 * alone (GCC's -fipa-ra).
	 */
	bool ipa_ra;
	/* Wherever in it an indirect jump may go is named otherwise: its tables have been read. */
	bool resolved;
	const struct wv_rewritten *rewritten; /* ascending by address */
	size_t nr_rewritten;
	const struct wv_blacklist *forbidden;
	size_t nr_forbidden;
	/*
	 * whatever comes in from elsewhere is told to who makes displaced ranges, so that it need
	 * not be compiled code
	 */
	bool closed;
	uint64_t hook; /* calls of what stands there are ftrace's; 0: there is no such thing */
	bool assembler; /* nobody knows what an indirect jump in it computes */
	/*
	 * @ret: a THUNK's register, by its number (runtime/frame.h); how many registers with
	 * arguments a COMPILED one is given.
	 */
	enum wv_callee (*callee)(void *context, uint64_t address, unsigned int *ret);
	void *context;
};

#endif /* WV_FUNCTION_INFO_H */
