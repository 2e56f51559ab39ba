/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a one-liner asks (oneliner.h). */
#ifndef WV_ASKED_H
#define WV_ASKED_H

#include <stdbool.h>
#include <stddef.h>

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

#endif /* WV_ASKED_H */
