/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolves an aspect against a database: the joinpoints that its pointcuts pick, as the module's
 * table will list them. Independent of the generated C.
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
	uint32_t live; /* as in struct weft_joinpoint, like the following members: */
	uint8_t before, displaced;
	int16_t slot;
	uint32_t c_size, slot_c_size;
	enum weft_when when;
	/* known to be refused already, but counted as matched */
	enum weft_refusal refusal;
	bool tail; /* LEAVING by a jump to another function, which returns later */
	const struct wv_match *match;
	/* the call that returns to .match; otherwise equal to .match */
	const struct wv_match *from;
	/*
	 * link address at which values of variables are taken: the shadow's, or that of the next
	 * instruction
	 */
	uint64_t at;
	char *what; /* readable name of the joinpoint: "sk_buff.destructor call" */
};

/* A joinpoint that was optimized out. */
struct wv_optimized_out {
	const struct wv_match *match;
	char *what;
};

struct wv_selection {
	/* after wv_selection_finish(): sorted by text_offset, advice, when */
	WV_VEC(struct wv_selected) list;
	WV_VEC(struct wv_optimized_out) optimized_out;
	size_t in_modules; /* number of shadows in modules, which cannot be woven */
	/* number of joinpoints merged into another one with the same shadow and advice */
	size_t merged;
	WV_VEC(struct wv_picks) picks; /* storage that the members above point into */
	struct wv_afters afters;       /* storage that .match of after-advice points into */
};

/*
 * Adds the joinpoints that the aspect's pointcut @index picked, once for every advice that is bound
 * to it; for after-advice, the places found by the selection's afters. Takes ownership of @picks,
 * also on failure. @text is the link address of _text. -WV_E_NO_MATCH with the pointcut's place if
 * there is none.
 */
int wv_selection_add(struct wv_selection *selection, const struct wv_aspect *aspect, size_t index,
		     struct wv_picks *picks, uint64_t text, struct wv_error *error);

/* Sorts and merges. -WV_E_NO_MATCH if no shadow is left: such an aspect could never run. */
int wv_selection_finish(struct wv_selection *selection, const struct wv_aspect *aspect,
			struct wv_error *error);

/*
 * Does both, for all of the aspect's pointcuts that an advice is bound to. Names that the kernel
 * does not have are added to @errors, each with its place; @error is the last of them. Even then
 * the selection holds what was found, sorted, so that the caller can look for further errors in the
 * aspect.
 */
int wv_selection_query(struct wv_selection *selection, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_errors *errors, struct wv_error *error);

void wv_selection_deinit(struct wv_selection *selection);

#endif /* WV_SELECT_H */
