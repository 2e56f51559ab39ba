/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a pointcut picks. */
#ifndef WV_MATCHES_H
#define WV_MATCHES_H

#include <stdint.h>

#include "runtime/abi.h"
#include "base/vec.h"

/*
 * One joinpoint with one of its shadows. A joinpoint with several shadows comes several times; one
 * with none comes once, with precision WEFT_PRECISION_OPTIMIZED_OUT. Strings belong to the result;
 * absent ones are NULL.
 */
struct wv_match {
	/*
	 * The module that holds the shadow (or the source, where there is none); NULL: the
	 * vmlinux.
	 */
	const char *module;
	/* Equal in all shadows of one joinpoint; 0 for entries, lines and instructions. */
	uint64_t joinpoint;
	const char *structure, *member, *path; /* of accesses only */
	/*
	 * An access's kind ("get", "call", ...), or what else was picked ("entry", "callsite",
	 * ...).
	 */
	const char *kind;
	const char *function; /* in whose source it stands */
	const char *file;
	uint32_t line, column;
	const char *macro;  /* in whose body it is spelled, or NULL */
	const char *symbol; /* that holds the shadow */
	uint32_t symbol_offset;
	/*
	 * Link address; 0: optimized out. A module's is only good for naming it and its neighbours.
	 */
	uint64_t address;
	/* Optimized out: the instruction that serves the member instead, or NULL. */
	const char *coalesced_symbol;
	uint32_t coalesced_offset;
	enum weft_precision precision;
	/*
	 * enum weft_access_effect (runtime/joinpoint-table.h): what an exact shadow does for the
	 * member; else -1.
	 */
	int use;
	uint8_t bytes[WEFT_INSN_MAX]; /* the vmlinux's bytes from the shadow on */
	uint8_t nr_bytes;
};

struct wv_matches {
	WV_VEC(struct wv_match) list; /* by file, line, column, address */
	void *strings;		      /* what the strings live in */
};

void wv_matches_deinit(struct wv_matches *matches);

#endif /* WV_MATCHES_H */
