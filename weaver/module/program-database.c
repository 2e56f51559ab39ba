// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds or makes a program's database; see program-database.h. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database/db.h"
#include "image/image.h"
#include "index/build.h"
#include "module/cache.h"
#include "module/kernel-folders.h"
#include "module/program-database.h"

/* Fails if the database @path is not of the program @image. */
static int check(const char *path, const struct wv_image *image, struct wv_error *error)
{
	char of_db[WV_BUILD_ID_TEXT], of_program[WV_BUILD_ID_TEXT];
	_cleanup_db_ struct wv_db *db = NULL;
	const uint8_t *own, *indexed;
	size_t size, indexed_size;
	int failed = wv_db_open(path, &db, error);

	if (failed)
		return failed;
	own = wv_image_build_id(image, &size);
	indexed = wv_db_build_id(db, &indexed_size);
	if (size == indexed_size && !memcmp(own, indexed, size))
		return 0;
	wv_build_id_write(indexed, indexed_size, of_db);
	wv_build_id_write(own, size, of_program);
	return wv_fail(error, WV_E_MISMATCH,
		       "the database and the program do not belong together: %s has the build-id "
		       "%s, %s %s; run `weft index` again",
		       path, of_db, wv_image_path(image), of_program);
}

static int cached_path(const struct wv_image *image, char ret[PATH_MAX], struct wv_error *error)
{
	char text[WV_BUILD_ID_TEXT];
	const uint8_t *build_id;
	size_t size, n;
	int failed = wv_cache_folder("programs", "databases of programs", ret, error);

	if (failed)
		return failed;
	build_id = wv_image_build_id(image, &size);
	wv_build_id_write(build_id, size, text);
	n = strlen(ret);
	snprintf(ret + n, PATH_MAX - n, "/%s.weft", text);
	return 0;
}

int wv_program_database(const char *program, char ret[PATH_MAX], struct wv_error *error)
{
	_cleanup_image_ struct wv_image *image = NULL;
	struct wv_index_totals totals;
	size_t size;
	int failed = wv_image_open(program, &image, error);

	if (failed)
		return failed;
	if (!wv_image_is_program(image))
		return wv_fail_at(error, WV_E_FORMAT, program, 0, 0,
				  "neither an executable program nor a shared library");
	if ((size_t)snprintf(ret, PATH_MAX, "%s.weft", program) < PATH_MAX && !access(ret, F_OK))
		return check(ret, image, error);
	wv_image_build_id(image, &size);
	if (size) {
		failed = cached_path(image, ret, error);
		/* A database that an older weft has made is made again. */
		if (!failed && !access(ret, F_OK) && !check(ret, image, error))
			return 0;
	} else {
		ret[0] = '\0';
	}
	return failed ? failed : wv_index_build(program, ret, &totals, error);
}
