// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of splices and the making of their patches; see splice.h. */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "splice/exec-mem.h"
#include "aspect.h"
#include "splice/occupancy.h"
#include "splice/platform.h"
#include "splice/poke.h"
#include "splice/splice.h"

enum { PATCH_ALIGN = 16 };
enum { FEW = 2 }; /* uses that need no memory while their patch is emitted */

struct hlist_head wk_splices[1 << WK_SPLICES_BITS];

static struct wk_crowd crowd;
static u64 generation;

/* Windows do not overlap: the nearest that begins before @address decides. */
struct wk_splice *wk_splice_covering(unsigned long address)
{
	if (wk_splice_none(address, 1))
		return NULL;
	for (unsigned int i = 0; i < WEFT_WINDOW_MAX; i++) {
		struct wk_splice *splice = wk_splice_find(address - i);

		if (splice)
			return i < splice->length ? splice : NULL;
	}
	return NULL;
}

bool wk_splice_overlaps(unsigned long address, unsigned int size)
{
	if (wk_splice_none(address, size))
		return false;
	for (unsigned int i = 1; i < size; i++)
		if (wk_splice_find(address + i))
			return true;
	return wk_splice_covering(address);
}

u64 wk_splice_generation(void)
{
	return generation;
}

void wk_splice_changed(void)
{
	generation++;
}

void wk_splice_insert(struct wk_splice *splice)
{
	generation++;
	++*wk_crowd_at(&crowd, splice->address);
	hlist_add_head_rcu(&splice->node, wk_splices_at(splice->address));
}

void wk_splice_remove(struct wk_splice *splice)
{
	generation++;
	--*wk_crowd_at(&crowd, splice->address);
	hlist_del_rcu(&splice->node);
}

bool wk_splice_none(unsigned long address, unsigned int size)
{
	unsigned long end = address + size;

	return wk_crowd_next(&crowd, address - WEFT_WINDOW_MAX + 1, end) >= end;
}

void wk_splice_overlay(unsigned long address, u8 *buffer, unsigned int size)
{
	unsigned long end = address + size, at = wk_crowd_next(&crowd, address - WEFT_WINDOW_MAX + 1, end);

	for (; at < end; at = wk_crowd_next(&crowd, at + 1, end)) {
		const struct wk_splice *splice = wk_splice_find(at);

		if (!splice || !splice->armed)
			continue;
		for (unsigned int i = 0; i < splice->length; i++)
			if (at + i >= address && at + i < address + size)
				buffer[at + i - address] = splice->old[i];
	}
}

void wk_splice_decode(const struct wk_splice *splice, struct wk_window *ret)
{
	wk_window_decode(splice->address, splice->old, splice->length, ret);
}

static unsigned int count_uses(const struct wk_splice *splice)
{
	struct wk_use *use;
	unsigned int n = 0;

	list_for_each_entry(use, &splice->uses, in_splice)
		n++;
	return n;
}

unsigned int wk_splice_patch_bound(const struct wk_splice *splice)
{
	return ALIGN(wr_patch_bound(splice->nr, count_uses(splice)), PATCH_ALIGN);
}

/* What a use needs stored: what its body names, and for a call's target the registers it is in. */
static u32 needs_of(const struct wk_use *use)
{
	const struct wr_target *target = &use->shadow.target;
	u32 needs = use->needs;

	if (needs & WR_BIT(WR_TARGET)) {
		if (target->base != WR_NONE)
			needs |= WR_BIT(target->base);
		if (target->index != WR_NONE)
			needs |= WR_BIT(target->index);
	}
	return needs;
}

/* The index of the window's instruction that the advice comes before; behind the last it is nr. */
static unsigned int place_of(const struct wk_use *use)
{
	return use->at + (use->when == WEFT_AFTER);
}

/* The uses in the order in which they run: see enum weft_when. What comes after the instruction before an other comes first. */
static void order_uses(const struct wk_splice *splice, struct wk_use **ret)
{
	static const enum weft_when order[] = { WEFT_AFTER, WEFT_RETURNED, WEFT_BEFORE, WEFT_LEAVING };
	struct wk_use *use;

	if (list_is_singular(&splice->uses)) {
		*ret = list_first_entry(&splice->uses, struct wk_use, in_splice);
		return;
	}
	for (unsigned int at = 0; at <= splice->nr; at++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(order); i++) {
			if (order[i] == WEFT_BEFORE) {
				list_for_each_entry(use, &splice->uses, in_splice)
					if (place_of(use) == at && use->when == order[i])
						*ret++ = use;
			} else {
				list_for_each_entry_reverse(use, &splice->uses, in_splice)
					if (place_of(use) == at && use->when == order[i])
						*ret++ = use;
			}
		}
	}
}

