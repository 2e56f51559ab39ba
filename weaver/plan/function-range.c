// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function ranges; see function-range.h. The last few ranges are cached. They are often needed
 * again: code that uses a range also reads its neighbours, because springboards in the range may
 * use padding in the neighbours for their slots.
 */
#include <stdlib.h>
#include <string.h>

#include "image/patch-sites.h"
#include "database/db.h"
#include "database/db-handle.h"
#include "plan/function-range.h"
#include "plan/function-cache.h"

enum {
	/* number of ranges that are cached, more than a springboard can reach */
	KEPT = 64,
	/*
	 * maximum size of a range in bytes: room for a large page (2 MiB) of padding and the
	 * function before it
	 */
	RANGE_MAX = 1 << 22,
};

struct wv_function_ranges {
	struct wv_db *db;
	struct wv_functions *functions;
	struct wv_decoder *decoder;
	struct wv_image_texts *texts;
	sqlite3_stmt *function, *label, *next, *branch_targets;
	struct wv_function_range kept[KEPT];
	uint64_t clock;
};

static int prepare(struct wv_function_ranges *ranges, struct wv_error *error)
{
	static const struct {
		size_t statement;
		const char *sql;
	} all[] = {
		{ offsetof(struct wv_function_ranges, function),
		  "SELECT symbol.offset, size, entry, flags, file.name, symbol.name FROM symbol"
		  " LEFT JOIN file ON file.id = symbol.file WHERE symbol.offset <= ? "
		  "AND " WV_SQL_IS_PREFERRED("flags") " ORDER BY symbol.offset DESC LIMIT 1" },
		{ offsetof(struct wv_function_ranges, label),
		  "SELECT offset FROM symbol WHERE offset BETWEEN ? AND ? ORDER BY offset DESC "
		  "LIMIT 1" },
		{ offsetof(struct wv_function_ranges, next),
		  "SELECT offset FROM symbol WHERE offset > ?1 AND (offset >= ?2 "
		  "OR " WV_SQL_IS_NO_LABEL("flags") ") ORDER BY offset LIMIT 1" },
		{ offsetof(struct wv_function_ranges, branch_targets),
		  "SELECT offset FROM branch_target WHERE offset >= ?1 AND offset < ?2 UNION ALL"
		  " SELECT offset FROM symbol WHERE offset > ?1 AND offset < ?2" },
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && !ret; i++)
		ret = wv_db_prepare(ranges->db, all[i].sql,
				    (sqlite3_stmt **)((char *)ranges + all[i].statement), error);
	return ret;
}

int wv_function_ranges_create(struct wv_db *db, struct wv_function_ranges **ret,
			      struct wv_error *error)
{
	struct wv_function_ranges *ranges = calloc(1, sizeof(*ranges));
	int failed;

	*ret = NULL;
	if (!ranges)
		return wv_no_memory(error);
	ranges->db = db;
	failed = wv_functions_create(db, &ranges->functions, error);
	if (!failed)
		failed = wv_decoder_create(&ranges->decoder, error);
	if (!failed)
		failed = prepare(ranges, error);
	if (!failed)
		failed = wv_image_texts_create(db, &ranges->texts, error);
	if (failed)
		wv_function_ranges_destroy(ranges);
	else
		*ret = ranges;
	return failed;
}

static void forget(struct wv_function_range *range)
{
	wv_chooser_destroy(range->chooser);
	free(range->bytes);
	*range = (struct wv_function_range){ 0 };
}

void wv_function_ranges_destroy(struct wv_function_ranges *ranges)
{
	if (!ranges)
		return;
	for (size_t i = 0; i < KEPT; i++)
		forget(&ranges->kept[i]);
	sqlite3_finalize(ranges->function);
	sqlite3_finalize(ranges->label);
	sqlite3_finalize(ranges->next);
	sqlite3_finalize(ranges->branch_targets);
	wv_image_texts_destroy(ranges->texts);
	wv_decoder_destroy(ranges->decoder);
	wv_functions_destroy(ranges->functions);
	free(ranges);
}

