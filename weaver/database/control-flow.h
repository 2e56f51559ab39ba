/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the instructions of functions, for the pointcuts FUNCTION%exit, %blocks and %calls. They
 * pick instructions that no table of the database lists in full, so the instructions are decoded. A
 * function consists of the range of its symbol and of cold parts: code that the compiler has moved
 * away from the function, and to which the function jumps. Each find-KIND.c decides which
 * instructions it takes. All offsets are bytes from _text.
 */
#ifndef WV_CONTROL_FLOW_H
#define WV_CONTROL_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "x86/decode.h"
#include "database/db-handle.h"
#include "database/pointcut-kind.h"

#define WV_FLOW_PARTS_MAX 8

/* A contiguous part of a function. */
struct wv_flow_part {
	uint64_t start, end;
	uint64_t entry; /* offset of the first instruction that may be spliced */
};

struct wv_flow_body {
	struct wv_flow_part parts[WV_FLOW_PARTS_MAX];
	size_t n; /* number of parts, at least 1; parts[0] is the range of the symbol */
};

struct wv_offsets {
	uint64_t *data;
	size_t n, size;
};

/* Sorts @offsets in ascending order, and removes repetitions. */
void wv_offsets_sort_once(struct wv_offsets *offsets);
/* For bsearch() in sorted offsets. */
int wv_offsets_compare(const void *left, const void *right);

/* A search in the functions of one name. */
struct wv_flow_search {
	struct wv_db *db;
	/* the cold parts of all functions of this name */
	WV_VEC(struct wv_flow_part) cold;
	sqlite3_stmt *detour; /* query of is_detour() in control-flow.c */
	struct wv_offsets found; /* result of the search in the current function: its shadows */
	struct wv_offsets candidates; /* free for use by the wv_flow_find function */
	struct wv_error *error;
};

/*
 * Finds the shadows of a pointcut in one function, @body: adds their offsets to flow->found, which
 * is empty at first, in any order.
 */
typedef int (*wv_flow_find)(struct wv_flow_search *flow, const struct wv_pointcut *pointcut,
			    struct wv_flow_body *body);
/*
 * Finds the shadows of the pointcut in @question and reports them to whoever asked. Calls @find
 * once for each function that has the name in the pointcut.
 */
int wv_flow_answer(const struct wv_question *question, wv_flow_find find);

/* ---- what a function of type wv_flow_find may call ------------------------------------------- */

/* Adds the function's cold parts to @body, which at first has only the range of the symbol. */
int wv_flow_find_parts(struct wv_flow_search *flow, struct wv_flow_body *body);

/*
 * Calls @visit for each instruction of @body, part by part. If @visit returns something other than
 * 0, the walk ends and returns the same.
 */
typedef int (*wv_flow_visit)(struct wv_flow_search *flow, struct wv_flow_body *body,
			     uint64_t offset, const struct wv_insn *insn);
int wv_flow_walk(struct wv_flow_search *flow, struct wv_flow_body *body, wv_flow_visit visit);

/*
 * Decodes the instruction at @offset, and makes ret->target an offset from _text. Returns:
 * - the instruction's length in bytes;
 * - 1 if no instruction begins at @offset: a walk then skips this byte, as disassemblers do;
 * - 0 if the database has no text at @offset.
 */
size_t wv_flow_decode(struct wv_flow_search *flow, uint64_t offset, struct wv_insn *ret);

bool wv_flow_is_inside(const struct wv_flow_body *body, uint64_t offset);

/*
 * Sets *@ret to whether the instruction at @offset leaves the function. A return does, and so does
 * a jump or branch out of the function, and an indirect jump, except one by a table of addresses in
 * the function itself.
 * A detour (is_detour() in control-flow.c) does not. Returns 0, or a negative code if the database
 * cannot be read.
 */
int wv_flow_leaves(struct wv_flow_search *flow, const struct wv_flow_body *body, uint64_t offset,
		   const struct wv_insn *insn, bool *ret);

/* Appends an offset to @list. Returns 0, or -WV_E_NO_MEMORY with flow->error filled. */
int wv_flow_add(struct wv_flow_search *flow, struct wv_offsets *list, uint64_t offset);

#endif /* WV_CONTROL_FLOW_H */
