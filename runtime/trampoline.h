/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trampoline emitter: from what is known of a displaced range's instructions and the advice
 * calls before them, to machine code. Freestanding C: weft.ko runs it on a live kernel, tests run
 * it natively. It knows bytes and addresses, neither kernels nor processes; it allocates nothing
 * and cannot sleep.
 *
 * A trampoline, for each instruction of the displaced range, and once more behind the last:
 *
 *	pushfq				where the flags are live
 *	push %rax ...			what C may clobber and is live
 *	(a block for each advice that comes before this instruction)
 *	pop  %rax ...
 *	popfq
 *	(the instruction, relocated)
 * and at the end
 *	jmp  behind the displaced range
 *
 * Where an advice names registers they are stored in a struct weft_frame instead of being pushed.
 * Where nobody knows whether the code around changes the direction flag or opens user memory
 * (WR_TRAMPOLINE_SANITIZE), `cld; clac` come after pushfq, and popfq always comes.
 *
 * Where an advice calls others (WR_CALLERS) and frame pointers are how stack traces get through
 * here (WR_PLATFORM_FRAMES), what is saved stands behind a frame of its own, as if the shadow had
 * called the trampoline:
 *
 *	push $address of the instruction + 1	 an unwinder looks one byte before; a call's is
 *						there already
 *	push %rbp
 *	(what is saved)
 *	lea  distance(%rsp), %rbp
 *	...
 *	pop  %rbp
 *	lea  8(%rsp), %rsp
 *
 * A block, which starts with an instruction of five bytes or more, so that a jump over it can take
 * it out:
 *
 *	incl %gs:preempt_count		the advice stays on this CPU
 *	mov  %gs:preempt_count, %eax	which tells the context: task < softirq < interrupt < NMI
 *	cmpq $idle, %gs:guard		does advice run here already?
 *	jne  nested
 *	mov  %rax, %gs:guard
 *	incq %gs:hits
 *	lea  (%rsp), %rdi		where there is a frame
 *	mov  $shadow, %rsi
 *	call entry
 *	movq $idle, %gs:guard
 * leave:
 *	decl %gs:preempt_count
 *	je   reschedule			the count has a bit that is 0 while a reschedule is due
 * end:
 * and behind the trampoline's last jump
 * nested:
 *	mov  %gs:guard, %ecx
 *	and  $context_mask, %ecx
 *	shl  $4, %ecx			see WR_GUARD_SHIFT
 *	mov  %eax, %edx
 *	and  $context_mask, %edx
 *	cmp  %edx, %ecx			in this context or a higher one?
 *	jge  missed
 *	pushq %gs:guard
 *	mov  %rax, %gs:guard
 *	incq %gs:hits
 *	lea  8(%rsp), %rdi
 *	mov  $shadow, %rsi
 *	call entry
 *	popq %gs:guard
 *	jmp  leave
 * missed:
 *	incq %gs:missed
 *	jmp  leave
 * reschedule:
 *	call host.reschedule
 *	jmp  end
 *
 * Who interrupts a block, at whatever instruction, leaves guard as he found it, so the look at it
 * and the store need not be one.
 *
 * The block of an advice without an entry is `incq %gs:hits`: a counter, which clobbers nothing but
 * flags. Where 32 bits do not say where hits is, it is `mov $hits, %reg; incq %gs:(%reg)`, in a
 * dead register, or in a saved one where none is dead.
 *
 * A relocated instruction does what it did at its own address. The cases that need thought:
 *  - a rip-relative operand: the displacement is counted from the new place;
 *  - a direct jump or conditional jump: becomes the 32-bit form with the same target;
 *  - a call: becomes `push $return; jmp target`. The return address stays the original one, because
 *    a callee may sleep for any time and stack walkers, and the code that frees the trampoline,
 *    must find no address of the trampoline on its stack. So a call can only be a displaced range's
 *    last. Where 32 bits do not say it (WR_PLATFORM_HIGH) the upper half is stored over the push's;
 *  - a call whose splice is a call (WR_TRAMPOLINE_CALLED): the return address is on the stack
 *    already, and `jmp target` is all.
 */
