// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes and removes build folders; see build-folder.h. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/temporary.h"
#include "module/build-folder.h"

int wv_build_folder_make(char path[PATH_MAX], struct wv_error *error)
{
	int failed = wv_temporary_name(path, error);

	if (failed)
		return failed;
	wv_signals_hold();
	if (!mkdtemp(path)) {
		failed = wv_fail_errno(error, errno, "%s", path);
		wv_signals_release();
	}
	return failed;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	return remove(path);
}

void wv_folder_remove(const char *path)
{
	const struct timespec pause = { .tv_nsec = 50000000 };

	/*
	 * After an interrupt, processes that make has started may still create files for a moment.
	 * So try again, for at most a second.
	 */
	for (int i = 0; i < 20; i++) {
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
		if (access(path, F_OK))
			return;
		nanosleep(&pause, NULL);
	}
}

void wv_build_folder_remove(const char *path)
{
	wv_folder_remove(path);
	wv_signals_release();
}

int wv_build_file_write(const char *folder, const char *name, const char *text,
			struct wv_error *error)
{
	_cleanup_fclose_ FILE *stream = NULL;
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return wv_fail_errno(error, ENAMETOOLONG, "%s", folder);
	stream = fopen(path, "we");
	if (!stream || fputs(text, stream) == EOF || fflush(stream))
		return wv_fail_errno(error, errno, "%s", path);
	return 0;
}

int wv_build_file_link(const char *target_folder, const char *target, const char *folder,
		       const char *name, struct wv_error *error)
{
	char from[PATH_MAX], path[PATH_MAX];

	if ((size_t)snprintf(from, sizeof(from), "%s%s", target_folder, target) >= sizeof(from) ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return wv_fail_errno(error, ENAMETOOLONG, "%s", folder);
	unlink(path);
	return symlink(from, path) ? wv_fail_errno(error, errno, "%s", path) : 0;
}

void wv_build_file_read(const char *path, struct wv_str *ret)
{
	_cleanup_fclose_ FILE *stream = fopen(path, "re");
	char buffer[4096];
	size_t n;

	while (stream && (n = fread(buffer, 1, sizeof(buffer), stream)))
		wv_str_add_n(ret, buffer, n);
}
