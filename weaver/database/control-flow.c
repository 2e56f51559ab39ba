// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pointcuts that no table answers, but the function's instructions themselves: its exits, its basic blocks, the calls that
 * it makes and the calls of it. A function is its symbol and the cold parts that the compiler split off it and that it
 * jumps to.
 *
 * Calls of a function are found by their bytes (an opcode with a displacement that leads to it) anywhere in the text; then
 * the code before is decoded from the last row of the line table on, or from the function's start, to see whether an
 * instruction begins there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "x86/decode.h"
#include "image/patch-sites.h"
#include "database/control-flow.h"
#include "database/db.h"
#include "database/db-handle.h"

#define PARTS_MAX 8

/* A stretch of a function, by offsets. The hostile size of a symbol is bounded by the text that there is. */
struct part {
	uint64_t start, end, entry;
};

struct body {
	struct part parts[PARTS_MAX];
	size_t n;
};

typedef WV_VEC(uint64_t) offsets;

struct flow {
	struct wv_db *db;
	struct wv_decoder *decoder;
	sqlite3_stmt *cold; /* the cold part that holds an offset */
	sqlite3_stmt *detour; /* whether an instruction that leads somewhere is_detour() */
	offsets *found, candidates;
	struct wv_error *error;
};

static int add(struct flow *flow, offsets *list, uint64_t offset)
{
	uint64_t *slot = wv_vec_push(list);

	if (!slot)
		return wv_no_memory(flow->error);
	*slot = offset;
	return 0;
}

