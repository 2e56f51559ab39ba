/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes one x86-64 instruction: its length, its text in AT&T syntax, its control flow, and the
 * memory and registers that it accesses. runtime/x86-rules.h decodes most of this; Capstone
 * confirms it, and finds the registers and the memory. No other file of the weaver uses Capstone,
 * except for those that decode.c calls. The code does not depend on files or kernels.
 */
#ifndef WV_DECODE_H
#define WV_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "x86/instruction.h"

struct wv_decoder;

int wv_decoder_create(struct wv_decoder **ret, struct wv_error *error);
void wv_decoder_destroy(struct wv_decoder *decoder);

/*
 * The length in bytes of the instruction at @bytes, of which @n are readable; 0: not an
 * instruction.
 */
size_t wv_decode_length(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			uint64_t address);

/*
 * Returns a name for @address, or NULL if it has none. Sets *@offset_ret to the distance in bytes
 * from the address that has this name.
 */
typedef const char *(*wv_decode_name)(void *context, uint64_t address, uint64_t *offset_ret);

/*
 * Like wv_decode_length(), and also writes the instruction's text to @buffer. @name, which may be
 * NULL, names the target of a direct branch or call. If the result is 0, the text is "".
 */
size_t wv_decode_text(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		      wv_decode_name name, void *context, char *buffer, size_t size);

/*
 * Returns the length of an instruction according to runtime/x86-rules.h alone, without Capstone, or
 * 0 if those rules do not know the instruction. This is much faster than wv_decode(), and so suits
 * walks over much text. It fills only some members of @ret: .fields, .length, .control, .direct,
 * .target, .table, .filling, .relative and .operand. If the instruction has an immediate operand
 * that is no branch target, it also sets .has_constant and .constant. If it has a displacement that
 * is not from %rip, it sets .has_memory and .displacement, whatever the base is.
 */
size_t wv_decode_rules(const uint8_t *bytes, size_t n, uint64_t address, struct wv_insn *ret);

/*
 * Like wv_decode_length(), and fills @ret. Of an instruction that Capstone does not know, only what
 * runtime/x86-rules.h knows is filled in: there are no operands, .uses and .changes have all
 * registers, and .kills has none.
 */
size_t wv_decode(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		 struct wv_insn *ret);

struct wv_flag_effects;

/*
 * Fills @ret with the instruction's effects on the status flags (x86/status-flags.h). Returns false
 * if the bytes are no instruction. Of an instruction that Capstone does not know, .defined has only
 * the flags that it writes for certain: it may change others, too.
 */
bool wv_decode_flags(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		     struct wv_flag_effects *ret);

/*
 * The memory operand of an instruction, and the value that the instruction is about to store there.
 * If a string instruction has two memory operands, the first one is meant. An lea has a memory
 * operand, too, but neither reads nor writes it.
 */
struct wv_access {
	bool relative;	     /* relative to %rip: .address is the operand's address */
	uint64_t address;    /* address of the operand; only if .relative */
	uint8_t base, index; /* register numbers of the x86 encodings, or WV_NO_REGISTER */
	uint8_t scale;
	int64_t displacement;
	uint8_t size; /* size of the operand in bytes */
	bool reads, writes;
	enum {
		WV_STORE_OTHER, /* a value computed in another way than the following */
		WV_STORE_MOVE,	/* the source, unchanged */
		WV_STORE_OR, WV_STORE_AND, WV_STORE_XOR, WV_STORE_ADD, WV_STORE_SUB,
		WV_STORE_NOT, WV_STORE_NEGATE, /* a function of the old value, without a source */
	} store;
	uint8_t source; /* register that is stored; WV_NO_REGISTER: .immediate is stored */
	uint8_t shift;	/* 8 if the source is %ah to %bh (bits 8 to 15 of .source), else 0 */
	int64_t immediate;
	/* the register that a mov, movzx or movsx loads from the operand, or WV_NO_REGISTER */
	uint8_t loaded;
	uint8_t loaded_shift; /* 8 if a mov loads %ah to %bh (bits 8 to 15 of .loaded), else 0 */
	/* WR_BIT()s (runtime/frame.h): superset of the registers that the instruction may change */
	uint32_t changes;
};

/*
 * Fills @ret with the instruction's access of memory. Returns false in these cases:
 * - The bytes are no instruction that Capstone knows, or a nop.
 * - The instruction has no memory operand.
 * - The memory operand uses a segment register.
 */
bool wv_decode_access(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		      struct wv_access *ret);

/* An address that an instruction makes in a register, as `lea 0x10(%rdi), %rax` does. */
struct wv_made_address {
	/*
	 * The terms of the sum that is the address. Registers have the values that they had before
	 * the instruction. .base and .index are numbers of registers, or WV_NO_REGISTER.
	 */
	uint8_t base, index;
	uint8_t scale;
	int64_t displacement;
	bool relative; /* the address does not depend on registers; it is .address, in the image */
	uint64_t address; /* the address that is made; only if .relative */
	uint8_t made;	  /* the register that holds the address after the instruction */
};

/*
 * Fills @ret for two sorts of instructions whose destination is a register of 64 bits: an lea
 * without a segment register; and an add, sub or mov of a constant. Returns false for all others.
 */
bool wv_decode_made_address(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			    uint64_t address, struct wv_made_address *ret);

static inline void wv_cleanup_decoder(struct wv_decoder **decoder)
{
	wv_decoder_destroy(*decoder);
}
#define _cleanup_decoder_ __attribute__((cleanup(wv_cleanup_decoder)))

#endif /* WV_DECODE_H */
