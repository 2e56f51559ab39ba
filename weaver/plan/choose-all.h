/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses splices from the database alone, which has the bytes and the metadata of an image. No
 * running kernel is needed. All addresses are link addresses.
 */
#ifndef WV_CHOOSE_ALL_H
#define WV_CHOOSE_ALL_H

#include "database/db.h"
#include "plan/function-range.h"
#include "splice/totals.h"

struct wv_splices;

/* Prepares to choose splices in @db, which must stay open until wv_splices_destroy(). */
int wv_splices_create(struct wv_db *db, struct wv_splices **ret, struct wv_error *error);
void wv_splices_destroy(struct wv_splices *splices);

/* The function ranges that choices are made in; owned by @splices. */
struct wv_function_ranges *wv_splices_ranges(struct wv_splices *splices);

/*
 * Chooses splices for the shadows of one aspect. The caller sets .address of each element of
 * @choices, sorted by .address; this function sets all other fields. Shadows outside the text are
 * refused.
 */
int wv_splices_choose(struct wv_splices *splices, struct wv_choice *choices, size_t n,
		      struct wv_error *error);

/* Like wv_splices_choose(), but each shadow is chosen as if it were the aspect's only one. */
int wv_splices_choose_alone(struct wv_splices *splices, struct wv_choice *choices, size_t n,
			    struct wv_error *error);

/* Numbers of shadows by splice, and further properties of the choices. */
struct wv_splice_totals {
	struct wv_totals all;
	size_t several;	 /* jumps over several instructions */
	size_t in_donor; /* springboards whose slot is in a donor, not in padding */
	/*
	 * splices whose displaced range ends where the shadow begins, so that the shadow is not
	 * touched; never calls or refusals
	 */
	size_t attached_before;
	/*
	 * Number of traps, by the reason why no springboard fits, that is, by the obstacle to a
	 * displaced range of two bytes. FITS means that there was such a range, but no slot within
	 * its reach.
	 */
	size_t traps[WV_DISPLACE_ANSWERS];
};

void wv_splice_totals_add(struct wv_splice_totals *totals, const struct wv_choice *choice);

/* Numbers of other things in the text, besides shadows. */
struct wv_text_totals {
	size_t ranges;	/* number of function ranges */
	size_t int3;	/* number of int3 instructions */
	size_t padding; /* number of nops that are proved to be unreachable */
	size_t unknown; /* number of bytes that could not be decoded */
};

/*
 * Chooses a splice for every instruction of the text, as if it were the only shadow. int3s and
 * other padding are only counted. @module restricts this to the modules that match the pattern, or
 * to WV_VMLINUX (database/within.h); NULL means the kernel and all modules.
 */
int wv_splices_all(struct wv_splices *splices, const char *module, struct wv_splice_totals *ret,
		   struct wv_text_totals *text_ret, struct wv_error *error);

static inline void wv_cleanup_splices(struct wv_splices **splices)
{
	wv_splices_destroy(*splices);
}
#define _cleanup_splices_ __attribute__((cleanup(wv_cleanup_splices)))

#endif /* WV_CHOOSE_ALL_H */
