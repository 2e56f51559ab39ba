/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the aspect of `weft drill`: it times a function, and the calls that this and some of its
 * callees make, each call by the way on which it was reached. Knows no database.
 *
 * Its metrics come in pairs, in the order of the functions: first those of the function as a whole,
 * then those of the calls in each function. Of a pair the first is by the clock on the wall, the
 * second by the task's time on a CPU. The rows of calls are by enum wv_drill_key and
 * enum wv_drill_cpu_key.
 */
#ifndef WV_DRILL_ASPECT_H
#define WV_DRILL_ASPECT_H

#include <stddef.h>

#include "aspect/oneliner/oneliner.h"

/* The values of the key of a call: its own number, that of the call in which it is, and so on. */
enum wv_drill_key { WV_DRILL_ID, WV_DRILL_FROM, WV_DRILL_SITE, WV_DRILL_TO };
enum wv_drill_cpu_key { WV_DRILL_CPU_ID };

/* What all calls of the function itself are in. */
enum { WV_DRILL_ROOT_ID = 1 };

enum { WV_DRILL_DEPTH_MAX = 8 };

struct wv_drill_asked {
	/* the one that is drilled, and those that are gone into */
	const char *const *functions;
	size_t n;
	unsigned int depth; /* of calls below the first function: 1 to WV_DRILL_DEPTH_MAX */
	const char *pid, *comm, *uid; /* the filter: as the attributes of these names */
	const char *name;	      /* of the aspect; NULL: made of the function's */
};

/*
 * Whether the function's name has a dot, so that it is none of C's. In such a function only calls
 * in its main part are timed, not those in a cold part.
 */
bool wv_drill_is_dotted(const char *function);

/* Fills @ret. */
int wv_drill_make(const struct wv_drill_asked *asked, struct wv_oneliner_made *ret,
		  struct wv_error *error);

#endif /* WV_DRILL_ASPECT_H */