static int compare_offsets(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

static void sort_once(offsets *list)
{
	size_t n = 0;

	if (!list->n)
		return;
	qsort(list->data, list->n, sizeof(*list->data), compare_offsets);
	for (size_t i = 0; i < list->n; i++)
		if (!n || list->data[n - 1] != list->data[i])
			list->data[n++] = list->data[i];
	list->n = n;
}

static bool is_inside(const struct body *body, uint64_t offset)
{
	for (size_t i = 0; i < body->n; i++)
		if (offset - body->parts[i].start < body->parts[i].end - body->parts[i].start)
			return true;
	return false;
}

/* Decodes the instruction at @offset; what is none is stepped over by the byte, as disassemblers do. */
static size_t decode(struct flow *flow, uint64_t offset, struct wv_insn *ret)
{
	uint8_t bytes[WEFT_INSN_MAX];
	size_t n = wv_db_bytes(flow->db, offset, bytes, sizeof(bytes));
	size_t length = wv_decode(flow->decoder, bytes, n, flow->db->text_address + offset, ret);

	if (!n)
		return 0;
	if (ret->direct)
		ret->target -= flow->db->text_address;
	return length ? length : 1;
}

/* A jump that leaves what is known of the function may lead to a cold part of it. */
static int follow(struct flow *flow, struct body *body, const struct wv_insn *insn)
{
	struct part *part = &body->parts[body->n];
	bool more;
	int ret;

	if ((insn->flow != WR_FLOW_JUMP && insn->flow != WR_FLOW_BRANCH) || !insn->direct ||
	    body->n == PARTS_MAX || is_inside(body, insn->target))
		return 0;
	sqlite3_reset(flow->cold);
	sqlite3_bind_int64(flow->cold, 2, (sqlite3_int64)insn->target);
	ret = wv_db_step(flow->db, flow->cold, &more, flow->error);
	if (ret || !more)
		return ret;
	part->start = part->entry = sqlite3_column_int64(flow->cold, 0);
	part->end = part->start + sqlite3_column_int64(flow->cold, 1);
	if (insn->target - part->start < part->end - part->start)
		body->n++;
	return 0;
}

/* Calls @visit for every instruction of the body. */
static int walk(struct flow *flow, struct body *body,
		int (*visit)(struct flow *flow, struct body *body, uint64_t offset,
			     const struct wv_insn *insn))
{
	for (size_t i = 0; i < body->n; i++) {
		uint64_t at = body->parts[i].start;

		while (at < body->parts[i].end) {
			struct wv_insn insn;
			size_t length = decode(flow, at, &insn);
			int ret = length && insn.length ? visit(flow, body, at, &insn) : 0;

			if (ret)
				return ret;
			if (!length)
				break;
			at += length;
		}
	}
	return 0;
}

static int visit_part(struct flow *flow, struct body *body, uint64_t offset,
		      const struct wv_insn *insn)
{
	return follow(flow, body, insn);
}

/*
 * static_cpu_has() begins as a jump to code of no function's, which jumps back; at boot it becomes a nop or a jump in the function. So
 * what is an alternative, and leads to no function, leaves none.
 */
static int is_detour(struct flow *flow, uint64_t offset, uint64_t target, bool *ret)
{
	sqlite3_reset(flow->detour);
	sqlite3_bind_int64(flow->detour, 1, (sqlite3_int64)offset);
	sqlite3_bind_int64(flow->detour, 2, (sqlite3_int64)target);
	return wv_db_step(flow->db, flow->detour, ret, flow->error);
}

static int visit_exit(struct flow *flow, struct body *body, uint64_t offset,
		      const struct wv_insn *insn)
{
	bool leaves = insn->flow == WR_FLOW_RETURN, detour = false;
	int ret = 0;

	if (insn->flow == WR_FLOW_JUMP || insn->flow == WR_FLOW_BRANCH)
		leaves = insn->direct ? !is_inside(body, insn->target) :
					insn->flow == WR_FLOW_JUMP && !insn->table;
	if (leaves && insn->flow == WR_FLOW_JUMP && insn->direct)
		ret = is_detour(flow, offset, insn->target, &detour);
	return leaves && !detour && !ret ? add(flow, flow->found, offset) : ret;
}

/* Calls and the jumps that stand for a call and a return; not what returns. */
static int visit_call(struct flow *flow, struct body *body, uint64_t offset,
		      const struct wv_insn *insn)
{
	uint64_t distance;
	const char *name;

	if (insn->flow == WR_FLOW_CALL) {
		name = insn->direct ? wv_db_symbol_at(flow->db, flow->db->text_address + insn->target,
						      &distance) : NULL;
		/* What ftrace owns is no call of the function's. */
		return name && !strcmp(name, "__fentry__") ? 0 : add(flow, flow->found, offset);
	}
	if (insn->flow == WR_FLOW_RETURN)
		return 0;
	if (insn->direct) {
		name = wv_db_symbol_at(flow->db, flow->db->text_address + insn->target, &distance);
		if (name && !strcmp(name, "__x86_return_thunk"))
			return 0;
	}
	return visit_exit(flow, body, offset, insn);
}

/* Where blocks may begin: targets of branches, and what follows a change of flow. Others sort out what begins none. */
static int visit_block(struct flow *flow, struct body *body, uint64_t offset,
		       const struct wv_insn *insn)
{
	struct wv_insn next;
	int ret = 0;

	if (insn->flow == WR_FLOW_NEXT || insn->flow == WR_FLOW_CALL)
		return 0;
	if (insn->direct && is_inside(body, insn->target))
		ret = add(flow, flow->found, insn->target);
	offset += insn->length;
	/* Between blocks there is padding that nothing runs. */
	if (insn->flow != WR_FLOW_BRANCH)
		while (is_inside(body, offset) && decode(flow, offset, &next) && next.filling)
			offset += next.length;
	return !ret && is_inside(body, offset) ? add(flow, flow->found, offset) : ret;
}

/* Keeps the candidates on which an instruction begins. Nothing before the entry shadow is a block's. */
static int visit_boundary(struct flow *flow, struct body *body, uint64_t offset,
			  const struct wv_insn *insn)
{
	const struct part *first = &body->parts[0];

	if (offset - first->start < first->entry - first->start ||
	    !bsearch(&offset, flow->candidates.data, flow->candidates.n, sizeof(offset),
		     compare_offsets))
		return 0;
	return add(flow, flow->found, offset);
}

static int find_blocks(struct flow *flow, struct body *body)
{
	offsets *result = flow->found;
	int ret;

	flow->found = &flow->candidates;
	flow->candidates.n = 0;
	ret = add(flow, flow->found, body->parts[0].entry);
	if (!ret)
		ret = walk(flow, body, visit_block);
	flow->found = result;
	sort_once(&flow->candidates);
	return ret ? ret : walk(flow, body, visit_boundary);
}

/* The last instruction of the block that begins at @at: it branches or leaves, or another block follows it. */
static int find_end(struct flow *flow, const struct body *body, uint64_t at)
{
	struct wv_insn insn;
	uint64_t next;
	size_t length;

	for (;; at = next) {
		length = decode(flow, at, &insn);
		next = at + length;
		if (!length || !is_inside(body, next) || !insn.length ||
		    (insn.flow != WR_FLOW_NEXT && insn.flow != WR_FLOW_CALL) ||
		    bsearch(&next, flow->candidates.data, flow->candidates.n, sizeof(next),
			    compare_offsets))
			return add(flow, flow->found, at);
	}
}

/* From the blocks that were found to their ends. Blocks do not overlap, so both are in one order. */
static int find_ends(struct flow *flow, const struct body *body)
{
	int ret = 0;

	sort_once(flow->found);
	flow->candidates.n = 0;
	for (size_t i = 0; i < flow->found->n && !ret; i++)
		ret = add(flow, &flow->candidates, flow->found->data[i]);
	flow->found->n = 0;
	for (size_t i = 0; i < flow->candidates.n && !ret; i++)
		ret = find_end(flow, body, flow->candidates.data[i]);
	return ret;
}

enum {
	CALL_OPCODE = 0xe8,
	JUMP_OPCODE = 0xe9,
	ESCAPE_OPCODE = 0x0f, /* then 0x80 to 0x8f: conditional jumps */
	CONDITION_MASK = 0xf0,
	CONDITION_OPCODE = 0x80,
	DISPLACEMENT_SIZE = 4,
};

/* How long an opcode is that ends before @text[@at] and takes a displacement from there, or 0. */
static size_t opcode_before(const uint8_t *text, size_t at)
{
	if (text[at - 1] == CALL_OPCODE || text[at - 1] == JUMP_OPCODE)
		return 1;
	return at >= 2 && text[at - 2] == ESCAPE_OPCODE &&
	       (text[at - 1] & CONDITION_MASK) == CONDITION_OPCODE ? 2 : 0;
}

/*
 * Candidates: bytes of @text, which lies at @offset, that would be a call of or a jump to @target. Displacements are compared
 * first: hardly one is right by accident, where every hundredth byte is an opcode.
 */
static int scan(struct flow *flow, const uint8_t *text, size_t n, uint64_t offset, uint64_t target)
{
	/* From the end of an instruction to the target: one less for each byte that it ends further on. */
	int64_t distance = (int64_t)(target - offset) - DISPLACEMENT_SIZE;
	uint32_t wanted = distance;

	for (size_t i = 1; i + DISPLACEMENT_SIZE <= n; i++) {
		uint32_t displacement;
		size_t opcode;

		wanted--;
		memcpy(&displacement, text + i, sizeof(displacement));
		if (displacement != wanted)
			continue;
		opcode = opcode_before(text, i);
		if (opcode && (int32_t)displacement == distance - (int64_t)i) {
			int ret = add(flow, &flow->candidates, offset + i - opcode);

			if (ret)
				return ret;
		}
	}
	return 0;
}

/* All text, piece by piece where the pieces follow each other in one run. */
static int scan_text(struct flow *flow, uint64_t target)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	WV_VEC(uint8_t) run = { 0 };
	uint64_t start = 0;
	bool more;
	int ret = wv_db_prepare(flow->db, "SELECT offset, bytes FROM text ORDER BY offset",
				&statement, flow->error);

	if (!ret)
		ret = wv_db_step(flow->db, statement, &more, flow->error);
	while (!ret && more) {
		uint64_t offset = sqlite3_column_int64(statement, 0);
		const void *bytes = sqlite3_column_blob(statement, 1);
		size_t n = bytes ? sqlite3_column_bytes(statement, 1) : 0, overlap;

		/* What is left of the piece before is too short to have been an instruction of ours. */
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

/* What a statement gives for @offset, or @otherwise where it gives nothing. */
static int ask(struct flow *flow, sqlite3_stmt *statement, uint64_t offset, uint64_t otherwise,
	       uint64_t *ret)
{
	bool more;
	int failed;

	sqlite3_reset(statement);
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)offset);
	failed = wv_db_step(flow->db, statement, &more, flow->error);
	*ret = !failed && more ? (uint64_t)sqlite3_column_int64(statement, 0) : otherwise;
	return failed;
}

