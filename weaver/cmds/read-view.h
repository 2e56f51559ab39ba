/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `weft read` by a view (live/view-requests.h), for users, and if only some records are chosen. */
#ifndef WV_READ_VIEW_H
#define WV_READ_VIEW_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cmds/option-row.h"

struct wv_read_view {
	const char *name; /* name of the aspect */
	bool follow, json, newest;
	size_t pid; /* only records of this process; 0: of all processes */
	/* only records of joinpoints there: function, symbol or symbol+offset; none: of all */
	struct wv_texts at;
	const char *words;  /* only records whose format has this text; NULL: all records */
	const char *fields; /* only these values: names with commas between; NULL: all values */
	const volatile sig_atomic_t *interrupted; /* set by the caller's handler of signals */
};

int wv_read_view(const struct wv_read_view *options, struct wv_error *error);

#endif /* WV_READ_VIEW_H */
