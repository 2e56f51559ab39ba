// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs programs; see programs.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/temporary.h"
#include "prepare/programs.h"

int wv_program_run(struct wv_prepare *prepare, char *const *argv, bool *ok_ret,
		   struct wv_error *error)
{
	const struct wv_child child = { .argv = argv,
					.folder = prepare->folder,
					.log = prepare->log,
					.environment = true,
					.advice = WV_GO_ON };

	return wv_child_succeeds(&child, ok_ret, error);
}

bool wv_read_text(const char *path, struct wv_str *out)
{
	_cleanup_fclose_ FILE *stream = fopen(path, "re");
	char buffer[16384];
	size_t n;

	wv_str_deinit(out);
	if (!stream)
		return false;
	while ((n = fread(buffer, 1, sizeof(buffer), stream)))
		wv_str_add_n(out, buffer, n);
	return !ferror(stream) && !out->failed;
}

int wv_program_text(char *const *argv, bool environment, struct wv_str *out, bool *ok_ret,
		    struct wv_error *error)
{
	char path[PATH_MAX];
	struct wv_child child = { .argv = argv,
				  .environment = environment,
				  .advice = WV_GO_ON };
	int fd, ret;

	*ok_ret = false;
	wv_str_deinit(out);
	if (!wv_program_exists(argv[0]))
		return 0;
	ret = wv_temporary_name(path, error);
	if (ret)
		return ret;
	fd = mkstemp(path);
	if (fd < 0)
		return wv_fail_errno(error, errno, "%s", path);
	close(fd);
	child.log = path;
	ret = wv_child_succeeds(&child, ok_ret, error);
	wv_read_text(path, out);
	unlink(path);
	return ret;
}

bool wv_program_exists(const char *name)
{
	const char *at = getenv("PATH");

	if (strchr(name, '/'))
		return !access(name, X_OK);
	while (at && *at) {
		size_t n = strcspn(at, ":");
		char path[PATH_MAX];

		if ((size_t)snprintf(path, sizeof(path), "%.*s/%s", (int)n, at, name) <
			    sizeof(path) &&
		    !access(path, X_OK))
			return true;
		at += n + (at[n] == ':');
	}
	return false;
}

long wv_program_log_size(const struct wv_prepare *prepare)
{
	struct stat status;

	return stat(prepare->log, &status) ? 0 : status.st_size;
}

/*
 * The text of ENOSPC, which a program prints when the disk is full. It is always in English,
 * because weft runs programs with LC_ALL=C.
 */
static const char no_space[] = "No space left on device";

/*
 * REASON_MAX: size in bytes of the buffer for a line of the log.
 * FULL_BYTES: a file system is taken for full if fewer bytes than these are free. The object of a
 * unit mostly needs more.
 */
enum { REASON_MAX = 384, FULL_BYTES = 500000 };

/*
 * Returns a weight: the greater it is, the more probably a line of the log names the reason for a
 * failure. 0: the line is empty.
 */
static int weight(const char *line)
{
	static const char *const signs[] = { "***", "E: ", "rror: ", no_space };
	int found = *line != '\0';

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (strstr(line, signs[i]))
			found = (int)i + 2;
	return found;
}

/*
 * Copies to @reason the line with the greatest weight of those after @offset in the log. If several
 * lines have this weight, takes the first of them.
 */
static void find_reason(const struct wv_prepare *prepare, long offset, char reason[REASON_MAX])
{
	_cleanup_fclose_ FILE *stream = fopen(prepare->log, "re");
	char line[512];
	int best = 0;

	snprintf(reason, REASON_MAX, "no reason in the log");
	if (stream)
		fseek(stream, offset, SEEK_SET);
	while (stream && fgets(line, sizeof(line), stream)) {
		line[strcspn(line, "\n")] = '\0';
		if (weight(line) <= best)
			continue;
		best = weight(line);
		snprintf(reason, REASON_MAX, "%.300s", line + strspn(line, " \t"));
	}
	wv_one_line(reason);
}

/*
 * Returns whether the file system of the preparation's folder is full. The log does not always say
 * so: it is in the same folder, and so may lack the last messages of programs.
 */
static bool is_full(const struct wv_prepare *prepare)
{
	struct statvfs status;

	if (statvfs(prepare->folder, &status))
		return false;
	/* Some blocks are reserved for root: .f_bavail is the number without them. */
	return (uint64_t)(geteuid() ? status.f_bavail : status.f_bfree) * status.f_frsize <
	       FULL_BYTES;
}

bool wv_program_lacked_space(const struct wv_prepare *prepare, long offset)
{
	char reason[REASON_MAX];

	find_reason(prepare, offset, reason);
	return strstr(reason, no_space) || is_full(prepare);
}

int wv_program_fail(const struct wv_prepare *prepare, long offset, enum wv_code code,
		    const char *what, struct wv_error *error)
{
	char reason[REASON_MAX];

	find_reason(prepare, offset, reason);
	return wv_fail(error, code, "%s: %s; the whole log is %s%s", what, reason, prepare->log,
		       wv_program_lacked_space(prepare, offset) ?
			       ": make room, or set WEFT_PREPARED to a folder with more; "
			       WV_GO_ON :
			       "");
}
