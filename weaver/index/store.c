// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Creates a joinpoint database, and copies images from an older one. The database is built in
 * memory, and then written to a file without a name. The file gets its name only when it is
 * complete. So nobody sees a half-written database, and a killed process leaves nothing behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/replace.h"
#include "base/str.h"
#include "database/pointcut.h"
#include "index/store-handle.h"
#include "index/store-rows.h"
#include "index/store.h"
#include "runtime/joinpoint-table.h"

static int run(struct wv_store *store, const char *sql)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
									   : wv_store_fail(store);
}

int wv_store_add(struct wv_store *store, const struct wv_contents *contents,
		 struct wv_error *error)
{
	int ret;

	store->contents = contents;
	store->error = error;
	ret = wv_store_rows(store);
	store->contents = NULL;
	store->number++;
	return ret;
}

bool wv_store_has_old(const struct wv_store *store)
{
	return store->has_old;
}

int wv_store_has(struct wv_store *store, uint64_t number, const char *name,
		 const uint8_t *build_id, size_t size, bool *ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;

	store->error = error;
	*ret = false;
	if (!store->has_old || !size)
		return 0;
	if (sqlite3_prepare_v2(store->db,
			       "SELECT 1 FROM old.image WHERE id = ? AND name = ? AND build_id = ?",
			       -1, &statement, NULL) != SQLITE_OK)
		return wv_store_fail(store);
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)number);
	sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
	sqlite3_bind_blob(statement, 3, build_id, size, SQLITE_STATIC);
	*ret = sqlite3_step(statement) == SQLITE_ROW;
	return 0;
}

/*
 * The tables to copy, in the order in which wv_store_add() fills them: then copied rows give the
 * same bytes in the file as added rows.
 */
static const struct {
	const char *table, *key;
	unsigned int bits; /* how many bits of the key are below the image's number */
} tables[] = {
	{ "mention", "image", 0 },
	{ "image", "id", 0 },
	{ "unit", "id", WV_IMAGE_ID_BITS },
	{ "section", "offset", WV_IMAGE_OFFSET_BITS },
	{ "file", "id", WV_IMAGE_ID_BITS },
	{ "field", "id", WV_IMAGE_ID_BITS },
	{ "function", "id", WV_IMAGE_ID_BITS },
	{ "macro", "id", WV_IMAGE_ID_BITS },
	{ "joinpoint", "id", WV_IMAGE_ID_BITS },
	{ "symbol", "id", WV_IMAGE_ID_BITS },
	{ "shadow", "joinpoint", WV_IMAGE_ID_BITS },
	{ "fate", "joinpoint", WV_IMAGE_ID_BITS },
	{ "line", "file", WV_IMAGE_ID_BITS },
	{ "inline", "id", WV_IMAGE_ID_BITS },
	{ "copy", "inline", WV_IMAGE_ID_BITS },
	{ "place", "offset", WV_IMAGE_OFFSET_BITS },
	{ "call", "target", WV_IMAGE_OFFSET_BITS },
	{ "owner", "offset", WV_IMAGE_OFFSET_BITS },
	{ "branch_target", "offset", WV_IMAGE_OFFSET_BITS },
	{ "text", "offset", WV_IMAGE_OFFSET_BITS },
};

int wv_store_take(struct wv_store *store, struct wv_error *error)
{
	int ret = 0;

	store->error = error;
	if (!store->number)
		ret = run(store, "INSERT INTO main.meta SELECT * FROM old.meta ORDER BY key");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !ret; i++) {
		uint64_t first = store->number << tables[i].bits;
		uint64_t last = ((store->number + 1) << tables[i].bits) - 1;
		char sql[256];

		snprintf(sql, sizeof(sql),
			 "INSERT INTO main.%s SELECT * FROM old.%s WHERE %s BETWEEN %lld AND %lld "
			 "ORDER BY %s",
			 tables[i].table, tables[i].table, tables[i].key, (long long)first,
			 (long long)last, tables[i].key);
		ret = run(store, sql);
	}
	store->number++;
	return ret;
}

int wv_store_root(struct wv_store *store, char **ret, struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	const unsigned char *root = NULL;

	store->error = error;
	if (sqlite3_prepare_v2(store->db, "SELECT value FROM main.meta WHERE key = 'source_root'",
			       -1, &statement, NULL) != SQLITE_OK)
		return wv_store_fail(store);
	if (sqlite3_step(statement) == SQLITE_ROW)
		root = sqlite3_column_text(statement, 0);
	*ret = strdup(root ? (const char *)root : "");
	return *ret ? 0 : wv_no_memory(error);
}

/* Reads a number from the old database's SQLite header, such as the version; 0 if that fails. */
static int old_pragma(struct wv_store *store, const char *sql)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK ||
	    sqlite3_step(statement) != SQLITE_ROW)
		return 0;
	return sqlite3_column_int(statement, 0);
}

/* Returns whether the old database passes SQLite's integrity check. */
static bool is_sound(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	const unsigned char *verdict;

	if (sqlite3_prepare_v2(store->db, "PRAGMA old.quick_check(1)", -1, &statement, NULL) !=
		    SQLITE_OK || sqlite3_step(statement) != SQLITE_ROW)
		return false;
	verdict = sqlite3_column_text(statement, 0);
	return verdict && !strcmp((const char *)verdict, "ok");
}

/*
 * Attaches the old database, so that wv_store_take() can copy images from it. Does not attach a
 * file that is damaged, or that is no database of this version: the new database simply replaces
 * such a file.
 */
