// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Liveness: every instruction's live-in is what it reads, and what is live behind it less what it writes whole; swept from the
 * function's end to its start until nothing changes.
 */
#include <stdlib.h>
#include <string.h>

#include "../runtime/abi.h"
#include "../runtime/frame.h"
#include "splice/liveness.h"

#define ALL (WR_BIT(WR_FLAGS + 1) - 1)
#define FLAGS WR_BIT(WR_FLAGS)

/* System V ABI; a variadic function's caller leaves rax alone (image/debug.c asks for -mskip-rax-setup). */
static const uint32_t arguments[WV_ARGUMENTS_MAX + 1] = {
	0,
	WR_BIT(WR_RDI),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI) | WR_BIT(WR_RDX),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI) | WR_BIT(WR_RDX) | WR_BIT(WR_RCX),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI) | WR_BIT(WR_RDX) | WR_BIT(WR_RCX) | WR_BIT(WR_R8),
	WR_BIT(WR_RDI) | WR_BIT(WR_RSI) | WR_BIT(WR_RDX) | WR_BIT(WR_RCX) | WR_BIT(WR_R8) | WR_BIT(WR_R9),
};
#define ARGUMENTS arguments[WV_ARGUMENTS_MAX]

#define CALLEE_SAVED                                                                               \
	(WR_BIT(WR_RBX) | WR_BIT(WR_RBP) | WR_BIT(WR_RSP) | WR_BIT(WR_R12) | WR_BIT(WR_R13) |      \
	 WR_BIT(WR_R14) | WR_BIT(WR_R15))
#define RETURNED (WR_BIT(WR_RAX) | WR_BIT(WR_RDX))

#define NOWHERE SIZE_MAX

/* An instruction: in = uses | elsewhere | (out & ~kills), out being what is live where it goes on. */
struct node {
	uint32_t uses, kills;
	uint32_t in;
	bool falls;	/* goes on at the next one */
	bool rewritten; /* the kernel may put others in its place */
	uint32_t target; /* bytes from the start, where .branches */
	bool branches;
};

struct wv_liveness {
	uint64_t start;
	size_t size;
	uint32_t *index; /* of the node at each byte, counted from 1; 0: none begins there */
	struct node *nodes;
	size_t n;
	bool known;
};

struct builder {
	const struct wv_function *function;
	struct wv_decoder *decoder;
	struct wv_liveness *liveness;
	size_t rewritten; /* the first that does not end before the instruction at hand */
};

static bool is_inside(const struct wv_liveness *liveness, uint64_t address)
{
	return address - liveness->start < liveness->size;
}

/*
 * What a compiled function is given, by its prototype and not by what it does with it: whoever looks at it from outside (a
 * tracer, a live patch) finds all of its arguments.
 */
static uint32_t given(unsigned int n)
{
	return arguments[n < WV_ARGUMENTS_MAX ? n : WV_ARGUMENTS_MAX];
}

/* Control leaves the function for good: what is read there? */
static uint32_t read_beyond(const struct wv_function *function, uint64_t address)
{
	unsigned int number = WV_ARGUMENTS_MAX;

	switch (function->callee(function->context, address, &number)) {
	case WV_CALLEE_COMPILED:
		return given(number) | CALLEE_SAVED;
	case WV_CALLEE_THUNK:
		return ARGUMENTS | CALLEE_SAVED | WR_BIT(number);
	case WV_CALLEE_RETURN:
		return RETURNED | CALLEE_SAVED;
	default:
		return ALL;
	}
}

static void do_call(const struct wv_function *function, const struct wv_insn *insn, struct node *node)
{
	unsigned int number = WV_ARGUMENTS_MAX;

	node->falls = true;
	switch (insn->direct ? function->callee(function->context, insn->target, &number) :
			       WV_CALLEE_UNKNOWN) {
	case WV_CALLEE_NEUTRAL:
		return;
	case WV_CALLEE_COMPILED:
		node->uses = given(number) | WR_BIT(WR_RSP);
		node->kills = WR_CALLER_SAVED | FLAGS;
		return;
	case WV_CALLEE_THUNK:
		node->uses = ARGUMENTS | WR_BIT(WR_RSP) | WR_BIT(number);
		node->kills = WR_CALLER_SAVED | FLAGS;
		return;
	default:
		node->uses = ALL;
	}
}

static void do_branch(const struct builder *builder, const struct wv_insn *insn, struct node *node)
{
	if (!insn->direct) {
		node->uses = ALL;
		builder->liveness->known &= builder->function->resolved; /* it may go on anywhere in here */
	} else if (is_inside(builder->liveness, insn->target)) {
		node->branches = true;
		node->target = insn->target - builder->liveness->start;
	} else {
		node->uses |= read_beyond(builder->function, insn->target);
	}
}

