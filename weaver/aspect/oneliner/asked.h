/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A one-liner as data; oneliner.h makes an aspect of it. */
#ifndef WV_ASKED_H
#define WV_ASKED_H

#include <stdbool.h>
#include <stddef.h>

enum wv_oneliner_type {
	WV_ONELINER_COUNT,  /* counts hits */
	WV_ONELINER_HIST,   /* counts how often each value occurs */
	WV_ONELINER_TIME,   /* measures a function or a call, or the time between two points */
	WV_ONELINER_LOG,    /* prints a line for each hit, as .format defines it */
	WV_ONELINER_WATCH,  /* prints the old and the new value at each write of a member */
	WV_ONELINER_STACKS, /* counts hits by the stack of callers */
};

/* A one-liner as given on the command line. NULL: not given. Strings belong to the caller. */
struct wv_oneliner {
	enum wv_oneliner_type type;
	/*
	 * "sock.sk_state set": a pointcut and, for a member, its kinds; the second point only for
	 * TIME
	 */
	const char *points[2];
	const char *kinds;     /* of each member in .points that has no kinds of its own */
	const char *within;    /* a function, a file or a folder/ */
	const char *condition; /* C */
	const char *by;	       /* a word of wv_by_words, or C */
	const char *value, *unit; /* HIST; the value is C */
	const char *rows;
	const char *pid, *comm, *uid; /* the filter: as the attributes of these names */
	const char *include;	      /* a header that the C needs */
	const char *name;	      /* name of the aspect; NULL: made of the other members */
	const char *format;	      /* LOG: format of a line; NULL: none */
	char *const *arguments;	      /* LOG: C expressions, .nr_arguments of them */
	size_t nr_arguments;
	bool stack;   /* WATCH: with the callers' stack */
	bool hex;     /* WATCH: numbers in hexadecimal */
	bool changed; /* WATCH: only writes that change the value */
};

#endif /* WV_ASKED_H */
