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
	 * Names of events and of variables, with commas between them, or "all". If .variables is
	 * NULL, the variables of WV_KTRACE_USUAL are meant that the events store.
	 */
	const char *events, *variables;
	const char *name; /* the aspect's name; NULL: "ktrace" */
};

/* A section of the file. The texts are not NUL-terminated. */
struct wv_ktrace_section {
	bool is_event; /* false: the section is of a variable */
	const char *name, *what;
	size_t name_n, what_n;
	/*
	 * if only some events store a variable: the names of these events, with commas between
	 * them; .of_n is 0 if all events store the variable, and for an event
	 */
	const char *of;
	size_t of_n;
};

/*
 * Finds the first section of the file that begins at *@at or after it. If there is one, returns
 * true, and moves *@at to the line after the section's first one.
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
