// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds control flow graphs; see graph.h. Decodes the function's instructions once, in the order
 * of their addresses, and notes the successors of each. The sets of an instruction that weft does
 * not understand are on the safe side for every analysis: .uses and .changes have all registers,
 * .kills has none.
 */
#include <stdlib.h>

#include "runtime/frame.h"
#include "splice/graph.h"

#define ALL (WR_BIT(WR_FLAGS + 1) - 1)
#define FLAGS WR_BIT(WR_FLAGS)

/*
 * The argument registers of the System V ABI, by number of arguments. A variadic call also passes a
 * number in rax, but not in a kernel compiled with -mskip-rax-setup, which image/dwarf/debug.c
 * checks.
 */
static const uint32_t arguments[WV_ARGUMENTS_MAX + 1] = {
	0,
	WR_BIT(WR_RDI),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI) | WR_BIT(WR_RDX),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI) | WR_BIT(WR_RDX) | WR_BIT(WR_RCX),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI) | WR_BIT(WR_RDX) | WR_BIT(WR_RCX) | WR_BIT(WR_R8),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI) | WR_BIT(WR_RDX) | WR_BIT(WR_RCX) | WR_BIT(WR_R8) |
		WR_BIT(WR_R9),
};
#define ARGUMENTS arguments[WV_ARGUMENTS_MAX]

#define CALLEE_SAVED                                                                               \
	(WR_BIT(WR_RBX) | WR_BIT(WR_RBP) | WR_BIT(WR_RSP) | WR_BIT(WR_R12) | WR_BIT(WR_R13) |      \
	 WR_BIT(WR_R14) | WR_BIT(WR_R15))
#define RETURNED (WR_BIT(WR_RAX) | WR_BIT(WR_RDX))

struct builder {
	const struct wv_function_info *function;
	struct wv_decoder *decoder;
	struct wv_graph *graph;
	/*
	 * index in function->rewritten of the first piece that does not end before the current
	 * instruction
	 */
	size_t rewritten;
};

static bool is_inside(const struct wv_graph *graph, uint64_t address)
{
	return address - graph->start < graph->size;
}

/*
 * Returns the registers in which @n arguments are passed to a compiled function. @n comes from the
 * function's prototype. It is not enough to take the registers that the function's own code reads:
 * a tracer or a live patch of the function may read all of its arguments.
 */
static uint32_t given(unsigned int n)
{
	return arguments[n < WV_ARGUMENTS_MAX ? n : WV_ARGUMENTS_MAX];
}

/*
 * Returns the registers that may be read after control has left the function for good, to @address.
 * If a thunk is there, sets node->through.
 */
static uint32_t read_beyond(const struct wv_function_info *function, uint64_t address,
			    struct wv_node *node)
{
	unsigned int number = WV_ARGUMENTS_MAX;

	switch (function->callee(function->context, address, &number)) {
	case WV_CALLEE_COMPILED:
		return given(number) | CALLEE_SAVED;
	case WV_CALLEE_THUNK:
		node->through = number;
		return ARGUMENTS | CALLEE_SAVED | WR_BIT(number);
	case WV_CALLEE_RETURN:
		return RETURNED | CALLEE_SAVED;
	default:
		return ALL;
	}
}

static void do_call(const struct wv_function_info *function, const struct wv_insn *insn,
		    struct wv_node *node)
{
	unsigned int number = WV_ARGUMENTS_MAX;

	node->falls_through = true;
	node->changes = ALL;
	switch (insn->direct ? function->callee(function->context, insn->target, &number) :
			       WV_CALLEE_UNKNOWN) {
	case WV_CALLEE_NEUTRAL:
		node->changes = 0;
		return;
	case WV_CALLEE_COMPILED:
		node->uses = given(number) | WR_BIT(WR_RSP);
		node->kills = node->changes = WR_CALLER_SAVED | FLAGS;
		return;
	case WV_CALLEE_THUNK:
		node->uses = ARGUMENTS | WR_BIT(WR_RSP) | WR_BIT(number);
		node->kills = node->changes = WR_CALLER_SAVED | FLAGS;
		node->through = number;
		return;
	default:
		node->uses = ALL;
	}
}

