/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trampoline emitter: it makes machine code from the decoded instructions of a displaced range
 * and the advice calls before each of them. Freestanding C: weft.ko runs it in a live kernel, the
 * tests run it natively. It only handles bytes and addresses, allocates nothing and does not sleep.
 *
 * A trampoline has, for each instruction of the displaced range and once more after the last:
 *
 *	pushfq				where the flags are live
 *	push %rax ...			registers that C may clobber and that are live
 *	(a block for each advice that runs before this instruction)
 *	pop  %rax ...
 *	popfq
 *	(the instruction, relocated)
 * and at the end
 *	jmp  to the byte after the displaced range
 *
 * If an advice names registers, they are stored in a struct weft_frame instead of being pushed.
 * If the surrounding code may set the direction flag or open user memory (WR_TRAMPOLINE_SANITIZE),
 * `cld; clac` follow pushfq, and pushfq and popfq are always emitted.
 *
 * If an advice needs its callers (WR_CALLERS) and stack traces use frame pointers
 * (WR_PLATFORM_FRAMES), the saved registers are preceded by a stack frame, as if the shadow had
 * called the trampoline:
 *
 *	push $address of the instruction + 1	 an unwinder looks up the byte before; if a call
 *						led here, the address is on the stack already
 *	push %rbp
 *	(saved registers)
 *	lea  distance(%rsp), %rbp
 *	...
 *	pop  %rbp
 *	lea  8(%rsp), %rsp
 *
 * The block of an advice starts with an instruction of five bytes or more, so that a jump over the
 * block can be written there to disable it:
 *
 *	incl %gs:preempt_count		the advice stays on this CPU
 *	mov  %gs:preempt_count, %eax	contains the context: task < softirq < interrupt < NMI
 *	cmpq $idle, %gs:guard		is advice running on this CPU already?
 *	jne  nested
 *	mov  %rax, %gs:guard
 *	incq %gs:hits
 *	lea  (%rsp), %rdi		if there is a frame
 *	mov  $shadow, %rsi
 *	call entry
 *	movq $idle, %gs:guard
 * leave:
 *	decl %gs:preempt_count		WR_PLATFORM_COUNT64: incq, decq
 *	je   reschedule			the count has a bit that is 0 while a reschedule is due
 * end:
 * and, out of line, after the trampoline's last jump
 * nested:
 *	mov  %gs:guard, %ecx
 *	and  $context_mask, %ecx
 *	mov  %eax, %edx
 *	and  $context_mask, %edx
 *	shr  $4, %edx			see WR_GUARD_SHIFT
 *	cmp  %edx, %ecx			in this context or a higher one?
 *	jae  missed
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
 *	call platform.reschedule
 *	jmp  end
 *
 * Interrupts restore guard, so test-and-set need not be atomic.
 *
 * The block of an advice that is asked for first (.asks) begins with
 *	mov  $shadow, %rdi
 *	lea  distance(%rsp), %rsi	the stack pointer at the shadow
 *	call asks
 *	test %al, %al
 *	je   end
 * and a block that only notes a call (.notes) is that, with jne, and `incq %gs:missed` after it.
 *
 * Around-advice (.around) of a function is at the function's first instruction. Its block is one
 * jump, after the registers are restored:
 *
 *	jmp  around
 * original:
 *	endbr64				WR_PLATFORM_ENDBR
 *	(the next block, or the instruction)
 *
 * The advice is a function in the function's place: its return address is on the stack, and the
 * argument registers are as the caller has set them. To run the function it calls `original`. So
 * no address of the trampoline is on the stack then, either. If the function begins with a call
 * whose splice is a call (WR_TRAMPOLINE_CALLED), that has pushed a return address, which the
 * function's callers do not know:
 *
 *	lea  8(%rsp), %rsp
 *	jmp  around
 * end:
 * and, out of line
 * original:
 *	endbr64				WR_PLATFORM_ENDBR
 *	push $return
 *	jmp  end
 *
 * Around-advice of a call (.of_call) is at the last displaced instruction, which is the call or a
 * jump to another function (a tail call), and its blocks are the last ones. It is a function in the
 * place of the function that is called. Instead of the call, the trampoline has
 *
 *	push $return			unless it is a jump, or WR_TRAMPOLINE_CALLED
 *	mov  target, %through		only if the advice wants the call's target
 *	jmp  around
 * original:
 *	endbr64				WR_PLATFORM_ENDBR
 *	(the next such block)
 *	jmp  target			or through %through, or through the thunk of that register
 *
 * The target of an indirect call is computed before the advice runs, since the registers that it is
 * computed from belong to the caller. It is passed in an argument register that the function which
 * is called has no argument in.
 *
 * The block of an advice without an entry is `incq %gs:hits`: it only counts and clobbers nothing
 * but flags. If the address of hits does not fit in 32 bits, the block is
 * `mov $hits, %reg; incq %gs:(%reg)`, with a dead register, or a saved one if none is dead.
 *
 * A relocated instruction has the same effect as at its original address. Special cases:
 *  - a rip-relative operand: the displacement is adjusted to the new address;
 *  - a direct jump or conditional jump: becomes the 32-bit form with the same target;
 *  - a call: becomes `push $return; jmp target`. The return address stays the original one: the
 *    callee may sleep for any time, and stack walkers, as well as the code that frees the
 *    trampoline, must not find an address of the trampoline on its stack. So a call can only be the
 *    last instruction of a displaced range. If the address does not fit in 32 bits
 *    (WR_PLATFORM_HIGH), its upper half is then stored over that of the pushed value;
 *  - a return, an indirect jump or call: an int3 follows, against straight-line speculation. On
 *    processors with ITS the kernel replaces such instructions by branches to thunks, unless they
 *    end in the upper half of a cache line; so in the trampoline they are placed to end there, too
 *    (WR_PLATFORM_UPPER_HALF);
 *  - a call whose splice is a call (WR_TRAMPOLINE_CALLED): the return address is on the stack
 *    already, so `jmp target` suffices.
 */
