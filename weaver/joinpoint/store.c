// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a joinpoint database. It is made in memory and written to a file that gets its name when it is whole, so that
 * nobody can see it half-written, and somebody who is killed meanwhile leaves nothing behind.
 */
#include <elf.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/replace.h"
#include "joinpoint/schema.h"
#include "joinpoint/store.h"

struct wv_store {
	sqlite3 *db;
	char *path; /* the final one */
	bool has_old; /* the database that is to be replaced can be taken from */
	uint64_t number; /* of the image that is written */
	const struct wv_contents *contents;
	struct wv_error *error;
};

static int fail(struct wv_store *store)
{
	enum wv_code code = sqlite3_errcode(store->db) == SQLITE_NOMEM ? WV_E_NO_MEMORY :
									 WV_E_FAILURE;

	return wv_fail_at(store->error, code, store->path, 0, 0, "cannot be written: %s",
			  sqlite3_errmsg(store->db));
}

static int run(struct wv_store *store, const char *sql)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(store);
}

static void cleanup_statement(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}
#define _cleanup_statement_ __attribute__((cleanup(cleanup_statement)))

static int prepare(struct wv_store *store, const char *sql, sqlite3_stmt **ret)
{
	return sqlite3_prepare_v2(store->db, sql, -1, ret, NULL) == SQLITE_OK ? 0 : fail(store);
}

/* Runs the insertion whose values are bound, and makes it ready for the next row. */
static int insert(struct wv_store *store, sqlite3_stmt *statement)
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

/* Positions count from 0, ids from 1, with the image's number above. */
static uint64_t id_of(const struct wv_store *store, uint32_t position)
{
	return (store->number << WV_IMAGE_ID_BITS) + position + 1;
}

/* NULL for @none, else the id. */
static void bind_id(const struct wv_store *store, sqlite3_stmt *statement, int column,
		    uint32_t position, uint32_t none)
{
	if (position == none)
		sqlite3_bind_null(statement, column);
	else
		bind_number(statement, column, id_of(store, position));
}

/* Three columns, NULL where the place is not known. */
static void bind_place(const struct wv_store *store, sqlite3_stmt *statement, int column,
		       const struct wv_place *place)
{
	if (place->line) {
		bind_number(statement, column, id_of(store, place->file));
		bind_number(statement, column + 1, place->line);
		bind_number(statement, column + 2, place->column);
		return;
	}
	for (int end = column + 3; column < end; column++)
		sqlite3_bind_null(statement, column);
}

static uint64_t offset_of(const struct wv_store *store, uint64_t address)
{
	return (store->number << WV_IMAGE_OFFSET_BITS) + address - store->contents->symbols->text;
}

static int put_number(struct wv_store *store, sqlite3_stmt *statement, const char *key,
		      uint64_t number)
{
	bind_text(statement, 1, key);
	bind_number(statement, 2, number);
	return insert(store, statement);
}

/* Facts about the vmlinux; by key. Nothing here may depend on where or when the index was made. */
static int put_meta(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	const uint8_t *build_id;
	size_t size;
	int ret;

	if (store->number)
		return 0;
	ret = prepare(store, "INSERT INTO meta VALUES(?, ?)", &statement);
	if (ret)
		return ret;
	build_id = wv_image_build_id(contents->image, &size);
	bind_text(statement, 1, "build_id");
	sqlite3_bind_blob(statement, 2, size ? (const void *)build_id : "", size, SQLITE_STATIC);
	ret = insert(store, statement);
	if (!ret)
		ret = put_number(store, statement, "schema", WV_SCHEMA_VERSION);
	if (!ret)
		ret = put_number(store, statement, "text_address", contents->symbols->text);
	return ret;
}

static int put_image(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	const uint8_t *build_id;
	size_t size;
	int ret = prepare(store, "INSERT INTO image VALUES(?, ?, ?, ?, ?, ?)", &statement);

	if (ret)
		return ret;
	build_id = wv_image_build_id(contents->image, &size);
	bind_number(statement, 1, store->number);
	bind_text(statement, 2, contents->name);
	sqlite3_bind_blob(statement, 3, size ? (const void *)build_id : "", size, SQLITE_STATIC);
	bind_number(statement, 4, contents->merge->nr_units);
	bind_number(statement, 5, contents->merge->nr_records);
	bind_number(statement, 6, contents->merge->joinpoints.n);
	return insert(store, statement);
}

static int put_files(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO file VALUES(?, ?)", &statement);

	for (size_t i = 0; i < store->contents->merge->files.n && !ret; i++) {
		bind_number(statement, 1, id_of(store, i));
		bind_text(statement, 2, store->contents->merge->files.data[i]);
		ret = insert(store, statement);
	}
	return ret;
}

