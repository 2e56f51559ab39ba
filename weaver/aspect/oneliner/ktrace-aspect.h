/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the aspect of `weft ktrace`: aspects/ktrace/ktrace.xml, which is a part of the program,
 * without the events and variables that are not asked for. The head of that file says what its
 * sections are.
 */
#ifndef WV_KTRACE_ASPECT_H
#define WV_KTRACE_ASPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "aspect/oneliner/oneliner.h"
#include "base/error.h"
#include "base/str.h"

#define WV_KTRACE_USUAL "registers,pid"

struct wv_ktrace_asked {
	/*
	 * names with commas between them, or "all"; .variables may be NULL: WV_KTRACE_USUAL, as far
	 * as the events store it
	 */
	const char *events, *variables;
	const char *name; /* the aspect's name; NULL: "ktrace" */
};

/* A section of the file. The texts are not NUL-terminated. */
struct wv_ktrace_section {
	bool is_event; /* false: it is a variable's */
	const char *name, *what;
	size_t name_n, what_n;
	/* of a variable that some events alone store: their names, with commas; else .of_n is 0 */
	const char *of;
	size_t of_n;
};

/*
 * Finds the first section at *@at or after it. Returns whether there is one; then *@at is moved
 * behind the section's first line.
 */
bool wv_ktrace_next_section(const char **at, struct wv_ktrace_section *ret);

/* The text of aspects/ktrace/ktrace.xml. */
extern const char wv_ktrace_whole[];

/* Returns whether @name is one of @names, which are separated by commas and blanks, or "all". */
bool wv_ktrace_names(const char *names, const char *name, size_t n);

/*
 * Returns -WV_E_USAGE if a name is unknown, or if a variable was asked for that none of the events
 * stores.
 */
int wv_ktrace_make(const struct wv_ktrace_asked *asked, struct wv_oneliner_made *ret,
		   struct wv_error *error);

/* Appends the list of events and variables, for `weft help ktrace`. */
void wv_ktrace_list(struct wv_str *out);

#endif /* WV_KTRACE_ASPECT_H */