static void do_branch(const struct builder *builder, const struct wv_insn *insn,
		      struct wv_node *node)
{
	if (!insn->direct) {
		node->uses = ALL;
		/*
		 * An indirect jump without known jump tables may lead to any address in the
		 * function.
		 */
		builder->graph->known &= builder->function->resolved;
	} else if (is_inside(builder->graph, insn->target)) {
		node->branches = true;
		node->target = insn->target - builder->graph->start;
	} else {
		node->uses |= read_beyond(builder->function, insn->target, node);
	}
}

static void describe(const struct builder *builder, const struct wv_insn *insn,
		     struct wv_node *node)
{
	*node = (struct wv_node){
		.uses = insn->uses, .kills = insn->kills, .changes = insn->changes,
		.from = insn->from, .to = insn->to, .through = insn->through,
	};
	switch (insn->control) {
	case WR_CONTROL_NEXT:
		node->falls_through = true;
		break;
	case WR_CONTROL_CALL:
		do_call(builder->function, insn, node);
		break;
	case WR_CONTROL_BRANCH:
		node->falls_through = true;
		do_branch(builder, insn, node);
		break;
	case WR_CONTROL_JUMP:
		node->changes = 0;
		do_branch(builder, insn, node);
		break;
	case WR_CONTROL_RETURN:
		node->uses = builder->function->ipa_ra ? ALL : RETURNED | CALLEE_SAVED;
		break;
	case WR_CONTROL_TRAP:
		node->falls_through = true; /* execution continues after a WARN() */
		break;
	}
}

/*
 * Facts that are not in the bytes: a jump label has both successors; other text that is rewritten,
 * or whose fault continues elsewhere, uses and changes all registers.
 */
static void amend(struct builder *builder, uint64_t address, size_t length, struct wv_node *node)
{
	const struct wv_function_info *function = builder->function;
	bool all = false;

	for (size_t i = builder->rewritten; i < function->nr_rewritten; i++) {
		const struct wv_rewritten *rewritten = &function->rewritten[i];

		if (rewritten->address >= address + length)
			break;
		if (rewritten->address + (rewritten->size ? rewritten->size : 1) <= address) {
			/*
			 * Only the first piece is skipped for good: the pieces are sorted by start
			 * and differ in size, so a piece before this one may end after it.
			 */
			if (i == builder->rewritten)
				builder->rewritten++;
			continue;
		}
		node->kills = 0;
		node->rewritten = true;
		if (!rewritten->jumps || !is_inside(builder->graph, rewritten->target)) {
			all = true;
			continue;
		}
		node->uses = node->changes = 0;
		node->falls_through = node->branches = true;
		node->target = rewritten->target - builder->graph->start;
	}
	if (all) {
		node->uses = node->changes = ALL;
		node->falls_through = true; /* the instructions written there may fall through */
	}
	if (node->rewritten)
		node->from = node->to = node->through = WV_NO_REGISTER;
}

static bool decode(struct builder *builder)
{
	const struct wv_function_info *function = builder->function;
	struct wv_graph *graph = builder->graph;
	size_t at = 0;

	while (at < function->size) {
		struct wv_insn insn;
		size_t length = wv_decode(builder->decoder, function->bytes + at,
					  function->size - at, function->start + at, &insn);

		if (!length)
			return false;
		describe(builder, &insn, &graph->nodes[graph->n]);
		graph->nodes[graph->n].at = at;
		amend(builder, function->start + at, length, &graph->nodes[graph->n]);
		graph->index[at] = ++graph->n;
		at += length;
	}
	return true;
}

int wv_graph_init(struct wv_graph *graph, const struct wv_function_info *function,
		  struct wv_decoder *decoder, struct wv_error *error)
{
	struct builder builder = { .function = function, .decoder = decoder, .graph = graph };

	*graph = (struct wv_graph){ .start = function->start, .size = function->size };
	graph->index = calloc(function->size + 1, sizeof(*graph->index));
	graph->nodes = calloc(function->size + 1, sizeof(*graph->nodes));
	if (!graph->index || !graph->nodes) {
		wv_graph_deinit(graph);
		return wv_no_memory(error);
	}
	graph->known = function->compiled;
	graph->known &= decode(&builder);
	return 0;
}

void wv_graph_deinit(struct wv_graph *graph)
{
	free(graph->index);
	free(graph->nodes);
	graph->index = NULL;
	graph->nodes = NULL;
}

size_t wv_graph_at(const struct wv_graph *graph, uint64_t address)
{
	uint32_t index = is_inside(graph, address) ? graph->index[address - graph->start] : 0;

	return index ? index - 1 : WV_NOWHERE;
}
