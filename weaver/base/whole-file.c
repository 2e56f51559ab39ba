// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a whole text file; see whole-file.h. */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/whole-file.h"

int wv_whole_file(const char *path, struct wv_str *ret, struct wv_error *error)
{
	_cleanup_fclose_ FILE *stream = fopen(path, "re");
	char buffer[8192];
	size_t n;

	if (!stream)
		return wv_fail_errno(error, errno, "%s", path);
	errno = 0;
	while ((n = fread(buffer, 1, sizeof(buffer), stream)))
		wv_str_add_n(ret, buffer, n);
	if (ferror(stream))
		return wv_fail_errno(error, errno, "%s", path);
	return ret->failed ? wv_no_memory(error) : 0;
}
