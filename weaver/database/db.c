// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens a joinpoint database, checks it, and reads names and bytes by address. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "database/db-handle.h"
#include "database/db.h"
#include "database/file-name.h"

void wv_db_close(struct wv_db *db)
{
	if (!db)
		return;
	wv_pool_deinit(&db->images);
	wv_str_deinit(&db->name);
	wv_vec_for_each(kept, &db->kept)
		sqlite3_finalize(kept->statement);
	wv_vec_deinit(&db->kept);
	sqlite3_finalize(db->symbol_exactly_at);
	sqlite3_finalize(db->symbol_at);
	sqlite3_finalize(db->piece_at);
	sqlite3_close(db->sqlite);
	free(db->path);
	free(db);
}

const uint8_t *wv_db_build_id(const struct wv_db *db, size_t *size)
{
	*size = db->build_id_size;
	return db->build_id;
}

const char *wv_db_program(const struct wv_db *db)
{
	const char *name = wv_db_image_name(db, 0);

	return name && strcmp(name, "vmlinux") ? name : NULL;
}

const char *wv_db_target(const struct wv_db *db)
{
	const char *program = wv_db_program(db);

	return program ? program : "this kernel";
}

wv_linux_version wv_db_linux_version(const struct wv_db *db)
{
	return db->linux_version;
}

uint64_t wv_db_text_address(const struct wv_db *db)
{
	return db->text_address;
}

/*
 * The limit for the work of a query. It is needed because the tables of a damaged database can have
 * cycles, in which a query would run until memory is exhausted. Work is counted in instructions of
 * SQLite's virtual machine. In a valid database no query needs more than a few per byte of the
 * file.
 * WORK_UNIT: number of instructions after which SQLite calls limit_work() again.
 * WORK_PER_BYTE: number of instructions that a query may run for each byte of the file.
 */
#define WORK_UNIT 100000
#define WORK_PER_BYTE 4
#define WORK_LEAST 100 /* minimum of .work_max (db-handle.h) */

/*
 * Size of SQLite's cache of database pages, in KiB. SQLite writes to the whole cache when it makes
 * one. So if the cache were larger than most queries need, each of these queries would still pay
 * for the page faults.
 */
#define CACHE_KB "4096"

static int limit_work(void *context)
{
	struct wv_db *db = context;

	return ++db->work > db->work_max;
}

/* Reads a number from SQLite's file header; @sql is a PRAGMA. */
static int read_pragma(struct wv_db *db, const char *sql, int *ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed = wv_db_prepare(db, sql, &statement, error);

	if (!failed)
		failed = wv_db_step(db, statement, &more, error);
	if (!failed)
		*ret = more ? sqlite3_column_int(statement, 0) : 0;
	return failed;
}

static int check_version(struct wv_db *db, struct wv_error *error)
{
	int application = 0, version = 0;
	int ret = read_pragma(db, "PRAGMA application_id", &application, error);

	if (!ret)
		ret = read_pragma(db, "PRAGMA user_version", &version, error);
	if (ret == -WV_E_NO_MEMORY)
		return ret;
	if (ret || application != WV_SCHEMA_APPLICATION_ID)
		return wv_fail_at(error, WV_E_FORMAT, db->path, 0, 0,
				  "not a joinpoint database; `weft index` makes one");
	if (version != WV_SCHEMA_VERSION)
		return wv_fail_at(error, WV_E_FORMAT, db->path, 0, 0,
				  "a database of version %d, this weft reads version %d; run `weft "
				  "index` again",
				  version, WV_SCHEMA_VERSION);
	return 0;
}

static int read_meta(struct wv_db *db, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more, has_text = false;
	int ret = wv_db_prepare(db, "SELECT key, value FROM meta", &statement, error);

	if (!ret)
		ret = wv_db_step(db, statement, &more, error);
	while (!ret && more) {
		const char *key = wv_db_text(statement, 0);

		if (!strcmp(key, "text_address")) {
			db->text_address = sqlite3_column_int64(statement, 1);
			has_text = true;
		} else if (!strcmp(key, "linux")) {
			db->linux_version = wv_linux_version_of(wv_db_text(statement, 1));
		} else if (!strcmp(key, "build_id")) {
			const void *bytes = sqlite3_column_blob(statement, 1);
			size_t size = sqlite3_column_bytes(statement, 1);

			if (bytes && size <= sizeof(db->build_id)) {
				memcpy(db->build_id, bytes, size);
				db->build_id_size = size;
			}
		}
		ret = wv_db_step(db, statement, &more, error);
	}
	if (!ret && !has_text)
		ret = wv_fail_at(error, WV_E_FORMAT, db->path, 0, 0,
				 "the database is damaged, and does not say where its text begins: "
				 "make it again");
	return ret;
}

