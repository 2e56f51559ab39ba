/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolves an aspect against a database: finds the joinpoints that its pointcuts pick, as the
 * module's table will list them. Does not depend on the generated C.
 */
#ifndef WV_SELECT_H
#define WV_SELECT_H

#include "aspect/resolve/after.h"
#include "aspect/resolve/text-parts.h"
#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"
#include "aspect/resolve/pick-query.h"
#include "database/db.h"
#include "database/query.h"

struct wv_selected {
	uint64_t offset; /* offset of the shadow in the database */
	/* the shadow's part, and the offset from there; set by wv_selection_query() */
	uint32_t part;
	uint64_t text_offset;
	size_t advice; /* index into the aspect's advices */
	uint32_t live; /* .live to .slot_c_size: see struct weft_joinpoint */
	uint8_t before, displaced;
	int16_t slot;
	uint32_t c_size, slot_c_size;
	enum weft_when when;
	/*
	 * not NONE: it is known already that it cannot be woven; it counts as matched all the same
	 */
	enum weft_refusal refusal;
	/*
	 * the exit, or the location with .when LEAVING, is a jump to a function that will return
	 * later
	 */
	bool tail;
	bool tracepoint; /* .match is the function of a tracepoint, which will be enabled */
	const struct wv_match *match;
	/* if .when is RETURNED: the call that returns to .match. Else equal to .match. */
	const struct wv_match *from;
	/* link address at which variables are looked up in DWARF: that of .match */
	uint64_t at;
	char *what; /* name of the joinpoint for people: "sk_buff.destructor call" */
};

/* A joinpoint that was optimized out. */
struct wv_optimized_out {
	const struct wv_match *match;
	char *what;
};

struct wv_selection {
	/* after wv_selection_finish() sorted by offset, advice, when */
	WV_VEC(struct wv_selected) list;
	WV_VEC(struct wv_optimized_out) optimized_out;
	wv_parts parts; /* the parts in which the list has shadows; set by wv_selection_query() */
	/* number of shadows in text that modules have only while they initialize: left out */
	size_t in_init;
	/* number of entries dropped, because another one has their shadow, advice and .when */
	size_t merged;
	WV_VEC(struct wv_picks) picks; /* storage that .match and .from point into */
	struct wv_afters afters;       /* more such storage, for after-advice */
};

/*
 * Adds the joinpoints that the aspect's pointcut @index picked, once for every advice bound to it;
 * for after-advice, the locations that .afters finds. Takes ownership of @picks, also on failure.
 * @text is the link address of _text. -WV_E_NO_MATCH with the pointcut's location if @picks is
 * empty.
 */
int wv_selection_add(struct wv_selection *selection, const struct wv_aspect *aspect, size_t index,
		     struct wv_picks *picks, uint64_t text, struct wv_error *error);

/*
 * Sorts the list; of entries with equal shadow, advice and .when it keeps one. -WV_E_NO_MATCH: the
 * list is empty, all joinpoints of an advice are refused, or one joinpoint of a flow is refused.
 */
int wv_selection_finish(struct wv_selection *selection, const struct wv_aspect *aspect,
			struct wv_error *error);

/*
 * wv_selection_add() for every pointcut that an advice is bound to, then wv_selection_finish().
 * Names that the kernel does not have are added to @errors, each with its location; @error is the
 * last of them. Then the selection is not finished, but its list is sorted and holds what was
 * found, so that the caller can look for further errors in the aspect.
 */
int wv_selection_query(struct wv_selection *selection, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_errors *errors, struct wv_error *error);

void wv_selection_deinit(struct wv_selection *selection);

#endif /* WV_SELECT_H */