static void describe_use(const struct wk_use *use, struct wr_call *call)
{
	unsigned long stats = (unsigned long)use->aspect->module->stats;

	call->entry = use->entry;
	call->shadow = (unsigned long)&use->shadow;
	call->hits = use->count ? use->count : stats + offsetof(struct weft_stats, hits);
	call->missed = stats + offsetof(struct weft_stats, missed);
	call->at = place_of(use);
	call->live = use->live;
	call->needs = needs_of(use);
}

static u32 patch_flags(const struct wk_splice *splice)
{
	return (splice->careful ? WR_PATCH_CAREFUL : 0) |
	       (splice->kind == WEFT_SPLICE_CALL ? WR_PATCH_CALLED : 0);
}

static int errno_of(int patch_error)
{
	return patch_error == -WR_PATCH_ROOM ? -ENOSPC : -ERANGE;
}

/* @code is the patch as long as it can be written like any other memory. */
static void note_block(struct wk_use *use, const struct wr_call *call, u8 *code, unsigned long address)
{
	struct wk_block *block = &use->next_block;

	block->start = address + call->start;
	block->end = address + call->end;
	memcpy(block->opening, code + call->start, sizeof(block->opening));
	if (use->closed)
		wk_poke_close_new(block, code + call->start);
}

int wk_splice_emit(struct wk_splice *splice, const struct wk_window *window, struct wk_area *area)
{
	unsigned int n = count_uses(splice);
	struct wk_use *few_uses[FEW];
	struct wr_call few_calls[FEW];
	unsigned int start = ALIGN(area->used, PATCH_ALIGN);
	unsigned long address = (unsigned long)area->base + start;
	struct wr_call *calls = n > FEW ? kvcalloc(n, sizeof(*calls), GFP_KERNEL) : memset(few_calls, 0, sizeof(few_calls));
	struct wk_use **uses = n > FEW ? kvcalloc(n, sizeof(*uses), GFP_KERNEL) : few_uses;
	struct wk_patch *patch = kzalloc(sizeof(*patch), GFP_KERNEL);
	struct wr_patch code = {
		.host = &wk_host,
		.insns = window->insns,
		.nr_insns = window->nr,
		.flags = patch_flags(splice),
		.calls = calls,
		.nr_calls = n,
	};
	int ret = -ENOMEM;

	if (!calls || !uses || !patch)
		goto err_free;
	order_uses(splice, uses);
	for (unsigned int i = 0; i < n; i++)
		describe_use(uses[i], &calls[i]);
	ret = wr_patch_emit(area->base + start, area->size - start, address, &code);
	if (ret < 0) {
		ret = errno_of(ret);
		goto err_free;
	}
	for (unsigned int i = 0; i < n; i++)
		note_block(uses[i], &calls[i], area->base + start, address);
	if (n > FEW) {
		kvfree(uses);
		kvfree(calls);
	}
	patch->address = address;
	patch->area = area;
	area->used = start + ret;
	area->patches++;
	splice->next_patch = patch;
	return 0;

err_free:
	if (n > FEW) {
		kvfree(uses);
		kvfree(calls);
	}
	kfree(patch);
	return ret;
}

struct wk_patch *wk_splice_commit(struct wk_splice *splice)
{
	struct wk_patch *before = splice->patch;
	struct wk_use *use;

	splice->patch = splice->next_patch;
	splice->next_patch = NULL;
	list_for_each_entry(use, &splice->uses, in_splice)
		use->block = use->next_block;
	WRITE_ONCE(splice->target, splice->patch->address);
	return before;
}

void wk_splice_destroy(struct wk_splice *splice)
{
	if (splice->slot.address && !splice->host)
		wk_slot_release(&splice->slot);
	kfree(splice);
}

void wk_patch_destroy(struct wk_patch *patch)
{
	if (!patch)
		return;
	wk_area_put(patch->area);
	kfree(patch);
}
