// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the calls of a function by their bytes: an opcode with a displacement that leads to the
 * function, anywhere in the text of its image, or to what stands for the function in another image.
 * Then the code before the opcode is decoded, from the last row of
 * the line table or the start of the calling function, to check that an instruction begins there.
 */
#include <stdlib.h>
#include <string.h>

#include "database/control-flow.h"
#include "database/find.h"
#include "database/within.h"

enum {
	CALL_OPCODE = 0xe8,
	JUMP_OPCODE = 0xe9,
	ESCAPE_OPCODE = 0x0f, /* 0x0f, then 0x80 to 0x8f: conditional jumps */
	CONDITION_MASK = 0xf0,
	CONDITION_OPCODE = 0x80,
	DISPLACEMENT_SIZE = 4,
};

/* Length of the opcode that ends before @text[@at] and is followed by a displacement, or 0. */
static size_t opcode_before(const uint8_t *text, size_t at)
{
	if (text[at - 1] == CALL_OPCODE || text[at - 1] == JUMP_OPCODE)
		return 1;
	return at >= 2 && text[at - 2] == ESCAPE_OPCODE &&
	       (text[at - 1] & CONDITION_MASK) == CONDITION_OPCODE ? 2 : 0;
}

/*
 * Finds candidates: bytes of @text, which begins at @offset, that could be a call of or jump to
 * @target. Displacements are compared first: hardly one fits by accident, while about every
 * hundredth byte looks like one of the opcodes.
 */
static int scan(struct wv_flow_search *flow, const uint8_t *text, size_t n, uint64_t offset,
		uint64_t target)
{
	/*
	 * The displacement to @target in an instruction that ends DISPLACEMENT_SIZE bytes after
	 * @offset; 1 less for each byte that the instruction ends later.
	 */
	uint64_t distance = target - offset - DISPLACEMENT_SIZE;
	uint32_t wanted = distance;

	for (size_t i = 1; i + DISPLACEMENT_SIZE <= n; i++) {
		uint32_t displacement;
		size_t opcode;

		wanted--;
		memcpy(&displacement, text + i, sizeof(displacement));
		if (displacement != wanted)
			continue;
		opcode = opcode_before(text, i);
		if (opcode && (uint64_t)(int32_t)displacement == distance - i) {
			int ret = wv_flow_add(flow, &flow->candidates, offset + i - opcode);

			if (ret)
				return ret;
		}
	}
	return 0;
}

/* Scans the text of the image of @target. Adjacent pieces are scanned as one run. */
static int scan_text(struct wv_flow_search *flow, uint64_t target)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	WV_VEC(uint8_t) run = { 0 };
	uint64_t start = 0;
	bool more;
	const uint64_t image = target >> WV_IMAGE_OFFSET_BITS;
	int ret = wv_db_prepare(flow->db, "SELECT offset, bytes FROM text WHERE offset >= ?"
				" AND offset < ? ORDER BY offset", &statement, flow->error);

	if (ret)
		return ret;
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)(image << WV_IMAGE_OFFSET_BITS));
	sqlite3_bind_int64(statement, 2, (sqlite3_int64)((image + 1) << WV_IMAGE_OFFSET_BITS));
	if (!ret)
		ret = wv_db_step(flow->db, statement, &more, flow->error);
	while (!ret && more) {
		uint64_t offset = sqlite3_column_int64(statement, 0);
		const void *bytes = sqlite3_column_blob(statement, 1);
		size_t n = bytes ? sqlite3_column_bytes(statement, 1) : 0, overlap;

		/*
		 * Scan the last bytes of the previous piece again, since an instruction may lie
		 * across both pieces. An instruction that is found twice is dropped later.
		 */
		overlap = run.n < 1 + DISPLACEMENT_SIZE ? run.n : 1 + DISPLACEMENT_SIZE;
		if (start + run.n != offset)
			overlap = 0;
		if (overlap)
			memmove(run.data, run.data + run.n - overlap, overlap);
		run.n = overlap;
		start = offset - overlap;
		while (run.size < run.n + n && !ret) {
			size_t used = run.n;

			run.n = run.size;
			ret = wv_vec_push(&run) ? 0 : wv_no_memory(flow->error);
			run.n = used;
		}
		if (!ret && n)
			memcpy(run.data + run.n, bytes, n);
		run.n += ret ? 0 : n;
		if (!ret)
			ret = scan(flow, run.data, run.n, start, target);
		if (!ret)
			ret = wv_db_step(flow->db, statement, &more, flow->error);
	}
	wv_vec_deinit(&run);
	return ret;
}

