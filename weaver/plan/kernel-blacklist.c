// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the text in a database that must not be spliced; see kernel-blacklist.h. When it boots, the
 * kernel makes a list of the sections and the single functions in which it does not allow kprobes.
 * This file makes the same list from the database. It follows kernel/kprobes.c and
 * arch/x86/kernel/kprobes/core.c.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/blacklist-names.h"
#include "base/order.h"
#include "image/patch-sites.h"
#include "database/db.h"
#include "database/db-handle.h"
#include "plan/kernel-blacklist.h"
#include "plan/kernel-thunks.h"

static const struct range {
	/*
	 * The symbols with which the range begins and ends. If .last is NULL, the entry does not
	 * mean a range, but the functions named .first and their clones.
	 */
	const char *first, *last;
	/*
	 * true: the range ends where the symbol .last begins; false: where the function .last ends
	 */
	bool upto;
	uint8_t refusal;
	/*
	 * the range counts only if the running kernel handles int3 by a notifier; see add_ranges()
	 */
	bool notifier;
} ranges[] = {
#define WV_RANGE(first_, last_, refusal_, notifier_) \
	{ .first = first_, .last = last_, .refusal = refusal_, .notifier = notifier_ },
	WR_BLACKLIST_TEXT(WV_RANGE)
	{ "__entry_text_start", "__entry_text_end", true, WEFT_REFUSAL_BLACKLISTED, false },
	{ "__kprobes_text_start", "__kprobes_text_end", true, WEFT_REFUSAL_BLACKLISTED, false },
	{ "__noinstr_text_start", "__noinstr_text_end", true, WEFT_REFUSAL_BLACKLISTED, false },
	{ "__indirect_thunk_start", "__indirect_thunk_end", true, WEFT_REFUSAL_BLACKLISTED, false },
};

static const char *const sanitizers[] = { WR_SANITIZER_PREFIXES };
static const char *const kasan[] = { WR_KASAN_NAMES };

struct reader {
	struct wv_db *db;
	sqlite3_stmt *next; /* query for the next symbol after an offset */
	sqlite3_stmt *named; /* query for all symbols of a name, and their clones */
	sqlite3_stmt *beginning; /* query for all symbols whose names begin with a prefix */
	struct wv_blacklist_list *list;
	struct wv_error *error;
};

/*
 * Returns the end of the symbol at @address: the beginning of the next symbol, which is how the
 * kernel computes it, too. Returns @address if there is no next symbol.
 */
static uint64_t end_of(struct reader *reader, uint64_t address)
{
	sqlite3_reset(reader->next);
	sqlite3_bind_int64(reader->next, 1, (sqlite3_int64)(address - reader->db->text_address));
	return sqlite3_step(reader->next) == SQLITE_ROW ?
		       reader->db->text_address + (uint64_t)sqlite3_column_int64(reader->next, 0) :
		       address;
}

static int add(struct reader *reader, uint64_t start, uint64_t end, uint8_t refusal)
{
	struct wv_blacklist *slot;

	if (!start || end <= start)
		return 0;
	slot = wv_vec_push(&reader->list->list);
	if (!slot)
		return wv_no_memory(reader->error);
	*slot = (struct wv_blacklist){ start, end, refusal };
	return 0;
}

/* Adds the functions whose offsets the query @by returns; its parameters are bound already. */
static int add_found(struct reader *reader, sqlite3_stmt *by, uint8_t refusal)
{
	bool more;
	int ret = wv_db_step(reader->db, by, &more, reader->error);

	while (!ret && more) {
		uint64_t address = reader->db->text_address + (uint64_t)sqlite3_column_int64(by, 0);

		ret = add(reader, address, end_of(reader, address), refusal);
		if (!ret)
			ret = wv_db_step(reader->db, by, &more, reader->error);
	}
	return ret;
}

static int add_named(struct reader *reader, const char *name, uint8_t refusal)
{
	sqlite3_reset(reader->named);
	wv_db_bind_text(reader->named, 1, name);
	return add_found(reader, reader->named, refusal);
}

static int add_sanitizers(struct reader *reader)
{
	int ret = 0;

	for (size_t i = 0; i < sizeof(sanitizers) / sizeof(sanitizers[0]) && !ret; i++) {
		sqlite3_reset(reader->beginning);
		wv_db_bind_text(reader->beginning, 1, sanitizers[i]);
		ret = add_found(reader, reader->beginning, WEFT_REFUSAL_BLACKLISTED);
	}
	if (!wv_db_symbol_address(reader->db, WR_KASAN_MARK))
		return ret;
	for (size_t i = 0; i < sizeof(kasan) / sizeof(kasan[0]) && !ret; i++)
		ret = add_named(reader, kasan[i], WEFT_REFUSAL_BLACKLISTED);
	return ret;
}

