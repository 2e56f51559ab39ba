// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks the database with a pointcut. Each type of pointcut is one SQL statement whose rows all have the same
 * columns, so that one function turns rows into matches.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/order.h"
#include "base/pool.h"
#include "runtime/joinpoint-table.h"
#include "database/boundary.h"
#include "database/control-flow.h"
#include "database/db.h"
#include "database/db-handle.h"
#include "database/no-match.h"
#include "database/query.h"

/* The columns of every query, in their order. Offsets are counted from _text. */
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
	USE,
	SERVED_SYMBOL,
	SERVED_OFFSET,
	JOINPOINT,
};

/*
 * The joinpoints of struct ?1 and member ?2: by the struct that has the member; by the struct that the expression began
 * with and the member that it ended with; and by that struct and the macro that the member was spelled in, which
 * is how `sk->sk_state` is found, where sk_state is a macro for __sk_common.skc_state.
 */
#define CHOSEN_SQL                                                                \
	"WITH chosen(id) AS ("                                                    \
	" SELECT joinpoint.id FROM joinpoint WHERE field IN"                      \
	" (SELECT id FROM field WHERE struct = ?1 AND member = ?2"                \
	" UNION SELECT id FROM field WHERE outermost = ?1 AND innermost = ?2)"    \
	" UNION SELECT joinpoint.id FROM macro"                                   \
	" CROSS JOIN joinpoint ON joinpoint.macro = macro.id"                     \
	" CROSS JOIN field ON field.id = joinpoint.field"                         \
	" WHERE macro.name = ?2 AND field.outermost = ?1) "

/* CROSS JOIN keeps SQLite from trying another order: the chosen ones are few, everything else is found by id. */
#define MEMBER_SQL(kind, coalesced, from)                                                                    \
	"SELECT field.struct, field.member, field.path, " kind ", function.name, file.name,"      \
	" joinpoint.line, joinpoint.\"column\", macro.name, symbol.name,"                         \
	" shadow.offset - symbol.offset, shadow.offset, shadow.precision, shadow.use,"            \
	" " coalesced ","                                                                            \
	" joinpoint.id FROM chosen " from " CROSS JOIN joinpoint ON joinpoint.id = chosen.id"     \
	" CROSS JOIN field ON field.id = joinpoint.field"                                         \
	" CROSS JOIN function ON function.id = joinpoint.function"                                \
	" CROSS JOIN file ON file.id = joinpoint.file"                                            \
	" LEFT JOIN macro ON macro.id = joinpoint.macro"

/* Parameters of the statements that give accesses; bind_kinds() binds them. */
#define KINDS "?3" /* that are asked for: 1 << kind of each */
#define CALL "?4" /* WEFT_KIND_CALL */
#define OWN_KIND "?5" /* WV_CHOSEN_OWN */
#define FOR_CALL "?6" /* WV_CHOSEN_CALL */

/* Accesses by their own kind, and calls of what a get has read, which are few: they come first. */
#define ACCESSES_SQL \
	MEMBER_SQL("joinpoint.kind", "servant.name, served.offset - servant.offset", "") \
	" LEFT JOIN shadow ON shadow.joinpoint = joinpoint.id AND shadow.chosen = " OWN_KIND \
	" LEFT JOIN served ON served.joinpoint = joinpoint.id" \
	" LEFT JOIN symbol AS servant ON servant.id = served.symbol" \
	" LEFT JOIN symbol ON symbol.id = shadow.symbol WHERE (1 << joinpoint.kind) & " KINDS \
	" UNION ALL " \
	MEMBER_SQL(CALL, "NULL, NULL", "CROSS JOIN shadow" \
		   " ON shadow.joinpoint = chosen.id AND shadow.chosen = " FOR_CALL) \
	" LEFT JOIN symbol ON symbol.id = shadow.symbol WHERE (1 << " CALL ") & " KINDS

static const char member_sql[] = CHOSEN_SQL ACCESSES_SQL;

/* The same of every joinpoint in the files ?1. */
static const char file_sql[] =
	"WITH chosen(id) AS (SELECT joinpoint.id FROM (SELECT id FROM file WHERE " WV_FILE_IS
	") AS named CROSS JOIN joinpoint ON joinpoint.file = named.id) " ACCESSES_SQL;

