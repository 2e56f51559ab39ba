// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Extents; see function-range.h. The last few are kept: whoever looks at one looks at its neighbours, where slots for its bounces may be.
 */
#include <stdlib.h>
#include <string.h>

#include "image/patch-sites.h"
#include "database/db-internal.h"
#include "plan/function-range.h"
#include "plan/kernel-blacklist.h"
#include "plan/function-cache.h"
#include "x86/relocate.h"

enum {
	KEPT = 64, /* a bounce reaches no more functions than fit into its reach, of a few bytes each */
	EXTENT_MAX = 1 << 22, /* bytes: a large page of padding, and the function before it */
};

struct wv_extents {
	struct wv_db *db;
	struct wv_functions *functions;
	struct wv_decoder *decoder;
	struct wv_forbidden_list forbidden;
	uint64_t start, end;
	uint64_t fentry; /* what ftrace has functions call */
	sqlite3_stmt *function, *label, *next, *arrivals;
	struct wv_extent kept[KEPT];
	uint64_t clock;
};

static int prepare(struct wv_extents *extents, struct wv_error *error)
{
	static const struct {
		size_t statement;
		const char *sql;
	} all[] = {
		/* Flags: 2 another name of the same, 4 a label. */
		{ offsetof(struct wv_extents, function),
		  "SELECT symbol.offset, size, entry, flags, file.name, symbol.name FROM symbol"
		  " LEFT JOIN file ON file.id = symbol.file WHERE symbol.offset <= ? AND NOT flags & 6"
		  " ORDER BY symbol.offset DESC LIMIT 1" },
		{ offsetof(struct wv_extents, label),
		  "SELECT offset FROM symbol WHERE offset BETWEEN ? AND ? ORDER BY offset DESC LIMIT 1" },
		{ offsetof(struct wv_extents, next),
		  "SELECT offset FROM symbol WHERE offset > ?1 AND (offset >= ?2 OR NOT flags & 4)"
		  " ORDER BY offset LIMIT 1" },
		{ offsetof(struct wv_extents, arrivals),
		  "SELECT offset FROM arrival WHERE offset >= ?1 AND offset < ?2 UNION ALL"
		  " SELECT offset FROM symbol WHERE offset > ?1 AND offset < ?2" },
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && !ret; i++)
		ret = wv_db_prepare(extents->db, all[i].sql,
				    (sqlite3_stmt **)((char *)extents + all[i].statement), error);
	return ret;
}

/* Text ends where _etext says; in an image without it, where the piece of text that begins at its start does. */
static int find_text(struct wv_extents *extents, struct wv_error *error)
{
	struct wv_db *db = extents->db;
	uint8_t byte;

	extents->start = db->text_address;
	extents->end = wv_db_symbol_address(db, "_etext");
	extents->fentry = wv_db_symbol_address(db, "__fentry__");
	if (!extents->end) {
		for (extents->end = extents->start; wv_db_bytes(db, extents->end - extents->start, &byte, 1);)
			extents->end += WV_SCHEMA_TEXT_PIECE;
		/* Back into the last piece, which is shorter than the others. */
		while (extents->end > extents->start &&
		       !wv_db_bytes(db, extents->end - 1 - extents->start, &byte, 1))
			extents->end--;
	}
	return wv_forbidden_read(&extents->forbidden, db, error);
}

int wv_extents_create(struct wv_db *db, struct wv_extents **ret, struct wv_error *error)
{
	struct wv_extents *extents = calloc(1, sizeof(*extents));
	int failed;

	*ret = NULL;
	if (!extents)
		return wv_no_memory(error);
	extents->db = db;
	failed = wv_functions_create(db, &extents->functions, error);
	if (!failed)
		failed = wv_decoder_create(&extents->decoder, error);
	if (!failed)
		failed = prepare(extents, error);
	if (!failed)
		failed = find_text(extents, error);
	if (failed)
		wv_extents_destroy(extents);
	else
		*ret = extents;
	return failed;
}

static void forget(struct wv_extent *extent)
{
	wv_chooser_destroy(extent->chooser);
	free(extent->bytes);
	*extent = (struct wv_extent){ 0 };
}

void wv_extents_destroy(struct wv_extents *extents)
{
	if (!extents)
		return;
	for (size_t i = 0; i < KEPT; i++)
		forget(&extents->kept[i]);
	sqlite3_finalize(extents->function);
	sqlite3_finalize(extents->label);
	sqlite3_finalize(extents->next);
	sqlite3_finalize(extents->arrivals);
	wv_vec_deinit(&extents->forbidden.list);
	wv_decoder_destroy(extents->decoder);
	wv_functions_destroy(extents->functions);
	free(extents);
}

uint64_t wv_extents_start(const struct wv_extents *extents)
{
	return extents->start;
}

uint64_t wv_extents_end(const struct wv_extents *extents)
{
	return extents->end;
}

