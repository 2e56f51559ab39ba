/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the lines of a source tree that are shown beside joinpoints. If a struct wv_source is all
 * zero, there is no tree, and so there are no lines.
 */
#ifndef WV_SOURCE_LINES_H
#define WV_SOURCE_LINES_H

#include <time.h>

#include "base/str.h"
#include "base/vec.h"

struct wv_source {
	const char *tree; /* root folder of the sources; NULL: no tree */
	time_t indexed;	  /* when the database was made; 0: unknown */
	/*
	 * the first file that is newer than .indexed, so that its lines may be wrong; empty: none
	 */
	struct wv_str newer;
	struct wv_str missing; /* the first file that could not be opened; empty: none */
	size_t found;	       /* number of files that could be opened */
	struct wv_str path, text; /* path and contents of the file that was read last */
	WV_VEC(const char *) lines; /* the lines of .text */
};

void wv_source_deinit(struct wv_source *source);

/*
 * Returns line @line of @file, without the blanks at both ends; NULL if there is no tree, no such
 * file or no such line. Valid until the next call.
 */
const char *wv_source_line(struct wv_source *source, const char *file, unsigned int line);

#define _cleanup_source_ __attribute__((cleanup(wv_source_deinit)))

#endif /* WV_SOURCE_LINES_H */
