/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The description of a kind of pointcut: everything that differs between kinds. Each kind has a row
 * of the table in pointcut-kinds.c and, if it needs code of its own, a file find-KIND.c.
 */
#ifndef WV_POINTCUT_KIND_H
#define WV_POINTCUT_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/abi.h"
#include "base/error.h"
#include "database/matches.h"
#include "database/pointcut.h"

struct wv_db;

/* The subject that a pointcut names. */
enum wv_subject {
	WV_SUBJECT_MEMBER,
	WV_SUBJECT_FUNCTION,
	WV_SUBJECT_LINE,
	WV_SUBJECT_INSTRUCTION,
	WV_SUBJECT_TRACEPOINT,
	WV_SUBJECT_FILE,
};

/* The kind of joinpoints that a pointcut picks. */
enum wv_picks_what {
	WV_PICKS_ACCESSES,     /* accesses of members; some are calls */
	WV_PICKS_ENTRIES,      /* entries of functions: argument registers hold arguments */
	/* functions that the kernel calls when an enabled tracepoint is reached */
	WV_PICKS_TRACEPOINTS,
	/* instructions that leave a function for good: returns, and jumps out of it */
	WV_PICKS_EXITS,
	WV_PICKS_BLOCKS,       /* first instructions of basic blocks */
	WV_PICKS_CALLS,	       /* calls, and tail calls: jumps to another function */
	WV_PICKS_INSTRUCTIONS, /* any instruction; weft knows nothing about what it does */
};

/* A query to the database. */
struct wv_question {
	struct wv_db *db;
	const struct wv_pointcut *pointcut;
	const struct wv_pointcut_kind *kind; /* the row of the pointcut's kind */
	struct wv_matches *ret;		     /* gets the matches appended */
	struct wv_error *error;
};

/* A part of a function, written FUNCTION%NAME on the command line. */
struct wv_function_part {
	const char *name;	  /* name of the part; NULL terminates the parts of a kind */
	/* values of the members with these names in the pointcut (struct wv_pointcut) */
	bool inlined, only_inlined;
	bool in_xml;		  /* aspects can name the part, too: <function at="NAME"> */
	const char *help;	  /* help text; NULL: the help text of the next part is for both */
};

#define WV_PARTS_OF_KIND 2

struct wv_pointcut_kind {
	enum wv_subject subject;
	enum wv_picks_what picks;
	/* value of wv_match.kind; NULL: the kind of the access ("get", ...) */
	const char *word;
	/* precision of the matches' shadows; not used for accesses, whose shadows have one each */
	enum weft_precision precision;

	/* Appends the joinpoints that the pointcut picks. Returns 0 also if there are none. */
	int (*find)(const struct wv_question *question);
	/*
	 * Called if the pointcut picks nothing. Returns -WV_E_NO_MATCH with the reason. Returns 0
	 * if an empty result is correct for this pointcut.
	 */
	int (*explain)(const struct wv_question *question);
	/* matches are sorted by address, not by location in the source */
	bool by_address;
	/* shadows may be in other images than the function that the pointcut names */
	bool elsewhere;

	/*
	 * Help text for the command line. A kind that has a form of its own has .form and .help. A
	 * kind that is only written as a part of a function (vfs_read%exit) has .parts, and .form
	 * is NULL.
	 */
	const char *form, *help;
	struct wv_function_part parts[WV_PARTS_OF_KIND + 1];
};

#endif /* WV_POINTCUT_KIND_H */
