// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Analyses a function of a library (declared in body.h). Nothing is known of the calling
 * conventions in a stripped library, so liveness assumes that every call and return reads all
 * registers. Parts of libraries are assembler written by hand; an indirect jump in them is assumed
 * to lead only to the targets that library.c has found.
 *
 * In a kernel, patch sites and kprobes occupy some instructions. A library has none, so own_some()
 * declares some instructions occupied. An occupied instruction is not overwritten; advice at it is
 * attached before it if a displaced range can end there.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "splice/liveness.h"

static enum wv_callee unknown_callee(void *context, uint64_t address, unsigned int *register_ret)
{
	return WV_CALLEE_UNKNOWN;
}

static void decode(struct body *body, struct wv_decoder *decoder,
		   const struct wv_liveness *liveness)
{
	uint64_t at = body->function->start, end = at + body->function->size;

	body->insns = calloc(body->function->size, sizeof(*body->insns));
	if (!body->insns)
		err(2, "instructions");
	while (at < end) {
		struct instruction *instruction = &body->insns[body->n];
		const uint8_t *bytes = (const uint8_t *)(uintptr_t)at;
		struct wv_insn insn;

		if (!wv_decode(decoder, bytes, end - at, at, &insn))
			break;
		instruction->refusal =
			wr_rules_relocate(&insn.fields, bytes, at, &instruction->insn);
		instruction->live = wv_liveness_at(liveness, at);
		body->sanitize |= insn.fields.behavior == WR_SANITIZE;
		body->n++;
		at += instruction->insn.length;
	}
	body->insns = realloc(body->insns, (body->n + 1) * sizeof(*body->insns));
}

/*
 * Returns the size of the function and of the padding after it. If control may enter this padding,
 * or if something else lies between it and the next function, returns the size of the function
 * alone. body->insns must be filled.
 */
static size_t padded_size(const struct body *body, struct wv_decoder *decoder)
{
	const struct library *library = body->library;
	const struct function *function = body->function, *next = function + 1;
	const uint64_t end = function->start + function->size;
	const struct wr_insn *last = body->n ? &body->insns[body->n - 1].insn : NULL;
	uint64_t at = end;
	struct wv_insn insn;
	size_t n;

	if (next == library->functions.data + library->functions.n || next->start < end || !last ||
	    last->address + last->length != end)
		return function->size;
	library_branch_targets(library, end, next->start - end, &n);
	wv_decode(decoder, last->bytes, last->length, last->address, &insn);
	if (n || (insn.control != WR_CONTROL_JUMP && insn.control != WR_CONTROL_RETURN))
		return function->size;
	while (at < next->start &&
	       wv_decode(decoder, (const uint8_t *)(uintptr_t)at, next->start - at, at, &insn) &&
	       insn.filling)
		at += insn.length;
	return (at == next->start ? at : end) - function->start;
}

enum { OWNED_ONE_OF = 32 };

/*
 * Returns a list of occupied instructions: about one in 32, the same ones in every process. It may
 * be empty (*@n_ret is 0). The caller frees it.
 */
static struct wv_rewritten *own_some(const struct body *body, size_t *n_ret)
{
	struct wv_rewritten *owned = calloc(body->n + 1, sizeof(*owned));

	if (!owned)
		err(2, "owned instructions");
	*n_ret = 0;
	for (size_t i = 0; i < body->n; i++) {
		const struct wr_insn *insn = &body->insns[i].insn;
		uint32_t mixed = (uint32_t)(insn->address - body->library->base) * 0x9e3779b1u;

		if (mixed >> 16 & (OWNED_ONE_OF - 1))
			continue;
		owned[(*n_ret)++] = (struct wv_rewritten){ .address = insn->address,
							   .size = insn->length,
							   .refusal = WEFT_REFUSAL_STATIC_CALL };
	}
	return owned;
}

static void analyse(struct body *body, struct wv_decoder *decoder)
{
	const struct function *function = body->function;
	struct wv_function_info description = {
		.start = function->start,
		.bytes = (const uint8_t *)(uintptr_t)function->start,
		.size = function->size,
		.compiled = true,
		.ipa_ra = true,
		.resolved = true,
		.callee = unknown_callee,
	};
	struct wv_rewritten *owned;
	struct wv_liveness *liveness;
	struct wv_error error;
	const uint64_t *outside;
	size_t n;

	if (wv_liveness_create(&description, decoder, &liveness, &error))
		errx(2, "%s", error.message);
	decode(body, decoder, liveness);
	description.size = padded_size(body, decoder);
	description.rewritten = owned = own_some(body, &description.nr_rewritten);
	outside = library_branch_targets(body->library, function->start, description.size, &n);
	if (wv_chooser_create(&description, outside, n, decoder, &body->chooser, &error))
		errx(2, "%s", error.message);
	wv_liveness_destroy(liveness);
	free(owned);
}

static void add_padding(struct body *body, const struct body *of)
{
	const uint64_t low = body->function->start - WV_SPRINGBOARD_REACH;
	const uint64_t high = body->function->start + body->function->size + WV_SPRINGBOARD_REACH;

	wv_vec_for_each(padding, wv_chooser_padding(of->chooser)) {
		struct wv_padding *added;

		if (padding->end <= low || padding->start >= high)
			continue;
		added = wv_vec_push(&body->paddings);
		if (!added)
			err(2, "padding");
		*added = *padding;
	}
}

void bodies_add(struct bodies *bodies, const struct library *library, struct wv_decoder *decoder)
{
	const size_t first = bodies->list.n;

	wv_vec_for_each(function, &library->functions) {
		struct body *body;

		if (function->excluded)
			continue;
		body = wv_vec_push(&bodies->list);
		if (!body)
			err(2, "functions");
		*body = (struct body){ .function = function, .library = library };
		analyse(body, decoder);
	}
	for (size_t i = first; i < bodies->list.n; i++)
		for (size_t of = i > first ? i - 1 : i; of <= i + 1 && of < bodies->list.n; of++)
			add_padding(&bodies->list.data[i], &bodies->list.data[of]);
}

void bodies_deinit(struct bodies *bodies)
{
	wv_vec_for_each(body, &bodies->list) {
		free(body->insns);
		wv_chooser_destroy(body->chooser);
		wv_vec_deinit(&body->paddings);
	}
	wv_vec_deinit(&bodies->list);
}
