/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodes machine code: each function writes one instruction, which its name and comment give in
 * AT&T syntax. After the first error nothing more is written and the error is kept, so that callers
 * check it once, at the end. Freestanding.
 */
#ifndef WEFT_ENCODE_H
#define WEFT_ENCODE_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <stdbool.h>
#endif

#include "frame.h"
#include "trampoline-error.h"

/* Where code is being written. */
struct wr_code {
	__u8 *bytes;
	__u32 n, size;
	__u64 address; /* live address of bytes[0] */
	int error;     /* enum wr_trampoline_error */
};

/* Sizes that callers rely on. */
enum { WR_SIZE_JUMP = 5, WR_SIZE_SHORT_JUMP = 2 };

void wr_put(struct wr_code *code, __u8 byte);
/*
 * Appends a 32-bit displacement that leads to @target. @after: how many bytes of the instruction
 * follow it, since the processor counts from the instruction's end.
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
 * The value of the `mov $value, %reg` that wr_mov_imm() has put before the call that ends at @end;
 * 0: there is no such call. 15 bytes before @end must be readable.
 */
__u64 wr_imm_of_call(const __u8 *end, unsigned int reg);

/*
 * Per-CPU variables, @offset bytes from the %gs base. wr_is_near(@offset) must be true. All of
 * these instructions but wr_inc64_at() are at least WR_SIZE_JUMP bytes long.
 */
bool wr_is_near(__u64 offset); /* does it fit in sign-extended 32 bits? */
void wr_inc32(struct wr_code *code, __u64 offset);		      /* incl %gs:offset */
void wr_dec32(struct wr_code *code, __u64 offset);		      /* decl %gs:offset */
void wr_inc64(struct wr_code *code, __u64 offset);		      /* incq %gs:offset */
/* incq %gs:(%reg), with a caller-saved register: 4 bytes */
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

/* 32-bit operations on registers below r8. */
void wr_move(struct wr_code *code, unsigned int to, unsigned int from);	       /* mov %from, %to */
/* cmp %right, %left */
void wr_compare(struct wr_code *code, unsigned int left, unsigned int right);
void wr_and(struct wr_code *code, unsigned int reg, __u32 mask);	       /* and $mask, %reg */
void wr_shift(struct wr_code *code, unsigned int reg, __u8 bits);	       /* shl $bits, %reg */

void wr_call(struct wr_code *code, __u64 target);
/* int3: control never gets here. */
void wr_int3(struct wr_code *code);

/* Moves on by @bytes, which are 127 at most, with one instruction at most. */
void wr_skip(struct wr_code *code, unsigned int bytes);

void wr_jump(struct wr_code *code, __u64 target);
void wr_jump_if(struct wr_code *code, __u8 condition, __u64 target);

/*
 * Writes a conditional jump to code that is not written yet. Returns an offset to be passed to
 * wr_land().
 */
__u32 wr_jump_if_forward(struct wr_code *code, __u8 condition);
/* Sets the target of that jump, whose offset is @place, to the current address. */
void wr_land(struct wr_code *code, __u32 place);

/* The low four bits of jcc's opcode. */
enum { WR_IF_ZERO = 0x4, WR_IF_NOT_ZERO = 0x5, WR_IF_NOT_LESS = 0xd };

#endif /* WEFT_ENCODE_H */
