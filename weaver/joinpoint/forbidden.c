// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forbidden text of a database; see forbidden.h. The kernel makes its list for kprobes at boot, of sections and of single functions;
 * this follows it (kernel/kprobes.c, arch/x86/kernel/kprobes/core.c).
 */
#include <stdlib.h>
#include <string.h>

#include "../runtime/forbidden.h"
#include "base/order.h"
#include "image/owners.h"
#include "joinpoint/db-internal.h"
#include "joinpoint/forbidden.h"

static const struct range {
	const char *first, *last; /* symbols; last NULL: up to the symbol behind */
	bool upto; /* LAST is where it ends */
	uint8_t refusal;
	bool notifier;
} ranges[] = {
#define WV_RANGE(first_, last_, refusal_, notifier_) \
	{ .first = first_, .last = last_, .refusal = refusal_, .notifier = notifier_ },
	WR_FORBIDDEN_TEXT(WV_RANGE)
	{ "__entry_text_start", "__entry_text_end", true, WEFT_REFUSAL_BLACKLISTED, false },
	{ "__kprobes_text_start", "__kprobes_text_end", true, WEFT_REFUSAL_BLACKLISTED, false },
	{ "__noinstr_text_start", "__noinstr_text_end", true, WEFT_REFUSAL_BLACKLISTED, false },
	{ "__indirect_thunk_start", "__indirect_thunk_end", true, WEFT_REFUSAL_BLACKLISTED, false },
};

struct reader {
	struct wv_db *db;
	sqlite3_stmt *next; /* the symbol behind an offset */
	struct wv_forbidden_list *list;
	struct wv_error *error;
};

/* Where the symbol at @address ends: at the next one, as for the kernel. */
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
	struct wv_forbidden *slot;

	if (!start || end <= start)
		return 0;
	slot = wv_vec_push(&reader->list->list);
	if (!slot)
		return wv_no_memory(reader->error);
	*slot = (struct wv_forbidden){ start, end, refusal };
	return 0;
}

static int add_range(struct reader *reader, const struct range *range)
{
	uint64_t start = wv_db_symbol_address(reader->db, range->first);
	uint64_t last = range->last ? wv_db_symbol_address(reader->db, range->last) : start;

	return start && last ? add(reader, start, range->upto ? last : end_of(reader, last), range->refusal) : 0;
}

static int add_functions(struct reader *reader)
{
	_cleanup_statement_ sqlite3_stmt *owners = NULL;
	bool more;
	int ret = wv_db_prepare(reader->db, "SELECT offset FROM owner WHERE kind = ? AND offset < 1 << 40", &owners,
				reader->error);

	if (ret)
		return ret;
	sqlite3_bind_int(owners, 1, WV_OWNER_NO_PROBE);
	ret = wv_db_step(reader->db, owners, &more, reader->error);
	while (!ret && more) {
		uint64_t address = reader->db->text_address + (uint64_t)sqlite3_column_int64(owners, 0);

		ret = add(reader, address, end_of(reader, address), WEFT_REFUSAL_BLACKLISTED);
		if (!ret)
			ret = wv_db_step(reader->db, owners, &more, reader->error);
	}
	return ret;
}

static int compare(const void *left, const void *right)
{
	const struct wv_forbidden *a = left, *b = right;

	return wv_order(a->start, b->start) ?: wv_order(a->end, b->end);
}

int wv_forbidden_read(struct wv_forbidden_list *ret, struct wv_db *db, struct wv_error *error)
{
	struct reader reader = { .db = db, .list = ret, .error = error };
	int failed = wv_db_prepare(db, "SELECT offset FROM symbol WHERE offset > ? ORDER BY offset LIMIT 1",
				   &reader.next, error);

	/* What only holds where traps go through the notifiers is for weft.ko to say. */
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]) && !failed; i++)
		if (!ranges[i].notifier)
			failed = add_range(&reader, &ranges[i]);
	if (!failed)
		failed = add_functions(&reader);
	sqlite3_finalize(reader.next);
	if (failed)
		wv_vec_deinit(&ret->list);
	else if (ret->list.n)
		qsort(ret->list.data, ret->list.n, sizeof(*ret->list.data), compare);
	return failed;
}

void wv_forbidden_within(const struct wv_forbidden_list *forbidden, uint64_t start, uint64_t end,
			 struct wv_function *function)
{
	const struct wv_forbidden *first = forbidden->list.data, *last = first + forbidden->list.n;

	/* A long one may begin far before a short one that ends sooner: only what is behind can be cut off. */
	while (last > first && last[-1].start >= end)
		last--;
	while (first < last && first->end <= start)
		first++;
	function->forbidden = first;
	function->nr_forbidden = last - first;
}
