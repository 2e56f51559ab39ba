// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of splices and the making of their patches; see splice.h. */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/cpufeature.h>

#include "area.h"
#include "splice.h"

/* 128 KiB of heads: 10,000 splices make chains of less than one. */
enum { TABLE_BITS = 14, PATCH_ALIGN = 16 };

static struct hlist_head table[1 << TABLE_BITS];

static struct hlist_head *head_of(unsigned long address)
{
	return &table[hash_long(address, TABLE_BITS)];
}

/*
 * The trap's path: no lock (entries are added and removed by RCU, and the trap runs with interrupts
 * off), no call out.
 */
struct wk_splice *wk_splice_find(unsigned long address)
{
	struct wk_splice *splice;

	hlist_for_each_entry_rcu_notrace(splice, head_of(address), node)
		if (splice->address == address)
			return splice;
	return NULL;
}
NOKPROBE_SYMBOL(wk_splice_find);

void wk_splice_insert(struct wk_splice *splice)
{
	hlist_add_head_rcu(&splice->node, head_of(splice->address));
}

void wk_splice_remove(struct wk_splice *splice)
{
	hlist_del_rcu(&splice->node);
}

void wk_splice_overlay(unsigned long address, u8 *buffer, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++) {
		struct wk_splice *splice;

		rcu_read_lock();
		splice = wk_splice_find(address + i);
		if (splice && splice->armed)
			buffer[i] = splice->insn.bytes[0];
		rcu_read_unlock();
	}
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
	return ALIGN(wr_patch_bound(count_uses(splice)), PATCH_ALIGN);
}

/*
 * Registers that the uses need stored beyond the caller-saved: those that bodies name, and those a
 * call's target is in.
 */
static u32 collect_needs(const struct wk_splice *splice)
{
	struct wk_use *use;
	u32 needs = 0;

	list_for_each_entry(use, &splice->uses, in_splice) {
		const struct wr_target *target = &use->shadow.target;

		needs |= use->needs;
		if (target->base != WR_NONE)
			needs |= WR_BIT(target->base);
		if (target->index != WR_NONE)
			needs |= WR_BIT(target->index);
	}
	return needs;
}

static int errno_of(int patch_error)
{
	return patch_error == -WR_PATCH_ROOM ? -ENOSPC : -ERANGE;
}

int wk_splice_emit(struct wk_splice *splice, struct wk_area *area)
{
	unsigned int n = count_uses(splice), i = 0;
	unsigned int start = ALIGN(area->used, PATCH_ALIGN);
	unsigned long address = (unsigned long)area->base + start;
	struct wr_call *calls = kcalloc(n, sizeof(*calls), GFP_KERNEL);
	struct wk_patch *patch = kzalloc(sizeof(*patch), GFP_KERNEL);
	struct wk_use *use;
	int ret = -ENOMEM;

	if (!calls || !patch)
		goto err_free;
	list_for_each_entry(use, &splice->uses, in_splice) {
		calls[i].entry = use->entry;
		calls[i++].shadow = (unsigned long)&use->shadow;
	}
	ret = wr_patch_emit(area->base + start, area->size - start, address, &splice->insn,
			    collect_needs(splice),
			    boot_cpu_has(X86_FEATURE_SMAP) ? WR_PATCH_CLAC : 0, calls, n);
	if (ret < 0) {
		ret = errno_of(ret);
		goto err_free;
	}
	i = 0;
	list_for_each_entry(use, &splice->uses, in_splice)
		use->next_call = address + calls[i++].offset;
	kfree(calls);
	patch->address = address;
	patch->area = area;
	area->used = start + ret;
	area->patches++;
	splice->next_patch = patch;
	return 0;

err_free:
	kfree(calls);
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
		use->call = use->next_call;
	WRITE_ONCE(splice->target, splice->patch->address);
	return before;
}

void wk_patch_destroy(struct wk_patch *patch)
{
	if (!patch)
		return;
	wk_area_put(patch->area);
	kfree(patch);
}
