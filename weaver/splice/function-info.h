/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this folder needs to know of a function to choose splices in it: its bytes, and facts that
 * the bytes do not contain. All addresses are of one kind, link addresses or live addresses; the
 * code in this folder does not depend on which.
 */
#ifndef WV_FUNCTION_INFO_H
#define WV_FUNCTION_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of code at an address that is called or jumped to. */
enum wv_callee {
	WV_CALLEE_UNKNOWN,  /* may read or change any register */
	WV_CALLEE_COMPILED, /* keeps to the C calling convention */
	WV_CALLEE_THUNK,    /* jumps to the address in a register */
	WV_CALLEE_RETURN,   /* returns: a return thunk */
	WV_CALLEE_NEUTRAL,  /* changes nothing that its caller sees: ftrace's __fentry__ */
};

/* Bytes that the kernel rewrites, or whose address the fault handler looks up. */
struct wv_rewritten {
	uint64_t address;
	uint32_t size;	 /* size in bytes; 0: that of the instruction at .address */
	bool jumps;	 /* the bytes are always either a jump to .target or a nop */
	/*
	 * Why no splice may cover the bytes (enum weft_refusal). With NONE, a splice may cover one
	 * of the instructions alone, but no displaced range of several instructions may contain any
	 * of them.
	 */
	uint8_t refusal;
	/*
	 * the target of a jump label's jump, or of an exception's fixup; 0: other kinds have none
	 */
	uint64_t target;
};

/* Number of argument registers in the C calling convention. */
#define WV_ARGUMENTS_MAX 6u

/* A range of addresses that must not be spliced, whatever the instruction. */
struct wv_blacklist {
	uint64_t start, end;
	uint8_t refusal; /* enum weft_refusal */
};

struct wv_function_info {
	uint64_t start;
	const uint8_t *bytes;
	size_t size;
	bool compiled; /* the function and its calls follow the C calling convention */
	/*
	 * callers may rely on caller-saved registers that the function does not change (GCC's
	 * -fipa-ra)
	 */
	bool ipa_ra;
	/*
	 * All targets of the function's indirect jumps inside the function are among the branch
	 * targets that the caller supplies, because the jump tables have been read.
	 */
	bool resolved;
	const struct wv_rewritten *rewritten; /* ascending by address */
	size_t nr_rewritten;
	const struct wv_blacklist *blacklist;
	size_t nr_blacklist;
	/*
	 * Code outside of the function branches to it only at those branch targets that the caller
	 * supplies. If this is known, displaced ranges are also found in a function without
	 * .compiled; but nothing is known of its liveness.
	 */
	bool closed;
	uint64_t fentry; /* address of __fentry__, or 0 */
	/* the function is assembler code, whose indirect jumps may go to computed addresses */
	bool assembler;
	/*
	 * Returns the kind of code at @address. For a THUNK, sets *@ret to the number of the
	 * thunk's register (runtime/frame.h). For COMPILED, sets *@ret to the number of argument
	 * registers that a call passes. For other kinds *@ret means nothing.
	 */
	enum wv_callee (*callee)(void *context, uint64_t address, unsigned int *ret);
	void *context;
};

#endif /* WV_FUNCTION_INFO_H */