/* A path's first and last component; a path that is not kept is "struct.member". */
static int put_fields(struct wv_store *store)
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

		bind_number(statement, 1, id_of(store, i));
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

static int put_functions(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO function VALUES(?, ?, ?)", &statement);

	for (size_t i = 0; i < merge->functions.n && !ret; i++) {
		bind_number(statement, 1, id_of(store, i));
		bind_text(statement, 2, wv_pool_get(&merge->names, merge->functions.data[i].name));
		bind_number(statement, 3, merge->functions.data[i].flags);
		ret = insert(store, statement);
	}
	return ret;
}

/*
 * A macro's id is its place in the order of first use, which is as reproducible as the joinpoints' own. *@ids gets them by
 * name. One table is filled after the other, so that its pages follow each other.
 */
static int put_macros(struct wv_store *store, uint32_t *ids)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	uint32_t n = 0;
	int ret = prepare(store, "INSERT INTO macro VALUES(?, ?)", &statement);

	for (size_t i = 0; i < merge->joinpoints.n && !ret; i++) {
		uint32_t macro = merge->joinpoints.data[i].macro;

		if (macro == WV_NO_MACRO || ids[macro])
			continue;
		bind_number(statement, 1, id_of(store, n));
		bind_text(statement, 2, wv_pool_get(&merge->names, macro));
		ids[macro] = ++n;
		ret = insert(store, statement);
	}
	return ret;
}