static int add_pair(struct reader *reader, const struct range *range)
{
	uint64_t start = wv_db_symbol_address(reader->db, range->first);
	uint64_t last = wv_db_symbol_address(reader->db, range->last);

	if (!start && !last)
		return 0;
	if (!start || !last || last < start)
		return wv_fail(reader->error, WV_E_FORMAT,
			       "cannot find the text from %s to %s, which must not be spliced: "
			       "this kernel does not have both symbols in this order",
			       range->first, range->last);
	return add(reader, start, range->upto ? last : end_of(reader, last), range->refusal);
}

static int add_ranges(struct reader *reader)
{
	int ret = 0;

	/*
	 * A range with .notifier counts only if the running kernel handles int3 by a notifier. The
	 * database does not show this, so such ranges are left out here, and weft.ko checks them.
	 */
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]) && !ret; i++)
		if (!ranges[i].notifier)
			ret = ranges[i].last ? add_pair(reader, &ranges[i])
					     : add_named(reader, ranges[i].first,
							 ranges[i].refusal);
	return ret;
}

/*
 * Adds the blacklisted functions and their clones. The kernel blacklists the clones, too: see
 * within_kprobe_blacklist() in kernel/kprobes.c. SQLite should look up the clones by their names,
 * and not go through all symbols of the image. That is what the plus and the order of the tables,
 * which CROSS JOIN fixes, are for.
 */
static int add_functions(struct reader *reader, uint64_t image)
{
	_cleanup_statement_ sqlite3_stmt *owners = NULL, *clones = NULL;
	sqlite3_stmt **const both[] = { &owners, &clones };
	int ret = wv_db_prepare(reader->db, "SELECT offset FROM owner WHERE kind = ?1"
				" AND offset >= ?2 AND offset < ?3", &owners, reader->error);

	if (!ret)
		ret = wv_db_prepare(reader->db,
				    "SELECT clone.offset FROM owner CROSS JOIN symbol base "
				    "CROSS JOIN symbol clone WHERE owner.kind = ?1 "
				    "AND owner.offset >= ?2 AND owner.offset < ?3 "
				    "AND base.offset = owner.offset AND +clone.offset >= ?2 "
				    "AND +clone.offset < ?3 AND clone.name > base.name || '.' "
				    "AND clone.name < base.name || '/'",
				    &clones, reader->error);
	if (ret)
		return ret;
	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		sqlite3_bind_int(*both[i], 1, WV_OWNER_NO_PROBE);
		sqlite3_bind_int64(*both[i], 2, (sqlite3_int64)(image << WV_IMAGE_OFFSET_BITS));
		sqlite3_bind_int64(*both[i], 3,
				   (sqlite3_int64)((image + 1) << WV_IMAGE_OFFSET_BITS));
	}
	ret = add_found(reader, owners, WEFT_REFUSAL_BLACKLISTED);
	return ret ? ret : add_found(reader, clones, WEFT_REFUSAL_BLACKLISTED);
}

static int add_thunks(struct reader *reader)
{
	struct wv_thunk_list thunks = { 0 };
	int ret = wv_thunks_find(reader->db, &thunks, reader->error);

	for (size_t i = 0; i < thunks.list.n && !ret; i++)
		ret = add(reader, thunks.list.data[i].start, thunks.list.data[i].end,
			  WEFT_REFUSAL_BLACKLISTED);
	wv_vec_deinit(&thunks.list);
	return ret;
}

static int compare(const void *left, const void *right)
{
	const struct wv_blacklist *a = left, *b = right;

	return wv_order(a->start, b->start) ?: wv_order(a->end, b->end);
}

static const char next_sql[] = "SELECT offset FROM symbol WHERE offset > ? ORDER BY offset LIMIT 1";

/* Sorts the list or, if reading it has failed (@failed is not 0), frees it. Returns @failed. */
static int finish(struct wv_blacklist_list *blacklist, int failed)
{
	if (failed)
		wv_vec_deinit(&blacklist->list);
	else if (blacklist->list.n)
		qsort(blacklist->list.data, blacklist->list.n, sizeof(*blacklist->list.data),
		      compare);
	return failed;
}

