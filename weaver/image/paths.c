// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes source file names comparable; see paths.h. The name of a file is stored relative to its
 * unit's compilation directory. If the file is outside of this directory, its absolute path is
 * stored.
 */
#include <string.h>

#include "image/paths.h"

void wv_paths_deinit(struct wv_paths *paths)
{
	wv_pool_deinit(&paths->names);
	wv_str_deinit(&paths->root);
	wv_str_deinit(&paths->directory);
	wv_str_deinit(&paths->base);
	wv_str_deinit(&paths->path);
}

/*
 * Removes the last component and the '/' before it from @str. An absolute path keeps its first '/'.
 */
static void drop_last(struct wv_str *str)
{
	while (str->n && str->data[str->n - 1] != '/')
		str->n--;
	while (str->n > 1 && str->data[str->n - 1] == '/')
		str->n--;
	if (str->n == 1 && str->data[0] != '/')
		str->n = 0;
	if (str->data)
		str->data[str->n] = '\0';
}

static bool last_is_up(const struct wv_str *str)
{
	return str->n >= 2 && !strcmp(str->data + str->n - 2, "..") &&
	       (str->n == 2 || str->data[str->n - 3] == '/');
}

/*
 * Appends the components of @path to @str, a path without "." and "..", and resolves those of
 * @path.
 */
static void add_components(struct wv_str *str, const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && path[0] == '.' && path[1] == '.' && str->n && !last_is_up(str)) {
			drop_last(str);
		} else if (n && !(n == 1 && path[0] == '.')) {
			if (str->n && str->data[str->n - 1] != '/')
				wv_str_add(str, "/");
			wv_str_add_n(str, path, n);
		}
		path += n;
		path += strspn(path, "/");
	}
}

static void resolve(struct wv_str *str, const char *path)
{
	if (path[0] == '/') {
		str->n = 0;
		wv_str_add(str, "/");
	}
	add_components(str, path);
}

/*
 * Adds a file name as wv_paths_add() does. @joined says that @name is a complete path, to which
 * @directory must not be prepended.
 */
static uint32_t intern(struct wv_paths *paths, const char *directory, const char *name, bool joined)
{
	struct wv_str *path = &paths->path, *base = &paths->base;

	base->n = 0;
	wv_str_add(base, "");
	resolve(base, directory);
	path->n = 0;
	wv_str_add_n(path, wv_str_text(base), joined ? 0 : base->n);
	resolve(path, name);
	if (path->failed || base->failed)
		return WV_POOL_FAILED;
	if (base->n && path->n > base->n && path->data[base->n] == '/' &&
	    !strncmp(base->data, path->data, base->n))
		return wv_pool_add(&paths->names, path->data + base->n + 1);
	return wv_pool_add(&paths->names, path->data);
}

uint32_t wv_paths_add(struct wv_paths *paths, const char *directory, const char *name)
{
	return intern(paths, directory, name, false);
}

uint32_t wv_paths_add_joined(struct wv_paths *paths, const char *directory, const char *path)
{
	return intern(paths, directory, path, true);
}

uint32_t wv_paths_add_main(struct wv_paths *paths, const char *directory, const char *name)
{
	uint32_t number = intern(paths, directory, name, false);
	const char *path;
	size_t common = 0;

	if (number == WV_POOL_FAILED)
		return number;
	if (!paths->directory.data)
		wv_str_add(&paths->directory, directory);
	path = wv_pool_get(&paths->names, number);
	if (path[0] != '/')
		return number;
	if (!paths->has_root) {
		wv_str_add_n(&paths->root, path, strrchr(path, '/') - path + 1);
		paths->has_root = true;
	} else if (!paths->root.failed) {
		for (size_t i = 0; path[i] && path[i] == paths->root.data[i]; i++)
			if (path[i] == '/')
				common = i + 1;
		paths->root.n = common;
		paths->root.data[common] = '\0';
	}
	return paths->root.failed || paths->directory.failed ? WV_POOL_FAILED : number;
}

int wv_paths_set_root(struct wv_paths *paths, const char *root, struct wv_error *error)
{
	paths->root.n = 0;
	wv_str_add(&paths->root, root);
	paths->has_root = *root;
	return paths->root.failed ? wv_no_memory(error) : 0;
}

const char *wv_paths_root(const struct wv_paths *paths)
{
	return paths->has_root && paths->root.n > 1 ? paths->root.data : "";
}

const char *wv_paths_name(const struct wv_paths *paths, uint32_t number)
{
	const char *name = wv_pool_get(&paths->names, number);

	const char *root = wv_paths_root(paths);

	/*
	 * If the main files have only "/" in common, they are not of one source tree: keep the
	 * whole path.
	 */
	return *root && !strncmp(name, root, strlen(root)) ? name + strlen(root) : name;
}
