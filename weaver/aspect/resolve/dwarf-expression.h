/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates a DWARF location expression to C over the registers of a hit (runtime/advice.h). Known
 * numbers are evaluated here; the rest is written as C. Independent of scopes and aspects.
 */
#ifndef WV_DWARF_EXPRESSION_H
#define WV_DWARF_EXPRESSION_H

#include "image/dwarf/dies.h"
#include "image/dwarf/frames.h"

enum wv_found_kind {
	WV_FOUND_NOT,
	WV_FOUND_MEMORY, /* .text is the address */
	WV_FOUND_VALUE,	 /* .text is the value */
};

#define WV_FOUND_TEXT 320 /* longer expressions are rejected */

struct wv_found {
	enum wv_found_kind kind;
	char text[WV_FOUND_TEXT]; /* C of type unsigned long; uses `weft` */
	uint32_t registers;	  /* WR_BIT()s of the registers that .text uses */
	const char *why;	  /* NOT: the reason */
};

struct wv_expression_input {
	const struct wv_dies *dies; /* for types that expressions refer to */
	uint64_t address;	    /* address at which the value is wanted */
	uint64_t text;		    /* link address of _text */
	bool at_entry; /* the function's arguments are still where its caller put them */
	const struct wv_cfa *cfa;
	Dwarf_Attribute *frame_base; /* frame base of the function; NULL: none */
};

/* C names of everything that a trampoline can store, by WR_BIT()'s numbers (runtime/frame.h). */
extern const char *const wv_register_names[];

/* A short C expression, returned by value like struct wv_phrase (base/notation.h). */
struct wv_operand {
	char text[64];
};

/* The value of a register of the hit, given its WR_BIT() number, shifted right by @shift bits. */
struct wv_operand wv_register_text(unsigned int reg, unsigned int shift);

/* The live address of the byte at offset @offset from _text. */
struct wv_operand wv_live_text(uint64_t offset);

/* Compiles @location, an expression or a list of expressions by address. */
void wv_expression_compile(const struct wv_expression_input *input, Dwarf_Attribute *location,
			 struct wv_found *ret);

#endif /* WV_DWARF_EXPRESSION_H */
