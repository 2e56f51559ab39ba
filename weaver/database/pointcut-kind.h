/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes one kind of pointcut: everything that differs between kinds. Each kind is a row of the
 * table in pointcut-kinds.c and, if it needs code of its own, a file find-KIND.c.
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
	/* functions that run where a tracepoint is passed, if the tracepoint is enabled */
	WV_PICKS_TRACEPOINTS,
	/* instructions that leave a function: control does not come back to it */
	WV_PICKS_EXITS,
	WV_PICKS_BLOCKS,       /* first instructions of basic blocks */
	WV_PICKS_CALLS,	       /* calls, and jumps that stand for a call and a return */
	WV_PICKS_INSTRUCTIONS, /* any instruction: nothing is known about what it does */
};

/* A query to the database. */
struct wv_question {
	struct wv_db *db;
	const struct wv_pointcut *pointcut;
	const struct wv_pointcut_kind *kind; /* kind of the pointcut */
	struct wv_matches *ret;		     /* matches are appended */
	struct wv_error *error;
};

/* A part of a function, written FUNCTION%NAME on the command line. */
struct wv_function_part {
	const char *name;	  /* NULL: end of the kind's parts */
	/* values for the members of these names in struct wv_pointcut */
	bool inlined, only_inlined;
	bool in_xml;		  /* aspects can name the part, too: <function at="NAME"> */
	const char *help;	  /* NULL: the help text of the next part covers both */
};

#define WV_PARTS_OF_KIND 2

struct wv_pointcut_kind {
	enum wv_subject subject;
	enum wv_picks_what picks;
	/* The value of wv_match.kind; NULL: the access's own kind ("get", ...). */
	const char *word;
	/* Precision of the matches' shadows; ignored for accesses, whose shadows have their own. */
	enum weft_precision precision;

	/* Appends the joinpoints that the pointcut picks. It is no error if there are none. */
	int (*find)(const struct wv_question *question);
	/*
	 * Called if nothing was found: -WV_E_NO_MATCH with the reason, or 0 if finding nothing is
	 * no error.
	 */
	int (*explain)(const struct wv_question *question);
	/* Matches are sorted by address, not by source location. */
	bool by_address;
	/* The shadows may be in other images than the function that the pointcut names. */
	bool elsewhere;

	/*
	 * Help text for the command line. A kind has either a form of its own, with .help, or
	 * .parts of a function. .form is NULL if it has none.
	 */
	const char *form, *help;
	struct wv_function_part parts[WV_PARTS_OF_KIND + 1];
};

#endif /* WV_POINTCUT_KIND_H */
