/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One-liners: a question on the command line (weft count vfs_open --by comm) as an aspect. What is
 * made is the text of an aspect, so that whatever a one-liner does, its author can read, keep and
 * change. Knows no database.
 */
#ifndef WV_ONELINER_H
#define WV_ONELINER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

enum wv_oneliner_type {
	WV_ONELINER_COUNT,  /* how often */
	WV_ONELINER_HIST,   /* how often which value */
	WV_ONELINER_TIME,   /* how long, of a function or a call, or between two points */
	WV_ONELINER_LOG,    /* a line for each hit, as the author formats it */
	WV_ONELINER_WATCH,  /* a line for each write of a member: what it was, what it is */
	WV_ONELINER_STACKS, /* who has called, how often */
};

/* As on the command line; what is not given is NULL. Strings belong to the caller. */
struct wv_oneliner {
	enum wv_oneliner_type type;
	/* "sock.sk_state set": a pointcut, and for a member its kinds; the second only for TIME */
	const char *points[2];
	const char *kinds;     /* of all members among them, that have none of their own */
	const char *within;    /* a function, a file or a folder/ */
	const char *condition; /* C */
	const char *by;	       /* a word of wv_by_words, or C */
	const char *value, *unit; /* HIST; the value is C */
	const char *rows;
	const char *pid, *comm, *uid; /* whose hits: as the attributes of these names */
	const char *include;	      /* a header that the C needs */
	const char *name;	      /* of the aspect; NULL: made of the rest */
	const char *format;	      /* LOG; NULL: none */
	char *const *arguments;	      /* LOG: C, .nr_arguments */
	size_t nr_arguments;
	bool stack;   /* WATCH: with who has called */
	bool hex;     /* WATCH: numbers in hexadecimal */
	bool changed; /* WATCH: only writes of another value */
};

/* The room for an aspect's name and what its file would end with. */
enum { WV_ONELINER_FILE = 64 };

struct wv_oneliner_made {
	struct wv_str xml;
	char file[WV_ONELINER_FILE]; /* the aspect's name with .xml behind it */
	/*
	 * the function whose inlined instances are left out though its name alone picks them, since
	 * what is asked cannot be told there; else ""
	 */
	char inlined[128];
	const char *why; /* they are left out */
};

/* -WV_E_USAGE: what is wrong with the question, or what cannot be asked so and what can. */
int wv_oneliner_make(const struct wv_oneliner *asked, struct wv_oneliner_made *ret,
		     struct wv_error *error);
void wv_oneliner_made_deinit(struct wv_oneliner_made *made);

#endif /* WV_ONELINER_H */