static void describe(const struct builder *builder, const struct wv_insn *insn, struct node *node)
{
	*node = (struct node){ .uses = insn->uses, .kills = insn->kills };
	switch (insn->flow) {
	case WV_FLOW_NEXT:
		node->falls = true;
		break;
	case WV_FLOW_CALL:
		do_call(builder->function, insn, node);
		break;
	case WV_FLOW_BRANCH:
		node->falls = true;
		do_branch(builder, insn, node);
		break;
	case WV_FLOW_JUMP:
		do_branch(builder, insn, node);
		break;
	case WV_FLOW_RETURN:
		node->uses = builder->function->ipa_ra ? ALL : RETURNED | CALLEE_SAVED;
		break;
	case WV_FLOW_TRAP:
		node->falls = true; /* behind a WARN() */
		break;
	}
}

/*
 * What the bytes do not say: a jump label goes both ways, and what else is rewritten, or leaves by a fault, reads all.
 */
static void amend(struct builder *builder, uint64_t address, size_t length, struct node *node)
{
	const struct wv_function *function = builder->function;
	bool all = false;

	for (size_t i = builder->rewritten; i < function->nr_rewritten; i++) {
		const struct wv_rewritten *rewritten = &function->rewritten[i];

		if (rewritten->address >= address + length)
			break;
		if (rewritten->address + (rewritten->size ? rewritten->size : 1) <= address) {
			/* Sizes differ, so one that ends here may stand behind one that does not. */
			if (i == builder->rewritten)
				builder->rewritten++;
			continue;
		}
		node->kills = 0;
		node->rewritten = true;
		if (!rewritten->jumps || !is_inside(builder->liveness, rewritten->target)) {
			all = true;
			continue;
		}
		node->uses = 0;
		node->falls = node->branches = true;
		node->target = rewritten->target - builder->liveness->start;
	}
	if (all)
		node->uses = ALL;
}

static bool decode(struct builder *builder)
{
	const struct wv_function *function = builder->function;
	struct wv_liveness *liveness = builder->liveness;
	size_t at = 0;

	while (at < function->size) {
		struct wv_insn insn;
		size_t length = wv_decode(builder->decoder, function->bytes + at, function->size - at,
					  function->start + at, &insn);

		if (!length)
			return false;
		describe(builder, &insn, &liveness->nodes[liveness->n]);
		amend(builder, function->start + at, length, &liveness->nodes[liveness->n]);
		liveness->index[at] = ++liveness->n;
		at += length;
	}
	return true;
}

static uint32_t live_at(const struct wv_liveness *liveness, size_t offset)
{
	uint32_t index = offset < liveness->size ? liveness->index[offset] : 0;

	return index ? liveness->nodes[index - 1].in : ALL;
}

static void sweep(struct wv_liveness *liveness)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = liveness->n; i--;) {
			struct node *node = &liveness->nodes[i];
			uint32_t out = 0, in;

			if (node->falls)
				out |= i + 1 < liveness->n ? liveness->nodes[i + 1].in : ALL;
			if (node->branches)
				out |= live_at(liveness, node->target);
			in = node->uses | (out & ~node->kills);
			changed |= in != node->in;
			node->in = in;
		}
	}
}

int wv_liveness_create(const struct wv_function *function, struct wv_decoder *decoder,
		       struct wv_liveness **ret, struct wv_error *error)
{
	struct wv_liveness *liveness = calloc(1, sizeof(*liveness));
	struct builder builder = { .function = function, .decoder = decoder, .liveness = liveness };

	*ret = NULL;
	if (!liveness)
		return wv_no_memory(error);
	liveness->start = function->start;
	liveness->size = function->size;
	liveness->index = calloc(function->size + 1, sizeof(*liveness->index));
	liveness->nodes = calloc(function->size + 1, sizeof(*liveness->nodes));
	if (!liveness->index || !liveness->nodes) {
		wv_liveness_destroy(liveness);
		return wv_no_memory(error);
	}
	liveness->known = function->compiled;
	liveness->known &= decode(&builder);
	if (liveness->known)
		sweep(liveness);
	*ret = liveness;
	return 0;
}

void wv_liveness_destroy(struct wv_liveness *liveness)
{
	if (!liveness)
		return;
	free(liveness->index);
	free(liveness->nodes);
	free(liveness);
}

uint32_t wv_liveness_at(const struct wv_liveness *liveness, uint64_t address)
{
	if (!liveness->known || !is_inside(liveness, address) ||
	    !liveness->index[address - liveness->start])
		return WEFT_LIVE_UNKNOWN;
	return live_at(liveness, address - liveness->start);
}

uint32_t wv_liveness_behind(const struct wv_liveness *liveness, uint64_t address)
{
	const struct node *node;
	uint32_t index;

	if (!liveness->known || !is_inside(liveness, address))
		return WEFT_LIVE_UNKNOWN;
	index = liveness->index[address - liveness->start];
	if (!index || index >= liveness->n)
		return WEFT_LIVE_UNKNOWN;
	node = &liveness->nodes[index - 1];
	return node->falls && !node->branches && !node->rewritten ? node[1].in : WEFT_LIVE_UNKNOWN;
}
