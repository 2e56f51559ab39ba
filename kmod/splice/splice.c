// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of splices, and emitting their trampolines; see splice.h. */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/table-memory.h"
#include "runtime/plan-rules.h"
#include "splice/exec-mem.h"
#include "splice/occupancy.h"
#include "splice/platform.h"
#include "splice/splice.h"
#include "text/text.h"
#include "base/lock.h"

enum { TRAMPOLINE_ALIGN = 16 };
enum { FEW = 2 }; /* up to this many attachments, emitting needs no allocation */

struct hlist_head wk_splices[1 << WK_SPLICES_BITS];

static struct wk_occupancy occupancy;
static u64 generation;

/*
 * Looks for the nearest splice at or before @address. Displaced ranges do not overlap, so no other
 * splice can cover the address.
 */
struct wk_splice *wk_splice_covering(unsigned long address)
{
	if (wk_splice_none(address, 1))
		return NULL;
	for (unsigned int i = 0; i < WEFT_DISPLACED_MAX; i++) {
		struct wk_splice *splice = wk_splice_find(address - i);

		if (splice)
			return i < splice->length ? splice : NULL;
	}
	return NULL;
}

bool wk_splice_overlaps(unsigned long address, unsigned int size)
{
	wk_assert_locked();
	if (wk_splice_none(address, size))
		return false;
	for (unsigned int i = 1; i < size; i++)
		if (wk_splice_find(address + i))
			return true;
	return wk_splice_covering(address);
}

u64 wk_splice_generation(void)
{
	wk_assert_locked();
	return generation;
}

void wk_splice_changed(void)
{
	wk_assert_locked();
	generation++;
}

void wk_splice_insert(struct wk_splice *splice)
{
	wk_assert_locked();
	generation++;
	wk_splice_become(splice, WK_STATE_LISTED);
	++*wk_occupancy_at(&occupancy, splice->address);
	hlist_add_head_rcu(&splice->node, wk_splices_at(splice->address));
}

void wk_splice_remove(struct wk_splice *splice)
{
	wk_assert_locked();
	generation++;
	--*wk_occupancy_at(&occupancy, splice->address);
	hlist_del_rcu(&splice->node);
	wk_splice_become(splice, WK_STATE_OUT);
}

void wk_splices_in(unsigned long start, unsigned long end,
		   void (*visit)(struct wk_splice *splice, void *data), void *data)
{
	struct hlist_node *next;
	struct wk_splice *splice;

	wk_assert_locked();
	for (unsigned int i = 0; i < ARRAY_SIZE(wk_splices); i++)
		hlist_for_each_entry_safe(splice, next, &wk_splices[i], node)
			if (splice->address - start < end - start)
				visit(splice, data);
}

bool wk_splice_none(unsigned long address, unsigned int size)
{
	unsigned long end = address + size;

	return wk_occupancy_next(&occupancy, address - WEFT_DISPLACED_MAX + 1, end) >= end;
}

static void restore_splices(unsigned long address, u8 *buffer, unsigned int size)
{
	unsigned long end = address + size,
		      at = wk_occupancy_next(&occupancy, address - WEFT_DISPLACED_MAX + 1, end);

	for (; at < end; at = wk_occupancy_next(&occupancy, at + 1, end)) {
		const struct wk_splice *splice = wk_splice_find(at);

		if (!splice || !wk_splice_in_text(splice))
			continue;
		for (unsigned int i = 0; i < splice->length; i++)
			if (at + i >= address && at + i < address + size)
				buffer[at + i - address] = splice->old[i];
	}
}

/*
 * Puts the original bytes of slots and splices into a copy of text. A slot in a donor is not in the
 * table of slots: its bytes belong to the donor.
 */
static void restore(unsigned long address, u8 *buffer, unsigned int size)
{
	wk_slot_restore(address, buffer, size);
	restore_splices(address, buffer, size);
}

static bool none(unsigned long address, unsigned int size)
{
	return wk_splice_none(address, size) && wk_slot_none(address, size);
}

const struct wk_text_overlay wk_splice_overlay = { .none = none, .restore = restore };

void wk_splice_decode(struct wk_splice *splice, struct wk_displaced *ret)
{
	wk_displaced_decode(splice->address, splice->old, splice->length, ret);
	splice->nr = ret->nr;
	splice->first = ret->insns[0].length;
}

struct wk_attachments *wk_attachments_create(u32 n)
{
	const size_t each = sizeof(struct wk_splice) + sizeof(struct wk_trampoline);
	struct wk_attachments *ret;
	struct wk_account memory = { 0 };

	if (!wk_account_charge(&memory, struct_size(ret, all, n) + (u64)n * each))
		return NULL;
	ret = kvzalloc(struct_size(ret, all, n), WK_GFP_TABLE);
	if (ret)
		ret->memory = memory;
	else
		wk_account_close(&memory);
	return ret;
}