/* Where to begin decoding. */
struct callers {
	sqlite3_stmt *symbol; /* the function or label that begins at or before an offset */
	sqlite3_stmt *row; /* the last row of the line table there, on which an instruction begins, too */
};

/*
 * Whether the bytes at @wanted are an instruction that leads to @target: decoded instruction by instruction from the nearest
 * place before where one begins for certain. A jump back to the function's own beginning is no call.
 */
static int is_caller(struct flow *flow, const struct callers *callers, uint64_t wanted,
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
		size_t length = decode(flow, at, &insn);

		/* A damaged database may have symbols where it has no text. */
		at = length ? at + length : UINT64_MAX;
	}
	*ret = at == wanted && decode(flow, at, &insn) && insn.direct && insn.target == target &&
	       (insn.flow == WR_FLOW_CALL || target != start);
	return 0;
}

static int find_callers(struct flow *flow, uint64_t target)
{
	_cleanup_statement_ sqlite3_stmt *symbol = NULL, *row = NULL;
	struct callers callers;
	int ret;

	flow->candidates.n = 0;
	ret = wv_db_prepare(flow->db, "SELECT offset FROM symbol WHERE offset <= ? AND "
			    WV_SQL_IS_NO_ALIAS("flags") " ORDER BY offset DESC LIMIT 1", &symbol,
			    flow->error);
	if (!ret)
		ret = wv_db_prepare(flow->db, "SELECT offset FROM line WHERE offset <= ?"
				    " ORDER BY offset DESC LIMIT 1", &row, flow->error);
	if (!ret)
		ret = scan_text(flow, target);
	callers = (struct callers){ symbol, row };
	sort_once(&flow->candidates);
	for (size_t i = 0; i < flow->candidates.n && !ret; i++) {
		bool is = false;

		ret = is_caller(flow, &callers, flow->candidates.data[i], target, &is);
		if (!ret && is)
			ret = add(flow, flow->found, flow->candidates.data[i]);
	}
	return ret;
}

