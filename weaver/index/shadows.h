/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the shadows of merged joinpoints: decides which labels count, and what replaces missing
 * labels.
 *
 * The shadows of a joinpoint with labels are *exact*. A label counts if what its instruction does
 * for the access (the access effect) fits the kind of the access:
 *
 * 	get	load, rmw		an instruction that reads the member
 * 	set	store, rmw		an instruction that writes it
 * 	rmw	rmw, store, else load	if it was split, the store: one shadow for one execution
 * 	address	argument, else address	the call that passes the address, else what
 * 		computes it; an instruction that only accesses memory through it does not count
 * 	call	call, else load		if the call itself could not be labelled, the load of the
 * 		pointer
 * 	init	store, rmw
 *
 * "else" is decided for each emitted function. If one function calls through the member and another
 * only loads it, the first gets the call as its shadow and the second the load. Labels that do not
 * count are stored in the database, but as not chosen.
 *
 * A joinpoint with labels may have further instructions that lost their label; unlabelled.h adds
 * them later.
 *
 * A member may be read into a variable and called through this variable (`get = ops->get; get()`).
 * Then the access is a get, but one of its labels may have the effect call. The call instruction of
 * this label is also a shadow of the access, but it is chosen only by pointcuts that ask for calls.
 *
 * If no label of a joinpoint counts, its shadows come from the line tables. The first choice are
 * all statement rows of the same file, line and column (*column*). If there are none, each function
 * that has code of the line gets one shadow: the only instruction of the line whose operand fits
 * the access (*operand*, operand.h), or else the line's first statement row (*line*). If there is
 * no such row either, the joinpoint is optimized out. There are special cases:
 * - All code of a macro's expansion has one line and column. So for an access in a macro only the
 *   first such row of each function is used. If one expansion defines several functions, only rows
 *   in the access's own function are used.
 * - In text whose labels are not known (wv_merge_is_labelled()), a joinpoint gets shadows even if
 *   it has labels elsewhere. In each function, they are the instructions at its column that do the
 *   access (line-columns.h). If there are none, the shadow is found by *operand*. If that fails,
 *   too, it is a statement of the *line*, preferably one at the access's column.
 * - An access whose fate is known (merge.h) has no instruction, so it gets no shadow. There is one
 *   exception: if it is coalesced and its servant is not known, it may get a shadow by *operand*.
 * - A static initialiser is data. It is optimized out, even if its line has code.
 */
#ifndef WV_SHADOWS_H
#define WV_SHADOWS_H

#include "image/dwarf/lines.h"
#include "image/symbols.h"
#include "index/merge.h"
#include "index/operand.h"
#include "database/schema.h"
#include "runtime/abi.h"

#define WV_NO_SYMBOL UINT32_MAX

/* The first statement of one contiguous range of a line's code. */
struct wv_line {
	uint64_t address;
	/* .file: position in wv_merge.files */
	uint32_t file, line, column;
	uint32_t symbol;	     /* position in wv_symbols.list, or WV_NO_SYMBOL */
	bool first;		     /* the line's first range in this function */
};

/* Source location where a function begins; line 0: unknown. */
struct wv_source_location {
	uint32_t file, line, column;
};

struct wv_shadow {
	uint64_t address;
	uint32_t joinpoint; /* position in merge->joinpoints */
	uint32_t symbol;    /* position in wv_symbols.list, or WV_NO_SYMBOL */
	uint8_t effect;	    /* enum weft_access_effect if exact, else 0 */
	uint8_t precision;  /* enum weft_precision */
	uint8_t chosen;	    /* enum wv_chosen */
};

/* The fate of a joinpoint in one emitted function (fates.h). */
struct wv_placed_fate {
	uint32_t joinpoint; /* position in merge->joinpoints */
	uint32_t symbol; /* the emitted function's position in wv_symbols.list, or WV_NO_SYMBOL */
	uint8_t fate;	    /* enum weft_fate */
	uint32_t by;	    /* the servant's position in merge->joinpoints, or WV_NO_SERVANT */
	uint64_t address;   /* address of the servant's instruction; 0: none */
};

struct wv_shadows {
	WV_VEC(struct wv_source_location) entries; /* indexed by position in wv_symbols.list */
	WV_VEC(struct wv_line) lines;  /* sorted by file, line, address */
	WV_VEC(struct wv_shadow) list; /* sorted by joinpoint, address, effect */
	/* sorted by joinpoint; wv_fates_place() fills it */
	WV_VEC(struct wv_placed_fate) fates;
	/*
	 * Number of joinpoints in code that have no shadow, by enum weft_fate. The last element
	 * counts those whose fate is unknown.
	 */
	size_t nr_fates[WEFT_FATE_COUNT + 1];
	/* number of joinpoints whose best shadow has a precision, by enum weft_precision */
	size_t nr_joinpoints[WEFT_PRECISION_OPTIMIZED_OUT + 1];
};

/*
 * Returns how well access effect @effect fits access kind @kind: 0 is best; WV_FIT_NEVER: a label
 * with this effect does not count.
 */
#define WV_FIT_NEVER UINT8_MAX
uint8_t wv_effect_fit(unsigned int kind, unsigned int effect);

/*
 * Fills everything except the fates, from the sorted @merge and from @rows, the rows of the line
 * tables. Sorts @rows. If @operands is all zero, no shadow is found by operand.
 */
int wv_shadows_init(struct wv_shadows *shadows, const struct wv_merge *merge, wv_rows *rows,
		    const struct wv_symbols *symbols, const struct wv_operands *operands,
		    struct wv_error *error);
void wv_shadows_deinit(struct wv_shadows *shadows);

#endif /* WV_SHADOWS_H */