static const char entry_sql[] =
	"SELECT NULL, NULL, NULL, NULL, symbol.name, file.name, line, \"column\", NULL,"
	" symbol.name, entry, offset + entry, NULL, NULL, NULL, NULL, 0"
	" FROM symbol LEFT JOIN file ON file.id = symbol.file"
	" WHERE symbol.name = ?1 AND " WV_SQL_IS_NO_LABEL("symbol.flags") " AND NOT ?3"
	" UNION ALL SELECT NULL, NULL, NULL, 'inlined', inline.name, file.name,"
	" copy.line, copy.\"column\", NULL, symbol.name, copy.offset - symbol.offset,"
	" copy.offset, NULL, NULL, NULL, NULL, 0"
	" FROM inline CROSS JOIN copy ON copy.inline = inline.id"
	" CROSS JOIN symbol ON symbol.id = copy.symbol LEFT JOIN file ON file.id = copy.file"
	" WHERE inline.name = ?1 AND ?2";

/*
 * What is known of an offset that the function's instructions gave. Run once for each: scalar subqueries need no table of their
 * own, as a subquery to join with does.
 */
static const char flow_sql[] =
	"SELECT NULL, NULL, NULL, NULL, symbol.name, file.name, line.line, line.\"column\", NULL,"
	" symbol.name, ?1 - symbol.offset, ?1, NULL, NULL, NULL, NULL, 0 FROM symbol"
	" LEFT JOIN line ON line.offset ="
	" (SELECT offset FROM line WHERE offset <= ?1 ORDER BY offset DESC LIMIT 1)"
	" AND line.symbol = symbol.id LEFT JOIN file ON file.id = line.file"
	" WHERE symbol.id = (SELECT id FROM symbol WHERE offset <= ?1 AND "
	WV_SQL_IS_NO_ALIAS("flags") " ORDER BY offset DESC LIMIT 1)"
	/* Index line_offset ends with the key, so this is the order in which the rows come. */
	" ORDER BY line.file, line.line LIMIT 1";

/* Of a symbol without a size: nobody counts further than this from it. */
#define SIZELESS_MAX 4096

static const char instruction_sql[] =
	"SELECT NULL, NULL, NULL, NULL, name, NULL, NULL, NULL, NULL, name, ?2, offset + ?2, NULL,"
	" NULL, NULL, NULL, 0 FROM symbol"
	" WHERE name = ?1 AND (?2 < size OR (NOT size AND ?2 < " WV_SQL(SIZELESS_MAX) "))";

/* A function's own line begins with the endbr and ftrace's call, where nothing can be spliced: it is met at the entry behind them. */
#define BEHIND_ENTRY \
	" + CASE WHEN line.offset < symbol.offset + entry AND entry < size THEN symbol.offset + entry - line.offset ELSE 0 END"

static const char line_sql[] =
	"SELECT NULL, NULL, NULL, NULL, symbol.name, named.name, line.line, line.\"column\", NULL,"
	" symbol.name, line.offset - symbol.offset" BEHIND_ENTRY ", line.offset" BEHIND_ENTRY ","
	" NULL, NULL, NULL, NULL, 0"
	" FROM (SELECT id, name FROM file WHERE " WV_FILE_IS ") AS named"
	" CROSS JOIN line ON line.file = named.id AND line.line = ?2"
	" LEFT JOIN symbol ON symbol.id = line.symbol";

static const char *const other_kinds[] = {
	[WV_POINTCUT_ENTRY] = "entry",
	[WV_POINTCUT_LINE] = "line",
	[WV_POINTCUT_INSTRUCTION] = "instruction",
	[WV_POINTCUT_EXIT] = "exit",
	[WV_POINTCUT_BLOCK] = "block",
	[WV_POINTCUT_CALLS] = "callsite",
	[WV_POINTCUT_CALLERS] = "callsite",
};

/* A column's text, kept in @pool; NULL for NULL and for "". *@failed is set when memory is out. */
static const char *keep(struct wv_pool *pool, sqlite3_stmt *row, enum column column, bool *failed)
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

static bool is_null(sqlite3_stmt *row, enum column column)
{
	return sqlite3_column_type(row, column) == SQLITE_NULL;
}

static bool has_accesses(const struct wv_pointcut *pointcut)
{
	return pointcut->type == WV_POINTCUT_MEMBER || pointcut->type == WV_POINTCUT_FILE;
}