static int find(struct flow *flow, const struct wv_pointcut *pointcut, struct body *body)
{
	int ret;

	if (pointcut->type == WV_POINTCUT_CALLERS)
		return find_callers(flow, body->parts[0].start);
	/* Cold parts are found on the way and walked in their turn. */
	ret = walk(flow, body, visit_part);
	if (ret)
		return ret;
	if (pointcut->type == WV_POINTCUT_EXIT)
		return walk(flow, body, visit_exit);
	if (pointcut->type == WV_POINTCUT_CALLS)
		return walk(flow, body, visit_call);
	ret = find_blocks(flow, body);
	return ret || !pointcut->ends ? ret : find_ends(flow, body);
}

/* Calls @take for each shadow of @pointcut in the functions of its name, ascending in each. */
static int find_in_functions(struct flow *flow, const struct wv_pointcut *pointcut,
			     wv_flow_take take, void *context)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	uint64_t last = UINT64_MAX;
	bool more;
	int ret = wv_db_prepare(flow->db,
				"SELECT offset, size, entry FROM symbol WHERE name = ?1 AND "
				WV_SQL_IS_NO_LABEL("flags") " ORDER BY offset",
				&statement, flow->error);

	if (ret)
		return ret;
	wv_db_bind_text(statement, 1, pointcut->symbol);
	ret = wv_db_step(flow->db, statement, &more, flow->error);
	while (!ret && more) {
		struct body body = { .n = 1 };
		uint64_t start = sqlite3_column_int64(statement, 0);

		body.parts[0] = (struct part){ .start = start,
					       .end = start + sqlite3_column_int64(statement, 1),
					       .entry = start + sqlite3_column_int64(statement, 2) };
		flow->found->n = 0;
		if (start != last && (!pointcut->at_start || pointcut->start == start))
			ret = find(flow, pointcut, &body);
		last = start;
		sort_once(flow->found);
		for (size_t i = 0; i < flow->found->n && !ret; i++)
			ret = take(context, flow->found->data[i], flow->error);
		if (!ret)
			ret = wv_db_step(flow->db, statement, &more, flow->error);
	}
	return ret;
}

/* More than a function has bytes: who is in none is not looked for in all symbols below. The kernel's largest has 13 thousand. */
#define LONGEST 262144

int wv_db_flow(struct wv_db *db, const struct wv_pointcut *pointcut, wv_flow_take take,
	       void *context, struct wv_error *error)
{
	offsets found = { 0 };
	struct flow flow = { .db = db, .found = &found, .error = error };
	_cleanup_free_ char *cold = NULL;
	int ret = wv_decoder_create(&flow.decoder, error);

	if (!ret && asprintf(&cold, "%s.cold", pointcut->symbol) < 0) {
		cold = NULL;
		ret = wv_no_memory(flow.error);
	}
	if (!ret)
		ret = wv_db_prepare(db,
				    "SELECT offset, size FROM symbol WHERE offset <= ?2"
				    " AND offset > ?2 - " WV_SQL(LONGEST)
				    " AND ?2 - offset < size AND " WV_SQL_IS_NO_LABEL("flags")
				    " AND substr(name, 1, length(?1)) = ?1 ORDER BY offset DESC"
				    " LIMIT 1", &flow.cold, error);
	if (!ret)
		ret = wv_db_prepare(db,
				    "SELECT 1 FROM owner WHERE offset = ?1 AND kind = ?3 AND NOT EXISTS"
				    " (SELECT 1 FROM symbol WHERE offset <= ?2 AND offset > ?2 - "
				    WV_SQL(LONGEST) " AND ?2 - offset < size)",
				    &flow.detour, error);
	if (!ret) {
		sqlite3_bind_int(flow.detour, 3, WV_OWNER_ALTERNATIVE);
		wv_db_bind_text(flow.cold, 1, cold);
		ret = find_in_functions(&flow, pointcut, take, context);
	}
	sqlite3_finalize(flow.cold);
	sqlite3_finalize(flow.detour);
	wv_decoder_destroy(flow.decoder);
	wv_vec_deinit(&flow.candidates);
	wv_vec_deinit(&found);
	return ret;
}
