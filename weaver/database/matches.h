/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The joinpoints that a pointcut picks. */
#ifndef WV_MATCHES_H
#define WV_MATCHES_H

#include <stdint.h>

#include "runtime/abi.h"
#include "base/vec.h"

/*
 * One joinpoint with one of its shadows. A joinpoint with several shadows has several entries; one
 * without a shadow has one entry, with precision WEFT_PRECISION_OPTIMIZED_OUT. Strings are owned by
 * struct wv_matches; absent ones are NULL.
 */
struct wv_match {
	/*
	 * The module that contains the shadow (or the source, if there is no shadow); NULL: the
	 * vmlinux.
	 */
	const char *module;
	/* Number that all shadows of one joinpoint share; 0 if it is not an access. */
	uint64_t joinpoint;
	const char *structure, *member, *path; /* only of accesses; else NULL */
	/*
	 * An access's kind ("get", "call", ...), or what else was picked ("entry", "callsite",
	 * ...).
	 */
	const char *kind;
	const char *function; /* the source function that contains the joinpoint */
	const char *file;
	uint32_t line, column;
	const char *macro;  /* the macro in whose body the member is spelled, or NULL */
	const char *symbol; /* the emitted function that contains the shadow */
	uint32_t symbol_offset;
	/* Link address, in a module as of wv_db_text_address(); 0: optimized out. */
	uint64_t address;
	/*
	 * Of an access: its fates in functions where it has no instruction, bit 1 << enum
	 * weft_fate.
	 */
	unsigned int fates;
	/*
	 * If it was coalesced with an access that is known (else NULL): the file of that, and the
	 * instruction that does both, as symbol + offset.
	 */
	const char *servant_file, *servant_symbol;
	uint32_t servant_line, servant_column, servant_offset;
	enum weft_precision precision;
	/*
	 * enum weft_access_effect (runtime/joinpoint-table.h): what an exact shadow does to the
	 * member; -1 for all others.
	 */
	int effect;
	uint8_t bytes[WEFT_INSN_MAX]; /* text of the image, beginning at the shadow */
	uint8_t nr_bytes;
};

struct wv_matches {
	WV_VEC(struct wv_match) list; /* sorted by file, line, column, address */
	void *strings;		      /* a struct wv_pool that owns all strings, or NULL */
};

void wv_matches_deinit(struct wv_matches *matches);

/*
 * One word for the fate of an access that was optimized out. Where inlined instances differ, the
 * fate of a value that is needed; for a static initialiser "data".
 */
const char *wv_match_fate(const struct wv_match *match);

#endif /* WV_MATCHES_H */
