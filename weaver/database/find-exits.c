// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the instructions that leave a function: returns, and jumps out of it. */
#include "database/control-flow.h"
#include "database/find.h"

static int visit(struct wv_flow_search *flow, struct wv_flow_body *body, uint64_t offset,
		 const struct wv_insn *insn)
{
	bool leaves;
	int ret = wv_flow_leaves(flow, body, offset, insn, &leaves);

	return !ret && leaves ? wv_flow_add(flow, &flow->found, offset) : ret;
}

static int find(struct wv_flow_search *flow, const struct wv_pointcut *pointcut,
		struct wv_flow_body *body)
{
	int ret = wv_flow_find_parts(flow, body);

	return ret ? ret : wv_flow_walk(flow, body, visit);
}

int wv_find_exits(const struct wv_question *question)
{
	return wv_flow_answer(question, find);
}
