/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From merged joinpoints to shadows: which labels count, and what stands in for joinpoints without
 * any.
 *
 * A joinpoint with labels is *exact*. What a label's instruction does (its use) must fit the kind:
 *
 *	get	load, rmw		an instruction that reads the member
 *	set	store, rmw		one that writes it
 *	rmw	rmw, store, else load	where it was split, the store: one shadow for one execution
 *	address	address                 the instruction that computes it; one that only goes through
 *		it is none
 *	call	call, else load         where the call itself could not be tied, the load of the
 *		pointer
 *	init	store, rmw
 *
 * "else" is decided per emitted function, so that a member that one function calls and another only
 * loads has the call of the one and the load of the other. Labels that do not count are kept in the
 * database, not chosen.
 *
 * Instructions of a joinpoint with labels that have lost their own come later (unlabelled.h).
 *
 * A member that is read into a variable and called through that (`get = ops->get; get()`) is a get,
 * and its record may have a call's label: then the get has that call as well, chosen for calls
 * only.
 *
 * A joinpoint of which no label counts gets its shadows from the line tables: all statement rows of
 * the same file, line and column (*column*), else in each function the one instruction of the line
 * that by its operand is the access (*operand*, operand.h) or the line's first statement row
 * (*line*), else none: it is optimized out.
 * - A macro's whole expansion has one line and column, so of an access in a macro only the first
 *   such row of each function is taken; and where one expansion defines several functions, only the
 *   rows of the access's own.
 * - Of units that were parsed only nothing has a label. Their column shadows are the instructions
 *   at that column that do the access (line-columns.h), in each function; *operand* comes next,
 *   then the line, from a row of that column on if there is one.
 * - A static initialiser is data: it is optimized out even where its line has code.
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
	uint32_t file, line, column; /* file: position in wv_merge.files */
	uint32_t symbol;	     /* position in wv_symbols.list, or WV_NO_SYMBOL */
	bool first;		     /* of the line in this function */
};

/* Where a function begins in the source; line 0 where no line table says. */
struct wv_source_location {
	uint32_t file, line, column;
};

struct wv_shadow {
	uint64_t address;
	uint32_t joinpoint; /* position */
	uint32_t symbol;    /* position, or WV_NO_SYMBOL */
	uint8_t use;	    /* enum weft_access_effect where exact, else 0 */
	uint8_t precision;  /* enum weft_precision */
	uint8_t chosen;	    /* enum wv_chosen */
};

/*
 * A joinpoint without an instruction of its own and the one that serves its member now
 * (coalesced.h).
 */
struct wv_coalesced {
	uint64_t address;
	uint32_t joinpoint, by; /* positions; @by has the instruction */
	uint32_t symbol;	/* position, or WV_NO_SYMBOL */
};

struct wv_shadows {
	WV_VEC(struct wv_source_location) entries; /* by position of the symbol */
	WV_VEC(struct wv_line) lines;  /* by file, line, address */
	WV_VEC(struct wv_shadow) list; /* by joinpoint, address, use */
	WV_VEC(struct wv_coalesced) coalesced; /* by joinpoint; wv_coalesced_find() fills it */
	size_t nr_joinpoints[WEFT_PRECISION_OPTIMIZED_OUT + 1]; /* by precision */
};

/* How well @use fits @kind: 0 is best, WV_FIT_NEVER does not count. */
#define WV_FIT_NEVER UINT8_MAX
uint8_t wv_effect_fit(unsigned int kind, unsigned int use);

/*
 * Everything but .served, from a sorted @merge and the line tables' rows, which it sorts. @operands
 * may be all zero.
 */
int wv_shadows_init(struct wv_shadows *shadows, const struct wv_merge *merge, wv_rows *rows,
		    const struct wv_symbols *symbols, const struct wv_operands *operands,
		    struct wv_error *error);
void wv_shadows_deinit(struct wv_shadows *shadows);

#endif /* WV_SHADOWS_H */