#ifndef WEFT_TRAMPOLINE_H
#define WEFT_TRAMPOLINE_H

#include <linux/types.h>

#include "abi.h"
#include "frame.h"
#include "trampoline-error.h"

enum wr_insn_kind {
	WR_INSN_PLAIN,	       /* runs at any address: the bytes are copied */
	WR_INSN_RIP,	       /* one operand is rip-relative */
	WR_INSN_JUMP,	       /* jmp rel8/rel32 */
	WR_INSN_JUMP_COND,     /* jcc rel8/rel32 */
	WR_INSN_CALL,	       /* call rel32 */
	WR_INSN_CALL_INDIRECT, /* call *reg, call *mem, also rip-relative */
};

/*
 * One decoded instruction, as far as relocation needs it. Filled by wr_rules_relocate()
 * (x86-rules.h).
 */
struct wr_insn {
	__u8 bytes[WEFT_INSN_MAX];
	__u8 length;
	__u8 kind;	   /* enum wr_insn_kind */
	__u8 condition;	   /* JUMP_COND: the low four bits of its opcode */
	__u8 modrm_offset; /* CALL_INDIRECT: offset of its ModRM byte */
	__u8 disp_offset;  /* offset of the rip-relative displacement; 0: there is none */
	/* 1: control does not continue at the next instruction (jumps, returns, calls) */
	__u8 ends;
	__u8 reserved[3];
	__u64 address; /* its original live address */
	/*
	 * live: the target of JUMP, JUMP_COND or CALL; the address that a rip-relative operand
	 * refers to
	 */
	__u64 target;
};

/*
 * The maximum number of instructions in a displaced range: four of one byte, the one that reaches
 * the fifth byte, and four more before or after them that are too short for a displaced range of
 * their own.
 */
#define WR_DISPLACED_INSNS 9

/*
 * The environment that trampolines run in. Per-CPU variables are given as offsets from the %gs
 * base.
 */
struct wr_platform {
	__u64 preempt_count; /* 32 or 64 bits; see WR_PLATFORM_COUNT64 */
	__u64 guard;	    /* the nesting guard, 64 bits; WR_GUARD_IDLE while no advice runs */
	/*
	 * live address of the function that reschedules, and preserves all registers; 0: a count of
	 * 0 needs no action
	 */
	__u64 reschedule;
	/*
	 * the bits of preempt_count that contain the context (softirq, interrupt, NMI), none of
	 * them below WR_GUARD_SHIFT; higher contexts use higher bits
	 */
	__u32 context_mask;
	__u32 flags;
};

/* Bits of wr_platform.flags. COUNTS: an increment of preempt_count disables preemption. */
#define WR_PLATFORM_COUNTS 1u
/* the processor has SMAP, and the code runs in a kernel: clac is needed */
#define WR_PLATFORM_CLAC 2u
#define WR_PLATFORM_RED_ZONE \
	4u /* in user space (tests): the 128 bytes below the stack pointer are in use */
/* stack traces unwind through trampolines by frame pointers */
#define WR_PLATFORM_FRAMES 16u
/* in user space (tests): return addresses may be outside the top 2 GiB */
#define WR_PLATFORM_HIGH 8u
/* a return or an indirect jump must end in the upper half of its cache line (ITS) */
#define WR_PLATFORM_UPPER_HALF 32u
/*
 * preempt_count has 64 bits: the bit that is 0 while a reschedule is due is in the upper half, the
 * counts are in the lower half. Without this flag it has 32 bits, and that bit is the highest.
 */
#define WR_PLATFORM_COUNT64 64u
/* the target of an indirect call must be an endbr64 */
#define WR_PLATFORM_ENDBR 128u

/*
 * While advice runs, the lower half of the guard is the preemption count at the entry of the hit,
 * and trampolines read only this half. They write 0 to the upper half, and save and restore it
 * around a hit that interrupts another; so a mark that weft.ko puts there belongs to one hit
 * (frame.h). At another hit, the context bits of the guard are compared with those of the current
 * count, shifted right by this number. They are not less in the same or a lower context, and less
 * in a higher context. The NMI count is at most four bits wide and has the highest bits, so advice
 * never runs within advice in nested NMIs, at any depth. Shifting the guard left instead would lose
 * the NMI count in kernels where that has the highest of 32 bits (since 7.3).
 */
