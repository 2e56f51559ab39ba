// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Making a plan: for each shadow the cheapest splice that its own instruction has room for, its live bytes noted for the
 * kernel side to compare.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/decode.h"
#include "splice/plan.h"

enum { OP_CALL = 0xe8 };

/* The first that fits: a direct call turned to the patch, a jump over one instruction, a trap. */
static enum weft_splice_kind choose_kind(const struct weft_splice *splice)
{
	if (splice->length == WEFT_JUMP_SIZE && splice->old[0] == OP_CALL)
		return WEFT_SPLICE_CALL;
	return splice->length >= WEFT_JUMP_SIZE ? WEFT_SPLICE_JUMP : WEFT_SPLICE_TRAP;
}

static void make_splice(const struct weft_joinpoint *joinpoint, uint64_t text,
			const struct wv_text_reader *reader, struct wv_decoder *decoder,
			struct weft_splice *splice)
{
	struct wv_error ignored; /* an unreadable shadow is a refusal, not an error */
	size_t room;

	splice->address = text + joinpoint->text_offset;
	splice->live = WEFT_LIVE_UNKNOWN;
	splice->refusal = WEFT_REFUSAL_NOT_TEXT;
	if (splice->address < text || splice->address >= reader->end)
		return;
	room = reader->end - splice->address;
	if (room > WEFT_INSN_MAX)
		room = WEFT_INSN_MAX;
	if (reader->read(reader->context, splice->address, splice->old, room, &ignored))
		return;
	splice->length = wv_decode_length(decoder, splice->old, room, splice->address);
	memset(splice->old + splice->length, 0, sizeof(splice->old) - splice->length);
	splice->kind = choose_kind(splice);
	splice->refusal = splice->length ? WEFT_REFUSAL_NONE : WEFT_REFUSAL_UNDECODABLE;
}

static int by_address(const void *a_, const void *b_)
{
	const struct weft_splice *a = a_, *b = b_;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->joinpoint < b->joinpoint ? -1 : a->joinpoint > b->joinpoint;
}

int wv_plan_make(const struct weft_joinpoint *joinpoints, size_t n, uint64_t text,
		 const struct wv_text_reader *reader, struct wv_plan *ret, struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	int err = wv_decoder_create(&decoder, error);

	memset(ret, 0, sizeof(*ret));
	if (err)
		return err;
	for (size_t i = 0; i < n; i++) {
		struct weft_splice *splice = wv_vec_push(&ret->splices);

		if (!splice) {
			wv_plan_deinit(ret);
			return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
		}
		splice->joinpoint = i;
		make_splice(&joinpoints[i], text, reader, decoder, splice);
	}
	if (n)
		qsort(ret->splices.data, ret->splices.n, sizeof(*ret->splices.data), by_address);
	return 0;
}

void wv_plan_deinit(struct wv_plan *plan)
{
	wv_vec_deinit(&plan->splices);
}

int wv_plan_drop_refused(struct wv_plan *plan, struct wv_plan *refused, struct wv_error *error)
{
	size_t kept = 0;

	wv_vec_for_each (splice, &plan->splices) {
		if (splice->refusal) {
			struct weft_splice *slot = wv_vec_push(&refused->splices);

			if (!slot)
				return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
			*slot = *splice;
		} else {
			plan->splices.data[kept++] = *splice;
		}
	}
	plan->splices.n = kept;
	return 0;
}
