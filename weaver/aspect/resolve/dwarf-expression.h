/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates a DWARF location expression to C. The C computes with the registers that a hit has
 * stored (runtime/advice.h); everything that does not depend on the hit is computed now. Knows
 * nothing about scopes and aspects.
 */
#ifndef WV_DWARF_EXPRESSION_H
#define WV_DWARF_EXPRESSION_H

#include "image/dwarf/dies.h"
#include "image/dwarf/frames.h"

enum wv_found_kind {
	WV_FOUND_NOT,
	WV_FOUND_MEMORY, /* .text is the object's address */
	WV_FOUND_VALUE,	 /* .text is the object's value */
};

#define WV_FOUND_TEXT 320 /* maximum size with the NUL; longer expressions are rejected */

struct wv_found {
	enum wv_found_kind kind;
	char text[WV_FOUND_TEXT]; /* C of type unsigned long, an expression of `weft` */
	uint32_t registers;	  /* WR_BIT()s of the registers that .text reads */
	const char *why;	  /* the reason if .kind is NOT; NULL: .text would be too long */
};

struct wv_expression_input {
	const struct wv_dies *dies; /* to look up the types to which expressions refer */
	uint64_t address;	    /* link address of the code for which the value is wanted */
	uint64_t text;		    /* link address of _text */
	/* module that contains the code; NULL: the kernel itself or a program */
	const char *module;
	/*
	 * true: no instruction of the function has run, so its arguments are where the caller put
	 * them
	 */
	bool at_entry;
	const struct wv_cfa *cfa;
	Dwarf_Attribute *frame_base; /* the function's frame base; NULL: none */
};

/*
 * Names in C of everything that a trampoline can store; the index is the number in WR_BIT(number).
 */
extern const char *const wv_register_names[];

/*
 * A short C expression. Functions return the struct by value, like struct wv_phrase
 * (base/notation.h).
 */
struct wv_operand {
	char text[64];
};

/*
 * Returns C of the value that register @reg (a WR_* number) had at the hit, shifted right by @shift
 * bits.
 */
struct wv_operand wv_register_text(unsigned int reg, unsigned int shift);

/* Returns C of the live address of the byte at @offset bytes after _text. */
struct wv_operand wv_live_text(uint64_t offset);

/*
 * Translates @location: an expression, or a list of expressions that are each valid at some
 * addresses.
 */
void wv_expression_compile(const struct wv_expression_input *input, Dwarf_Attribute *location,
			 struct wv_found *ret);

#endif /* WV_DWARF_EXPRESSION_H */
