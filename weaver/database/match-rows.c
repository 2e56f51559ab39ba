// SPDX-License-Identifier: GPL-2.0-or-later
/* Converts rows of SQL queries to matches; see match-rows.h. */
#include "base/pool.h"
#include "database/db.h"
#include "database/db-handle.h"
#include "database/match-rows.h"
#include "database/within.h"
#include "runtime/joinpoint-table.h"

/* The columns that match-rows.h lists. */
enum column {
	STRUCT,
	MEMBER,
	PATH,
	KIND,
	FUNCTION,
	FILE_NAME,
	LINE,
	COLUMN,
	MACRO,
	SYMBOL,
	SYMBOL_OFFSET,
	OFFSET,
	PRECISION,
	EFFECT,
	JOINPOINT,
	OPEN, /* only in rows of accesses */
};

/* The columns of a row for wv_match_fates(). */
enum fate_column {
	FATE,
	SERVANT,
	SERVANT_FILE,
	SERVANT_LINE,
	SERVANT_COLUMN,
	SERVANT_SYMBOL,
	SERVANT_OFFSET,
};

/*
 * Returns a column's text, copied to @pool; NULL if the column is NULL or "". Sets *@failed if
 * memory runs out.
 */
static const char *keep(struct wv_pool *pool, sqlite3_stmt *row, int column, bool *failed)
{
	const char *text = wv_db_text(row, column);
	uint32_t number;

	if (!*text)
		return NULL;
	number = wv_pool_add(pool, text);
	if (number == WV_POOL_FAILED) {
		*failed = true;
		return NULL;
	}
	return wv_pool_get(pool, number);
}

static bool is_null(sqlite3_stmt *row, int column)
{
	return sqlite3_column_type(row, column) == SQLITE_NULL;
}

static bool has_accesses(const struct wv_question *question)
{
	return question->kind->picks == WV_PICKS_ACCESSES;
}

/*
 * Returns the word for the match's kind. In the row of an access, column KIND has the kind. In any
 * other row, column KIND is NULL, unless the joinpoint is an inlined instance.
 */
static const char *kind_of(const struct wv_question *question, sqlite3_stmt *row)
{
	if (has_accesses(question))
		return wv_kind_name(sqlite3_column_int(row, KIND));
	return is_null(row, KIND) ? question->kind->word : "inlined";
}

/*
 * Returns the number of the image that contains the row's shadow; if the row has no shadow, of the
 * image that contains its joinpoint. Returns 0, the vmlinux, if the database has no such image.
 */
static uint64_t image_of(const struct wv_question *question, sqlite3_stmt *row)
{
	uint64_t image = is_null(row, OFFSET) ?
			 (uint64_t)sqlite3_column_int64(row, JOINPOINT) >> WV_IMAGE_ID_BITS :
			 (uint64_t)sqlite3_column_int64(row, OFFSET) >> WV_IMAGE_OFFSET_BITS;

	return image < question->db->images.strings.n ? image : 0;
}

static int fill_shadow(const struct wv_question *question, sqlite3_stmt *row,
		       struct wv_match *match)
{
	struct wv_db *db = question->db;
	uint64_t offset = sqlite3_column_int64(row, OFFSET);
	int64_t precision = sqlite3_column_int64(row, PRECISION);

	match->effect = -1;
	if (is_null(row, OFFSET)) {
		match->precision = WEFT_PRECISION_OPTIMIZED_OUT;
		return 0;
	}
	if (!has_accesses(question))
		precision = question->kind->precision;
	if (precision < 0 || precision >= WEFT_PRECISION_OPTIMIZED_OUT)
		return wv_fail_at(question->error, WV_E_FORMAT, db->path, 0, 0,
				  "the database is damaged, it has a shadow of unknown precision "
				  "%lld: make it again",
				  (long long)precision);
	match->precision = precision;
	if (precision == WEFT_PRECISION_EXACT)
		match->effect = sqlite3_column_int(row, EFFECT);
	match->symbol_offset = sqlite3_column_int64(row, SYMBOL_OFFSET);
	match->address = db->text_address + offset;
	return 0;
}

