// SPDX-License-Identifier: GPL-2.0-or-later
/* See own-folder.h. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/own-folder.h"

int wv_own_folder_check(const char *path, const char *what, const char *setting,
			struct wv_error *error)
{
	struct stat status;

	if (stat(path, &status))
		return wv_fail_errno(error, errno, "%s", path);
	if (status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	return wv_fail(error, WV_E_FAILURE,
		       "%s: not used for %s, since others can write there; mend its owner or mode, "
		       "or set %s",
		       path, what, setting);
}