void wk_attachments_destroy(struct wk_attachments *attachments)
{
	struct wk_account memory;

	if (!attachments)
		return;
	memory = attachments->memory;
	kvfree(attachments->calls);
	if (attachments->exits)
		wk_exec_mem_put(attachments->exits);
	kvfree(attachments);
	wk_account_close(&memory);
}

static unsigned int count_attachments(const struct wk_splice *splice)
{
	struct wk_attachment *attachment;
	unsigned int n = 0;

	list_for_each_entry(attachment, &splice->attachments, in_splice)
		n++;
	return n;
}

unsigned int wk_splice_trampoline_bound(const struct wk_splice *splice)
{
	return ALIGN(wr_trampoline_bound(splice->nr, count_attachments(splice)), TRAMPOLINE_ALIGN);
}

/*
 * Returns which registers the trampoline must store for an attachment: those that its advice names
 * and, if the advice names the call's target, those that hold the target.
 */
static u32 needs_of(const struct wk_attachment *attachment)
{
	const struct wr_target *target = &attachment->shadow.target;
	u32 needs = attachment->needs;

	if (needs & WR_BIT(WR_TARGET)) {
		if (target->base != WR_NONE)
			needs |= WR_BIT(target->base);
		if (target->index != WR_NONE)
			needs |= WR_BIT(target->index);
	}
	return needs;
}

/*
 * Returns the index of the displaced instruction before which the advice runs, or ->nr if it runs
 * after the last one.
 */
static unsigned int position_of(const struct wk_attachment *attachment)
{
	return attachment->at + (attachment->when == WEFT_AFTER);
}

/*
 * Fills @ret with the attachments in the order in which they run (enum weft_when). Advice after an
 * instruction runs before advice that is before the next one.
 */
static void order_attachments(const struct wk_splice *splice, struct wk_attachment **ret)
{
	static const enum weft_when order[] = { WEFT_AFTER,   WEFT_RETURNED, WEFT_BEFORE,
						WEFT_AROUND,  WEFT_LEAVING,  WEFT_CALLING,
						WEFT_AROUND_CALL };
	struct wk_attachment *attachment;

	if (list_is_singular(&splice->attachments)) {
		*ret = list_first_entry(&splice->attachments, struct wk_attachment, in_splice);
		return;
	}
	for (unsigned int at = 0; at <= splice->nr; at++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(order); i++) {
			if (order[i] == WEFT_BEFORE || wr_is_around(order[i])) {
				list_for_each_entry(attachment, &splice->attachments, in_splice)
					if (position_of(attachment) == at &&
					    attachment->when == order[i])
						*ret++ = attachment;
			} else {
				list_for_each_entry_reverse(attachment, &splice->attachments,
							    in_splice)
					if (position_of(attachment) == at &&
					    attachment->when == order[i])
						*ret++ = attachment;
			}
		}
	}
}

void wk_attachment_around(const struct wk_attachment *attachment, struct wr_call *call)
{
	call->around = attachment->entry;
	call->of_call = attachment->when == WEFT_AROUND_CALL;
	call->through = attachment->around->target;
	call->target = &attachment->shadow.target;
	call->thunk = attachment->thunk;
}

static void describe_attachment(const struct wk_attachment *attachment, struct wr_call *call)
{
	unsigned long stats = (unsigned long)attachment->stats;

	if (attachment->around)
		wk_attachment_around(attachment, call);
	else
		call->entry = attachment->entry;
	call->shadow = (unsigned long)&attachment->shadow;
	call->hits =
		attachment->count ? attachment->count : stats + offsetof(struct weft_stats, hits);
	call->missed = stats + offsetof(struct weft_stats, missed);
	call->asks = attachment->asks;
	call->notes = attachment->when == WEFT_CALLING;
	call->at = position_of(attachment);
	call->live = attachment->live;
	call->needs = needs_of(attachment);
}

static u32 trampoline_flags(const struct wk_splice *splice)
{
	return (splice->sanitize ? WR_TRAMPOLINE_SANITIZE : 0) |
	       (splice->kind == WEFT_SPLICE_CALL ? WR_TRAMPOLINE_CALLED : 0);
}

static int errno_of(int trampoline_error)
{
	return trampoline_error == -WR_TRAMPOLINE_ROOM ? -ENOSPC : -ERANGE;
}

/*
 * Notes where the attachment's block is, and closes the block if need be. @code: the trampoline
 * while its memory is still writable; @address: the trampoline's live address.
 */
static void note_block(struct wk_attachment *attachment, const struct wr_call *call, u8 *code,
		       unsigned long address)
{
	struct wk_block *block = &attachment->next_block;

	block->start = address + call->start;
	block->end = address + call->end;
	block->original = address + call->original;
	memcpy(block->opening, code + call->start, sizeof(block->opening));
	if (attachment->closed)
		wr_trampoline_skip(code, call);
}

