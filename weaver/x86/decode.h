/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One x86-64 instruction from its bytes: its length, its text in the syntax that kernel people read
 * (AT&T), where it goes on and which memory and registers it touches. The only place where the
 * weaver uses Capstone: that says what it does with registers and memory, and confirms what the
 * rules read (runtime/x86-rules.h). Knows no files and no kernels.
 */
#ifndef WV_DECODE_H
#define WV_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/x86-rules.h"
#include "base/error.h"

struct wv_decoder;

int wv_decoder_create(struct wv_decoder **ret, struct wv_error *error);
void wv_decoder_destroy(struct wv_decoder *decoder);

/* The length of the instruction that begins at @bytes, @n of them, or 0 when there is none. */
size_t wv_decode_length(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			uint64_t address);

/* Names an address, or returns NULL; *@offset_ret is the distance from the name. */
typedef const char *(*wv_decode_name)(void *context, uint64_t address, uint64_t *offset_ret);

/*
 * The same, and writes it to @buffer; the target of a direct branch or call is written as @name
 * (may be NULL) gives it. 0 comes with "" in @buffer.
 */
size_t wv_decode_text(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		      wv_decode_name name, void *context, char *buffer, size_t size);

#define WV_NO_REGISTER 0xff

struct wv_insn {
	struct wr_fields fields; /* for the rules */
	uint8_t length;
	enum wr_flow flow;
	bool direct;	     /* a call, branch or jump to .target */
	uint64_t target;
	bool table;	     /* an indirect jump through an indexed table */
	enum wr_filling filling;
	bool lea;
	bool has_memory;     /* base register and displacement, not relative to %rip or a segment */
	bool reads, writes;  /* what it does with that memory */
	int64_t displacement;
	bool relative;	     /* a memory operand is relative to %rip; .operand is where it is */
	uint64_t operand;
	bool has_constant;   /* an immediate operand that is no branch's: the last one */
	int64_t constant;
	/* WR_BIT()s (runtime/frame.h): at most what it reads, at least what it writes whole */
	uint32_t uses, kills;
	uint32_t changes;     /* at least the registers that it may change; flow aside */
	/* numbers: a move of one register, whole, to another; else WV_NO_REGISTER */
	uint8_t from, to;
	/* an indirect call or jump to what this register holds; else WV_NO_REGISTER */
	uint8_t through;
};

/* The same with all of @ret filled. */
size_t wv_decode(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		 struct wv_insn *ret);

struct wv_flag_effects;

/* What it does with the status flags (x86/status-flags.h); false where there is no instruction. */
bool wv_decode_flags(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		     struct wv_flag_effects *ret);

/* The one memory operand of an instruction, and what it is about to write there. */
struct wv_access {
	bool relative;	     /* to %rip: .address is where it is */
	uint64_t address;    /* RELATIVE */
	uint8_t base, index; /* by number in x86 encodings, or WV_NO_REGISTER */
	uint8_t scale;
	int64_t displacement;
	uint8_t size; /* bytes at the operand */
	bool reads, writes;
	enum {
		WV_STORE_OTHER, /* in a way that is not known here */
		WV_STORE_MOVE,	/* the source as it is */
		WV_STORE_OR, WV_STORE_AND, WV_STORE_XOR, WV_STORE_ADD, WV_STORE_SUB,
		WV_STORE_NOT, WV_STORE_NEGATE, /* what is there already, without a source */
	} store;
	uint8_t source; /* register, or WV_NO_REGISTER: .immediate */
	uint8_t shift;	/* 8 where the source is %ah to %bh */
	int64_t immediate;
	/* the register that a mov, movzx or movsx loads from the operand, or WV_NO_REGISTER */
	uint8_t loaded;
	uint8_t loaded_shift; /* 8 where that is %ah to %bh */
	/* WR_BIT()s (runtime/frame.h): at least the registers that it may change */
	uint32_t changes;
};

/*
 * False where there is no instruction, no such operand, or one that a segment register is added to.
 */
bool wv_decode_access(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		      struct wv_access *ret);

static inline void wv_cleanup_decoder(struct wv_decoder **decoder)
{
	wv_decoder_destroy(*decoder);
}
#define _cleanup_decoder_ __attribute__((cleanup(wv_cleanup_decoder)))

#endif /* WV_DECODE_H */
