/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source file names, made comparable: the plugin's strings and DWARF's name one file in different
 * ways. A name is made relative to its unit's compilation directory; what lies outside of that (a
 * kernel built with O=) is made relative to the one folder that holds all such main files, the
 * source tree. "." and ".." are resolved by text.
 */
#ifndef WV_PATHS_H
#define WV_PATHS_H

#include "base/error.h"
#include "base/pool.h"
#include "base/str.h"

struct wv_paths {
	struct wv_pool names;
	struct wv_str root; /* the longest folder common to the main files outside, with its '/' */
	bool has_root;
	struct wv_str directory; /* the first main file's compilation directory */
	struct wv_str base, path; /* scratch of wv_paths_add() */
};

void wv_paths_deinit(struct wv_paths *paths);

/*
 * The number of a file: @name, relative to @directory, the unit's compilation directory.
 * WV_POOL_FAILED when memory is out. Numbers are positions for wv_paths_name().
 */
uint32_t wv_paths_add(struct wv_paths *paths, const char *directory, const char *name);

/* The same of a path that is complete: @directory stands at its beginning, or it is absolute. */
uint32_t wv_paths_add_joined(struct wv_paths *paths, const char *directory, const char *path);

/* The same, and the file is the main one of a unit. */
uint32_t wv_paths_add_main(struct wv_paths *paths, const char *directory, const char *name);

/*
 * The final name; valid until the next call of wv_paths_add(). Right once all main files are known.
 */
const char *wv_paths_name(const struct wv_paths *paths, uint32_t number);

#endif /* WV_PATHS_H */