#ifndef WEFT_TRAMPOLINE_H
#define WEFT_TRAMPOLINE_H

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
	/* 1: what stands behind it is not its successor (jumps, returns, calls) */
	__u8 ends;
	__u8 reserved[3];
	__u64 address; /* live: where it stands */
	/* live: JUMP, JUMP_COND, CALL: where it goes; rip-relative: what it addresses */
	__u64 target;
};

/*
 * The most instructions that a displaced range can have. Four of one byte and the one that reaches
 * the fifth, and four more before or behind them that are too short for a displaced range of their
 * own.
 */
#define WR_DISPLACED_INSNS 9

/* Where the trampolines run: its per-CPU variables, as offsets from the %gs base. */
struct wr_platform {
	__u64 preempt_count;
	__u64 guard;	    /* a 64-bit variable; WR_GUARD_IDLE where no advice runs */
	/* live address of a function that keeps all registers; 0: a count of 0 means nothing */
	__u64 reschedule;
	/* preempt_count's bits that tell contexts apart, higher contexts' in higher bits */
	__u32 context_mask;
	__u32 flags;
};

#define WR_PLATFORM_COUNTS 1u   /* preempt_count keeps the scheduler away */
#define WR_PLATFORM_CLAC 2u	    /* the processor has SMAP, and this is a kernel */
#define WR_PLATFORM_RED_ZONE \
	4u /* 128 bytes below the stack pointer belong to the code around: a process */
#define WR_PLATFORM_FRAMES 16u  /* stack traces go through trampolines by frame pointers */
#define WR_PLATFORM_HIGH 8u	/* return addresses are anywhere, not in the top 2 GiB: a process */

/*
 * While advice runs, guard holds the preemption count it runs with. That one's context shifted by
 * this is more than any context that is as high, less than any higher one. The count of NMIs is
 * four bits wide and the highest, so that an NMI within an NMI is kept out however deep it is.
 */
#define WR_GUARD_SHIFT 4
#define WR_GUARD_IDLE (-1)

/* An advice before one of the displaced range's instructions, or behind the last. */
struct wr_call {
	__u64 entry;  /* in: live address of the advice; 0: only count */
	__u64 shadow; /* in: its second argument */
	__u64 hits, missed; /* in: per-CPU counters */
	/*
	 * in: index of the instruction it comes before; nr_insns: behind the last, which does not
	 * end; ascending
	 */
	__u32 at;
	__u32 live;   /* in: WR_BIT()s that are live there */
	__u32 needs;  /* in: WR_BIT()s that it reads from the frame */
	__u32 start;  /* out: of its block in the trampoline */
	__u32 end;    /* out: behind the block */
	/* the emitter's own: for what is written last */
	__u32 from_nested, from_reschedule, leave, framed;
};

enum wr_trampoline_error {
	/*
	 * something is farther than 2 GiB, or not in the top 2 GiB where a return address must be
	 */
	WR_TRAMPOLINE_RANGE = 1,
	WR_TRAMPOLINE_ROOM = 2,  /* the buffer is too small */
};

#define WR_TRAMPOLINE_SANITIZE 1u /* the direction flag may be set, user memory may be open */
#define WR_TRAMPOLINE_CALLED 2u  /* a call leads here; the displaced range is one call */

struct wr_trampoline {
	const struct wr_platform *platform;
	const struct wr_insn *insns; /* the displaced range's, one behind the other */
	__u32 nr_insns;
	__u32 flags;
	struct wr_call *calls;
	__u32 nr_calls;
};

/* The most bytes that a trampoline with @calls advices and @insns instructions may have. */
__u32 wr_trampoline_bound(__u32 insns, __u32 calls);

/*
 * Emits @trampoline to @buffer (of @size bytes), as it has to be when it will run at live address
 * @address. Returns the length, or -enum wr_trampoline_error.
 */
int wr_trampoline_emit(__u8 *buffer, __u32 size, __u64 address,
		       const struct wr_trampoline *trampoline);

/*
 * Writes the jump over the block of @call, which was emitted to @buffer: the advice does not run
 * until those bytes are as they were. Only as long as nobody can reach the code: it is a plain
 * write.
 */
void wr_trampoline_skip(__u8 *buffer, const struct wr_call *call);

#endif /* WEFT_TRAMPOLINE_H */