/* Up to two parameters, one number. *@ret is left alone where there is no row. */
static int ask(struct wv_extents *extents, sqlite3_stmt *statement, uint64_t first, uint64_t second,
	       uint64_t *ret, struct wv_error *error)
{
	bool more;
	int failed;

	sqlite3_reset(statement);
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)first);
	sqlite3_bind_int64(statement, 2, (sqlite3_int64)second);
	failed = wv_db_step(extents->db, statement, &more, error);
	if (!failed && more)
		*ret = sqlite3_column_int64(statement, 0);
	return failed;
}

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

/* Where an extent is, and what its function's row says. Offsets. */
struct bounds {
	uint64_t start, end, entry, code_end;
	bool c;
};

/* The function that begins at or before @offset. */
static int find_function(struct wv_extents *extents, uint64_t offset, struct wv_function *function, struct bounds *ret,
			 struct wv_error *error)
{
	sqlite3_stmt *row = extents->function;
	const char *file, *name;
	uint32_t flags;
	bool more;
	int failed;

	*ret = (struct bounds){ 0 };
	function->assembler = true;
	sqlite3_reset(row);
	sqlite3_bind_int64(row, 1, (sqlite3_int64)offset);
	failed = wv_db_step(extents->db, row, &more, error);
	if (failed || !more)
		return failed;
	ret->start = sqlite3_column_int64(row, 0);
	ret->code_end = ret->start + sqlite3_column_int64(row, 1);
	ret->entry = sqlite3_column_int64(row, 2);
	flags = sqlite3_column_int(row, 3);
	file = wv_db_text(row, 4);
	name = wv_db_text(row, 5);
	ret->c = flags & WV_SYMBOL_C;
	function->compiled = flags & WV_SYMBOL_COMPILED;
	function->assembler = !ret->c && !function->compiled && !ends_in(file, ".c") && !ends_in(file, ".h") &&
			      !strstr(name, ".cold");
	return 0;
}

/* Where the extent of the text at @offset is, and what it is: the function's, or a label's behind that. */
static int find_bounds(struct wv_extents *extents, uint64_t offset, struct wv_function *function, struct bounds *ret,
		       struct wv_error *error)
{
	const uint64_t end = extents->end - extents->start;
	int failed = find_function(extents, offset, function, ret, error);
	uint64_t start = ret->start;

	if (!failed && offset >= ret->code_end)
		failed = ask(extents, extents->label, ret->code_end, offset, &start, error);
	if (start != ret->start) {
		*ret = (struct bounds){ .start = start, .code_end = start };
		function->compiled = false;
		function->assembler = true;
	}
	ret->end = end;
	if (!failed)
		failed = ask(extents, extents->next, ret->start, ret->code_end, &ret->end, error);
	if (ret->end > end)
		ret->end = end;
	return failed;
}

/* The bytes at its beginning that belong to ftrace. */
static int add_hook(const struct wv_extents *extents, uint64_t start, uint64_t entry, wv_rewritten_list *list,
		    struct wv_error *error)
{
	struct wv_rewritten *hook;

	if (entry < WEFT_JUMP_SIZE)
		return 0;
	hook = wv_vec_push(list);
	if (!hook)
		return wv_no_memory(error);
	memmove(list->data + 1, list->data, (list->n - 1) * sizeof(*list->data));
	list->data[0] = (struct wv_rewritten){ .address = extents->start + start + entry - WEFT_JUMP_SIZE,
					       .size = WEFT_JUMP_SIZE,
					       .refusal = WEFT_REFUSAL_FTRACE };
	return 0;
}

typedef WV_VEC(uint64_t) addresses;

static int read_arrivals(struct wv_extents *extents, uint64_t start, uint64_t end, addresses *ret,
			 struct wv_error *error)
{
	bool more;
	int failed;

	sqlite3_reset(extents->arrivals);
	sqlite3_bind_int64(extents->arrivals, 1, (sqlite3_int64)start);
	sqlite3_bind_int64(extents->arrivals, 2, (sqlite3_int64)end);
	failed = wv_db_step(extents->db, extents->arrivals, &more, error);
	while (!failed && more) {
		uint64_t *address = wv_vec_push(ret);

		if (!address)
			return wv_no_memory(error);
		*address = extents->start + sqlite3_column_int64(extents->arrivals, 0);
		failed = wv_db_step(extents->db, extents->arrivals, &more, error);
	}
	return failed;
}

static bool is_careful(const struct wv_extent *extent)
{
	const struct wv_windows *windows = wv_chooser_windows(extent->chooser);
	bool careful = false;
	uint8_t length;

	for (uint64_t at = extent->start; (length = wv_windows_spot(windows, at).length); at += length)
		careful |= wv_relocate_is_careful(extent->bytes + (at - extent->start), length);
	return careful;
}