int wv_function_ranges_text(struct wv_function_ranges *ranges, uint64_t image,
			    const struct wv_image_text **ret, struct wv_error *error)
{
	return wv_image_texts_at(ranges->texts,
				 ranges->db->text_address + (image << WV_IMAGE_OFFSET_BITS), ret,
				 error);
}

/*
 * Finds which text contains @address: sets *@ret to the text of the image, and *@area_ret to the
 * area in this text (struct wv_text_area). Sets both to NULL if no area contains @address.
 */
static int find_area(struct wv_function_ranges *ranges, uint64_t address,
		     const struct wv_image_text **ret, const struct wv_text_area **area_ret,
		     struct wv_error *error)
{
	int failed = wv_image_texts_at(ranges->texts, address, ret, error);

	*area_ret = !failed && *ret ? wv_text_area_at(*ret, address) : NULL;
	if (!*area_ret)
		*ret = NULL;
	return failed;
}

/*
 * Runs a query that has two parameters and returns one number. Leaves *@ret unchanged if the query
 * returns no row.
 */
static int ask(struct wv_function_ranges *ranges, sqlite3_stmt *statement, uint64_t first,
	       uint64_t second, uint64_t *ret, struct wv_error *error)
{
	bool more;
	int failed;

	sqlite3_reset(statement);
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)first);
	sqlite3_bind_int64(statement, 2, (sqlite3_int64)second);
	failed = wv_db_step(ranges->db, statement, &more, error);
	if (!failed && more)
		*ret = sqlite3_column_int64(statement, 0);
	return failed;
}

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

/* The bounds of a function range, from the row of its function. All are offsets from _text. */
struct bounds {
	uint64_t start, end, entry, code_end;
	bool c;
};

/* Finds the last function that begins at or before @offset, and the bounds of its range. */
static int find_function(struct wv_function_ranges *ranges, uint64_t offset,
			 struct wv_function_info *function, struct bounds *ret,
			 struct wv_error *error)
{
	sqlite3_stmt *row = ranges->function;
	const char *file, *name;
	uint32_t flags;
	bool more;
	int failed;

	*ret = (struct bounds){ 0 };
	function->assembler = true;
	sqlite3_reset(row);
	sqlite3_bind_int64(row, 1, (sqlite3_int64)offset);
	failed = wv_db_step(ranges->db, row, &more, error);
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
	function->assembler = !ret->c && !function->compiled && !ends_in(file, ".c") &&
			      !ends_in(file, ".h") && !strstr(name, ".cold");
	return 0;
}

/*
 * Finds the bounds and the kind of the function range at @offset: the range of a function or, for
 * an offset after the function's end, of the last label there.
 */
static int find_bounds(struct wv_function_ranges *ranges, const struct wv_text_area *area,
		       uint64_t offset, struct wv_function_info *function, struct bounds *ret,
		       struct wv_error *error)
{
	const uint64_t first = area->start - ranges->db->text_address;
	const uint64_t end = area->end - ranges->db->text_address;
	int failed = find_function(ranges, offset, function, ret, error);
	uint64_t start;

	/*
	 * Code before the area's first function is of no function, even if the area before ends
	 * with one.
	 */
	if (!failed && ret->start < first) {
		*ret = (struct bounds){ .start = first, .code_end = first };
		function->compiled = false;
		function->assembler = true;
	}
	start = ret->start;
	if (!failed && offset >= ret->code_end)
		failed = ask(ranges, ranges->label, ret->code_end, offset, &start, error);
	if (start != ret->start) {
		*ret = (struct bounds){ .start = start, .code_end = start };
		function->compiled = false;
		function->assembler = true;
	}
	ret->end = end;
	if (!failed)
		failed = ask(ranges, ranges->next, ret->start, ret->code_end, &ret->end, error);
	if (ret->end > end)
		ret->end = end;
	return failed;
}

