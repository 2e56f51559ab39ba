// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a joinpoint database. It is made in memory and written to a file that gets its name when it is whole, so that
 * nobody can see it half-written, and somebody who is killed meanwhile leaves nothing behind.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "joinpoint/schema.h"
#include "joinpoint/store.h"

#define DATABASE_MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)

struct store {
	sqlite3 *db;
	const char *path; /* for messages: the final one */
	const struct wv_contents *contents;
	struct wv_error *error;
};

static int fail(struct store *store)
{
	enum wv_code code = sqlite3_errcode(store->db) == SQLITE_NOMEM ? WV_E_NO_MEMORY :
									 WV_E_FAILURE;

	return wv_fail_at(store->error, code, store->path, 0, 0, "cannot be written: %s",
			  sqlite3_errmsg(store->db));
}

static int run(struct store *store, const char *sql)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(store);
}

static void cleanup_statement(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}
#define _cleanup_statement_ __attribute__((cleanup(cleanup_statement)))

static int prepare(struct store *store, const char *sql, sqlite3_stmt **ret)
{
	return sqlite3_prepare_v2(store->db, sql, -1, ret, NULL) == SQLITE_OK ? 0 : fail(store);
}

/* Runs the insertion whose values are bound, and makes it ready for the next row. */
static int insert(struct store *store, sqlite3_stmt *statement)
{
	if (sqlite3_step(statement) != SQLITE_DONE)
		return fail(store);
	sqlite3_reset(statement);
	return 0;
}

