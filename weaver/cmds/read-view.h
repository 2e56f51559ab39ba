/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `weft read` through a view (live/view-requests.h): for users, and for chosen records. */
#ifndef WV_READ_VIEW_H
#define WV_READ_VIEW_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cmds/option-row.h"

struct wv_read_view {
	const char *name; /* of the aspect */
	bool follow, json, newest;
	size_t pid;	      /* 0: of all processes */
	struct wv_texts at;   /* functions, symbols or symbol+offset; none: all joinpoints */
	const char *words;    /* in the format; NULL: any format */
	const char *fields;   /* names of values, with commas between; NULL: all */
	const volatile sig_atomic_t *interrupted;
};

int wv_read_view(const struct wv_read_view *options, struct wv_error *error);

#endif /* WV_READ_VIEW_H */