/*
 * Adds to @list the five bytes at the function's beginning that belong to ftrace, if it has them.
 */
static int add_fentry(const struct wv_function_ranges *ranges, uint64_t start, uint64_t entry,
		      wv_rewritten_list *list, struct wv_error *error)
{
	struct wv_rewritten *fentry;

	if (entry < WEFT_JUMP_SIZE)
		return 0;
	fentry = wv_vec_push(list);
	if (!fentry)
		return wv_no_memory(error);
	memmove(list->data + 1, list->data, (list->n - 1) * sizeof(*list->data));
	list->data[0] =
		(struct wv_rewritten){ .address = ranges->db->text_address + start + entry -
						  WEFT_JUMP_SIZE,
				       .size = WEFT_JUMP_SIZE,
				       .refusal = WEFT_REFUSAL_FTRACE };
	return 0;
}

typedef WV_VEC(uint64_t) addresses;

static int read_branch_targets(struct wv_function_ranges *ranges, uint64_t start, uint64_t end,
			       addresses *ret, struct wv_error *error)
{
	bool more;
	int failed;

	sqlite3_reset(ranges->branch_targets);
	sqlite3_bind_int64(ranges->branch_targets, 1, (sqlite3_int64)start);
	sqlite3_bind_int64(ranges->branch_targets, 2, (sqlite3_int64)end);
	failed = wv_db_step(ranges->db, ranges->branch_targets, &more, error);
	while (!failed && more) {
		uint64_t *address = wv_vec_push(ret);

		if (!address)
			return wv_no_memory(error);
		*address = ranges->db->text_address +
			   sqlite3_column_int64(ranges->branch_targets, 0);
		failed = wv_db_step(ranges->db, ranges->branch_targets, &more, error);
	}
	return failed;
}

static bool needs_sanitize(const struct wv_function_range *range)
{
	const struct wv_displaceable *displaceable = wv_chooser_displaceable(range->chooser);
	struct wv_insn_info info;

	for (uint64_t at = range->start;; at += info.length) {
		info = wv_displaceable_insn(displaceable, at);
		if (!info.length || info.sanitize)
			return info.length;
	}
}

static int fill(struct wv_function_ranges *ranges, const struct wv_image_text *image_text,
		const struct wv_text_area *area, uint64_t offset, struct wv_function_range *range,
		struct wv_error *error)
{
	const uint64_t text = ranges->db->text_address;
	struct wv_function_info function = { .closed = true,
					     .callee = wv_functions_callee,
					     .context = ranges->functions,
					     .fentry = image_text->fentry };
	wv_rewritten_list rewritten = { 0 };
	addresses outside = { 0 };
	struct bounds bounds;
	uint64_t size;
	int ret = find_bounds(ranges, area, offset, &function, &bounds, error);

	if (ret)
		return ret;
	size = bounds.end - bounds.start < RANGE_MAX ? bounds.end - bounds.start : RANGE_MAX;
	range->bytes = malloc(size + 1);
	ret = range->bytes ? wv_functions_rewritten(ranges->functions, bounds.start, size,
						    &rewritten, error)
			   : wv_no_memory(error);
	if (!ret)
		ret = add_fentry(ranges, bounds.start, bounds.entry, &rewritten, error);
	if (!ret)
		ret = read_branch_targets(ranges, bounds.start, bounds.end, &outside, error);
	if (!ret) {
		function.start = range->start = text + bounds.start;
		function.size = wv_db_bytes(ranges->db, bounds.start, range->bytes, size);
		range->end = text + bounds.end;
		range->c = bounds.c;
		function.bytes = range->bytes;
		/*
		 * Indirect jumps are resolved: the database counts every data word that holds an
		 * address in text as a branch target, and C's jump tables consist of such words.
		 */
		function.resolved = !function.assembler;
		range->code_end = bounds.code_end > bounds.start ? text + bounds.code_end
								 : range->end;
		function.rewritten = rewritten.data;
		function.nr_rewritten = rewritten.n;
		wv_blacklist_within(&image_text->blacklist, range->start, range->end, &function);
		ret = wv_chooser_create(&function, outside.data, outside.n, ranges->decoder,
					&range->chooser, error);
		range->sanitize = !ret && needs_sanitize(range);
	}
	wv_vec_deinit(&rewritten);
	wv_vec_deinit(&outside);
	return ret;
}

