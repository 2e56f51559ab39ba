/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An aspect against a database: the joinpoints that its pointcuts pick, as the module's table will
 * list them. Knows nothing of how they are written down.
 */
#ifndef WV_SELECT_H
#define WV_SELECT_H

#include "aspect/resolve/after.h"
#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"
#include "aspect/resolve/pick-query.h"
#include "database/db.h"
#include "database/query.h"

struct wv_selected {
	uint64_t text_offset;
	size_t advice; /* index into the aspect's advices */
	uint32_t live; /* as in struct weft_joinpoint, and so are these: */
	uint8_t before, displaced;
	int16_t slot;
	uint32_t c_size, slot_c_size;
	enum weft_when when;
	/* likewise: known to be impossible, but part of what is matched */
	enum weft_refusal refusal;
	bool tail; /* LEAVING by a jump to another function, which has still to return */
	const struct wv_match *match;
	const struct wv_match *from; /* the call that returns to .match; else .match */
	/*
	 * link address that the values of variables are those of: the shadow's, or the one behind
	 * it
	 */
	uint64_t at;
	char *what; /* the joinpoint as people say it: "sk_buff.destructor call" */
};

/* A joinpoint that no instruction is left of. */
struct wv_optimized_out {
	const struct wv_match *match;
	char *what;
};

struct wv_selection {
	/* after wv_selection_finish(): by text_offset, advice, when */
	WV_VEC(struct wv_selected) list;
	WV_VEC(struct wv_optimized_out) optimized_out;
	size_t in_modules; /* shadows in modules, which no aspect can be woven into */
	/* joinpoints that share shadow and advice with another one, which stands for them */
	size_t merged;
	WV_VEC(struct wv_picks) picks; /* what the above points into */
	struct wv_afters afters;       /* likewise */
};

/*
 * Adds what the aspect's pointcut @index picked, once for every advice that is bound to it, for
 * after-advice with the selection's afters. @picks is taken over, also on failure. @text is the
 * link address of _text. -WV_E_NO_MATCH with the pointcut's place when there is nothing.
 */
int wv_selection_add(struct wv_selection *selection, const struct wv_aspect *aspect, size_t index,
		     struct wv_picks *picks, uint64_t text, struct wv_error *error);

/* Orders and merges. -WV_E_NO_MATCH when no shadow is left: an aspect that could never run. */
int wv_selection_finish(struct wv_selection *selection, const struct wv_aspect *aspect,
			struct wv_error *error);

/*
 * Both, for all of the aspect's pointcuts that an advice is bound to. What the kernel does not have
 * is added to @errors as well, each with its place; the last of them is @error. Also then what was
 * found is there, in order, for whoever looks what else is wrong with the aspect.
 */
int wv_selection_query(struct wv_selection *selection, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_errors *errors, struct wv_error *error);

void wv_selection_deinit(struct wv_selection *selection);

#endif /* WV_SELECT_H */
