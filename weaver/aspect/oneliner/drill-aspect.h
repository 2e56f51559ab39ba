/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the aspect of `weft drill`. The aspect times a function, and the calls that this function
 * and some of its callees make. A call is timed separately for each chain of calls that leads to
 * it. Knows no database.
 *
 * The aspect's metrics come in pairs. The first pair is for the function as a whole; then follows
 * one pair for each function, for the calls in it. The first metric of a pair measures the time
 * that passes, the second one the task's time on a CPU. The rows of calls have keys whose values
 * enum wv_drill_key and enum wv_drill_cpu_key list.
 */
#ifndef WV_DRILL_ASPECT_H
#define WV_DRILL_ASPECT_H

#include <stddef.h>

#include "aspect/oneliner/oneliner.h"

/*
 * Indices of the values in a row's key: the call's identifier, the identifier of the call that it
 * is in, the joinpoint of the call instruction, the address of the called function. Identifiers are
 * hashes of chains of calls.
 */
enum wv_drill_key { WV_DRILL_ID, WV_DRILL_FROM, WV_DRILL_SITE, WV_DRILL_TO };
enum wv_drill_cpu_key { WV_DRILL_CPU_ID };

/*
 * identifier of the drilled function's own execution: the WV_DRILL_FROM of the calls that this
 * function itself makes
 */
enum { WV_DRILL_ROOT_ID = 1 };

enum { WV_DRILL_DEPTH_MAX = 8 };

struct wv_drill_asked {
	/*
	 * names of the functions whose calls are timed; the first one is the function that is
	 * drilled
	 */
	const char *const *functions;
	size_t n;
	/* maximum depth of calls below the first function, 1 to WV_DRILL_DEPTH_MAX */
	unsigned int depth;
	const char *pid, *comm, *uid; /* the filter: values of the attributes with these names */
	const char *name; /* name of the aspect; NULL: it is made of the function's name */
};

/*
 * Returns whether the function's name has a dot, as f.isra.0 has. $sym() cannot name such a
 * function. So the aspect computes the function's address at each call in it: the address of the
 * call instruction minus that instruction's offset in its symbol. For calls in the function's cold
 * part the symbol is f.isra.0.cold and the result is wrong, so these calls are not timed.
 */
bool wv_drill_is_dotted(const char *function);

/* Writes the aspect that @asked describes to @ret. */
int wv_drill_make(const struct wv_drill_asked *asked, struct wv_oneliner_made *ret,
		  struct wv_error *error);

#endif /* WV_DRILL_ASPECT_H */
