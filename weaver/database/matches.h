/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The joinpoints that a pointcut picks. */
#ifndef WV_MATCHES_H
#define WV_MATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "base/vec.h"

/*
 * A joinpoint with one of its shadows. A joinpoint with several shadows has one entry for each. A
 * joinpoint without a shadow has one entry, with precision WEFT_PRECISION_OPTIMIZED_OUT. Strings
 * belong to struct wv_matches; those that do not apply are NULL.
 */
struct wv_match {
	/*
	 * The name of the module that contains the shadow or, if there is no shadow, the joinpoint;
	 * NULL: the vmlinux contains it.
	 */
	const char *module;
	/* Number of the joinpoint, the same for all of its shadows; 0 if it is not an access. */
	uint64_t joinpoint;
	/* names of an access; NULL for all other joinpoints */
	const char *structure, *member, *path;
	/*
	 * An access's kind ("get", "call", ...), or what else was picked ("entry", "callsite",
	 * ...).
	 */
	const char *kind;
	const char *function; /* the source function that contains the joinpoint */
	const char *file;
	uint32_t line, column;
	const char *macro;  /* macro in whose body the member is written, or NULL */
	const char *symbol; /* the emitted function that contains the shadow */
	uint32_t symbol_offset;
	/*
	 * Link address of the shadow; of a shadow in a module, the sum that wv_db_text_address() in
	 * db.h explains. 0: optimized out.
	 */
	uint64_t address;
	/*
	 * Fates of an access in the functions in which it has no instruction: bit 1 << enum
	 * weft_fate. 0 for an exact shadow.
	 */
	unsigned int fates;
	bool open; /* true: .fates and the servant are still to be found (match-rows.h) */
	/*
	 * The servant of the access, if the access is coalesced with a known access: the servant's
	 * location in the source, and the instruction that does both accesses, as symbol + offset.
	 * In all other cases, and for every exact shadow, the names are NULL.
	 */
	const char *servant_file, *servant_symbol;
	uint32_t servant_line, servant_column, servant_offset;
	enum weft_precision precision;
	/*
	 * What an exact shadow does to the member (enum weft_access_effect in
	 * runtime/joinpoint-table.h); -1 for all other shadows.
	 */
	int effect;
	/*
	 * the first .nr_bytes bytes of the image's text from the shadow on, as far as the database
	 * has them
	 */
	uint8_t bytes[WEFT_INSN_MAX];
	uint8_t nr_bytes;
};

struct wv_matches {
	/* sorted by file, line and column; of a kind with .by_address, by module and address */
	WV_VEC(struct wv_match) list;
	void *strings;		      /* a struct wv_pool that owns all strings, or NULL */
};

void wv_matches_deinit(struct wv_matches *matches);

/*
 * Returns one word for the fate of an access that was optimized out. Returns "data" for a static
 * initializer. If the access has several fates, because it was inlined at several places, prefers
 * one that is not "dead".
 */
const char *wv_match_fate(const struct wv_match *match);

#endif /* WV_MATCHES_H */