/* Reads the names of the images. Their numbers must be 0, 1, 2, ... and their names different. */
static int read_images(struct wv_db *db, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int ret = wv_db_prepare(db, "SELECT id, name FROM image ORDER BY id", &statement, error);

	if (!ret)
		ret = wv_db_step(db, statement, &more, error);
	while (!ret && more) {
		uint32_t number = wv_pool_add(&db->images, wv_db_text(statement, 1));

		if (number == WV_POOL_FAILED)
			return wv_no_memory(error);
		if (number != (uint64_t)sqlite3_column_int64(statement, 0))
			return wv_fail_at(error, WV_E_FORMAT, db->path, 0, 0,
					  "the database is damaged, its images are not in order: "
					  "make it again");
		ret = wv_db_step(db, statement, &more, error);
	}
	return ret;
}

static void is_file(sqlite3_context *context, int n, sqlite3_value **values)
{
	const char *name = (const char *)sqlite3_value_text(values[0]);
	const char *wanted = (const char *)sqlite3_value_text(values[1]);

	sqlite3_result_int(context, name && wanted && wv_file_is(name, wanted));
}

static int open_sqlite(struct wv_db *db, struct wv_error *error)
{
	struct stat status;
	int ret;

	/*
	 * Check the path first, because SQLite has one message for all reasons why it cannot open.
	 */
	if (access(db->path, R_OK) || stat(db->path, &status))
		return wv_fail_errno(error, errno, "%s", db->path);
	/* SQLite needs no mutex, because only one thread uses the connection. */
	ret = sqlite3_open_v2(db->path, &db->sqlite, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
			      NULL);
	if (!db->sqlite)
		return wv_no_memory(error);
	if (ret != SQLITE_OK)
		return wv_db_fail(db, error);
	db->work_max = WORK_LEAST + (uint64_t)status.st_size * WORK_PER_BYTE / WORK_UNIT;
	sqlite3_progress_handler(db->sqlite, WORK_UNIT, limit_work, db);
	if (sqlite3_create_function(db->sqlite, WV_FILE_IS_FUNCTION, 2,
				    SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, is_file, NULL,
				    NULL) != SQLITE_OK)
		return wv_db_fail(db, error);
	/*
	 * Settings for an untrusted or damaged database. The SQL in it, such as views and triggers,
	 * must not run, and must not change what queries return.
	 */
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	/*
	 * Read pages instead of mapping the file: page faults take longer than copies if a query
	 * reads thousands of locations in a large database. BEGIN puts all queries into one
	 * transaction. Otherwise each of thousands of queries would lock the file, and check
	 * whether it has changed. If this statement fails, the next one fails, too, and reports
	 * why.
	 */
	sqlite3_exec(db->sqlite, "PRAGMA mmap_size = 0; PRAGMA cache_size = -" CACHE_KB "; BEGIN",
		     NULL, NULL, NULL);
	ret = check_version(db, error);
	if (!ret)
		ret = read_meta(db, error);
	if (!ret)
		ret = read_images(db, error);
	if (!ret)
		ret = wv_db_prepare(db,
				    "SELECT name, flags & " WV_SQL(WV_SYMBOL_SECONDARY)
				    " FROM symbol INDEXED BY symbol_offset WHERE offset = ?",
				    &db->symbol_exactly_at, error);
	if (!ret)
		ret = wv_db_prepare(db,
				    "SELECT name, offset, size FROM symbol WHERE offset <= ?"
				    " AND " WV_SQL_IS_PREFERRED("flags")
				    " ORDER BY offset DESC LIMIT 1",
				    &db->symbol_at, error);
	if (!ret)
		ret = wv_db_prepare(db,
				    "SELECT offset, bytes FROM text WHERE offset <= ?"
				    " ORDER BY offset DESC LIMIT 1",
				    &db->piece_at, error);
	return ret;
}

int wv_db_open(const char *path, struct wv_db **ret, struct wv_error *error)
{
	_cleanup_db_ struct wv_db *db = calloc(1, sizeof(*db));
	int failed;

	*ret = NULL;
	if (!db)
		return wv_no_memory(error);
	db->path = strdup(path);
	if (!db->path)
		return wv_no_memory(error);
	failed = open_sqlite(db, error);
	if (failed)
		return failed;
	*ret = wv_take(db);
	return 0;
}

/*
 * Returns the best name of the symbols that begin at @offset: a function's own name, else an alias,
 * else a label. If several names are equally good, returns that of the first row. Returns NULL if
 * no symbol begins at @offset.
 */
static const char *name_exactly_at(struct wv_db *db, uint64_t offset)
{
	sqlite3_stmt *statement = db->symbol_exactly_at;
	int least = WV_SYMBOL_SECONDARY, flags;

	if (db->name.n && db->name_offset == offset)
		return db->name.data;
	sqlite3_reset(statement);
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)offset);
	db->name.n = 0;
	db->name_offset = offset;
	while (sqlite3_step(statement) == SQLITE_ROW) {
		flags = sqlite3_column_int(statement, 1);
		if (db->name.n && flags >= least)
			continue;
		db->name.n = 0;
		wv_str_add(&db->name, wv_db_text(statement, 0));
		least = flags;
		if (!flags)
			break;
	}
	return db->name.n ? db->name.data : NULL;
}