static int fill_shadow(struct wv_db *db, const struct wv_pointcut *pointcut, sqlite3_stmt *row,
		       struct wv_match *match, struct wv_error *error)
{
	uint64_t offset = sqlite3_column_int64(row, OFFSET);
	uint64_t image = is_null(row, OFFSET) ? match->joinpoint >> WV_IMAGE_ID_BITS :
						offset >> WV_IMAGE_OFFSET_BITS;
	int64_t precision = sqlite3_column_int64(row, PRECISION);

	match->use = -1;
	if (image && image < db->images.strings.n)
		match->module = wv_pool_get(&db->images, image);
	if (is_null(row, OFFSET)) {
		match->precision = WEFT_PRECISION_OPTIMIZED_OUT;
		return 0;
	}
	if (pointcut->type == WV_POINTCUT_LINE)
		precision = WEFT_PRECISION_LINE;
	else if (!has_accesses(pointcut))
		precision = WEFT_PRECISION_SYMBOL;
	if (precision < 0 || precision >= WEFT_PRECISION_OPTIMIZED_OUT)
		return wv_fail_at(error, WV_E_FORMAT, db->path, 0, 0,
				  "the database has a shadow of unknown precision %lld",
				  (long long)precision);
	match->precision = precision;
	if (precision == WEFT_PRECISION_EXACT)
		match->use = sqlite3_column_int(row, USE);
	match->symbol_offset = sqlite3_column_int64(row, SYMBOL_OFFSET);
	match->address = db->text_address + offset;
	return 0;
}

static int compare_places(const void *left, const void *right)
{
	const struct wv_match *const *a = left, *const *b = right;

	return wv_order((*a)->address, (*b)->address);
}

/* In the order of the addresses: a piece of text is read once, whatever the number of shadows in it. */
static int fill_bytes(struct wv_db *db, struct wv_matches *matches, struct wv_error *error)
{
	size_t n = matches->list.n;
	_cleanup_free_ struct wv_match **sorted = calloc(n + 1, sizeof(*sorted));

	if (!sorted)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &matches->list.data[i];
	qsort(sorted, n, sizeof(*sorted), compare_places);
	for (size_t i = 0; i < n; i++) {
		struct wv_match *match = sorted[i];

		if (match->precision != WEFT_PRECISION_OPTIMIZED_OUT)
			match->nr_bytes = wv_db_bytes(db, match->address - db->text_address, match->bytes,
						      sizeof(match->bytes));
	}
	return 0;
}

static int add_match(struct wv_db *db, const struct wv_pointcut *pointcut, sqlite3_stmt *row,
		     struct wv_matches *matches, struct wv_error *error)
{
	struct wv_match *match = wv_vec_push(&matches->list);
	struct wv_pool *pool = matches->strings;
	bool failed = !match;

	if (!failed) {
		match->joinpoint = sqlite3_column_int64(row, JOINPOINT);
		match->structure = keep(pool, row, STRUCT, &failed);
		match->member = keep(pool, row, MEMBER, &failed);
		match->path = keep(pool, row, PATH, &failed);
		match->kind = has_accesses(pointcut) ?
				      wv_kind_name(sqlite3_column_int(row, KIND)) :
				      other_kinds[pointcut->type];
		if (pointcut->type == WV_POINTCUT_ENTRY && !is_null(row, KIND))
			match->kind = "inlined";
		match->function = keep(pool, row, FUNCTION, &failed);
		match->file = keep(pool, row, FILE_NAME, &failed);
		match->line = sqlite3_column_int64(row, LINE);
		match->column = sqlite3_column_int64(row, COLUMN);
		match->macro = keep(pool, row, MACRO, &failed);
		match->symbol = keep(pool, row, SYMBOL, &failed);
		match->coalesced_symbol = keep(pool, row, SERVED_SYMBOL, &failed);
		match->coalesced_offset = sqlite3_column_int64(row, SERVED_OFFSET);
	}
	if (failed)
		return wv_no_memory(error);
	return fill_shadow(db, pointcut, row, match, error);
}

static void bind_kinds(sqlite3_stmt *statement, const struct wv_pointcut *pointcut)
{
	sqlite3_bind_int64(statement, 3, pointcut->kinds);
	sqlite3_bind_int(statement, 4, WEFT_KIND_CALL);
	sqlite3_bind_int(statement, 5, WV_CHOSEN_OWN);
	sqlite3_bind_int(statement, 6, WV_CHOSEN_CALL);
}

