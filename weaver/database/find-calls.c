// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the calls that a function makes, including jumps to other functions (tail calls). */
#include <string.h>

#include "database/control-flow.h"
#include "database/db.h"
#include "database/find.h"

static bool leads_to(struct wv_flow_search *flow, const struct wv_insn *insn, const char *symbol)
{
	uint64_t distance;
	const char *name = NULL;

	if (insn->direct)
		name = wv_db_symbol_at(flow->db, flow->db->text_address + insn->target, &distance);
	return name && !strcmp(name, symbol);
}

static int visit(struct wv_flow_search *flow, struct wv_flow_body *body, uint64_t offset,
		 const struct wv_insn *insn)
{
	bool is_call = insn->control == WR_CONTROL_CALL;
	int ret = 0;

	if (is_call) /* a call of __fentry__ belongs to ftrace, not to the function */
		is_call = !leads_to(flow, insn, "__fentry__");
	else if (insn->control != WR_CONTROL_RETURN && !leads_to(flow, insn, "__x86_return_thunk"))
		ret = wv_flow_leaves(flow, body, offset, insn, &is_call);
	return !ret && is_call ? wv_flow_add(flow, &flow->found, offset) : ret;
}

static int find(struct wv_flow_search *flow, const struct wv_pointcut *pointcut,
		struct wv_flow_body *body)
{
	int ret = wv_flow_find_parts(flow, body);

	return ret ? ret : wv_flow_walk(flow, body, visit);
}

int wv_find_calls(const struct wv_question *question)
{
	return wv_flow_answer(question, find);
}