static int put_joinpoints(struct wv_store *store)
{
	const struct wv_merge *merge = store->contents->merge;
	_cleanup_free_ uint32_t *macro_ids = calloc(merge->names.strings.n + 1, sizeof(uint32_t));
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret;

	if (!macro_ids)
		return wv_no_memory(store->error);
	ret = put_macros(store, macro_ids);
	if (!ret)
		ret = prepare(store, "INSERT INTO joinpoint VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      &statement);
	for (size_t i = 0; i < merge->joinpoints.n && !ret; i++) {
		const struct wv_joinpoint *joinpoint = &merge->joinpoints.data[i];

		bind_number(statement, 1, id_of(store, i));
		bind_number(statement, 2, id_of(store, joinpoint->field));
		bind_number(statement, 3, joinpoint->kind);
		bind_number(statement, 4, id_of(store, joinpoint->function));
		bind_number(statement, 5, id_of(store, joinpoint->file));
		bind_number(statement, 6, joinpoint->line);
		bind_number(statement, 7, joinpoint->column);
		if (joinpoint->macro == WV_NO_MACRO) {
			for (int column = 8; column <= 11; column++)
				sqlite3_bind_null(statement, column);
		} else {
			bind_number(statement, 8, id_of(store, macro_ids[joinpoint->macro] - 1));
			bind_number(statement, 9, id_of(store, joinpoint->spelling_file));
			bind_number(statement, 10, joinpoint->spelling_line);
			bind_number(statement, 11, joinpoint->spelling_column);
		}
		ret = insert(store, statement);
	}
	return ret;
}

static bool is_compiled(const struct wv_store *store, const struct wv_symbol *symbol)
{
	return !symbol->label && wv_debug_is_compiled(store->contents->debug, symbol->address);
}

static int put_symbols(struct wv_store *store)
{
	const struct wv_symbols *symbols = store->contents->symbols;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO symbol VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < symbols->list.n && !ret; i++) {
		const struct wv_symbol *symbol = &symbols->list.data[i];
		const struct wv_place *place = &store->contents->shadows->entries.data[i];

		bind_number(statement, 1, id_of(store, i));
		bind_text(statement, 2, symbol->name);
		bind_number(statement, 3, offset_of(store, symbol->address));
		bind_number(statement, 4, symbol->size);
		bind_number(statement, 5, symbol->entry);
		bind_number(statement, 6, (symbol->global ? WV_SYMBOL_GLOBAL : 0) |
						  (symbol->alias ? WV_SYMBOL_ALIAS : 0) |
						  (symbol->label ? WV_SYMBOL_LABEL : 0) |
						  (is_compiled(store, symbol) ? WV_SYMBOL_COMPILED : 0));
		bind_place(store, statement, 7, place);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_shadows(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO shadow VALUES(?, ?, ?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < store->contents->shadows->list.n && !ret; i++) {
		const struct wv_shadow *shadow = &store->contents->shadows->list.data[i];

		bind_number(statement, 1, id_of(store, shadow->joinpoint));
		bind_number(statement, 2, offset_of(store, shadow->address));
		bind_number(statement, 3, shadow->use);
		bind_number(statement, 4, shadow->precision);
		bind_number(statement, 5, shadow->chosen);
		bind_id(store, statement, 6, shadow->symbol, WV_NO_SYMBOL);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_served(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO served VALUES(?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < store->contents->shadows->served.n && !ret; i++) {
		const struct wv_served *served = &store->contents->shadows->served.data[i];

		bind_number(statement, 1, id_of(store, served->joinpoint));
		bind_number(statement, 2, id_of(store, served->by));
		bind_number(statement, 3, offset_of(store, served->address));
		bind_id(store, statement, 4, served->symbol, WV_NO_SYMBOL);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_lines(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO line VALUES(?, ?, ?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < store->contents->shadows->lines.n && !ret; i++) {
		const struct wv_line *line = &store->contents->shadows->lines.data[i];

		bind_number(statement, 1, id_of(store, line->file));
		bind_number(statement, 2, line->line);
		bind_number(statement, 3, offset_of(store, line->address));
		bind_number(statement, 4, line->column);
		bind_id(store, statement, 5, line->symbol, WV_NO_SYMBOL);
		bind_number(statement, 6, line->first);
		ret = insert(store, statement);
	}
	return ret;
}

/* Whether the copy at @i is the first of its function: they are sorted by name. */
static bool is_first(const struct wv_copies *copies, size_t i)
{
	return !i || copies->list.data[i].function != copies->list.data[i - 1].function;
}

static int put_inlines(struct wv_store *store)
{
	const struct wv_copies *copies = store->contents->copies;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	uint32_t n = 0;
	int ret = prepare(store, "INSERT INTO inline VALUES(?, ?)", &statement);

	for (size_t i = 0; i < copies->list.n && !ret; i++) {
		if (!is_first(copies, i))
			continue;
		bind_number(statement, 1, id_of(store, n++));
		bind_text(statement, 2, wv_pool_get(copies->names, copies->list.data[i].function));
		ret = insert(store, statement);
	}
	return ret;
}

static int put_copies(struct wv_store *store)
{
	const struct wv_copies *copies = store->contents->copies;
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	uint32_t n = 0;
	int ret = prepare(store, "INSERT INTO copy VALUES(?, ?, ?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < copies->list.n && !ret; i++) {
		const struct wv_copy_shadow *copy = &copies->list.data[i];

		n += is_first(copies, i);
		bind_number(statement, 1, id_of(store, n - 1));
		bind_number(statement, 2, offset_of(store, copy->address));
		bind_id(store, statement, 3, copy->symbol, WV_NO_SYMBOL);
		bind_place(store, statement, 4, &copy->place);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_owners(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int ret = prepare(store, "INSERT INTO owner VALUES(?, ?, ?, ?)", &statement);

	for (size_t i = 0; i < store->contents->owners->list.n && !ret; i++) {
		const struct wv_owner *owner = &store->contents->owners->list.data[i];

		bind_number(statement, 1, offset_of(store, owner->address));
		bind_number(statement, 2, owner->kind);
		bind_number(statement, 3, owner->target ? offset_of(store, owner->target) : 0);
		bind_number(statement, 4, owner->size);
		ret = insert(store, statement);
	}
	return ret;
}

static int put_text(struct wv_store *store)
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

/* Ids must not run into the next image's. */
static int check_room(struct wv_store *store)
{
	const struct wv_contents *contents = store->contents;
	const size_t numbers[] = { contents->merge->joinpoints.n, contents->merge->names.strings.n,
				   contents->merge->files.n, contents->symbols->list.n,
				   contents->copies->names->strings.n };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i] >= 1u << WV_IMAGE_ID_BITS)
			return wv_fail_at(store->error, WV_E_FORMAT,
					  wv_image_path(contents->image), 0, 0,
					  "too much for a database: %zu of a kind", numbers[i]);
	if (store->number >= WV_IMAGES_MAX)
		return wv_fail(store->error, WV_E_USAGE, "more than %u images", WV_IMAGES_MAX);
	return 0;
}

int wv_store_add(struct wv_store *store, const struct wv_contents *contents,
		 struct wv_error *error)
{
	static int (*const steps[])(struct wv_store *) = {
		check_room, put_meta, put_image, put_files, put_fields, put_functions,
		put_joinpoints, put_symbols, put_shadows, put_served, put_lines, put_inlines,
		put_copies, put_owners, put_text,
	};
	int ret = 0;

	store->contents = contents;
	store->error = error;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && !ret; i++)
		ret = steps[i](store);
	store->number++;
	return ret;
}

/* Whether the old database has, under the next number, an image of this name and build-id. */
static int is_in_old(struct wv_store *store, const char *name, const uint8_t *build_id, size_t size,
		     bool *ret)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int failed;

	*ret = false;
	if (!store->has_old || !size)
		return 0;
	failed = prepare(store, "SELECT 1 FROM old.image WHERE id = ? AND name = ? AND build_id = ?",
			 &statement);
	if (failed)
		return failed;
	bind_number(statement, 1, store->number);
	bind_text(statement, 2, name);
	sqlite3_bind_blob(statement, 3, build_id, size, SQLITE_STATIC);
	*ret = sqlite3_step(statement) == SQLITE_ROW;
	return 0;
}

/* In the order in which wv_store_add() fills them: then the pages are the same as well. */
static const struct {
	const char *table, *key;
	unsigned int bits; /* above which the key has the image's number */
} tables[] = {
	{ "image", "id", 0 },
	{ "file", "id", WV_IMAGE_ID_BITS },
	{ "field", "id", WV_IMAGE_ID_BITS },
	{ "function", "id", WV_IMAGE_ID_BITS },
	{ "macro", "id", WV_IMAGE_ID_BITS },
	{ "joinpoint", "id", WV_IMAGE_ID_BITS },
	{ "symbol", "id", WV_IMAGE_ID_BITS },
	{ "shadow", "joinpoint", WV_IMAGE_ID_BITS },
	{ "served", "joinpoint", WV_IMAGE_ID_BITS },
	{ "line", "file", WV_IMAGE_ID_BITS },
	{ "inline", "id", WV_IMAGE_ID_BITS },
	{ "copy", "inline", WV_IMAGE_ID_BITS },
	{ "owner", "offset", WV_IMAGE_OFFSET_BITS },
	{ "text", "offset", WV_IMAGE_OFFSET_BITS },
};

int wv_store_take(struct wv_store *store, const char *name, const uint8_t *build_id, size_t size,
		  bool *taken_ret, struct wv_error *error)
{
	int ret;

	store->error = error;
	ret = is_in_old(store, name, build_id, size, taken_ret);
	if (ret || !*taken_ret)
		return ret;
	if (!store->number)
		ret = run(store, "INSERT INTO main.meta SELECT * FROM old.meta ORDER BY key");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !ret; i++) {
		uint64_t first = store->number << tables[i].bits;
		uint64_t last = ((store->number + 1) << tables[i].bits) - 1;
		char sql[256];

		snprintf(sql, sizeof(sql),
			 "INSERT INTO main.%s SELECT * FROM old.%s WHERE %s BETWEEN %lld AND %lld ORDER BY %s",
			 tables[i].table, tables[i].table, tables[i].key, (long long)first,
			 (long long)last, tables[i].key);
		ret = run(store, sql);
	}
	store->number++;
	return ret;
}

/* The number that one of SQLite's own header fields of the old database holds, or 0. */
static int old_pragma(struct wv_store *store, const char *sql)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK ||
	    sqlite3_step(statement) != SQLITE_ROW)
		return 0;
	return sqlite3_column_int(statement, 0);
}

/* Whether SQLite finds the old database in order. */
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

/* A file that is no sound database of this version is replaced, whatever it is. */
static void attach_old(struct wv_store *store)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;

	if (access(store->path, R_OK) ||
	    sqlite3_prepare_v2(store->db, "ATTACH ? AS old", -1, &statement, NULL) != SQLITE_OK)
		return;
	bind_text(statement, 1, store->path);
	store->has_old = sqlite3_step(statement) == SQLITE_DONE &&
			 old_pragma(store, "PRAGMA old.application_id") ==
				 WV_SCHEMA_APPLICATION_ID &&
			 old_pragma(store, "PRAGMA old.user_version") == WV_SCHEMA_VERSION &&
			 is_sound(store);
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
	/* Not SQLITE_OPEN_MEMORY: what is attached would be opened with the same flags. */
	if (sqlite3_open_v2(":memory:", &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			    NULL) != SQLITE_OK)
		failed = store->db ? fail(store) :
				     wv_no_memory(error);
	else
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

int wv_store_finish(struct wv_store *store, struct wv_error *error)
{
	unsigned char *bytes;
	sqlite3_int64 n = 0;
	int ret;

	store->error = error;
	ret = run(store, WV_SCHEMA_INDEXES WV_SCHEMA_VIEWS "COMMIT;");
	if (ret)
		return ret;
	bytes = sqlite3_serialize(store->db, "main", &n, 0);
	ret = bytes ? wv_replace_file(store->path, bytes, n, error) :
		      wv_no_memory(error);
	sqlite3_free(bytes);
	return ret;
}
