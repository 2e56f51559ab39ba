/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The patch emitter: from what is known of one instruction and the advice calls before it, to
 * machine code. Freestanding C: weft.ko runs it on a live kernel, tests run it natively. It knows
 * bytes and addresses, neither kernels nor processes; it allocates nothing and cannot sleep.
 *
 * A patch (all addresses live):
 *
 * 	pushfq				the frame's flags
 * 	cld				C expects it; memmove's backward copy runs with it set
 * 	lea   -128(%rsp), %rsp		room for the registers: struct weft_frame
 * 	mov   %rax, 0(%rsp) ...		what C may clobber, and what the advices name
 * 	mov   %rsp, %rdi		\
 * 	movabs $shadow, %rsi		 | for each advice
 * 	call  entry			/
 * 	mov   0(%rsp), %rax ...		what C may clobber
 * 	lea   128(%rsp), %rsp
 * 	popfq
 * 	(the relocated sequence)
 * 	jmp   resume
 *
 * The relocated sequence does what the original instruction did at its own address. The cases that
 * need thought:
 *  - a rip-relative operand: the displacement is counted from the new place;
 *  - a direct jump or conditional jump: becomes the 32-bit form with the same target;
 *  - a call: becomes `push $return; jmp target`. The return address stays the original one, because a callee may sleep for
 *    any time and stack walkers, and the code that frees the patch, must find no address of the patch on its stack.
 */
#ifndef WEFT_PATCH_H
#define WEFT_PATCH_H

#include <linux/types.h>

#include "abi.h"

enum wr_insn_kind {
	WR_INSN_PLAIN,	       /* the same bytes do the same anywhere */
	WR_INSN_RIP,	       /* one operand is rip-relative */
	WR_INSN_JUMP,	       /* jmp rel8/rel32 */
	WR_INSN_JUMP_COND,     /* jcc rel8/rel32 */
	WR_INSN_CALL,	       /* call rel32 */
	WR_INSN_CALL_INDIRECT, /* call *reg, call *mem, also rip-relative */
};

/* One decoded instruction: as much as relocation needs. Filled by each world's own decoder. */
struct wr_insn {
	__u8 bytes[WEFT_INSN_MAX];
	__u8 length;
	__u8 kind;	   /* enum wr_insn_kind */
	__u8 condition;	   /* JUMP_COND: the low four bits of its opcode */
	__u8 modrm_offset; /* CALL_INDIRECT */
	__u8 disp_offset;  /* of the rip-relative displacement; 0: there is none */
	__u8 reserved[4];
	__u64 address; /* live: where it stands */
	__u64 target;  /* live: JUMP, JUMP_COND, CALL: where it goes; rip-relative: what it addresses */
};

/* An advice call in a patch. */
struct wr_call {
	__u64 entry;  /* in: live address of the aspect's entry function */
	__u64 shadow; /* in: its second argument */
	__u32 offset; /* out: of the 5-byte call instruction in the patch */
};

enum wr_patch_error {
	WR_PATCH_RANGE = 1, /* something is farther than 2 GiB, or not in the top 2 GiB where a return address must be */
	WR_PATCH_ROOM = 2,  /* the buffer is too small */
};

/*
 * What a patch does beyond saving and calling; WR_PATCH_CLAC on a processor that has SMAP, in a
 * kernel.
 */
#define WR_PATCH_CLAC 1u

/* The most bytes that a patch with @calls advice calls may have. */
__u32 wr_patch_bound(__u32 calls);

/*
 * Emits the patch for @insn to @buffer (of @size bytes), as it has to be when it will run at live
 * address @address. @needs: WR_BIT()s of registers to store beyond the caller-saved. Returns the
 * length, or -enum wr_patch_error.
 */
int wr_patch_emit(__u8 *buffer, __u32 size, __u64 address, const struct wr_insn *insn, __u32 needs,
		  __u32 flags, struct wr_call *calls, __u32 nr_calls);

#endif /* WEFT_PATCH_H */