/* The statement of @pointcut with its parameters bound. */
static int prepare(struct wv_db *db, const struct wv_pointcut *pointcut, sqlite3_stmt **ret,
		   struct wv_error *error)
{
	static const char *const sql[] = {
		[WV_POINTCUT_MEMBER] = member_sql,
		[WV_POINTCUT_ENTRY] = entry_sql,
		[WV_POINTCUT_LINE] = line_sql,
		[WV_POINTCUT_INSTRUCTION] = instruction_sql,
		[WV_POINTCUT_EXIT] = flow_sql,
		[WV_POINTCUT_BLOCK] = flow_sql,
		[WV_POINTCUT_CALLS] = flow_sql,
		[WV_POINTCUT_CALLERS] = flow_sql,
		[WV_POINTCUT_FILE] = file_sql,
	};
	int failed = wv_db_prepare(db, sql[pointcut->type], ret, error);

	if (failed)
		return failed;
	switch (pointcut->type) {
	case WV_POINTCUT_MEMBER:
		wv_db_bind_text(*ret, 1, pointcut->structure);
		wv_db_bind_text(*ret, 2, pointcut->member);
		bind_kinds(*ret, pointcut);
		break;
	case WV_POINTCUT_ENTRY:
		wv_db_bind_text(*ret, 1, pointcut->symbol);
		sqlite3_bind_int(*ret, 2, pointcut->inlined);
		sqlite3_bind_int(*ret, 3, pointcut->only_inlined);
		break;
	case WV_POINTCUT_LINE:
		wv_db_bind_text(*ret, 1, pointcut->file);
		sqlite3_bind_int64(*ret, 2, pointcut->line);
		break;
	case WV_POINTCUT_INSTRUCTION:
		wv_db_bind_text(*ret, 1, pointcut->symbol);
		sqlite3_bind_int64(*ret, 2, (sqlite3_int64)pointcut->offset);
		break;
	case WV_POINTCUT_FILE:
		wv_db_bind_text(*ret, 1, pointcut->file);
		bind_kinds(*ret, pointcut);
		break;
	case WV_POINTCUT_EXIT: case WV_POINTCUT_BLOCK: case WV_POINTCUT_CALLS:
	case WV_POINTCUT_CALLERS:
		break; /* bound for each offset */
	}
	return 0;
}

static int explain(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_error *error)
{
	int ret;

	switch (pointcut->type) {
	case WV_POINTCUT_MEMBER:
		return wv_db_explain_member(db, pointcut, error);
	case WV_POINTCUT_ENTRY:
		ret = wv_db_explain_symbol(db, pointcut->symbol, error);
		if (!ret && pointcut->only_inlined)
			ret = wv_fail(error, WV_E_NO_MATCH, "function '%s' is inlined nowhere",
				      pointcut->symbol);
		return ret;
	case WV_POINTCUT_EXIT: case WV_POINTCUT_BLOCK: case WV_POINTCUT_CALLS:
	case WV_POINTCUT_CALLERS:
		ret = wv_db_explain_symbol(db, pointcut->symbol, error);
		if (!ret)
			ret = wv_fail(error, WV_E_NO_MATCH, "function '%s' has no %s", pointcut->symbol,
				      other_kinds[pointcut->type]);
		return ret;
	case WV_POINTCUT_FILE:
		return wv_db_explain_file(db, pointcut->file, error);
	case WV_POINTCUT_LINE:
		return wv_db_explain_line(db, pointcut, error);
	case WV_POINTCUT_INSTRUCTION:
		ret = wv_db_explain_symbol(db, pointcut->symbol, error);
		if (!ret)
			ret = wv_fail(error, WV_E_NO_MATCH, "function '%s' ends before offset 0x%llx",
				      pointcut->symbol, (unsigned long long)pointcut->offset);
		return ret;
	}
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct wv_match *a = left, *b = right;

	/* Different joinpoints at one place: by what they are, so that the order is always the same. */
	return wv_order_texts(a->file, b->file) ?: wv_order(a->line, b->line) ?:
	       wv_order(a->column, b->column) ?: wv_order_texts(a->module, b->module) ?:
	       wv_order(a->address, b->address) ?: wv_order_texts(a->function, b->function) ?:
	       wv_order_texts(a->structure, b->structure) ?: wv_order_texts(a->path, b->path) ?:
	       wv_order_texts(a->kind, b->kind) ?: wv_order(a->joinpoint, b->joinpoint);
}