/* *@ret: the offset that @statement returns for @offset; @otherwise if it returns no row. */
static int ask(struct wv_flow_search *flow, sqlite3_stmt *statement, uint64_t offset,
	       uint64_t otherwise, uint64_t *ret)
{
	bool more;
	int failed;

	sqlite3_reset(statement);
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)offset);
	failed = wv_db_step(flow->db, statement, &more, flow->error);
	*ret = !failed && more ? (uint64_t)sqlite3_column_int64(statement, 0) : otherwise;
	return failed;
}

/* Queries that find an offset to begin decoding at. */
struct callers {
	sqlite3_stmt *symbol; /* the function or label that begins at or before an offset */
	/* the last row of the line table in a range; an instruction begins there */
	sqlite3_stmt *row;
};

/*
 * *@ret: the bytes at @wanted are an instruction that calls @target or jumps there. Decodes from
 * the nearest known start of an instruction before them. A jump of the function @target back to its
 * own beginning is a loop, not a call.
 */
static int is_caller(struct wv_flow_search *flow, const struct callers *callers, uint64_t wanted,
		     uint64_t target, bool *ret)
{
	struct wv_insn insn = { 0 };
	uint64_t start, at;
	int failed = ask(flow, callers->symbol, wanted, wanted, &start);

	*ret = false;
	if (!failed)
		failed = ask(flow, callers->row, wanted, start, &at);
	if (failed)
		return failed;
	if (at < start)
		at = start;
	while (at < wanted) {
		size_t length = wv_flow_decode(flow, at, &insn);

		/* A damaged database may have symbols where it has no text. */
		at = length ? at + length : UINT64_MAX;
	}
	*ret = at == wanted && wv_flow_decode(flow, at, &insn) && insn.direct &&
	       insn.target == target && (insn.flow == WR_FLOW_CALL || target != start);
	return 0;
}

static int find_callers(struct wv_flow_search *flow, uint64_t target)
{
	_cleanup_statement_ sqlite3_stmt *symbol = NULL, *row = NULL;
	struct callers callers;
	int ret;

	flow->candidates.n = 0;
	ret = wv_db_prepare(flow->db,
			    "SELECT offset FROM symbol WHERE offset <= ? AND "
			    WV_SQL_IS_NO_ALIAS("flags")
			    " ORDER BY offset DESC LIMIT 1",
			    &symbol, flow->error);
	if (!ret)
		ret = wv_db_prepare(flow->db, "SELECT offset FROM line WHERE offset <= ?"
				    " ORDER BY offset DESC LIMIT 1", &row, flow->error);
	if (!ret)
		ret = scan_text(flow, target);
	callers = (struct callers){ symbol, row };
	wv_offsets_sort_once(&flow->candidates);
	for (size_t i = 0; i < flow->candidates.n && !ret; i++) {
		bool is = false;

		ret = is_caller(flow, &callers, flow->candidates.data[i], target, &is);
		if (!ret && is)
			ret = wv_flow_add(flow, &flow->found, flow->candidates.data[i]);
	}
	return ret;
}

/*
 * Adds the calls from other images, which go to symbols that stand for the function at @start. They
 * stand for the first image's global function of that name.
 */
static int find_imports(struct wv_flow_search *flow, const struct wv_pointcut *pointcut,
			uint64_t start)
{
	_cleanup_statement_ sqlite3_stmt *imports = NULL;
	bool more;
	int ret = wv_db_prepare(flow->db,
				"SELECT offset FROM symbol WHERE name = ?1 AND flags & "
				WV_SQL(WV_SYMBOL_IMPORT) " AND ?2 = (SELECT min(offset) FROM symbol"
				" WHERE name = ?1 AND flags & " WV_SQL(WV_SYMBOL_GLOBAL)
				" AND NOT flags & " WV_SQL(WV_SYMBOL_IMPORT) ")",
				&imports, flow->error);

	if (ret)
		return ret;
	wv_db_bind_text(imports, 1, pointcut->symbol);
	sqlite3_bind_int64(imports, 2, (sqlite3_int64)start);
	ret = wv_db_step(flow->db, imports, &more, flow->error);
	while (!ret && more) {
		uint64_t import = sqlite3_column_int64(imports, 0);

		if (wv_db_image_is(flow->db, import >> WV_IMAGE_OFFSET_BITS, pointcut->module))
			ret = find_callers(flow, import);
		if (!ret)
			ret = wv_db_step(flow->db, imports, &more, flow->error);
	}
	return ret;
}

static int find(struct wv_flow_search *flow, const struct wv_pointcut *pointcut,
		struct wv_flow_body *body)
{
	const uint64_t start = body->parts[0].start;
	int ret = 0;

	if (wv_db_image_is(flow->db, start >> WV_IMAGE_OFFSET_BITS, pointcut->module))
		ret = find_callers(flow, start);
	return ret ? ret : find_imports(flow, pointcut, start);
}

int wv_find_callers(const struct wv_question *question)
{
	return wv_flow_answer(question, find);
}
