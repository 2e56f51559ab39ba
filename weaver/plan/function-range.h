/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of the database by extents: a function, or code that only a label names, and all bytes
 * behind it up to the next symbol. An extent is what a splice is chosen in, and what the kernel
 * side decodes. Link addresses.
 */
#ifndef WV_FUNCTION_RANGE_H
#define WV_FUNCTION_RANGE_H

#include "database/db.h"
#include "splice/choose.h"

struct wv_function_range {
	uint64_t start, end;
	uint8_t *bytes;
	struct wv_chooser *chooser;
	uint64_t code_end; /* of the function by its symbol; what is behind belongs to none */
	bool c; /* GCC made the function of C, says DWARF */
	/* it may set the direction flag or open user memory (WR_TRAMPOLINE_SANITIZE) */
	bool sanitize;
	uint64_t used; /* when it was asked for last */
};

struct wv_function_ranges;

/* @db must stay open as long. */
int wv_function_ranges_create(struct wv_db *db, struct wv_function_ranges **ret,
			      struct wv_error *error);
void wv_function_ranges_destroy(struct wv_function_ranges *ranges);

/* The kernel's text that stays after boot. */
uint64_t wv_function_ranges_start(const struct wv_function_ranges *ranges);
uint64_t wv_function_ranges_end(const struct wv_function_ranges *ranges);

/*
 * The extent that holds @address; *@ret is NULL where there is no text. Valid until some others
 * were asked for: neighbours of it do no harm.
 */
int wv_function_ranges_at(struct wv_function_ranges *ranges, uint64_t address,
			  const struct wv_function_range **ret, struct wv_error *error);

/*
 * Adds the gaps that a springboard anywhere in @extent might reach, its neighbours' included,
 * ascending.
 */
int wv_function_ranges_gaps(struct wv_function_ranges *ranges,
			    const struct wv_function_range *range, wv_padding_list *ret,
			    struct wv_error *error);

/*
 * Who else writes or looks up the instruction at @address, for people: "a jump label", ...; NULL:
 * nobody that an image tells of.
 */
int wv_function_ranges_owner(struct wv_function_ranges *ranges, uint64_t address, const char **ret,
			     struct wv_error *error);

static inline void wv_cleanup_function_ranges(struct wv_function_ranges **ranges)
{
	wv_function_ranges_destroy(*ranges);
}
#define _cleanup_function_ranges_ __attribute__((cleanup(wv_cleanup_function_ranges)))

#endif /* WV_FUNCTION_RANGE_H */
