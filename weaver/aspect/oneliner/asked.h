/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A one-liner as data; oneliner.h makes an aspect of it. */
#ifndef WV_ASKED_H
#define WV_ASKED_H

#include <stdbool.h>
#include <stddef.h>

enum wv_oneliner_type {
	WV_ONELINER_COUNT,  /* count hits */
	WV_ONELINER_HIST,   /* count how often each value occurs */
	WV_ONELINER_TIME,   /* measure a function or a call, or the time between two points */
	WV_ONELINER_LOG,    /* print a line for each hit, in the format .format */
	WV_ONELINER_WATCH,  /* print the old and the new value at each write of a member */
	WV_ONELINER_STACKS, /* count hits by the stack of callers */
};

/*
 * A one-liner as given on the command line. A member is NULL if it was not given. Strings belong to
 * the caller.
 */
struct wv_oneliner {
	enum wv_oneliner_type type;
	/*
	 * each a pointcut and, for a member, its kinds: "sock.sk_state set"; the second point only
	 * for TIME
	 */
	const char *points[2];
	/* kinds of accesses, for each member in .points that is without kinds */
	const char *kinds;
	const char *within;    /* function, file or folder/ to which the points are restricted */
	const char *condition; /* C that must be true for a hit to count */
	/* key of the rows: words of wv_by_words and C, with commas between */
	const char *by;
	const char *value, *unit; /* HIST: the value, which is C, and its unit */
	const char *rows;
	const char *pid, *comm, *uid; /* the filter: values of the attributes with these names */
	const char *include;	      /* name of a header that the C needs */
	const char *name;	      /* name of the aspect; NULL: made of .type, .points, .by */
	const char *format;	      /* LOG: format of a line; NULL: the line is "hit" */
	char *const *arguments;	      /* LOG: C expressions for the format, .nr_arguments of them */
	size_t nr_arguments;
	bool stack;   /* WATCH: print the callers' stack, too */
	bool hex;     /* WATCH: print numbers in hexadecimal */
	bool changed; /* WATCH: print only writes that change the value */
};

#endif /* WV_ASKED_H */
