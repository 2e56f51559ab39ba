/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The joinpoint database, read side: a file made by `weft index`, asked with pointcuts. Knows nothing of ELF or DWARF;
 * the build side (build.h) and it share the schema (schema.h, documented in docs/database.md).
 */
#ifndef WV_DB_H
#define WV_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "database/pointcut.h"
#include "runtime/abi.h"

struct wv_db;

/* Opens @path read-only and checks that it is a database of this version. */
int wv_db_open(const char *path, struct wv_db **ret, struct wv_error *error);
void wv_db_close(struct wv_db *db);

static inline void wv_cleanup_db(struct wv_db **db)
{
	wv_db_close(*db);
}
#define _cleanup_db_ __attribute__((cleanup(wv_cleanup_db)))

/* The build-id of the image that was indexed; @size is 0 when it has none. Valid until wv_db_close(). */
const uint8_t *wv_db_build_id(const struct wv_db *db, size_t *size);

/* The link address of _text, which shadows are counted from. */
uint64_t wv_db_text_address(const struct wv_db *db);

/*
 * The name of the link address @address: a function or label that begins there, else the function that holds it, else
 * NULL. Valid until the next call. *@offset_ret is the distance from the name's own address.
 */
const char *wv_db_symbol_at(struct wv_db *db, uint64_t address, uint64_t *offset_ret);

/* Up to @size bytes of the vmlinux's text from the link address @address on; returns how many there are. */
size_t wv_db_text_bytes(struct wv_db *db, uint64_t address, uint8_t *buffer, size_t size);

/*
 * One joinpoint with one of its shadows (a joinpoint with several shadows comes several times; one with none comes once,
 * with precision WEFT_PRECISION_OPTIMIZED_OUT). Strings belong to the result. Absent ones are NULL.
 */
struct wv_match {
	const char *module; /* that the shadow, or the source where there is none, is in; NULL: the vmlinux */
	uint64_t joinpoint; /* equal in all shadows of one joinpoint; 0 for entries, lines and instructions */
	const char *structure, *member, *path; /* MEMBER pointcuts only */
	const char *kind;		       /* "call", ... ; "entry", "inlined", "exit", "block", "callsite", "line", "instruction" */
	const char *function;		       /* whose source it stands in */
	const char *file;
	uint32_t line, column;
	const char *macro; /* spelled in the body of this macro, or NULL */
	const char *symbol; /* that holds the shadow */
	uint32_t symbol_offset;
	uint64_t address; /* link; 0: optimized out; of a module only good for naming it and its neighbours */
	const char *coalesced_symbol; /* optimized out: the instruction that serves the member instead, or NULL */
	uint32_t coalesced_offset;
	enum weft_precision precision;
	int use; /* enum weft_access_effect (runtime/joinpoint-table.h): what an exact shadow does for the member; else -1 */
	uint8_t bytes[WEFT_INSN_MAX]; /* vmlinux's bytes from the shadow on */
	uint8_t nr_bytes;
};

struct wv_matches {
	WV_VEC(struct wv_match) list; /* by file, line, column, address */
	void *strings;		      /* what the strings live in */
};

/*
 * Everything that @pointcut picks, appended to nothing: @ret is filled anew. A member without an access of these kinds
 * is success with an empty list; a struct, member, function or file that the database does not know at all is
 * -WV_E_NO_MATCH with the nearest names in the message, and so is a line without code, with the nearest lines.
 * Of functions with one name, and of files that end alike, all are given.
 */
int wv_db_query(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		struct wv_error *error);
/* -WV_E_NO_MATCH with the kinds of access that there are, where there is none of those that are asked for. */
int wv_db_explain_kinds(struct wv_db *db, const struct wv_pointcut *asked, struct wv_error *error);

/*
 * Keeps the matches whose source or shadow is in a function of this name (which may have * and ?), or whose source is in this file
 * (file-name.h). -WV_E_NO_MATCH when there were some and none is left.
 */
int wv_matches_within(struct wv_matches *matches, const char *within, struct wv_error *error);
void wv_matches_deinit(struct wv_matches *matches);

#define WV_VMLINUX "vmlinux" /* where a module's name can stand: what is in none */

/* Where a joinpoint has to be; NULL: anywhere. All that are given have to hold. */
struct wv_within {
	char *function; /* source or shadow is in it; may have * and ? */
	char *file;	/* the source's, as file-name.h has it */
	char *module;	/* or WV_VMLINUX; may have * and ? */
};

enum wv_within_part {
	WV_WITHIN_FUNCTION,
	WV_WITHIN_FILE,
	WV_WITHIN_MODULE,
	WV_WITHIN_PARTS, /* how many there are */
};

bool wv_match_is_within(const struct wv_match *match, const struct wv_within *within);

/* -WV_E_NO_MATCH with the nearest names where this part of @within is given, and the kernel has nothing of that name. */
int wv_db_explain_within(struct wv_db *db, const struct wv_within *within, enum wv_within_part part,
			 struct wv_error *error);

#endif /* WV_DB_H */