#define WR_GUARD_SHIFT 4
#define WR_GUARD_IDLE (-1)

/* One call of advice, before one of the displaced instructions or after the last. */
struct wr_call {
	/*
	 * in: live address of the advice's entry; 0: there is no advice, and executions are only
	 * counted
	 */
	__u64 entry;
	__u64 shadow; /* in: the second argument of the entry */
	/* in: offsets from the %gs base of the per-CPU counters of hits and of missed executions */
	__u64 hits, missed;
	/*
	 * in: live address of a C function, which is called with .shadow and the stack pointer at
	 * the shadow. The block continues only if this function returns true. 0: the block always
	 * continues.
	 */
	__u64 asks;
	/* in: of around-advice: live address of its entry, and .entry and .asks are 0; else 0 */
	__u64 around;
	/*
	 * in: of around-advice of a call: the target of the call. If that is not FIXED, .through
	 * must be a register
	 */
	const struct wr_target *target;
	/*
	 * in: of around-advice of a call: live address of the kernel's thunk that jumps to the
	 * address in register .through, where indirect branches have to take one; 0: they need not
	 */
	__u64 thunk;
	/*
	 * in: index of the displaced instruction before which the call runs; calls ascend by this
	 * index. nr_insns: after the last instruction, which then has .ends 0.
	 */
	__u32 at;
	__u32 live;   /* in: WR_BIT()s of the registers and flags that are live at the shadow */
	__u32 needs;  /* in: WR_BIT()s that the advice reads from the frame */
	/*
	 * in: 1: the block does nothing but call .asks; if that returns false, the execution is
	 * counted as missed
	 */
	__u32 notes;
	/* in: 1: around-advice of the call that the instruction is; 0: of the function */
	__u8 of_call;
	/*
	 * in: of around-advice of a call: enum wr_register of the argument in which the advice
	 * wants the call's target; WR_NONE: it does not want it
	 */
	__u8 through;
	__u32 start;  /* out: offset in the trampoline where the code of this call begins */
	__u32 end; /* out: offset where the code of this call ends */
	/* out: of around-advice: offset of the code that runs what the advice stands for */
	__u32 original;
	/*
	 * private to the emitter, for the out-of-line code: offsets, and whether there is a struct
	 * weft_frame
	 */
	__u32 from_nested, from_reschedule, leave, framed;
};

#define WR_TRAMPOLINE_SANITIZE 1u /* the direction flag may be set, user memory may be open */
/* the displaced range is one call, and its splice is a call of the trampoline */
#define WR_TRAMPOLINE_CALLED 2u

struct wr_trampoline {
	const struct wr_platform *platform;
	const struct wr_insn *insns; /* the instructions of the displaced range, contiguous */
	__u32 nr_insns;
	__u32 flags;
	struct wr_call *calls;
	__u32 nr_calls;
};

/* Upper bound of the bytes of a trampoline with @calls advices and @insns instructions. */
__u32 wr_trampoline_bound(__u32 insns, __u32 calls);

/*
 * Emits @trampoline to @buffer (of @size bytes), for execution at live address @address. Returns
 * the length in bytes, or -enum wr_trampoline_error.
 */
int wr_trampoline_emit(__u8 *buffer, __u32 size, __u64 address,
		       const struct wr_trampoline *trampoline);

/*
 * Emits `endbr64; jmp @target` to @buffer (of @size bytes), for execution at live address @address:
 * what around-advice calls in place of `original` once its splice is out of the text. Returns the
 * length in bytes, at most WR_TRAMPOLINE_EXIT, or -enum wr_trampoline_error.
 */
#define WR_TRAMPOLINE_EXIT 40
int wr_trampoline_exit(__u8 *buffer, __u32 size, __u64 address, __u64 target);

/*
 * As wr_trampoline_exit(), for advice around a call: emits a jump to the target of that call.
 * @call: the advice. The platform's flags say how an indirect jump has to be placed.
 */
int wr_trampoline_exit_call(__u8 *buffer, __u32 size, __u64 address,
			    const struct wr_platform *platform, const struct wr_call *call);

/*
 * Writes the jump over the block of @call in @buffer: the advice does not run until the original
 * bytes are restored. A plain write: no CPU may be able to reach the code yet.
 */
void wr_trampoline_skip(__u8 *buffer, const struct wr_call *call);

/*
 * Returns the shadow (wr_call.shadow) of the advice call that ends at @end, the byte after it in a
 * trampoline; 0: no advice call ends there. WR_TRAMPOLINE_CALL bytes before @end must be
 * readable.
 */
#define WR_TRAMPOLINE_CALL 15
__u64 wr_trampoline_shadow(const __u8 *end);

#endif /* WEFT_TRAMPOLINE_H */
