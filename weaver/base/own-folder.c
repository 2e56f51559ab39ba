// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks who can write to a folder; see own-folder.h. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/own-folder.h"

static bool is_theirs(const struct stat *status)
{
	return status->st_uid && status->st_uid != geteuid();
}

static bool others_write(const struct stat *status)
{
	return status->st_mode & (S_IWGRP | S_IWOTH);
}

/*
 * Sets *@ret to whether a user other than root and the one who runs weft could replace files in the
 * folder @path, or the folder itself. These users could:
 * - the folder's owner;
 * - other users, if the folder is writable for its group or for all, and not sticky;
 * - the owner of the symbolic link, if @path is one.
 */
static int is_replaceable(const char *path, bool *ret, struct wv_error *error)
{
	struct stat link, folder;

	if (lstat(path, &link) || stat(path, &folder))
		return wv_fail_errno(error, errno, "%s", path);
	*ret = is_theirs(&link) || is_theirs(&folder) ||
	       (others_write(&folder) && !(folder.st_mode & S_ISVTX));
	return 0;
}

int wv_replaceable_above(const char *path, char ret[PATH_MAX], struct wv_error *error)
{
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		size_t n = slash == path ? 1 : slash - path;
		bool is;
		int failed;

		memcpy(ret, path, n);
		ret[n] = '\0';
		failed = is_replaceable(ret, &is, error);
		if (failed || is)
			return failed;
	}
	ret[0] = '\0';
	return 0;
}

int wv_own_folder_check(const char *path, const char *what, const char *setting,
			struct wv_error *error)
{
	char real[PATH_MAX], above[PATH_MAX];
	struct stat link, status;
	int failed;

	if (!realpath(path, real) || lstat(path, &link) || stat(path, &status))
		return wv_fail_errno(error, errno, "%s", path);
	if (is_theirs(&link) || is_theirs(&status) || others_write(&status))
		return wv_fail(error, WV_E_FAILURE,
			       "%s: not used for %s, since others can write there; mend its owner "
			       "or mode, or set %s",
			       path, what, setting);
	failed = wv_replaceable_above(path, above, error);
	if (!failed && !above[0])
		failed = wv_replaceable_above(real, above, error);
	if (failed || !above[0])
		return failed;
	return wv_fail(error, WV_E_FAILURE,
		       "%s: not used for %s, since others can write to %s; mend that folder's "
		       "owner or mode, or set %s",
		       path, what, above, setting);
}