static int fill(struct wv_extents *extents, uint64_t offset, struct wv_extent *extent, struct wv_error *error)
{
	struct wv_function function = { .closed = true, .callee = wv_functions_callee,
					.context = extents->functions,
					.hook = extents->fentry };
	wv_rewritten_list rewritten = { 0 };
	addresses outside = { 0 };
	struct bounds bounds;
	uint64_t size;
	int ret = find_bounds(extents, offset, &function, &bounds, error);

	if (ret)
		return ret;
	size = bounds.end - bounds.start < EXTENT_MAX ? bounds.end - bounds.start : EXTENT_MAX;
	extent->bytes = malloc(size + 1);
	ret = extent->bytes ? wv_functions_rewritten(extents->functions, bounds.start, size, &rewritten, error) :
			      wv_no_memory(error);
	if (!ret)
		ret = add_hook(extents, bounds.start, bounds.entry, &rewritten, error);
	if (!ret)
		ret = read_arrivals(extents, bounds.start, bounds.end, &outside, error);
	if (!ret) {
		function.start = extent->start = extents->start + bounds.start;
		function.size = wv_db_bytes(extents->db, bounds.start, extent->bytes, size);
		extent->end = extents->start + bounds.end;
		extent->c = bounds.c;
		function.bytes = extent->bytes;
		/* All words of data that hold an address in text are among the arrivals: C's tables are such words. */
		function.resolved = !function.assembler;
		extent->code_end = bounds.code_end > bounds.start ? extents->start + bounds.code_end : extent->end;
		function.rewritten = rewritten.data;
		function.nr_rewritten = rewritten.n;
		wv_forbidden_within(&extents->forbidden, extent->start, extent->end, &function);
		ret = wv_chooser_create(&function, outside.data, outside.n, extents->decoder,
					&extent->chooser, error);
		extent->careful = !ret && is_careful(extent);
	}
	wv_vec_deinit(&rewritten);
	wv_vec_deinit(&outside);
	return ret;
}

int wv_extents_at(struct wv_extents *extents, uint64_t address, const struct wv_extent **ret,
		  struct wv_error *error)
{
	struct wv_extent *oldest = &extents->kept[0];
	int failed;

	*ret = NULL;
	if (address < extents->start || address >= extents->end)
		return 0;
	for (size_t i = 0; i < KEPT; i++) {
		struct wv_extent *extent = &extents->kept[i];

		if (extent->chooser && address >= extent->start && address < extent->end) {
			extent->used = ++extents->clock;
			*ret = extent;
			return 0;
		}
		if (extent->used < oldest->used)
			oldest = extent;
	}
	forget(oldest);
	failed = fill(extents, address - extents->start, oldest, error);
	if (failed) {
		forget(oldest);
		return failed;
	}
	oldest->used = ++extents->clock;
	*ret = oldest;
	return 0;
}

int wv_extents_gaps(struct wv_extents *extents, const struct wv_extent *extent, wv_gaps *ret,
		    struct wv_error *error)
{
	const uint64_t last = extent->end + WV_BOUNCE_REACH;
	uint64_t at = extent->start > WV_BOUNCE_REACH ? extent->start - WV_BOUNCE_REACH : 0;
	const struct wv_extent *near;
	int failed = 0;

	if (at < extents->start)
		at = extents->start;
	while (!failed && at < last && at < extents->end) {
		failed = wv_extents_at(extents, at, &near, error);
		if (failed || !near)
			return failed;
		wv_vec_for_each(gap, wv_chooser_gaps(near->chooser)) {
			struct wv_gap *added = wv_vec_push(ret);

			if (!added)
				return wv_no_memory(error);
			*added = *gap;
		}
		at = near->end;
	}
	return failed;
}

int wv_extents_owner(struct wv_extents *extents, uint64_t address, const char **ret, struct wv_error *error)
{
	static const char *const names[] = {
		[WV_OWNER_ALTERNATIVE] = "an alternative, written at boot",
		[WV_OWNER_PARAVIRT] = "paravirt, written at boot",
		[WV_OWNER_STATIC_CALL] = "a static call, written at any time",
		[WV_OWNER_JUMP_LABEL] = "a jump label, written at any time",
		[WV_OWNER_EXCEPTION] = "the exception table: a fault here is handled by its address",
		[WV_OWNER_NO_PROBE] = "a function that the kernel forbids probes in",
	};
	uint64_t kind = sizeof(names) / sizeof(names[0]);
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int failed = wv_db_prepare(extents->db, "SELECT kind FROM owner WHERE offset <= ?1 AND offset > ?1 - 256"
				   " AND ?1 < offset + max(size, 1) ORDER BY kind LIMIT 1", &statement, error);

	*ret = NULL;
	if (!failed)
		failed = ask(extents, statement, address - extents->start, 0, &kind, error);
	if (!failed && kind < sizeof(names) / sizeof(names[0]))
		*ret = names[kind];
	return failed;
}
