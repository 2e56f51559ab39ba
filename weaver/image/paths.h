/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes source file names comparable: the plugin and DWARF may name the same file in different
 * ways. A name is made relative to its unit's compilation directory. But a kernel that is built
 * with O= has its sources outside of this directory. The names of such files are made relative to
 * the source tree instead. The source tree is taken to be the longest folder that all main files
 * outside of the compilation directory have in common. "." and ".." are resolved in the text only:
 * no file has to exist.
 */
#ifndef WV_PATHS_H
#define WV_PATHS_H

#include "base/error.h"
#include "base/pool.h"
#include "base/str.h"

struct wv_paths {
	struct wv_pool names;
	/*
	 * the source tree: the longest folder that contains all main files outside of the
	 * compilation directory; ends with '/'
	 */
	struct wv_str root;
	bool has_root;
	struct wv_str directory; /* the first main file's compilation directory */
	struct wv_str base, path; /* scratch of wv_paths_add() */
};

void wv_paths_deinit(struct wv_paths *paths);

/*
 * Adds a file, and returns the number by which wv_paths_name() finds it. @directory is the unit's
 * compilation directory. @name is absolute, or relative to @directory. Returns WV_POOL_FAILED if
 * out of memory.
 */
uint32_t wv_paths_add(struct wv_paths *paths, const char *directory, const char *name);

/* Adds a file as wv_paths_add() does; @path is absolute or already begins with @directory. */
uint32_t wv_paths_add_joined(struct wv_paths *paths, const char *directory, const char *path);

/*
 * Adds a file as wv_paths_add() does. The file is the main source file of a unit, which helps to
 * find the source tree.
 */
uint32_t wv_paths_add_main(struct wv_paths *paths, const char *directory, const char *name);

/*
 * Sets the source tree to @root. Names of files outside of the compilation directory are made
 * relative to it. Used for a module, whose few main files do not show where the source tree begins:
 * it gets the source tree of the kernel. If a main file that is added later lies outside of @root,
 * the source tree changes.
 */
int wv_paths_set_root(struct wv_paths *paths, const char *root, struct wv_error *error);

/* The source tree, which ends with '/'; "" if the main files have none in common. */
const char *wv_paths_root(const struct wv_paths *paths);

/*
 * Returns the final name of a file. Call this only when all main files have been added, because
 * each may change the source tree. The name is valid until the next call of wv_paths_add().
 */
const char *wv_paths_name(const struct wv_paths *paths, uint32_t number);

#endif /* WV_PATHS_H */
