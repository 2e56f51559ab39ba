// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes plans; see live-plan.h. Each shadow gets the displaced range that was found when its aspect
 * was compiled. If there is none, it gets the cheapest splice of its own instruction. The plan
 * contains the bytes that are in the text now. weft.ko compares them with the text before it
 * writes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "x86/decode.h"
#include "base/order.h"
#include "runtime/plan-rules.h"
#include "splice/live-plan.h"

static const struct wv_plan_part *part_of(const struct wv_plan_source *source, uint32_t joinpoint)
{
	return &source->parts[source->joinpoints[joinpoint].part];
}

static uint64_t shadow_of(const struct wv_plan_source *source, uint32_t joinpoint)
{
	return part_of(source, joinpoint)->base + source->joinpoints[joinpoint].text_offset;
}

/*
 * Reads @most bytes at @address in @part, or fewer if the part ends before. Returns the number of
 * bytes read, or 0 if they cannot be read.
 */
static size_t read_text(const struct wv_plan_source *source, const struct wv_plan_part *part,
			uint64_t address, size_t most, uint8_t *ret)
{
	const struct wv_text_reader *reader = source->reader;
	struct wv_error ignored; /* an unreadable shadow is a refusal, not an error */

	if (address < part->base || address >= part->end)
		return 0;
	if (most > part->end - address)
		most = part->end - address;
	return reader->read(reader->context, address, ret, most, &ignored) ? 0 : most;
}

/*
 * Makes @splice cover the shadow's own instruction only. If @wide is set and the instruction is a
 * return with enough padding after it (wr_is_wide_return()), the return and the padding count as
 * one instruction of WEFT_JUMP_SIZE bytes.
 */
static void make_single(const struct wv_plan_source *source, struct wv_decoder *decoder, bool wide,
			struct weft_splice *splice)
{
	const struct wv_plan_part *part = part_of(source, splice->joinpoint);
	uint8_t bytes[WEFT_INSN_MAX];
	size_t room;

	splice->address = shadow_of(source, splice->joinpoint);
	splice->kind = WEFT_SPLICE_TRAP;
	splice->length = 0;
	splice->slot = 0;
	splice->refusal = WEFT_REFUSAL_NOT_TEXT;
	memset(splice->old, 0, sizeof(splice->old));
	room = read_text(source, part, splice->address, sizeof(bytes), bytes);
	if (!room)
		return;
	splice->length = wv_decode_length(decoder, bytes, room, splice->address);
	if (wide && !source->traps && wr_is_wide_return(bytes, room))
		splice->length = WEFT_JUMP_SIZE;
	memcpy(splice->old, bytes, splice->length);
	splice->kind = source->traps ? WEFT_SPLICE_TRAP :
				       wr_plan_kind(splice->length, splice->old[0]);
	splice->refusal = splice->length ? source->joinpoints[splice->joinpoint].refusal
					 : WEFT_REFUSAL_UNDECODABLE;
}

/*
 * Makes @splice cover the displaced range that was found when the aspect was compiled, and stores
 * the bytes that are there now. Returns false if there is no such range, or if its text cannot be
 * read. Whether the range still consists of whole instructions without branch targets is not
 * checked here: weft.ko decodes the range in any case, and checks this.
 */
static bool make_displaced(const struct wv_plan_source *source, struct weft_splice *splice)
{
	const struct weft_joinpoint *joinpoint = &source->joinpoints[splice->joinpoint];
	const struct wv_plan_part *part = part_of(source, splice->joinpoint);
	const uint64_t start = shadow_of(source, splice->joinpoint) - joinpoint->before;
	uint8_t bytes[WEFT_DISPLACED_MAX];

	if (!wr_plan_range(joinpoint, splice) ||
	    read_text(source, part, start, joinpoint->displaced, bytes) < joinpoint->displaced)
		return false;
	splice->address = start;
	memcpy(splice->old, bytes, joinpoint->displaced);
	return true;
}

static int in_order(const void *a_, const void *b_, void *source_)
{
	const struct weft_splice *a = a_, *b = b_;
	const struct wv_plan_source *source = source_;

	return wv_order(a->address, b->address) ?:
	       wv_order(shadow_of(source, a->joinpoint), shadow_of(source, b->joinpoint)) ?:
	       wv_order(a->joinpoint, b->joinpoint);
}

static void sort(const struct wv_plan_source *source, struct wv_plan *plan)
{
	wv_sort(plan->splices.data, plan->splices.n, sizeof(*plan->splices.data), in_order,
		(void *)source);
}

int wv_plan_make(const struct wv_plan_source *source, struct wv_plan *ret, struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	int err = wv_decoder_create(&decoder, error);

	memset(ret, 0, sizeof(*ret));
	if (err)
		return err;
	for (size_t i = 0; i < source->n; i++) {
		struct weft_splice *splice;

		if (part_of(source, i)->waits || part_of(source, i)->program)
			continue;
		splice = wv_vec_push(&ret->splices);
		if (!splice) {
			wv_plan_deinit(ret);
			return wv_no_memory(error);
		}
		splice->joinpoint = i;
		if (source->traps || source->joinpoints[i].refusal ||
		    !make_displaced(source, splice))
			make_single(source, decoder, true, splice);
	}
	sort(source, ret);
	return 0;
}

int wv_plan_narrow(const struct wv_plan_source *source, struct wv_plan *plan, bool *ret,
		   struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	int err = wv_decoder_create(&decoder, error);

	*ret = false;
	if (err)
		return err;
	wv_vec_for_each(splice, &plan->splices) {
		uint64_t shadow = shadow_of(source, splice->joinpoint);
		size_t first;

		if (!splice->refusal)
			continue;
		first = wv_decode_length(decoder, splice->old, splice->length, splice->address);
		if (!first || (first == splice->length && splice->kind != WEFT_SPLICE_SPRINGBOARD &&
			       splice->address == shadow))
			continue;
		plan->narrowed[splice->refusal]++;
		make_single(source, decoder, false, splice);
		*ret = true;
	}
	sort(source, plan);
	return 0;
}

int wv_plan_refuse_partners(const struct wv_plan_source *source, struct wv_plan *plan,
			    struct wv_error *error)
{
	_cleanup_free_ bool *planned = calloc(source->n + 1, sizeof(*planned));

	if (!planned)
		return wv_no_memory(error);
	wv_vec_for_each(splice, &plan->splices)
		planned[splice->joinpoint] = !splice->refusal;
	wv_vec_for_each(splice, &plan->splices)
		if (!splice->refusal && source->joinpoints[splice->joinpoint].returns &&
		    !planned[wr_plan_partner(source->joinpoints, source->n, splice->joinpoint)])
			splice->refusal = WEFT_REFUSAL_JOINS;
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
