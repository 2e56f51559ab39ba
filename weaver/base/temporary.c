// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds and checks the folder for temporary files; see temporary.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/own-folder.h"
#include "base/temporary.h"

int wv_temporary_name(char ret[PATH_MAX], struct wv_error *error)
{
	const char *named = getenv("TMPDIR");
	char folder[PATH_MAX], above[PATH_MAX];
	int failed;

	if (!named || !*named)
		named = "/tmp";
	if (!realpath(named, folder))
		return wv_fail_errno(error, errno, "%s: the folder for temporary files", named);
	if ((size_t)snprintf(ret, PATH_MAX, "%s/weft-XXXXXX", folder) >= PATH_MAX)
		return wv_fail_errno(error, ENAMETOOLONG, "%s", folder);
	failed = wv_replaceable_above(ret, above, error);
	if (failed || !above[0])
		return failed;
	return wv_fail(error, WV_E_FAILURE,
		       "%s: not used for temporary files, since others can replace what is in %s; "
		       "set TMPDIR to a folder that is yours alone, or to /tmp",
		       folder, above);
}

int wv_temporary_folder(char ret[PATH_MAX], struct wv_error *error)
{
	int failed = wv_temporary_name(ret, error);

	if (!failed)
		*strrchr(ret, '/') = '\0';
	return failed;
}
