// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fuzzing targets for images and databases: the plugin's table alone, a vmlinux and a module
 * through the whole of `weft index`, an object that is compared with an image's functions, and a
 * database that is queried with pointcuts of every form. A reader must either accept damaged input
 * or refuse it with a message; nothing else may happen.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "image/table-reader.h"
#include "index/build.h"
#include "database/db.h"
#include "index/merge.h"
#include "database/pointcut-parse.h"
#include "database/query.h"
#include "database/wildcard.h"
#include "image/dwarf/units.h"
#include "prove/proof.h"
#include "targets.h"

const char *targets_vmlinux;
char targets_input[4096], targets_output[4096];

void targets_init(const char *folder, const char *sound_vmlinux)
{
	targets_vmlinux = sound_vmlinux;
	snprintf(targets_input, sizeof(targets_input), "%s/input", folder);
	snprintf(targets_output, sizeof(targets_output), "%s/output.weft", folder);
}

void targets_remove(void)
{
	recording_remove();
	unlink(targets_input);
	unlink(targets_output);
}

bool targets_write_input(const uint8_t *bytes, size_t n, const char **message_ret)
{
	int fd = open(targets_input, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool written = fd >= 0 && write(fd, bytes, n) == (ssize_t)n;

	if (fd >= 0)
		close(fd);
	if (!written)
		*message_ret = "the input cannot be written";
	return written;
}

/*
 * Returns whether a reader may end with the result @failed: it must be 0, or an error with a
 * message of one line.
 */
static bool is_fine(int failed, const struct wv_error *error, const char **message_ret)
{
	if (!failed)
		return true;
	*message_ret = error->message;
	return (failed == -WV_E_FORMAT || failed == -WV_E_NO_MATCH) && error->message[0] &&
	       !strchr(error->message, '\n');
}

static bool run_table(const uint8_t *bytes, size_t n, const char **message_ret)
{
	static struct wv_error error;
	struct wv_merge merge = { 0 };
	struct wv_unit unit = { 0 };
	struct wv_table table;
	bool more = true;
	int ret = 0;

	wv_table_init(&table, "table", bytes, n);
	while (!ret && more) {
		ret = wv_table_next(&table, &unit, &more, &error);
		if (!ret && more)
			ret = wv_merge_unit(&merge, &unit, &error);
	}
	if (!ret)
		ret = wv_merge_sort(&merge, &error);
	wv_unit_deinit(&unit);
	wv_merge_deinit(&merge);
	return is_fine(ret, &error, message_ret);
}

static bool ask(const char *path, const char **message_ret)
{
	static const char *const texts[] = {
		"sk_buff.len",	 "sock.sk_state",      "destroy",
		"sample.h:5",	 "destroy+0xd",	       "sample.c:15",
		"peek",		 "destroy%exit",       "other%blocks",
		"destroy%calls", "__fentry__%callers", "nobody.knows",
		"*s*r?y",
	};
	static struct wv_error error;
	struct wv_db *db;
	int ret = wv_db_open(path, &db, &error);
	bool fine = is_fine(ret, &error, message_ret);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !ret && fine; i++) {
		struct wv_pointcut pointcut;
		struct wv_matches matches;
		int failed;

		wv_pointcut_parse(texts[i], WV_KINDS_ALL, &pointcut, &error);
		failed = wv_db_query_like(db, &pointcut, &matches, &error);
		if (!failed)
			wv_matches_deinit(&matches);
		fine = is_fine(failed, &error, message_ret);
		wv_pointcut_deinit(&pointcut);
	}
	wv_db_close(db);
	return fine;
}

/*
 * Indexes the images. If they are accepted, the database that is made of them must answer queries.
 */
static bool index_images(struct wv_index_image *images, size_t n, const char **message_ret)
{
	static struct wv_error error;
	struct wv_index_totals totals;
	int ret = wv_index_images(images, n, targets_output, true, &totals, &error);

	if (ret)
		return is_fine(ret, &error, message_ret);
	return ask(targets_output, message_ret);
}

static bool run_vmlinux(const uint8_t *bytes, size_t n, const char **message_ret)
{
	struct wv_index_image image = { .path = targets_input };

	return targets_write_input(bytes, n, message_ret) && index_images(&image, 1, message_ret);
}

static bool run_module(const uint8_t *bytes, size_t n, const char **message_ret)
{
	struct wv_index_image images[] = { { .path = targets_vmlinux }, { .path = targets_input } };

	return targets_write_input(bytes, n, message_ret) && index_images(images, 2, message_ret);
}

/* Compares the functions of the object at targets_input with those of the image at @path. */
static int prove(const char *path, struct wv_error *error)
{
	_cleanup_image_ struct wv_image *object = NULL, *image = NULL;
	struct wv_shipped shipped = { 0 };
	struct wv_proof proof = { 0 };
	struct wv_paths paths = { 0 };
	struct wv_units units = { 0 };
	int ret = wv_image_open(targets_input, &object, error);

	if (!ret)
		ret = wv_image_open(path, &image, error);
	if (!ret)
		ret = wv_units_read(image, &paths, &units, error);
	if (!ret)
		ret = wv_shipped_init(&shipped, image, &units, &paths, error);
	if (!ret)
		ret = wv_prove(&proof, &shipped, object, "fs/sample.c", error);
	wv_proof_deinit(&proof);
	wv_shipped_deinit(&shipped);
	wv_units_deinit(&units);
	wv_paths_deinit(&paths);
	return ret;
}

static bool run_object(const uint8_t *bytes, size_t n, const char **message_ret)
{
	static struct wv_error error;

	if (!targets_write_input(bytes, n, message_ret))
		return false;
	return is_fine(prove(targets_vmlinux, &error), &error, message_ret) &&
	       is_fine(prove(targets_input, &error), &error, message_ret);
}

static bool run_database(const uint8_t *bytes, size_t n, const char **message_ret)
{
	return targets_write_input(bytes, n, message_ret) && ask(targets_input, message_ret);
}

const struct target targets[] = {
	{ "table", run_table },
	{ "vmlinux", run_vmlinux },
	{ "module", run_module },
	{ "object", run_object },
	{ "database", run_database },
	{ "aspect", run_aspect },
	{ "records", run_records },
	{ "recording", run_recording },
	{ 0 }
};
