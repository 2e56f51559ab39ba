/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A DWARF location expression as C over the registers of a hit (runtime/advice.h): evaluated here
 * as far as numbers are known, written down where they are not. Knows no scopes and no aspects.
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

#define WV_FOUND_TEXT 320 /* an expression that is longer is given up */

struct wv_found {
	enum wv_found_kind kind;
	char text[WV_FOUND_TEXT]; /* C of type unsigned long, `weft` in scope */
	uint32_t registers;	  /* WR_BIT()s that .text names */
	const char *why;	  /* NOT: what hinders */
};

struct wv_expression_input {
	const struct wv_dies *dies; /* for the types that expressions name */
	uint64_t address;	    /* where the thing is wanted */
	uint64_t text;		    /* link address of _text */
	bool at_entry; /* the function's arguments are still where its caller put them */
	const struct wv_cfa *cfa;
	Dwarf_Attribute *frame_base; /* of the function; NULL: none */
};

/* Names for C of all that a trampoline can store, by WR_BIT()'s numbers (runtime/frame.h). */
extern const char *const wv_register_names[];

/* A short C expression, by value as struct wv_phrase is (base/notation.h). */
struct wv_operand {
	char text[64];
};

/* The value of a register of the hit, by its number there, shifted right by @shift bits. */
struct wv_operand wv_register_text(unsigned int reg, unsigned int shift);

/* The live address of what lies @offset bytes behind _text. */
struct wv_operand wv_live_text(uint64_t offset);

/* What @location, an expression or a list of expressions by address, says of the thing. */
void wv_expression_compile(const struct wv_expression_input *input, Dwarf_Attribute *location,
			 struct wv_found *ret);

#endif /* WV_DWARF_EXPRESSION_H */
