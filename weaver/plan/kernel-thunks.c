// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the thunks of an image; see kernel-thunks.h. kmod/text/thunks.c does the same in the text
 * of the running kernel.
 */
#include <string.h>

#include "runtime/blacklist-names.h"
#include "base/cleanup.h"
#include "database/db-handle.h"
#include "plan/kernel-thunks.h"
#include "x86/decode.h"

/*
 * THUNKS_MAX is the maximum number of functions that may be thunks. Kernels have a few dozen, so an
 * image that has more is refused as damaged. THUNK_SIZE_MAX is the number of bytes of a thunk that
 * are read.
 */
enum { THUNKS_MAX = 256, THUNK_SIZE_MAX = 4096 };

struct finder {
	struct wv_db *db;
	struct wv_decoder *decoder;
	sqlite3_stmt *holds; /* query for the symbol that holds an offset, and the next symbol */
	struct wv_thunk_list *list;
	struct wv_error *error;
};

/*
 * Adds the function that contains @address. Does nothing if no function contains it, or if the list
 * has the function already.
 */
static int note(struct finder *finder, uint64_t address)
{
	const uint64_t text = finder->db->text_address;
	struct wv_thunk thunk, *slot;
	bool more;
	int ret;

	sqlite3_reset(finder->holds);
	sqlite3_bind_int64(finder->holds, 1, (sqlite3_int64)(address - text));
	ret = wv_db_step(finder->db, finder->holds, &more, finder->error);
	if (ret || !more || sqlite3_column_type(finder->holds, 0) == SQLITE_NULL ||
	    sqlite3_column_type(finder->holds, 1) == SQLITE_NULL)
		return ret;
	thunk.start = text + (uint64_t)sqlite3_column_int64(finder->holds, 0);
	thunk.end = text + (uint64_t)sqlite3_column_int64(finder->holds, 1);
	wv_vec_for_each(known, &finder->list->list)
		if (known->start == thunk.start)
			return 0;
	if (finder->list->list.n == THUNKS_MAX)
		return wv_fail(finder->error, WV_E_FORMAT,
			       "what this kernel's returns run through leads to %#llx and has no "
			       "end", (unsigned long long)address);
	slot = wv_vec_push(&finder->list->list);
	if (!slot)
		return wv_no_memory(finder->error);
	*slot = thunk;
	return 0;
}

/* Adds the functions that @thunk jumps to or calls directly. */
static int follow(struct finder *finder, struct wv_thunk thunk)
{
	uint8_t bytes[THUNK_SIZE_MAX];
	size_t most = thunk.end - thunk.start, n, length;
	int ret = 0;

	n = wv_db_text_bytes(finder->db, thunk.start, bytes, most < sizeof(bytes) ? most :
								      sizeof(bytes));
	for (size_t at = 0; at < n && !ret; at += length) {
		struct wv_insn insn;

		length = wv_decode(finder->decoder, bytes + at, n - at, thunk.start + at, &insn);
		/*
		 * These bytes are no instruction. They are filler, or the end of a thunk of which
		 * the next symbol's code is a part. So the function at that symbol is taken for a
		 * thunk, too.
		 */
		if (!length)
			return note(finder, thunk.end);
		if (insn.direct)
			ret = note(finder, insn.target);
	}
	return ret;
}

/* Adds the functions at the offsets that @by returns; its parameters are bound already. */
static int note_found(struct finder *finder, sqlite3_stmt *by)
{
	bool more;
	int ret = wv_db_step(finder->db, by, &more, finder->error);

	while (!ret && more) {
		ret = note(finder,
			   finder->db->text_address + (uint64_t)sqlite3_column_int64(by, 0));
		if (!ret)
			ret = wv_db_step(finder->db, by, &more, finder->error);
	}
	return ret;
}

/*
 * Adds the functions whose names lie between @first and @last in alphabetical order, both included.
 * @named is the prepared query that finds them.
 */
static int note_between(struct finder *finder, sqlite3_stmt *named, const char *first,
			const char *last)
{
	sqlite3_reset(named);
	wv_db_bind_text(named, 1, first);
	wv_db_bind_text(named, 2, last);
	return note_found(finder, named);
}

static int note_named(struct finder *finder)
{
	static const char *const names[] = { WR_THUNK_NAMES, NULL };
	static const struct {
		const char *first, *last;
	} ranges[] = {
#define WV_THUNK_RANGE(first_, last_) { first_, last_ },
		WR_THUNK_RANGES(WV_THUNK_RANGE)
	};
	_cleanup_statement_ sqlite3_stmt *named = NULL, *between = NULL;
	int ret = wv_db_prepare(finder->db, "SELECT offset FROM symbol WHERE "
				WV_SQL_IN_VMLINUX("offset") " AND name >= ?1 AND name <= ?2",
				&named, finder->error);

	if (!ret)
		ret = wv_db_prepare(finder->db,
				    "SELECT offset FROM symbol WHERE offset >= ? AND offset < ?",
				    &between, finder->error);
	for (const char *const *name = names; *name && !ret; name++)
		ret = note_between(finder, named, *name, *name);
	/* '~' sorts after every character that a symbol's name may have. */
	if (!ret)
		ret = note_between(finder, named, WR_THUNK_PREFIX, WR_THUNK_PREFIX "~");
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]) && !ret; i++) {
		uint64_t start = wv_db_symbol_address(finder->db, ranges[i].first);
		uint64_t end = wv_db_symbol_address(finder->db, ranges[i].last);

		if (!start || end < start)
			continue;
		sqlite3_reset(between);
		sqlite3_bind_int64(between, 1,
				   (sqlite3_int64)(start - finder->db->text_address));
		sqlite3_bind_int64(between, 2, (sqlite3_int64)(end - finder->db->text_address));
		ret = note_found(finder, between);
	}
	return ret;
}

int wv_thunks_find(struct wv_db *db, struct wv_thunk_list *ret, struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	_cleanup_statement_ sqlite3_stmt *holds = NULL;
	struct finder finder = { .db = db, .list = ret, .error = error };
	int failed = wv_decoder_create(&decoder, error);

	if (!failed)
		failed = wv_db_prepare(db,
				       "SELECT (SELECT max(offset) FROM symbol WHERE offset <= ?1),"
				       " (SELECT min(offset) FROM symbol WHERE offset > ?1)",
				       &holds, error);
	finder.decoder = decoder;
	finder.holds = holds;
	if (!failed)
		failed = note_named(&finder);
	for (size_t i = 0; i < ret->list.n && !failed; i++)
		failed = follow(&finder, ret->list.data[i]);
	return failed;
}