int wv_blacklist_read(struct wv_blacklist_list *ret, struct wv_db *db, struct wv_error *error)
{
	struct reader reader = { .db = db, .list = ret, .error = error };
	int failed = wv_db_prepare(db, next_sql, &reader.next, error);

	if (!failed)
		failed = wv_db_prepare(db, "SELECT offset FROM symbol WHERE "
				       WV_SQL_IN_VMLINUX("offset") " AND "
				       "(name = ?1 OR (name > ?1 || '.' AND name < ?1 || '/'))",
				       &reader.named, error);
	/* '~' sorts after every character that a symbol's name may have. */
	if (!failed)
		failed = wv_db_prepare(db, "SELECT offset FROM symbol WHERE "
				       WV_SQL_IN_VMLINUX("offset") " AND "
				       "name >= ?1 AND name < ?1 || '~'",
				       &reader.beginning, error);
	if (!failed)
		failed = add_ranges(&reader);
	if (!failed)
		failed = add_sanitizers(&reader);
	if (!failed)
		failed = add_functions(&reader, 0);
	if (!failed)
		failed = add_thunks(&reader);
	sqlite3_finalize(reader.next);
	sqlite3_finalize(reader.named);
	sqlite3_finalize(reader.beginning);
	return finish(ret, failed);
}

/*
 * The sections of a module that the kernel blacklists when it loads the module, by name: see
 * add_module_kprobe_blacklist() in kernel/kprobes.c. (The kernel also blacklists NOKPROBE functions
 * and their clones.) One section here is not of the kernel's list: the trampolines of static calls.
 * They must not be spliced because the kernel rewrites each as a whole.
 */
static const struct {
	const char *name;
	uint8_t refusal;
} module_sections[] = {
	{ ".kprobes.text", WEFT_REFUSAL_BLACKLISTED },
	{ ".noinstr.text", WEFT_REFUSAL_BLACKLISTED },
	{ ".static_call.text", WEFT_REFUSAL_STATIC_CALL },
};

static int add_sections(struct reader *reader, uint64_t image)
{
	_cleanup_statement_ sqlite3_stmt *sections = NULL;
	const uint64_t text = reader->db->text_address;
	bool more = true;
	int ret = wv_db_prepare(reader->db, "SELECT offset, size FROM section WHERE offset >= ?"
				" AND offset < ? AND name = ?", &sections, reader->error);

	for (size_t i = 0; i < sizeof(module_sections) / sizeof(module_sections[0]) && !ret; i++) {
		sqlite3_reset(sections);
		sqlite3_bind_int64(sections, 1, (sqlite3_int64)(image << WV_IMAGE_OFFSET_BITS));
		sqlite3_bind_int64(sections, 2,
				   (sqlite3_int64)((image + 1) << WV_IMAGE_OFFSET_BITS));
		wv_db_bind_text(sections, 3, module_sections[i].name);
		ret = wv_db_step(reader->db, sections, &more, reader->error);
		while (!ret && more) {
			uint64_t start = text + (uint64_t)sqlite3_column_int64(sections, 0);
			uint64_t size = sqlite3_column_int64(sections, 1);

			ret = add(reader, start, start + size, module_sections[i].refusal);
			if (!ret)
				ret = wv_db_step(reader->db, sections, &more, reader->error);
		}
	}
	return ret;
}

int wv_blacklist_read_module(struct wv_blacklist_list *ret, struct wv_db *db, uint64_t image,
			     struct wv_error *error)
{
	struct reader reader = { .db = db, .list = ret, .error = error };
	int failed = wv_db_prepare(db, next_sql, &reader.next, error);

	if (!failed)
		failed = add_sections(&reader, image);
	if (!failed)
		failed = add_functions(&reader, image);
	sqlite3_finalize(reader.next);
	return finish(ret, failed);
}

void wv_blacklist_within(const struct wv_blacklist_list *blacklist, uint64_t start, uint64_t end,
			 struct wv_function_info *function)
{
	const struct wv_blacklist *first = blacklist->list.data, *last = first + blacklist->list.n;

	/*
	 * The list is sorted by start, and a long range may enclose later ones. So a range that
	 * ends before @start may remain between ranges that end after it. Callers have to check
	 * each range.
	 */
	while (last > first && last[-1].start >= end)
		last--;
	while (first < last && first->end <= start)
		first++;
	function->blacklist = first;
	function->nr_blacklist = last - first;
}
