/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splices of shadows, by the database alone: the bytes of an image and what it says of itself, no
 * kernel. Link addresses.
 */
#ifndef WV_CHOOSE_ALL_H
#define WV_CHOOSE_ALL_H

#include "database/db.h"
#include "plan/function-range.h"
#include "splice/totals.h"

struct wv_splices;

/* @db must stay open as long. */
int wv_splices_create(struct wv_db *db, struct wv_splices **ret, struct wv_error *error);
void wv_splices_destroy(struct wv_splices *splices);

/* What it looks at. */
struct wv_function_ranges *wv_splices_ranges(struct wv_splices *splices);

/*
 * Chooses for the shadows of one aspect: @choices, ascending by .address, which alone is to be set.
 * What lies outside the text is refused.
 */
int wv_splices_choose(struct wv_splices *splices, struct wv_choice *choices, size_t n,
		      struct wv_error *error);

/* The same for each as if it were the only one. */
int wv_splices_choose_alone(struct wv_splices *splices, struct wv_choice *choices, size_t n,
			    struct wv_error *error);

/* Shadows by their splices, and what more a choice says. */
struct wv_splice_totals {
	struct wv_totals all;
	size_t displaceable; /* of the jumps: over several instructions */
	size_t in_donor; /* of the springboards: with a donor, not in padding */
	/*
	 * of all but calls and refused: the displaced range ends at the shadow, which is not
	 * touched
	 */
	size_t attached_before;
	/* by what is in the way of a displaced range of two bytes; FITS: that no slot was near */
	size_t traps[WV_DISPLACE_ANSWERS];
};

void wv_splice_totals_add(struct wv_splice_totals *totals, const struct wv_choice *choice);

/* What is in the text beside shadows. */
struct wv_text_totals {
	size_t ranges;
	size_t int3;	/* instructions */
	size_t padding; /* instructions: nops that were proved to be reached by nothing */
	size_t unknown; /* bytes that are no instructions */
};

/* Every instruction of the text as a shadow, each alone, but for int3 and other padding. */
int wv_splices_all(struct wv_splices *splices, struct wv_splice_totals *ret,
		   struct wv_text_totals *text_ret, struct wv_error *error);

static inline void wv_cleanup_splices(struct wv_splices **splices)
{
	wv_splices_destroy(*splices);
}
#define _cleanup_splices_ __attribute__((cleanup(wv_cleanup_splices)))

#endif /* WV_CHOOSE_ALL_H */
