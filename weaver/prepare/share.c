// SPDX-License-Identifier: GPL-2.0-or-later
/* Exports and imports databases; see share.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/progress.h"
#include "database/db.h"
#include "image/image.h"
#include "live/running-kernel.h"
#include "prepare/share.h"

/*
 * The heading of an exported file: three lines, FIRST_LINE, "release RELEASE" and "build-id HEX".
 * The database follows.
 */
#define FIRST_LINE "weft database 1\n"
#define RELEASE "release "
#define BUILD_ID "build-id "
enum { LINE_MAX_SIZE = 256, CHUNK = 1 << 16 };

static void set_build_id(struct wv_build_id *ret, const uint8_t *bytes, size_t size)
{
	ret->size = bytes && size <= sizeof(ret->bytes) ? size : 0;
	memcpy(ret->bytes, bytes ? bytes : ret->bytes, ret->size);
}

int wv_build_id_of_image(const char *path, struct wv_build_id *ret, struct wv_error *error)
{
	_cleanup_image_ struct wv_image *image = NULL;
	int failed = wv_image_open(path, &image, error);
	const uint8_t *bytes;
	size_t size;

	*ret = (struct wv_build_id){ 0 };
	if (failed)
		return failed;
	bytes = wv_image_build_id(image, &size);
	set_build_id(ret, bytes, size);
	return 0;
}

int wv_build_id_of_database(const char *path, struct wv_build_id *ret, struct wv_error *error)
{
	_cleanup_db_ struct wv_db *db = NULL;
	int failed = wv_db_open(path, &db, error);
	const uint8_t *bytes;
	size_t size;

	*ret = (struct wv_build_id){ 0 };
	if (failed)
		return failed;
	bytes = wv_db_build_id(db, &size);
	set_build_id(ret, bytes, size);
	return 0;
}

/* ---- exporting a database -------------------------------------------------------------------- */

static int copy_in(FILE *from, gzFile to)
{
	char buffer[CHUNK];
	size_t n, done = 0;

	while ((n = fread(buffer, 1, sizeof(buffer), from))) {
		if (gzwrite(to, buffer, n) != (int)n)
			return -1;
		wv_progress_count(done += n, 0);
	}
	return ferror(from) ? -1 : 0;
}

/*
 * Creates a file with a temporary name in the folder of @path; finish() will rename it to @path.
 * Returns the file's descriptor. The caller frees the name, *@temporary.
 */
static int create_beside(const char *path, char **temporary, struct wv_error *error)
{
	int fd;

	if (asprintf(temporary, "%s.XXXXXX", path) < 0) {
		*temporary = NULL;
		return wv_no_memory(error);
	}
	fd = mkstemp(*temporary);
	if (fd < 0) {
		wv_fail_errno(error, errno, "%s", path);
		free(wv_take(*temporary));
		return -error->code;
	}
	fchmod(fd, 0644);
	return fd;
}

/*
 * If @ret is 0, renames the file @temporary to @path. If @ret is an error, or if the file cannot be
 * renamed, removes the file and returns the error.
 */
static int finish(int ret, const char *temporary, const char *path, struct wv_error *error)
{
	if (!ret && rename(temporary, path))
		ret = wv_fail_errno(error, errno, "%s", path);
	if (ret)
		unlink(temporary);
	return ret;
}

int wv_share_export(const char *database, const char *release, const char *path,
		    struct wv_error *error)
{
	char build_id[2 * WEFT_BUILD_ID_MAX + 1];
	_cleanup_fclose_ FILE *from = NULL;
	_cleanup_free_ char *temporary = NULL;
	struct wv_build_id id;
	int ret = wv_build_id_of_database(database, &id, error), fd;
	gzFile to;

	if (ret)
		return ret;
	wv_build_id_text(id.bytes, id.size, build_id);
	from = fopen(database, "re");
	if (!from)
		return wv_fail_errno(error, errno, "%s", database);
	fd = create_beside(path, &temporary, error);
	if (fd < 0)
		return fd;
	to = gzdopen(fd, "wb");
	if (!to) {
		close(fd);
		return finish(wv_no_memory(error), temporary, path, error);
	}
	wv_progress_stage("compressing");
	if (gzprintf(to, FIRST_LINE RELEASE "%s\n" BUILD_ID "%s\n", release, build_id) <= 0 ||
	    copy_in(from, to))
		ret = wv_fail_errno(error, errno, "%s", path);
	if (gzclose(to) != Z_OK && !ret)
		ret = wv_fail_errno(error, errno, "%s", path);
	return finish(ret, temporary, path, error);
}