int wk_splice_emit(struct wk_splice *splice, const struct wk_displaced *displaced,
		   struct wk_exec_mem *memory)
{
	unsigned int n = count_attachments(splice);
	struct wk_attachment *few_attachments[FEW];
	struct wr_call few_calls[FEW];
	unsigned int start = ALIGN(memory->used, TRAMPOLINE_ALIGN);
	unsigned long address = (unsigned long)memory->base + start;
	struct wr_call *calls = n > FEW ? kvcalloc(n, sizeof(*calls), WK_GFP_TABLE)
					: memset(few_calls, 0, n * sizeof(*few_calls));
	struct wk_attachment **attachments =
		n > FEW ? kvcalloc(n, sizeof(*attachments), WK_GFP_TABLE) : few_attachments;
	struct wk_trampoline *trampoline = kzalloc(sizeof(*trampoline), WK_GFP_TABLE);
	struct wr_trampoline code = {
		.platform = &wk_platform,
		.insns = displaced->insns,
		.nr_insns = displaced->nr,
		.flags = trampoline_flags(splice),
		.calls = calls,
		.nr_calls = n,
	};
	int ret = -ENOMEM;

	wk_assert_locked();
	if (!calls || !attachments || !trampoline)
		goto err_free;
	order_attachments(splice, attachments);
	for (unsigned int i = 0; i < n; i++)
		describe_attachment(attachments[i], &calls[i]);
	ret = wr_trampoline_emit(memory->base + start, memory->size - start, address, &code);
	if (ret < 0) {
		ret = errno_of(ret);
		goto err_free;
	}
	for (unsigned int i = 0; i < n; i++)
		note_block(attachments[i], &calls[i], memory->base + start, address);
	if (n > FEW) {
		kvfree(attachments);
		kvfree(calls);
	}
	trampoline->address = address;
	trampoline->memory = memory;
	memory->used = start + ret;
	memory->trampolines++;
	splice->next_trampoline = trampoline;
	return 0;

err_free:
	if (n > FEW) {
		kvfree(attachments);
		kvfree(calls);
	}
	kfree(trampoline);
	return ret;
}

/*
 * Makes around-advice call the function, and not the trampoline, which is about to be freed. A task
 * may have read the old value of .original and been preempted before it calls the trampoline. It
 * will make that call before it sleeps voluntarily; so the grace period that comes before
 * trampolines and exits are freed waits for the task.
 */
void wk_splice_lead_out(const struct wk_attachment *attachment)
{
	if (attachment->around)
		WRITE_ONCE(attachment->around->original, attachment->exit);
}

void wk_splice_lead_new(const struct wk_splice *splice)
{
	struct wk_attachment *attachment;

	list_for_each_entry(attachment, &splice->attachments, in_splice) {
		if (!attachment->around || attachment->block.start)
			continue;
		attachment->around->shadow = &attachment->shadow;
		WRITE_ONCE(attachment->around->original, attachment->next_block.original);
	}
}

struct wk_trampoline *wk_splice_commit(struct wk_splice *splice)
{
	struct wk_trampoline *before = splice->trampoline;
	struct wk_attachment *attachment;

	wk_assert_locked();
	splice->trampoline = splice->next_trampoline;
	splice->next_trampoline = NULL;
	list_for_each_entry(attachment, &splice->attachments, in_splice) {
		attachment->block = attachment->next_block;
		if (attachment->around)
			WRITE_ONCE(attachment->around->original, attachment->block.original);
	}
	WRITE_ONCE(splice->target, splice->trampoline->address);
	return before;
}

void wk_splice_destroy(struct wk_splice *splice)
{
	wk_assert_locked();
	wk_splice_become(splice, WK_STATE_NONE);
	if (splice->slot.address && !splice->donor)
		wk_slot_release(&splice->slot);
	kfree(splice);
}

void wk_trampoline_destroy(struct wk_trampoline *trampoline)
{
	if (!trampoline)
		return;
	wk_exec_mem_put(trampoline->memory);
	kfree(trampoline);
}

void wk_attachment_describe(const struct wk_attachment *attachment,
			    struct weft_shadow_status *shadow)
{
	const struct wk_splice *splice = attachment->splice;

	memset(shadow, 0, sizeof(*shadow));
	shadow->address = splice->address;
	shadow->trampoline = splice->trampoline->address;
	shadow->kind = splice->kind;
	shadow->length = splice->length;
	shadow->optimizing = splice->state == WK_STATE_OPTIMIZING;
	memcpy(shadow->old, splice->old, splice->length);
	shadow->slot = splice->slot.address;
	if (splice->donor) {
		shadow->freed = splice->donor->address;
		shadow->freed_length = splice->donor->length;
		memcpy(shadow->freed_old, splice->donor->old, splice->donor->length);
	} else if (splice->slot.address) {
		shadow->freed = splice->slot.address;
		shadow->freed_length = sizeof(splice->slot.old);
		memcpy(shadow->freed_old, splice->slot.old, sizeof(splice->slot.old));
	}
}
