/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes source file names comparable: the plugin and DWARF name one file in different ways. A name
 * is made relative to its unit's compilation directory. For a file outside of that (a kernel built
 * with O=), the name is made relative to the source tree, which is taken to be the longest folder
 * common to all main files that lie outside. "." and ".." are resolved in the text, without looking
 * at the file system.
 */
#ifndef WV_PATHS_H
#define WV_PATHS_H

#include "base/error.h"
#include "base/pool.h"
#include "base/str.h"

struct wv_paths {
	struct wv_pool names;
	struct wv_str root; /* the longest folder common to the main files outside; ends with '/' */
	bool has_root;
	struct wv_str directory; /* the first main file's compilation directory */
	struct wv_str base, path; /* scratch of wv_paths_add() */
};

void wv_paths_deinit(struct wv_paths *paths);

/*
 * Adds a file and returns its number, for wv_paths_name(); WV_POOL_FAILED: out of memory.
 * @directory: the unit's compilation directory. @name: absolute, or relative to @directory.
 */
uint32_t wv_paths_add(struct wv_paths *paths, const char *directory, const char *name);

/* As wv_paths_add(), for a @path that is absolute or already begins with @directory. */
uint32_t wv_paths_add_joined(struct wv_paths *paths, const char *directory, const char *path);

/* As wv_paths_add(), for the main source file of a unit, which helps to find the source tree. */
uint32_t wv_paths_add_main(struct wv_paths *paths, const char *directory, const char *name);

/*
 * Sets the source tree, to which names are made relative. For a module it is set to that of the
 * kernel, because the module's few main files do not show it. Main files outside of the tree still
 * change it.
 */
int wv_paths_set_root(struct wv_paths *paths, const char *root, struct wv_error *error);

/* The source tree, which ends with '/'; "" if the main files have none in common. */
const char *wv_paths_root(const struct wv_paths *paths);

/*
 * The final name of a file. Only correct once all main files have been added. Valid until the next
 * call of wv_paths_add().
 */
const char *wv_paths_name(const struct wv_paths *paths, uint32_t number);

#endif /* WV_PATHS_H */
