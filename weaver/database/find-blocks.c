// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the basic blocks of a function: their first instructions or, for advice that runs after a
 * block, their last ones.
 */
#include <stdlib.h>

#include "database/control-flow.h"
#include "database/find.h"

/*
 * Collects offsets at which blocks may begin: branch targets, and the instructions after a jump,
 * branch or return. visit_boundary() later drops the offsets at which no block begins.
 */
static int visit_block(struct wv_flow_search *flow, struct wv_flow_body *body, uint64_t offset,
		       const struct wv_insn *insn)
{
	struct wv_insn next;
	int ret = 0;

	if (insn->control == WR_CONTROL_NEXT || insn->control == WR_CONTROL_CALL)
		return 0;
	if (insn->direct && wv_flow_is_inside(body, insn->target))
		ret = wv_flow_add(flow, &flow->candidates, insn->target);
	offset += insn->length;
	/* Skip the padding between blocks, which is never executed. */
	if (insn->control != WR_CONTROL_BRANCH)
		while (wv_flow_is_inside(body, offset) && wv_flow_decode(flow, offset, &next) &&
		       next.filling)
			offset += next.length;
	if (ret || !wv_flow_is_inside(body, offset))
		return ret;
	return wv_flow_add(flow, &flow->candidates, offset);
}

/*
 * Adds @offset to flow->found if it is a candidate for the first instruction of a block. The walk
 * calls this function only for offsets at which an instruction begins. Drops candidates before the
 * .entry of parts[0], because nothing can be spliced there.
 */
static int visit_boundary(struct wv_flow_search *flow, struct wv_flow_body *body, uint64_t offset,
			  const struct wv_insn *insn)
{
	const struct wv_flow_part *first = &body->parts[0];

	if (offset - first->start < first->entry - first->start ||
	    !bsearch(&offset, flow->candidates.data, flow->candidates.n, sizeof(offset),
		     wv_offsets_compare))
		return 0;
	return wv_flow_add(flow, &flow->found, offset);
}

static int find_blocks(struct wv_flow_search *flow, struct wv_flow_body *body)
{
	int ret;

	flow->candidates.n = 0;
	ret = wv_flow_add(flow, &flow->candidates, body->parts[0].entry);
	if (!ret)
		ret = wv_flow_walk(flow, body, visit_block);
	wv_offsets_sort_once(&flow->candidates);
	return ret ? ret : wv_flow_walk(flow, body, visit_boundary);
}

/*
 * Adds to flow->found the last instruction of the block that begins at @at. This is the first
 * instruction, from @at on, that is a jump, branch or return, or after which another block begins
 * or the part of the function ends. flow->candidates has the first instructions of all blocks,
 * sorted.
 */
static int find_end(struct wv_flow_search *flow, const struct wv_flow_body *body, uint64_t at)
{
	struct wv_insn insn;
	uint64_t next;
	size_t length;

	for (;; at = next) {
		length = wv_flow_decode(flow, at, &insn);
		next = at + length;
		if (!length || !wv_flow_is_inside(body, next) || !insn.length ||
		    (insn.control != WR_CONTROL_NEXT && insn.control != WR_CONTROL_CALL) ||
		    bsearch(&next, flow->candidates.data, flow->candidates.n, sizeof(next),
			    wv_offsets_compare))
			return wv_flow_add(flow, &flow->found, at);
	}
}

/*
 * Replaces the offsets of first instructions in flow->found by those of the blocks' last
 * instructions. The offsets stay in ascending order, because blocks do not overlap.
 */
static int find_ends(struct wv_flow_search *flow, const struct wv_flow_body *body)
{
	int ret = 0;

	wv_offsets_sort_once(&flow->found);
	flow->candidates.n = 0;
	for (size_t i = 0; i < flow->found.n && !ret; i++)
		ret = wv_flow_add(flow, &flow->candidates, flow->found.data[i]);
	flow->found.n = 0;
	for (size_t i = 0; i < flow->candidates.n && !ret; i++)
		ret = find_end(flow, body, flow->candidates.data[i]);
	return ret;
}

static int find(struct wv_flow_search *flow, const struct wv_pointcut *pointcut,
		struct wv_flow_body *body)
{
	int ret = wv_flow_find_parts(flow, body);

	if (!ret)
		ret = find_blocks(flow, body);
	return ret || !pointcut->ends ? ret : find_ends(flow, body);
}

int wv_find_blocks(const struct wv_question *question)
{
	return wv_flow_answer(question, find);
}
