// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of an aspect's tags, and what they have counted; see tags.h. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/lock.h"
#include "runtime/tag-advice.h"
#include "tags.h"

/* Upper bound of log2 of the number of buckets of a table; a module that exceeds it is refused. */
enum { BITS_MAX = 19 };

/* struct wr_tag_counts as an array of numbers. */
enum { NR_COUNTS = sizeof(struct wr_tag_counts) / sizeof(u64) };

static struct wr_tag_counts count(const struct wk_tag *tag)
{
	struct wr_tag_counts sum = tag->last;
	int cpu;

	if (!tag->from)
		return sum;
	for_each_possible_cpu(cpu) {
		const u64 *counts = (const u64 *)per_cpu_ptr(tag->from->counts, cpu);

		for (u32 i = 0; i < NR_COUNTS; i++)
			((u64 *)&sum)[i] += READ_ONCE(counts[i]);
	}
	return sum;
}

static u64 count_carried(const struct wk_tag *tag)
{
	u64 n = tag->carried;

	for (u32 i = 0; tag->slots && i < tag->nr_slots; i++)
		n += wr_tag_at(&tag->slots[i]) != 0;
	return n;
}

static int init(struct wk_tags *tags, struct wk_tag *tag, const struct weft_tag *from)
{
	if (!from->bits || from->bits > BITS_MAX) {
		pr_err("tag %s: a table of 2^%u buckets; at most 2^%u are possible\n", from->name,
		       from->bits, BITS_MAX);
		return -EINVAL;
	}
	tag->from = from;
	strscpy(tag->name, from->name, sizeof(tag->name));
	strscpy(tag->object, from->object, sizeof(tag->object));
	tag->nr_slots = WR_TAG_WAYS << from->bits;
	tag->slots = wk_table_create(&tags->memory, tag->nr_slots, sizeof(u64));
	if (!tag->slots)
		return -ENOMEM;
	*from->slots = tag->slots;
	return 0;
}

int wk_tags_init(struct wk_tags *tags, struct weft_aspect *module)
{
	int ret = 0;

	memset(tags, 0, sizeof(*tags));
	if (!module->nr_tags)
		return 0;
	if (module->nr_tags > WEFT_TAGS_MAX) {
		pr_err("%s: %u tags; at most %u are possible\n", module->module->name,
		       module->nr_tags, WEFT_TAGS_MAX);
		return -EINVAL;
	}
	tags->list = wk_table_create(&tags->memory, module->nr_tags, sizeof(*tags->list));
	if (!tags->list)
		return -ENOMEM;
	tags->nr = module->nr_tags;
	for (u32 i = 0; !ret && i < tags->nr; i++)
		ret = init(tags, &tags->list[i], &module->tags[i]);
	if (ret)
		wk_tags_deinit(tags);
	return ret;
}

void wk_tags_deinit(struct wk_tags *tags)
{
	for (u32 i = 0; i < tags->nr; i++)
		kvfree(tags->list[i].slots);
	kvfree(tags->list);
	wk_account_close(&tags->memory);
	memset(tags, 0, sizeof(*tags));
}

void wk_tags_start(struct wk_tags *tags)
{
	int cpu;

	wk_assert_locked();
	tags->lost = false;
	for (u32 i = 0; i < tags->nr; i++) {
		struct wk_tag *tag = &tags->list[i];

		memset(tag->slots, 0, tag->nr_slots * sizeof(u64));
		memset(&tag->before, 0, sizeof(tag->before));
		for_each_possible_cpu(cpu)
			memset(per_cpu_ptr(tag->from->counts, cpu), 0, sizeof(*tag->from->counts));
	}
}

void wk_tags_keep(struct wk_tags *tags)
{
	wk_assert_locked();
	for (u32 i = 0; i < tags->nr; i++) {
		struct wk_tag *tag = &tags->list[i];

		tag->last = count(tag);
		tag->carried = count_carried(tag);
		tag->from = NULL;
		kvfree(tag->slots);
		tag->slots = NULL;
		wk_account_return(&tags->memory, tag->nr_slots * sizeof(u64));
	}
}

int wk_tags_info(const struct wk_tags *tags, struct weft_tag_info *info)
{
	const struct wk_tag *tag;
	struct wr_tag_counts now;

	wk_assert_locked();
	if (info->index >= tags->nr)
		return -ERANGE;
	tag = &tags->list[info->index];
	now = count(tag);
	strscpy_pad(info->tag, tag->name, sizeof(info->tag));
	strscpy_pad(info->object, tag->object, sizeof(info->object));
	info->room = tag->nr_slots;
	info->lost = tags->lost;
	info->tagged = now.tagged - tag->before.tagged;
	info->again = now.again - tag->before.again;
	info->full = now.full - tag->before.full;
	info->untagged = now.untagged - tag->before.untagged;
	info->carried = count_carried(tag);
	info->asked = now.asked - tag->before.asked;
	info->held = now.held - tag->before.held;
	return 0;
}

void wk_tags_reset(struct wk_tags *tags)
{
	wk_assert_locked();
	for (u32 i = 0; i < tags->nr; i++)
		tags->list[i].before = count(&tags->list[i]);
}