static void attach_old(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;

	if (access(store->path, R_OK) ||
	    sqlite3_prepare_v2(store->db, "ATTACH ? AS old", -1, &statement, NULL) != SQLITE_OK)
		return;
	sqlite3_bind_text(statement, 1, store->path, -1, SQLITE_STATIC);
	store->has_old = sqlite3_step(statement) == SQLITE_DONE &&
			 old_pragma(store, "PRAGMA old.application_id") ==
				 WV_SCHEMA_APPLICATION_ID &&
			 old_pragma(store, "PRAGMA old.user_version") == WV_SCHEMA_VERSION &&
			 is_sound(store);
}

/* A database of all modules of a kernel has 0.9 GB; SQLite's own limit for memory is 1 GB. */
#define DATABASE_MAX ((sqlite3_int64)16 << 30)

/*
 * Keeps the new database in one piece of memory, which wv_store_finish() writes to the file as it
 * is. Without this, SQLite would keep the database as pages, and wv_store_finish() would need a
 * copy of all of them.
 */
static int use_memory(struct wv_store *store)
{
	enum { FIRST_SIZE = 1 << 20 };
	unsigned char *memory = sqlite3_malloc(FIRST_SIZE);
	sqlite3_int64 limit = DATABASE_MAX;

	if (!memory)
		return wv_no_memory(store->error);
	if (sqlite3_deserialize(store->db, "main", memory, 0, FIRST_SIZE,
				SQLITE_DESERIALIZE_FREEONCLOSE |
				SQLITE_DESERIALIZE_RESIZEABLE) != SQLITE_OK ||
	    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit) != SQLITE_OK)
		return wv_store_fail(store);
	return 0;
}

int wv_store_create(const char *path, bool keep, struct wv_store **ret, struct wv_error *error)
{
	struct wv_store *store = calloc(1, sizeof(*store));
	char sql[128];
	int failed;

	*ret = NULL;
	if (!store || !(store->path = strdup(path))) {
		free(store);
		return wv_no_memory(error);
	}
	store->error = error;
	snprintf(sql, sizeof(sql), "PRAGMA application_id=%d; PRAGMA user_version=%d;",
		 WV_SCHEMA_APPLICATION_ID, WV_SCHEMA_VERSION);
	/*
	 * SQLITE_OPEN_MEMORY is not used: SQLite would apply it to the attached file, too. No
	 * mutex: only one thread uses the connection.
	 */
	if (sqlite3_open_v2(":memory:", &store->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		failed = store->db ? wv_store_fail(store) :
				     wv_no_memory(error);
	else
		failed = use_memory(store);
	if (!failed)
		failed = run(store, "PRAGMA journal_mode=OFF; PRAGMA temp_store=MEMORY;"
				    "PRAGMA page_size=8192;");
	if (!failed) {
		if (keep)
			attach_old(store);
		failed = run(store, "BEGIN;");
	}
	if (!failed)
		failed = run(store, sql);
	if (!failed)
		failed = run(store, WV_SCHEMA_TABLES);
	if (failed)
		wv_store_destroy(store);
	else
		*ret = store;
	return failed;
}

void wv_store_destroy(struct wv_store *store)
{
	if (!store)
		return;
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}

/*
 * Appends an SQL expression that returns the name of a column's value: "CASE COLUMN WHEN 0 THEN
 * 'get' ... ELSE 'init' END". The expression has one WHEN for each value below @nr_values. All
 * other values get the name of the value @last.
 */
static void add_names(struct wv_str *sql, const char *column,
		      const char *(*name)(unsigned int value), unsigned int nr_values,
		      unsigned int last)
{
	wv_str_addf(sql, "CASE %s", column);
	for (unsigned int i = 0; i < nr_values; i++)
		wv_str_addf(sql, " WHEN %u THEN '%s'", i, name(i));
	wv_str_addf(sql, " ELSE '%s' END", name(last));
}

static int add_views(struct wv_store *store)
{
	_cleanup_str_ struct wv_str kind = { 0 }, precision = { 0 }, sql = { 0 };

	add_names(&kind, "joinpoint.kind", wv_kind_name, WEFT_KIND_INIT, WEFT_KIND_INIT);
	/*
	 * The shadow of an access has a precision up to LINE, the value below SYMBOL. A row with
	 * another value (NULL) is an access without a shadow, and is called OPTIMIZED_OUT.
	 */
	add_names(&precision, "shadow.precision", wv_precision_name, WEFT_PRECISION_SYMBOL,
		  WEFT_PRECISION_OPTIMIZED_OUT);
	wv_str_addf(&sql, WV_SCHEMA_VIEWS, wv_str_text(&kind), wv_str_text(&precision),
		    WV_CHOSEN_OWN);
	if (kind.failed || precision.failed || sql.failed)
		return wv_no_memory(store->error);
	return run(store, sql.data);
}

int wv_store_finish(struct wv_store *store, struct wv_error *error)
{
	const unsigned char *bytes;
	sqlite3_int64 n = 0;
	int ret;

	store->error = error;
	ret = run(store, WV_SCHEMA_INDEXES);
	if (!ret)
		ret = wv_store_names(store);
	if (!ret)
		ret = add_views(store);
	if (!ret)
		ret = run(store, "COMMIT;");
	if (ret)
		return ret;
	bytes = sqlite3_serialize(store->db, "main", &n, SQLITE_SERIALIZE_NOCOPY);
	return bytes ? wv_replace_file(store->path, bytes, n, error) :
		       wv_fail(error, WV_E_FAILURE, "this SQLite does not give its memory away");
}