int wv_function_ranges_at(struct wv_function_ranges *ranges, uint64_t address,
			  const struct wv_function_range **ret, struct wv_error *error)
{
	struct wv_function_range *oldest = &ranges->kept[0];
	const struct wv_image_text *text;
	const struct wv_text_area *area;
	int failed;

	*ret = NULL;
	for (size_t i = 0; i < KEPT; i++) {
		struct wv_function_range *range = &ranges->kept[i];

		if (range->chooser && address - range->start < range->end - range->start) {
			range->used = ++ranges->clock;
			*ret = range;
			return 0;
		}
		if (range->used < oldest->used)
			oldest = range;
	}
	failed = find_area(ranges, address, &text, &area, error);
	if (failed || !area)
		return failed;
	forget(oldest);
	failed = fill(ranges, text, area, address - ranges->db->text_address, oldest, error);
	if (failed) {
		forget(oldest);
		return failed;
	}
	oldest->used = ++ranges->clock;
	*ret = oldest;
	return 0;
}

int wv_function_ranges_padding(struct wv_function_ranges *ranges,
			       const struct wv_function_range *range, wv_padding_list *ret,
			       struct wv_error *error)
{
	const uint64_t last = range->end + WV_SPRINGBOARD_REACH;
	const struct wv_function_range *neighbour;
	const struct wv_image_text *text;
	const struct wv_text_area *area;
	uint64_t at;
	int failed = find_area(ranges, range->start, &text, &area, error);

	if (failed || !area)
		return failed;
	at = range->start - area->start > WV_SPRINGBOARD_REACH ?
		     range->start - WV_SPRINGBOARD_REACH : area->start;
	while (!failed && at < last && at < area->end) {
		failed = wv_function_ranges_at(ranges, at, &neighbour, error);
		if (failed || !neighbour)
			return failed;
		wv_vec_for_each(padding, wv_chooser_padding(neighbour->chooser)) {
			struct wv_padding *added = wv_vec_push(ret);

			if (!added)
				return wv_no_memory(error);
			*added = *padding;
		}
		at = neighbour->end;
	}
	return failed;
}

/*
 * Upper limit of the size in bytes of one owner's text: how far before an address its owner may
 * begin.
 */
#define LONGEST_OWNED 256

int wv_function_ranges_owner(struct wv_function_ranges *ranges, uint64_t address, const char **ret,
			     struct wv_error *error)
{
	static const char *const names[] = {
		[WV_OWNER_ALTERNATIVE] = "an alternative, written at boot",
		[WV_OWNER_PARAVIRT] = "paravirt, written at boot",
		[WV_OWNER_STATIC_CALL] = "a static call, written at any time",
		[WV_OWNER_JUMP_LABEL] = "a jump label, written at any time",
		[WV_OWNER_EXCEPTION] =
			"the exception table, which handles a fault here by its address",
		[WV_OWNER_NO_PROBE] = "a function that the kernel forbids probes in",
	};
	uint64_t kind = sizeof(names) / sizeof(names[0]);
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int failed = wv_db_prepare(ranges->db,
				   "SELECT kind FROM owner WHERE offset <= ?1 AND offset > ?1 - "
				   WV_SQL(LONGEST_OWNED) " AND ?1 < offset + max(size, 1)"
				   " ORDER BY kind LIMIT 1", &statement, error);

	*ret = NULL;
	if (!failed)
		failed = ask(ranges, statement, address - ranges->db->text_address, 0, &kind,
			     error);
	if (!failed && kind < sizeof(names) / sizeof(names[0]))
		*ret = names[kind];
	return failed;
}