const char *wv_db_symbol_at(struct wv_db *db, uint64_t address, uint64_t *offset_ret)
{
	uint64_t offset = address - db->text_address, size;
	const char *name = name_exactly_at(db, offset);

	*offset_ret = 0;
	if (name)
		return name;
	sqlite3_reset(db->symbol_at);
	sqlite3_bind_int64(db->symbol_at, 1, (sqlite3_int64)offset);
	if (sqlite3_step(db->symbol_at) != SQLITE_ROW)
		return NULL;
	*offset_ret = offset - (uint64_t)sqlite3_column_int64(db->symbol_at, 1);
	size = sqlite3_column_int64(db->symbol_at, 2);
	return size && *offset_ret >= size ? NULL : wv_db_text(db->symbol_at, 0);
}

uint64_t wv_db_symbol_address(struct wv_db *db, const char *name)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(db->sqlite,
			       "SELECT offset FROM symbol WHERE name = ? AND "
			       WV_SQL_IN_VMLINUX("offset"), -1, &statement, NULL) != SQLITE_OK)
		return 0;
	wv_db_bind_text(statement, 1, name);
	return sqlite3_step(statement) == SQLITE_ROW ?
		       db->text_address + (uint64_t)sqlite3_column_int64(statement, 0) : 0;
}

const char *wv_db_image_name(const struct wv_db *db, uint64_t image)
{
	return image < db->images.strings.n ? wv_pool_get(&db->images, image) : NULL;
}

uint64_t wv_db_away(const struct wv_db *db, uint64_t address)
{
	return (address - db->text_address) >> WV_IMAGE_OFFSET_BITS << WV_IMAGE_OFFSET_BITS;
}

int wv_db_module_build_id(const struct wv_db *db, const char *module,
			  uint8_t ret[WEFT_BUILD_ID_MAX], size_t *size_ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	size_t size;

	*size_ret = 0;
	if (sqlite3_prepare_v2(db->sqlite, "SELECT build_id FROM image WHERE name = ?", -1,
			       &statement, NULL) != SQLITE_OK)
		return wv_fail_at(error, WV_E_FORMAT, db->path, 0, 0, "cannot be read: %s",
				  sqlite3_errmsg(db->sqlite));
	wv_db_bind_text(statement, 1, module);
	if (sqlite3_step(statement) != SQLITE_ROW)
		return 0;
	size = sqlite3_column_bytes(statement, 0);
	if (size > WEFT_BUILD_ID_MAX)
		return 0;
	if (size)
		memcpy(ret, sqlite3_column_blob(statement, 0), size);
	*size_ret = size;
	return 0;
}

const char *wv_db_module_at(const struct wv_db *db, uint64_t address)
{
	const uint64_t image = (address - db->text_address) >> WV_IMAGE_OFFSET_BITS;

	return image ? wv_db_image_name(db, image) : NULL;
}

int wv_db_import(struct wv_db *db, const char *name, uint64_t image, uint64_t *ret,
		 struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	bool more;
	int failed = wv_db_prepare(db, "SELECT offset FROM symbol WHERE name = ? AND offset >= ?"
				   " AND offset < ? AND flags & " WV_SQL(WV_SYMBOL_IMPORT),
				   &statement, error);

	*ret = 0;
	if (failed)
		return failed;
	wv_db_bind_text(statement, 1, name);
	sqlite3_bind_int64(statement, 2, (sqlite3_int64)(image << WV_IMAGE_OFFSET_BITS));
	sqlite3_bind_int64(statement, 3, (sqlite3_int64)((image + 1) << WV_IMAGE_OFFSET_BITS));
	failed = wv_db_step(db, statement, &more, error);
	if (!failed && more)
		*ret = db->text_address + (uint64_t)sqlite3_column_int64(statement, 0);
	return failed;
}

/*
 * Makes db->piece the piece of text that contains @offset, and returns true. Returns false if no
 * piece contains @offset. The piece's bytes are not copied, because callers mostly read only one
 * instruction of them.
 */
static bool load_piece(struct wv_db *db, uint64_t offset)
{
	if (offset - db->piece_offset < db->piece_size)
		return true;
	db->piece_size = 0;
	sqlite3_reset(db->piece_at);
	sqlite3_bind_int64(db->piece_at, 1, (sqlite3_int64)offset);
	if (sqlite3_step(db->piece_at) != SQLITE_ROW)
		return false;
	db->piece = sqlite3_column_blob(db->piece_at, 1);
	db->piece_size = db->piece ? sqlite3_column_bytes(db->piece_at, 1) : 0;
	db->piece_offset = sqlite3_column_int64(db->piece_at, 0);
	return offset - db->piece_offset < db->piece_size;
}

size_t wv_db_bytes(struct wv_db *db, uint64_t offset, uint8_t *buffer, size_t size)
{
	size_t n = 0;

	while (n < size && load_piece(db, offset + n)) {
		size_t at = offset + n - db->piece_offset;
		size_t some = db->piece_size - at < size - n ? db->piece_size - at : size - n;

		memcpy(buffer + n, db->piece + at, some);
		n += some;
	}
	return n;
}

size_t wv_db_text_bytes(struct wv_db *db, uint64_t address, uint8_t *buffer, size_t size)
{
	return wv_db_bytes(db, address - db->text_address, buffer, size);
}