/* Sets the servant of @match to the one in @row. Returns false if memory runs out. */
static bool fill_servant(struct wv_pool *pool, sqlite3_stmt *row, struct wv_match *match)
{
	bool failed = false;

	match->servant_file = keep(pool, row, SERVANT_FILE, &failed);
	match->servant_line = sqlite3_column_int64(row, SERVANT_LINE);
	match->servant_column = sqlite3_column_int64(row, SERVANT_COLUMN);
	match->servant_symbol = keep(pool, row, SERVANT_SYMBOL, &failed);
	match->servant_offset = sqlite3_column_int64(row, SERVANT_OFFSET);
	return !failed;
}

int wv_match_fates(const struct wv_question *question, sqlite3_stmt *statement,
		   struct wv_match *match)
{
	bool more, has_servant = false;
	int failed = wv_db_step(question->db, statement, &more, question->error);

	match->open = false;
	while (!failed && more) {
		const int fate = sqlite3_column_int(statement, FATE);

		if (fate >= 0 && fate < WEFT_FATE_COUNT)
			match->fates |= 1u << fate;
		if (!has_servant && !is_null(statement, SERVANT)) {
			has_servant = true;
			if (!fill_servant(question->ret->strings, statement, match))
				return wv_no_memory(question->error);
		}
		failed = wv_db_step(question->db, statement, &more, question->error);
	}
	return failed;
}

/*
 * Sets those members of @match that are the same for all shadows of a joinpoint. Each shadow has a
 * row, and the rows of a joinpoint follow each other. @before is the match of the row before @row,
 * or NULL. If @before has the same number of a joinpoint, copies the members from @before, which
 * takes less time. Sets *@failed if memory runs out.
 */
static void fill_joinpoint(struct wv_pool *pool, sqlite3_stmt *row, const struct wv_match *before,
			   struct wv_match *match, bool *failed)
{
	match->joinpoint = sqlite3_column_int64(row, JOINPOINT);
	if (before && match->joinpoint && before->joinpoint == match->joinpoint) {
		match->structure = before->structure;
		match->member = before->member;
		match->path = before->path;
		match->function = before->function;
		match->file = before->file;
		match->line = before->line;
		match->column = before->column;
		match->macro = before->macro;
		return;
	}
	match->structure = keep(pool, row, STRUCT, failed);
	match->member = keep(pool, row, MEMBER, failed);
	match->path = keep(pool, row, PATH, failed);
	match->function = keep(pool, row, FUNCTION, failed);
	match->file = keep(pool, row, FILE_NAME, failed);
	match->line = sqlite3_column_int64(row, LINE);
	match->column = sqlite3_column_int64(row, COLUMN);
	match->macro = keep(pool, row, MACRO, failed);
}

int wv_match_row(const struct wv_question *question, sqlite3_stmt *row)
{
	const uint64_t image = image_of(question, row);
	struct wv_matches *ret = question->ret;
	struct wv_match *match;
	bool failed;

	if (!wv_db_image_is(question->db, image, question->pointcut->module))
		return 0;
	if (question->pointcut->exact && !is_null(row, OFFSET) &&
	    sqlite3_column_int(row, PRECISION) != WEFT_PRECISION_EXACT)
		return 0;
	match = wv_vec_push(&ret->list);
	failed = !match;
	if (!failed) {
		match->module = image ? wv_pool_get(&question->db->images, image) : NULL;
		fill_joinpoint(ret->strings, row, ret->list.n > 1 ? match - 1 : NULL, match,
			       &failed);
		match->kind = kind_of(question, row);
		match->symbol = keep(ret->strings, row, SYMBOL, &failed);
		match->open = has_accesses(question) && sqlite3_column_int(row, OPEN);
	}
	if (failed)
		return wv_no_memory(question->error);
	return fill_shadow(question, row, match);
}

int wv_match_rows(const struct wv_question *question, sqlite3_stmt *statement)
{
	bool more;
	int failed = wv_db_step(question->db, statement, &more, question->error);

	while (!failed && more) {
		failed = wv_match_row(question, statement);
		if (!failed)
			failed = wv_db_step(question->db, statement, &more, question->error);
	}
	return failed;
}
