/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of the database by extents: a function, or code that only a label names, and all bytes behind it up to the next symbol. An
 * extent is what a splice is chosen in, and what the kernel side decodes. Link addresses.
 */
#ifndef WV_FUNCTION_RANGE_H
#define WV_FUNCTION_RANGE_H

#include "database/db.h"
#include "splice/choose.h"

struct wv_extent {
	uint64_t start, end;
	uint8_t *bytes;
	struct wv_chooser *chooser;
	uint64_t code_end; /* of the function by its symbol; what is behind belongs to none */
	bool c; /* GCC made the function of C, says DWARF */
	bool careful; /* it may set the direction flag or open user memory (WR_PATCH_CAREFUL) */
	uint64_t used; /* when it was asked for last */
};

struct wv_extents;

/* @db must stay open as long. */
int wv_extents_create(struct wv_db *db, struct wv_extents **ret, struct wv_error *error);
void wv_extents_destroy(struct wv_extents *extents);

/* The kernel's text that stays after boot. */
uint64_t wv_extents_start(const struct wv_extents *extents);
uint64_t wv_extents_end(const struct wv_extents *extents);

/*
 * The extent that holds @address; *@ret is NULL where there is no text. Valid until some others were asked for: neighbours of it do
 * no harm.
 */
int wv_extents_at(struct wv_extents *extents, uint64_t address, const struct wv_extent **ret,
		  struct wv_error *error);

/* Adds the gaps that a bounce anywhere in @extent might reach, its neighbours' included, ascending. */
int wv_extents_gaps(struct wv_extents *extents, const struct wv_extent *extent, wv_gaps *ret,
		    struct wv_error *error);

/* Who else writes or looks up the instruction at @address, for people: "a jump label", ...; NULL: nobody that an image tells of. */
int wv_extents_owner(struct wv_extents *extents, uint64_t address, const char **ret, struct wv_error *error);

static inline void wv_cleanup_extents(struct wv_extents **extents)
{
	wv_extents_destroy(*extents);
}
#define _cleanup_extents_ __attribute__((cleanup(wv_cleanup_extents)))

#endif /* WV_FUNCTION_RANGE_H */
