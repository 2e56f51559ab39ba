// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a file atomically; see replace.h. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/replace.h"

#define FILE_MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)

/*
 * Creates an unnamed file in the folder of @path. If the file system does not support unnamed
 * files, creates a temporary file instead, and sets *@temporary to its name. Returns a file
 * descriptor, or a negative code.
 */
static int create_file(const char *path, char **temporary, struct wv_error *error)
{
	_cleanup_free_ char *copy = strdup(path);
	mode_t mask;
	int fd;

	if (!copy)
		return wv_no_memory(error);
	fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, FILE_MODE);
	if (fd >= 0)
		return fd;
	if (asprintf(temporary, "%s.XXXXXX", path) < 0) {
		*temporary = NULL;
		return wv_no_memory(error);
	}
	fd = mkostemp(*temporary, O_CLOEXEC);
	if (fd < 0) {
		free(wv_take(*temporary));
		return wv_fail_errno(error, errno, "%s", path);
	}
	/* mkostemp() creates a private file; give this one the usual permissions. */
	mask = umask(0);
	umask(mask);
	fchmod(fd, FILE_MODE & ~mask);
	return fd;
}

static int write_all(int fd, const unsigned char *bytes, size_t n)
{
	while (n) {
		ssize_t some = write(fd, bytes, n);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0)
			return -1;
		bytes += some;
		n -= some;
	}
	return 0;
}

/*
 * Gives the complete file its name @path. An unnamed file cannot get the name of an existing file.
 * So if @path exists, the unnamed file first gets a temporary name, and is then renamed to @path.
 */
static int name_file(int fd, char **temporary, const char *path)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (!*temporary && !linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
		return 0;
	if (!*temporary) {
		if (errno != EEXIST || asprintf(temporary, "%s.%d", path, getpid()) < 0) {
			*temporary = NULL;
			return -1;
		}
		unlink(*temporary);
		if (linkat(AT_FDCWD, self, AT_FDCWD, *temporary, AT_SYMLINK_FOLLOW)) {
			free(wv_take(*temporary));
			return -1;
		}
	}
	return rename(*temporary, path);
}

/*
 * Fills @error with the reason in errno why a write to @path failed. If no space is left, the
 * message also says what to do. Returns a negative code.
 */
static int fail_write(const char *path, struct wv_error *error)
{
	const int failed = errno;

	if (failed == ENOSPC || failed == EDQUOT)
		return wv_fail(error, WV_E_FAILURE, "%s: no space left there: make room", path);
	return wv_fail_errno(error, failed, "%s", path);
}

/*
 * Writes to a device or a pipe, which cannot be replaced, or to a file that has no name any more.
 */
static int write_into(const char *path, const unsigned char *bytes, size_t n,
		      struct wv_error *error)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	return fd < 0 || write_all(fd, bytes, n) ? fail_write(path, error) : 0;
}

static int write_anew(const char *path, const unsigned char *bytes, size_t n,
		      struct wv_error *error)
{
	_cleanup_free_ char *temporary = NULL;
	_cleanup_close_ int fd = create_file(path, &temporary, error);
	int ret = 0;

	if (fd < 0)
		return fd;
	if (write_all(fd, bytes, n) || name_file(fd, &temporary, path))
		ret = fail_write(path, error);
	if (ret && temporary)
		unlink(temporary);
	return ret;
}

int wv_replace_file(const char *path, const unsigned char *bytes, size_t n, struct wv_error *error)
{
	_cleanup_free_ char *target = NULL;
	struct stat status;

	if (stat(path, &status))
		return write_anew(path, bytes, n, error);
	/* Replaces the target of a symbolic link, not the link: /dev/stdout is one. */
	target = realpath(path, NULL);
	return target && S_ISREG(status.st_mode) ? write_anew(target, bytes, n, error)
						 : write_into(path, bytes, n, error);
}