/* ---- importing a database -------------------------------------------------------------------- */

static bool parse_build_id(const char *text, struct wv_build_id *ret)
{
	unsigned int byte;

	for (ret->size = 0; sscanf(text, "%2x", &byte) == 1; text += 2) {
		if (ret->size == sizeof(ret->bytes))
			return false;
		ret->bytes[ret->size++] = byte;
	}
	return *text == '\n';
}

static int fail_damaged(const char *path, struct wv_error *error)
{
	return wv_fail(error, WV_E_FORMAT, "%s is truncated or damaged: copy it again", path);
}

/* Reads the heading. After it, the stream is at the beginning of the database. */
static int read_heading(gzFile from, const char *path, struct wv_shared *ret,
			struct wv_error *error)
{
	char line[LINE_MAX_SIZE] = "";
	int state;

	*ret = (struct wv_shared){ 0 };
	if (!gzgets(from, line, sizeof(line)) || strcmp(line, FIRST_LINE) ||
	    !gzgets(from, line, sizeof(line)) ||
	    sscanf(line, RELEASE "%64s", ret->release) != 1 ||
	    !gzgets(from, line, sizeof(line)) || strncmp(line, BUILD_ID, strlen(BUILD_ID)) ||
	    !parse_build_id(line + strlen(BUILD_ID), &ret->build_id)) {
		gzerror(from, &state);
		/*
		 * zlib reads more of the file than the heading, a small file even to its end. So
		 * the call may have failed although the heading is whole, because the file is
		 * damaged after it.
		 */
		if (state == Z_DATA_ERROR || state == Z_BUF_ERROR)
			return fail_damaged(path, error);
		return wv_fail(error, WV_E_FORMAT,
			       "%s: not a file of `weft prepare --export`, or of another version",
			       path);
	}
	return 0;
}

static int open_shared(const char *path, gzFile *ret, struct wv_shared *shared,
		       struct wv_error *error)
{
	int failed;

	*ret = gzopen(path, "rb");
	if (!*ret)
		return wv_fail_errno(error, errno, "%s", path);
	failed = read_heading(*ret, path, shared, error);
	if (failed)
		gzclose(*ret);
	return failed;
}

int wv_share_read(const char *path, struct wv_shared *ret, struct wv_error *error)
{
	gzFile from;
	int failed = open_shared(path, &from, ret, error);

	if (!failed)
		gzclose(from);
	return failed;
}

static int copy_out(gzFile from, const char *path, int fd, const char *database,
		    struct wv_error *error)
{
	char buffer[CHUNK];
	size_t done = 0;
	int n, state;

	while ((n = gzread(from, buffer, sizeof(buffer))) > 0) {
		if (write(fd, buffer, n) != n)
			return wv_fail_errno(error, errno ? errno : ENOSPC, "%s", database);
		wv_progress_count(done += n, 0);
	}
	gzerror(from, &state);
	/*
	 * gzread() gives no error for a file that is cut off between two blocks: check that zlib
	 * has come to the end of the compressed data.
	 */
	if (n < 0 || (state != Z_OK && state != Z_STREAM_END))
		return fail_damaged(path, error);
	return fsync(fd) ? wv_fail_errno(error, errno, "%s", database) : 0;
}

static int check_database(const char *path, const char *database, const struct wv_shared *shared,
			  struct wv_error *error)
{
	struct wv_build_id id;
	int ret = wv_build_id_of_database(database, &id, error);

	if (ret)
		return wv_fail(error, WV_E_FORMAT,
			       "%s has no database that this weft can read: export it again", path);
	if (id.size == shared->build_id.size && !memcmp(id.bytes, shared->build_id.bytes, id.size))
		return 0;
	return wv_fail(error, WV_E_MISMATCH, "%s has the database of another kernel than it says",
		       path);
}

int wv_share_import(const char *path, const struct wv_shared *shared, const char *database,
		    struct wv_error *error)
{
	_cleanup_free_ char *temporary = NULL;
	struct wv_shared again;
	gzFile from;
	int ret = open_shared(path, &from, &again, error), fd;

	if (ret)
		return ret;
	fd = create_beside(database, &temporary, error);
	if (fd < 0) {
		gzclose(from);
		return fd;
	}
	wv_progress_stage("unpacking");
	ret = copy_out(from, path, fd, database, error);
	close(fd);
	if (gzclose(from) != Z_OK && !ret)
		ret = fail_damaged(path, error);
	if (!ret)
		ret = check_database(path, temporary, shared, error);
	return finish(ret, temporary, database, error);
}