/* What a search through instructions hands its offsets to. */
struct taker {
	struct wv_db *db;
	const struct wv_pointcut *pointcut;
	sqlite3_stmt *statement;
	struct wv_matches *matches;
};

static int take(void *context, uint64_t offset, struct wv_error *error)
{
	struct taker *taker = context;
	bool more;
	int ret;

	sqlite3_reset(taker->statement);
	sqlite3_bind_int64(taker->statement, 1, (sqlite3_int64)offset);
	ret = wv_db_step(taker->db, taker->statement, &more, error);
	if (ret || !more)
		return ret;
	return add_match(taker->db, taker->pointcut, taker->statement, taker->matches, error);
}

static int read_rows(struct wv_db *db, const struct wv_pointcut *pointcut, sqlite3_stmt *statement,
		     struct wv_matches *ret, struct wv_error *error)
{
	bool more;
	int failed = wv_db_step(db, statement, &more, error);

	while (!failed && more) {
		failed = add_match(db, pointcut, statement, ret, error);
		if (!failed)
			failed = wv_db_step(db, statement, &more, error);
	}
	return failed;
}

static bool is_flow(const struct wv_pointcut *pointcut)
{
	return pointcut->type == WV_POINTCUT_EXIT || pointcut->type == WV_POINTCUT_BLOCK ||
	       pointcut->type == WV_POINTCUT_CALLS || pointcut->type == WV_POINTCUT_CALLERS;
}

/* By address alone: the order of the instructions of a function is what its reader knows. */
static int compare_addresses(const void *left, const void *right)
{
	const struct wv_match *a = left, *b = right;

	return wv_order_texts(a->module, b->module) ?: wv_order(a->address, b->address);
}

/* Appends what @pointcut picks. */
static int add_matches(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		       struct wv_error *error)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	struct taker taker = { db, pointcut, NULL, ret };
	int failed = prepare(db, pointcut, &statement, error);

	if (failed || !is_flow(pointcut))
		return failed ? failed : read_rows(db, pointcut, statement, ret, error);
	taker.statement = statement;
	return wv_db_flow(db, pointcut, take, &taker, error);
}

/* What is there by two names, of a member or of a function, is there once. Sorted, they lie side by side. */
static void drop_duplicates(struct wv_matches *matches, int (*order)(const void *, const void *))
{
	size_t kept = 0;

	for (size_t i = 0; i < matches->list.n; i++) {
		const struct wv_match *match = &matches->list.data[i];

		if (!kept || order(match, &matches->list.data[kept - 1]))
			matches->list.data[kept++] = *match;
	}
	matches->list.n = kept;
}

int wv_db_query_each(struct wv_db *db, const struct wv_pointcut *pointcuts, size_t n, struct wv_matches *ret,
		     struct wv_error *error)
{
	int (*order)(const void *, const void *) = is_flow(pointcuts) ? compare_addresses : compare;
	int failed = 0;

	memset(ret, 0, sizeof(*ret));
	ret->strings = calloc(1, sizeof(struct wv_pool));
	if (!ret->strings)
		return wv_no_memory(error);
	for (size_t i = 0; !failed && i < n; i++)
		failed = add_matches(db, &pointcuts[i], ret, error);
	if (!failed)
		failed = fill_bytes(db, ret, error);
	if (!failed && ret->list.n && pointcuts->type == WV_POINTCUT_INSTRUCTION)
		failed = wv_db_check_boundaries(db, ret, error);
	if (!failed && !ret->list.n && n == 1)
		failed = explain(db, pointcuts, error);
	if (failed)
		wv_matches_deinit(ret);
	else if (ret->list.n)
		qsort(ret->list.data, ret->list.n, sizeof(*ret->list.data), order);
	if (!failed && n > 1)
		drop_duplicates(ret, order);
	return failed;
}

int wv_db_query(struct wv_db *db, const struct wv_pointcut *pointcut, struct wv_matches *ret,
		struct wv_error *error)
{
	return wv_db_query_each(db, pointcut, 1, ret, error);
}
