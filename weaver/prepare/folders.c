// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes and finds folders of a preparation; see folders.h. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/prepared.h"
#include "prepare/folders.h"

int wv_make_folders(const char *path, struct wv_error *error)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		/*
		 * No check: if this folder cannot be made, the mkdir() after the loop fails, too.
		 */
		mkdir(part, 0755);
		*slash = '/';
	}
	if (mkdir(path, 0755) && errno != EEXIST)
		return wv_fail_errno(error, errno, "%s", path);
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	return remove(path);
}

void wv_remove_folder(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool wv_headers_find(const char *release, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "/lib/modules/%s/build", release);
	if (!access(path, R_OK))
		return true;
	return wv_prepared_find(release, WV_PREPARED_HEADERS, path);
}
