// SPDX-License-Identifier: GPL-2.0-or-later
/* The folders of prepared kernels; see prepared.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/own-folder.h"
#include "module/prepared.h"

#define FOR_ALL "/var/lib/weft"

/*
 * Sets @path to the folder where the user who runs weft keeps prepared kernels. False: no variable
 * defines it, or the path is too long.
 */
static bool own_folder(char path[PATH_MAX])
{
	const char *named = getenv("WEFT_PREPARED"), *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	int n;

	if (named && *named)
		n = snprintf(path, PATH_MAX, "%s", named);
	else if (!geteuid())
		n = snprintf(path, PATH_MAX, "%s", FOR_ALL);
	else if (cache && cache[0] == '/')
		n = snprintf(path, PATH_MAX, "%s/weft/prepared", cache);
	else if (home && home[0] == '/')
		n = snprintf(path, PATH_MAX, "%s/.cache/weft/prepared", home);
	else
		return false;
	return n < PATH_MAX;
}

/* Appends "/NAME" to @path. False: the path would be too long. */
static bool add_name(char path[PATH_MAX], const char *name)
{
	size_t n = strlen(path);

	return (size_t)snprintf(path + n, PATH_MAX - n, "/%s", name) < PATH_MAX - n;
}

int wv_prepared_folder(const char *release, char path[PATH_MAX], struct wv_error *error)
{
	/*
	 * The name comes from a command line or an image: refuse one that leads out of the folder.
	 */
	if (!*release || strchr(release, '/') || !strcmp(release, ".") || !strcmp(release, ".."))
		return wv_fail(error, WV_E_USAGE, "'%s' is not a kernel's release (see uname -r)",
			       release);
	if (!own_folder(path))
		return wv_fail(error, WV_E_FAILURE,
			       "no folder for prepared kernels: set WEFT_PREPARED, or HOME");
	return add_name(path, release) ? 0 : wv_fail_errno(error, ENAMETOOLONG, "%s", release);
}

int wv_prepared_check(const char *folder, struct wv_error *error)
{
	return wv_own_folder_check(folder, "prepared kernels", "WEFT_PREPARED", error);
}

int wv_prepared_refusal(const char *release, struct wv_error *error)
{
	char path[PATH_MAX];
	struct wv_error ignored;

	if (wv_prepared_folder(release, path, &ignored) || access(path, F_OK))
		return 0;
	return wv_prepared_check(path, error);
}

/*
 * Appends "/@name" to @path, the path of a folder, and returns true, if the folder has a file of
 * this name and wv_prepared_check() accepts the folder.
 */
static bool find_in(char path[PATH_MAX], const char *name)
{
	struct wv_error ignored;

	return !access(path, R_OK) && !wv_prepared_check(path, &ignored) && add_name(path, name) &&
	       !access(path, R_OK);
}

bool wv_prepared_find(const char *release, const char *name, char path[PATH_MAX])
{
	struct wv_error ignored;

	if (!wv_prepared_folder(release, path, &ignored) && find_in(path, name))
		return true;
	snprintf(path, PATH_MAX, "%s", FOR_ALL);
	return add_name(path, release) && find_in(path, name);
}
