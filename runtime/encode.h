/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodes machine code: each function appends one instruction; the function's name and comment give
 * it in AT&T syntax. The first error is kept and nothing is appended after it, so callers check
 * .error once, at the end. Freestanding.
 */
#ifndef WEFT_ENCODE_H
#define WEFT_ENCODE_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <stdbool.h>
#endif

#include "frame.h"
#include "trampoline-error.h"

/* A buffer that code is appended to. */
struct wr_code {
	__u8 *bytes;
	__u32 n, size;
	__u64 address; /* live address of bytes[0] */
	int error;     /* enum wr_trampoline_error */
};

/* Bytes of a near and of a short jump, which callers rely on. */
enum { WR_SIZE_JUMP = 5, WR_SIZE_SHORT_JUMP = 2 };

void wr_put(struct wr_code *code, __u8 byte);
/*
 * Appends a 32-bit displacement that leads to @target. @after: how many bytes of the instruction
 * follow the displacement; the processor counts from the end of the instruction.
 */
void wr_put_relative(struct wr_code *code, __u64 target, unsigned int after);

static inline __u64 wr_here(const struct wr_code *code)
{
	return code->address + code->n;
}

void wr_pushfq(struct wr_code *code);
void wr_popfq(struct wr_code *code);
void wr_cld(struct wr_code *code);
void wr_clac(struct wr_code *code);
void wr_push(struct wr_code *code, unsigned int reg);
void wr_pop(struct wr_code *code, unsigned int reg);
/* push $value, which must fit in sign-extended 32 bits */
void wr_push_address(struct wr_code *code, __u64 value);
/* pushes any 64-bit value: a push of the lower half, then a mov that overwrites the upper one */
void wr_push_high_address(struct wr_code *code, __u64 value);
void wr_store(struct wr_code *code, unsigned int reg, __s32 at); /* mov %reg, at(%rsp) */
void wr_load(struct wr_code *code, unsigned int reg, __s32 at);	 /* mov at(%rsp), %reg */
/* lea distance(%rsp), %reg: leaves the flags alone */
void wr_lea_stack(struct wr_code *code, unsigned int reg, __s32 distance);
void wr_mov_imm(struct wr_code *code, unsigned int reg, __u64 value);
/*
 * mov of the target's address to %reg, 64 bits: of a constant, a register (nothing if it is @reg
 * itself) or memory. The target's kind must not be NONE.
 */
void wr_mov_target(struct wr_code *code, unsigned int reg, const struct wr_target *target);
/*
 * The value of the `mov $value, %reg` that wr_mov_imm() has put before the call that ends at @end;
 * 0: there is no such call. 15 bytes before @end must be readable.
 */
__u64 wr_imm_of_call(const __u8 *end, unsigned int reg);

/*
 * Instructions on a per-CPU variable @offset bytes from the %gs base. wr_is_near(@offset) must be
 * true. Each is at least WR_SIZE_JUMP bytes long, except wr_inc64_at()'s, so that a jump can be
 * written over it (trampoline.h).
 */
bool wr_is_near(__u64 offset); /* does it fit in sign-extended 32 bits? */
void wr_inc32(struct wr_code *code, __u64 offset);		      /* incl %gs:offset */
void wr_dec32(struct wr_code *code, __u64 offset);		      /* decl %gs:offset */
void wr_inc64(struct wr_code *code, __u64 offset);		      /* incq %gs:offset */
void wr_dec64(struct wr_code *code, __u64 offset);		      /* decq %gs:offset */
/* incq %gs:(%reg), 4 bytes; @reg must be a caller-saved register */
void wr_inc64_at(struct wr_code *code, unsigned int reg);
/* mov %gs:offset, %reg: 32 bits */
void wr_load_variable(struct wr_code *code, unsigned int reg, __u64 offset);
/* mov %reg, %gs:offset */
void wr_store_variable(struct wr_code *code, unsigned int reg, __u64 offset);
/* movq $value, %gs:offset */
void wr_set_variable(struct wr_code *code, __u64 offset, __s32 value);
/* cmpq $value, %gs:offset */
void wr_compare_variable(struct wr_code *code, __u64 offset, __s8 value);
void wr_push_variable(struct wr_code *code, __u64 offset);	      /* pushq %gs:offset */
void wr_pop_variable(struct wr_code *code, __u64 offset);	      /* popq %gs:offset */

/* 32-bit operations; only for registers below r8 (rax to rdi). */
void wr_move(struct wr_code *code, unsigned int to, unsigned int from);	       /* mov %from, %to */
/* cmp %right, %left */
void wr_compare(struct wr_code *code, unsigned int left, unsigned int right);
void wr_and(struct wr_code *code, unsigned int reg, __u32 mask);	       /* and $mask, %reg */
void wr_shift(struct wr_code *code, unsigned int reg, __u8 bits);	       /* shr $bits, %reg */

void wr_call(struct wr_code *code, __u64 target);
void wr_test_al(struct wr_code *code); /* test %al, %al */
void wr_endbr64(struct wr_code *code);
/* Appends an int3, which control never reaches. */
void wr_int3(struct wr_code *code);

/*
 * Appends @bytes bytes, at most 127, that control passes by at most one instruction: a nop, or a
 * short jump over int3s.
 */
void wr_skip(struct wr_code *code, unsigned int bytes);

void wr_jump(struct wr_code *code, __u64 target);
void wr_jump_if(struct wr_code *code, __u8 condition, __u64 target);

/*
 * Appends a conditional jump to code that is not appended yet. Returns the offset in .bytes of the
 * jump's end, for wr_land().
 */
__u32 wr_jump_if_forward(struct wr_code *code, __u8 condition);
/*
 * Makes a jump of wr_jump_if_forward() lead to the current end of the code. @jump_end: what that
 * function returned.
 */
void wr_land(struct wr_code *code, __u32 jump_end);

/* Conditions of a jump: the low four bits of jcc's opcode. */
enum { WR_IF_ZERO = 0x4, WR_IF_NOT_ZERO = 0x5, WR_IF_NOT_BELOW = 0x3 };

#endif /* WEFT_ENCODE_H */