static void bind_text(sqlite3_stmt *statement, int column, const char *text)
{
	sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

static void bind_number(sqlite3_stmt *statement, int column, uint64_t number)
{
	sqlite3_bind_int64(statement, column, (sqlite3_int64)number);
}

/* NULL for @none, else the id: positions count from 0, ids from 1. */
static void bind_id(sqlite3_stmt *statement, int column, uint32_t position, uint32_t none)
{
	if (position == none)
		sqlite3_bind_null(statement, column);
	else
		bind_number(statement, column, (uint64_t)position + 1);
}

/* Three columns, NULL where the place is not known. */
static void bind_place(sqlite3_stmt *statement, int column, const struct wv_place *place)
{
	if (place->line) {
		bind_number(statement, column, place->file + 1);
		bind_number(statement, column + 1, place->line);
		bind_number(statement, column + 2, place->column);
		return;
	}
	for (int end = column + 3; column < end; column++)
		sqlite3_bind_null(statement, column);
}

static uint64_t offset_of(const struct store *store, uint64_t address)
{
	return address - store->contents->symbols->text;
}

static int put_number(struct store *store, sqlite3_stmt *statement, const char *key,
		      uint64_t number)
{
	bind_text(statement, 1, key);
	bind_number(statement, 2, number);
	return insert(store, statement);
}

/* Facts about the whole; by key. Nothing here may depend on where or when the index was made. */
static int put_meta(struct store *store)
{
	const struct wv_contents *contents = store->contents;
	const struct wv_merge *merge = contents->merge;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	const uint8_t *build_id;
	size_t size;
	int ret;

	ret = prepare(store, "INSERT INTO meta VALUES(?, ?)", &statement);
	if (ret)
		return ret;
	build_id = wv_image_build_id(contents->image, &size);
	bind_text(statement, 1, "build_id");
	sqlite3_bind_blob(statement, 2, size ? (const void *)build_id : "", size, SQLITE_STATIC);
	ret = insert(store, statement);
	if (!ret)
		ret = put_number(store, statement, "joinpoints", merge->joinpoints.n);
	if (!ret)
		ret = put_number(store, statement, "records", merge->nr_records);
	if (!ret)
		ret = put_number(store, statement, "schema", WV_SCHEMA_VERSION);
	if (!ret)
		ret = put_number(store, statement, "text_address", contents->symbols->text);
	if (!ret)
		ret = put_number(store, statement, "units", merge->nr_units);
	return ret;
}

static int put_files(struct store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO file VALUES(?, ?)", &statement);

	for (size_t i = 0; i < store->contents->merge->files.n && !ret; i++) {
		bind_number(statement, 1, i + 1);
		bind_text(statement, 2, store->contents->merge->files.data[i]);
		ret = insert(store, statement);
	}
	return ret;
}

/* A path's first and last component; a path that is not kept is "struct.member". */
static int put_fields(struct store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO field VALUES(?, ?, ?, ?, ?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < merge->fields.n && !ret; i++) {
		const struct wv_field *field = &merge->fields.data[i];
		const char *structure = wv_pool_get(&merge->names, field->structure);
		const char *member = wv_pool_get(&merge->names, field->member);
		const char *path = wv_pool_get(&merge->names, field->path);
		const char *dot = strrchr(path, '.');

		bind_number(statement, 1, i + 1);
		bind_text(statement, 2, structure);
		bind_text(statement, 3, member);
		bind_text(statement, 4, path);
		if (dot)
			sqlite3_bind_text(statement, 5, path, strcspn(path, "."), SQLITE_STATIC);
		else
			bind_text(statement, 5, structure);
		bind_text(statement, 6, dot ? dot + 1 : member);
		bind_number(statement, 7, field->flags);
		if (store->contents->operands->offsets.data[i] == WV_NO_OFFSET)
			sqlite3_bind_null(statement, 8);
		else
			bind_number(statement, 8, store->contents->operands->offsets.data[i]);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_functions(struct store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO function VALUES(?, ?, ?)", &statement);

	for (size_t i = 0; i < merge->functions.n && !ret; i++) {
		bind_number(statement, 1, i + 1);
		bind_text(statement, 2, wv_pool_get(&merge->names, merge->functions.data[i].name));
		bind_number(statement, 3, merge->functions.data[i].flags);
		ret = insert(store, statement);
	}
	return ret;
}

/*
 * Joinpoints, and macros on the way: a macro's id is its place in the order of first use, which is as
 * reproducible as the joinpoints' own.
 */
static int put_joinpoints(struct store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_free_ uint32_t *macro_ids = calloc(merge->names.strings.n + 1, sizeof(uint32_t));
	_cleanup_statement_ sqlite3_stmt *statement = NULL, *macro = NULL;
	uint32_t nr_macros = 0;
	int ret;

	if (!macro_ids)
		return wv_fail(store->error, WV_E_NO_MEMORY, "out of memory");
	ret = prepare(store, "INSERT INTO joinpoint VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		      &statement);
	if (!ret)
		ret = prepare(store, "INSERT INTO macro VALUES(?, ?)", &macro);
	for (size_t i = 0; i < merge->joinpoints.n && !ret; i++) {
		const struct wv_joinpoint *joinpoint = &merge->joinpoints.data[i];

		bind_number(statement, 1, i + 1);
		bind_number(statement, 2, joinpoint->field + 1);
		bind_number(statement, 3, joinpoint->kind);
		bind_number(statement, 4, joinpoint->function + 1);
		bind_number(statement, 5, joinpoint->file + 1);
		bind_number(statement, 6, joinpoint->line);
		bind_number(statement, 7, joinpoint->column);
		if (joinpoint->macro == WV_NO_MACRO) {
			for (int column = 8; column <= 11; column++)
				sqlite3_bind_null(statement, column);
		} else {
			if (!macro_ids[joinpoint->macro]) {
				macro_ids[joinpoint->macro] = ++nr_macros;
				bind_number(macro, 1, nr_macros);
				bind_text(macro, 2, wv_pool_get(&merge->names, joinpoint->macro));
				ret = insert(store, macro);
			}
			bind_number(statement, 8, macro_ids[joinpoint->macro]);
			bind_number(statement, 9, joinpoint->spelling_file + 1);
			bind_number(statement, 10, joinpoint->spelling_line);
			bind_number(statement, 11, joinpoint->spelling_column);
		}
		if (!ret)
			ret = insert(store, statement);
	}
	return ret;
}

static int put_symbols(struct store *store)
{
	const struct wv_symbols *symbols = store->contents->symbols;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO symbol VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < symbols->list.n && !ret; i++) {
		const struct wv_symbol *symbol = &symbols->list.data[i];
		const struct wv_place *place = &store->contents->shadows->entries.data[i];

		bind_number(statement, 1, i + 1);
		bind_text(statement, 2, symbol->name);
		bind_number(statement, 3, offset_of(store, symbol->address));
		bind_number(statement, 4, symbol->size);
		bind_number(statement, 5, symbol->entry);
		bind_number(statement, 6, (symbol->global ? WV_SYMBOL_GLOBAL : 0) |
						  (symbol->alias ? WV_SYMBOL_ALIAS : 0) |
						  (symbol->label ? WV_SYMBOL_LABEL : 0));
		bind_place(statement, 7, place);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_shadows(struct store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO shadow VALUES(?, ?, ?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < store->contents->shadows->list.n && !ret; i++) {
		const struct wv_shadow *shadow = &store->contents->shadows->list.data[i];

		bind_number(statement, 1, shadow->joinpoint + 1);
		bind_number(statement, 2, offset_of(store, shadow->address));
		bind_number(statement, 3, shadow->use);
		bind_number(statement, 4, shadow->precision);
		bind_number(statement, 5, shadow->chosen);
		bind_id(statement, 6, shadow->symbol, WV_NO_SYMBOL);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_served(struct store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO served VALUES(?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < store->contents->shadows->served.n && !ret; i++) {
		const struct wv_served *served = &store->contents->shadows->served.data[i];

		bind_number(statement, 1, served->joinpoint + 1);
		bind_number(statement, 2, served->by + 1);
		bind_number(statement, 3, offset_of(store, served->address));
		bind_id(statement, 4, served->symbol, WV_NO_SYMBOL);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_lines(struct store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO line VALUES(?, ?, ?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < store->contents->shadows->lines.n && !ret; i++) {
		const struct wv_line *line = &store->contents->shadows->lines.data[i];

		bind_number(statement, 1, line->file + 1);
		bind_number(statement, 2, line->line);
		bind_number(statement, 3, offset_of(store, line->address));
		bind_number(statement, 4, line->column);
		bind_id(statement, 5, line->symbol, WV_NO_SYMBOL);
		bind_number(statement, 6, line->first);
		ret = insert(store, statement);
	}
	return ret;
}

/* The names of inlined functions on the way: the copies are sorted by them. */
static int put_copies(struct store *store)
{
	const struct wv_copies *copies = store->contents->copies;
	_cleanup_statement_ sqlite3_stmt *statement = NULL, *name = NULL;
	uint32_t nr_names = 0;
	int ret = prepare(store, "INSERT INTO copy VALUES(?, ?, ?, ?, ?, ?)", &statement);

	if (!ret)
		ret = prepare(store, "INSERT INTO inline VALUES(?, ?)", &name);
	for (size_t i = 0; i < copies->list.n && !ret; i++) {
		const struct wv_copy_shadow *copy = &copies->list.data[i];

		if (!i || copy->function != copy[-1].function) {
			bind_number(name, 1, ++nr_names);
			bind_text(name, 2, wv_pool_get(copies->names, copy->function));
			ret = insert(store, name);
		}
		bind_number(statement, 1, nr_names);
		bind_number(statement, 2, offset_of(store, copy->address));
		bind_id(statement, 3, copy->symbol, WV_NO_SYMBOL);
		bind_place(statement, 4, &copy->place);
		if (!ret)
			ret = insert(store, statement);
	}
	return ret;
}

static int put_text(struct store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO text VALUES(?, ?)", &statement);

	wv_vec_for_each(section, wv_image_sections(store->contents->image)) {
		if (ret || !(section->flags & SHF_EXECINSTR) || !(section->flags & SHF_ALLOC))
			continue;
		ret = wv_image_load(store->contents->image, section, store->error);
		if (ret || !section->data)
			continue;
		for (uint64_t at = 0; at < section->size && !ret; at += WV_SCHEMA_TEXT_PIECE) {
			uint64_t left = section->size - at;

			bind_number(statement, 1, offset_of(store, section->address + at));
			sqlite3_bind_blob(statement, 2, section->data + at,
					  left < WV_SCHEMA_TEXT_PIECE ? left : WV_SCHEMA_TEXT_PIECE,
					  SQLITE_STATIC);
			ret = insert(store, statement);
		}
	}
	return ret;
}

static int put_everything(struct store *store)
{
	static int (*const steps[])(struct store *) = {
		put_meta, put_files, put_fields, put_functions, put_joinpoints,
		put_symbols, put_shadows, put_served, put_lines, put_copies,
		put_text,
	};
	char sql[128];
	int ret;

	snprintf(sql, sizeof(sql), "PRAGMA application_id=%d; PRAGMA user_version=%d;",
		 WV_SCHEMA_APPLICATION_ID, WV_SCHEMA_VERSION);
	ret = run(store, "PRAGMA journal_mode=OFF; PRAGMA temp_store=MEMORY;"
			 "PRAGMA page_size=8192; BEGIN;");
	if (!ret)
		ret = run(store, sql);
	if (!ret)
		ret = run(store, WV_SCHEMA_TABLES);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && !ret; i++)
		ret = steps[i](store);
	if (!ret)
		ret = run(store, WV_SCHEMA_INDEXES WV_SCHEMA_VIEWS "COMMIT;");
	return ret;
}

/* A file for @path that has no name yet, or, where the file system knows no such files, one in *@temporary. */
static int create_file(const char *path, char **temporary, struct wv_error *error)
{
	_cleanup_free_ char *copy = strdup(path);
	mode_t mask;
	int fd;

	if (!copy)
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, DATABASE_MODE);
	if (fd >= 0)
		return fd;
	if (asprintf(temporary, "%s.XXXXXX", path) < 0) {
		*temporary = NULL;
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	}
	fd = mkostemp(*temporary, O_CLOEXEC);
	if (fd < 0) {
		free(wv_take(*temporary));
		return wv_fail_errno(error, errno, "%s", path);
	}
	/* mkostemp() makes the file private; a database is as readable as its owner's other files. */
	mask = umask(0);
	umask(mask);
	fchmod(fd, DATABASE_MODE & ~mask);
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
 * Gives the whole file its name. A file without a name can get one that is free only, so that to replace another it needs
 * one in between, for as long as it takes to rename it.
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

static int write_file(const char *path, const unsigned char *bytes, size_t n,
		      struct wv_error *error)
{
	_cleanup_free_ char *temporary = NULL;
	_cleanup_close_ int fd = create_file(path, &temporary, error);
	int ret = 0;

	if (fd < 0)
		return fd;
	if (write_all(fd, bytes, n) || name_file(fd, &temporary, path))
		ret = wv_fail_errno(error, errno, "%s", path);
	if (ret && temporary)
		unlink(temporary);
	return ret;
}

int wv_store(const char *path, const struct wv_contents *contents, struct wv_error *error)
{
	struct store store = { .path = path, .contents = contents, .error = error };
	unsigned char *bytes = NULL;
	sqlite3_int64 n = 0;
	int ret;

	if (sqlite3_open_v2(":memory:", &store.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY,
			    NULL) != SQLITE_OK)
		ret = store.db ? fail(&store) : wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	else
		ret = put_everything(&store);
	if (!ret)
		bytes = sqlite3_serialize(store.db, "main", &n, 0);
	sqlite3_close(store.db);
	if (!ret)
		ret = bytes ? write_file(path, bytes, n, error) :
			      wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	sqlite3_free(bytes);
	return ret;
}
