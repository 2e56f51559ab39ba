// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Allocates and frees the memory of metrics, and starts and stops them; see metrics.h. Readers:
 * metrics-read.c.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>

#include "base/table-memory.h"
#include "metrics/counts.h"
#include "metrics/metrics.h"
#include "splice/splice.h"
#include "metrics/sched-switch.h"
#include "metrics/stack.h"
#include "base/lock.h"
#include "base/once-state.h"

/* Upper bounds; an aspect module that exceeds one is refused. */
enum { METRICS_MAX = 1 << 16, ROW_BITS_MAX = 20, PAIR_BITS_MAX = 20, BUCKETS_MAX = 1 << 16 };

/*
 * Chooses the TSC if the kernel considers it stable and knows its frequency; otherwise the kernel's
 * clock in nanoseconds.
 */
static void choose_clock(struct wr_clock *clock)
{
	clock->counter = boot_cpu_has(X86_FEATURE_TSC) && !check_tsc_unstable() && tsc_khz;
	clock->mult = clock->counter ? div_u64((u64)NSEC_PER_MSEC << 32, tsc_khz) : 1ull << 32;
}

static struct wr_layout layout_of(const struct weft_metric *from)
{
	struct wr_layout layout = {
		.bits = from->row_bits,
		.hashed = from->hashed,
		.nr_values = WR_VALUES(from->type, from->buckets),
		.weight = WR_WEIGHT(from->type),
	};

	for (u32 i = 0; i < from->nr_keys; i++)
		layout.key_words += from->key_words[i];
	return layout;
}

/* Number of u64 words in an area, without its header. */
static u64 words_of(const struct weft_metric *from)
{
	const struct wr_layout layout = layout_of(from);

	/* The area has the rows and, after them, the values of all keys without a row. */
	return from->row_bits ? ((u64)WR_ROW_WORDS(layout) << layout.bits) + layout.nr_values
			      : layout.nr_values;
}

static bool has_sound_keys(const struct weft_metric *from)
{
	if (from->nr_keys > WEFT_KEYS_MAX || !from->nr_keys != !from->row_bits)
		return false;
	for (u32 i = 0; i < from->nr_keys; i++)
		if (from->key_words[i] > WR_STACK_WORDS ||
		    (!from->key_words[i] && from->nr_keys > 1))
			return false;
	return true;
}

/*
 * Does the metric have enough buckets? Advice computes a logarithmic bucket from the value and
 * .fine alone, so there must be a bucket for every value.
 */
static bool has_sound_buckets(const struct weft_metric *from)
{
	return from->scale != WEFT_SCALE_LOG2 || !WR_HAS_BUCKETS(from->type) ||
	       (from->fine <= 5 && from->buckets >= WR_LOG2_BUCKETS(from->fine));
}

static bool is_sound(const struct weft_metric *from)
{
	bool pairs = from->type == WEFT_METRIC_ELAPSED || from->type == WEFT_METRIC_CONCURRENCY;

	return from->type < WEFT_METRIC_TYPES && from->row_bits <= ROW_BITS_MAX &&
	       from->pair_bits <= PAIR_BITS_MAX && from->buckets <= BUCKETS_MAX &&
	       (from->count ? from->type == WEFT_METRIC_COUNTER && !from->cells :
			      from->cells != NULL) &&
	       pairs == (from->pairs && from->pair_bits) &&
	       from->pair_key <= WEFT_PAIR_CPU && has_sound_keys(from) &&
	       has_sound_buckets(from) &&
	       words_of(from) <= U32_MAX - sizeof(struct wr_area) / sizeof(u64);
}

static void describe_keys(struct wk_metric *metric, const struct weft_metric *from)
{
	struct weft_metric_info *info = &metric->info;
	const char *by = from->by;
	size_t n = 0;

	info->nr_keys = from->nr_keys;
	metric->hashed = from->hashed;
	for (u32 i = 0; i < from->nr_keys; i++, by += strlen(by) + 1) {
		metric->key_words[i] = from->key_words[i];
		if (n < sizeof(info->by))
			n += scnprintf(info->by + n, sizeof(info->by) - n, "%s", by) + 1;
	}
}

static void describe(struct wk_metric *metric, const struct weft_metric *from)
{
	struct weft_metric_info *info = &metric->info;

	strscpy(info->metric, from->name, sizeof(info->metric));
	strscpy(info->unit, from->unit, sizeof(info->unit));
	strscpy(info->value, from->value, sizeof(info->value));
	describe_keys(metric, from);
	info->type = from->type;
	info->scale = from->scale;
	info->clock = from->clock;
	info->fine = from->fine;
	info->buckets = from->buckets;
	info->least = from->least;
	info->step = from->step;
	info->rows = from->row_bits ? 1u << from->row_bits : 0;
	info->nr_values = WR_VALUES(from->type, from->buckets);
	info->nr_cpus = nr_cpu_ids;
	metric->from = from;
	metric->all_key_words = info->rows ? WR_KEY_WORDS(layout_of(from)) : 0;
	metric->row_words = metric->all_key_words + info->nr_values;
	if (!from->count)
		metric->words = sizeof(struct wr_area) / sizeof(u64) + words_of(from);
	metric->nr_slots = from->pairs ? WR_PAIR_WAYS << from->pair_bits : 0;
	info->pairs = metric->nr_slots;
	metric->pair_key = from->pair_key;
}

u32 wk_metric_parts(const struct wk_metric *metric)
{
	return metric->info.rows + 1;
}

u64 *wk_metric_values(const struct wk_metric *metric, struct wr_area *area, u32 row)
{
	u64 *at = area->cells + (size_t)row * metric->row_words;

	return row < metric->info.rows ? at + metric->all_key_words : at;
}

void wk_metric_clear_row(const struct wk_metric *metric, struct wr_area *area, u32 row)
{
	u64 *values = wk_metric_values(metric, area, row);

	if (row < metric->info.rows)
		WRITE_ONCE(values[-1], 0);
	for (u32 i = 0; i < metric->info.nr_values; i++)
		WRITE_ONCE(values[i], 0);
	if (WR_HAS_BUCKETS(metric->info.type))
		WRITE_ONCE(values[WR_LEAST], WR_NO_LEAST);
}

static int make_areas(struct wk_metric *metric, struct wk_account *memory)
{
	int cpu;

	metric->parts = kcalloc(nr_cpu_ids, sizeof(*metric->parts), GFP_KERNEL);
	if (!metric->parts)
		return -ENOMEM;
	if (metric->from->count) {
		metric->count = wk_count_create();
		return metric->count ? 0 : -ENOMEM;
	}
	for_each_possible_cpu(cpu) {
		struct wk_metric_part *part = &metric->parts[cpu];

		part->area = wk_table_create(memory, metric->words, sizeof(u64));
		if (!part->area)
			return -ENOMEM;
		for (u32 row = 0; row < wk_metric_parts(metric); row++) {
			wk_metric_clear_row(metric, part->area, row);
			cond_resched();
		}
	}
	return 0;
}

static int make_pairs(struct wk_metric *metric, struct wk_account *memory)
{
	struct wr_pairs *pairs = &metric->pairs;

	if (!metric->nr_slots)
		return 0;
	pairs->bits = metric->from->pair_bits;
	pairs->slots = wk_table_create(memory, metric->nr_slots, sizeof(*pairs->slots));
	if (metric->info.rows)
		pairs->by = wk_table_create(memory, metric->nr_slots, sizeof(u64));
	if (metric->info.clock == WEFT_CLOCK_CPU)
		pairs->away = wk_table_create(memory, metric->nr_slots, sizeof(u64));
	if (metric->nr_starts > 1)
		pairs->where = wk_table_create(memory, metric->nr_slots, sizeof(u64));
	return pairs->slots && (!metric->info.rows || pairs->by) &&
			       (metric->nr_starts < 2 || pairs->where) &&
			       (metric->info.clock != WEFT_CLOCK_CPU || pairs->away)
		       ? 0
		       : -ENOMEM;
}

static void free_slots(struct wk_metric *metric)
{
	for (u32 i = 0; i < metric->nr_slots; i++)
		metric->pairs.slots[i] = (struct wr_pair){ .start = WR_PAIR_FREE };
}

static void hand_out(const struct wk_metric *metric)
{
	int cpu;

	if (metric->from->count)
		*metric->from->count = metric->count;
	if (metric->from->cells)
		for_each_possible_cpu(cpu)
			*per_cpu_ptr(metric->from->cells, cpu) = metric->parts[cpu].area->cells;
	if (metric->from->pairs)
		*metric->from->pairs = metric->pairs;
}

static void mark_inlined(struct wk_metrics *metrics, const struct weft_aspect *module)
{
	for (u32 i = 0; i < module->header->nr_advices; i++) {
		u32 metric = module->advices[i].metric;

		if (metric && metric <= metrics->nr && !module->advices[i].entry)
			metrics->list[metric - 1].inlined = true;
	}
}

/*
 * For each metric, counts the joinpoints where its pairs start. If there are several, the advice
 * stores for each pair where it has started (wr_start()).
 */
static void count_starts(struct wk_metrics *metrics, const struct weft_aspect *module)
{
	const struct weft_aspect_header *header = module->header;

	metrics->joinpoints = (unsigned long)module->joinpoints;
	metrics->nr_joinpoints = header->nr_joinpoints;
	for (u32 i = 0; i < header->nr_joinpoints; i++) {
		const u32 index = module->joinpoints[i].advice;
		const struct weft_advice *advice = &module->advices[index];
		struct wk_metric *metric;

		if (index >= header->nr_advices || !advice->metric || advice->ends ||
		    advice->metric > module->nr_metrics)
			continue;
		metric = &metrics->list[advice->metric - 1];
		if (!metric->nr_starts++)
			metric->first_start = i;
	}
}

static void add_switched(struct wk_switches *switches, struct wk_metric *metric)
{
	metric->switched.pairs = &metric->pairs;
	metric->switched.next = switches->first;
	switches->first = &metric->switched;
}

int wk_metrics_init(struct wk_metrics *metrics, struct weft_aspect *module)
{
	int ret = 0;

	memset(metrics, 0, sizeof(*metrics));
	choose_clock(&metrics->clock);
	metrics->switches.clock = &metrics->clock;
	module->clock = metrics->clock;
	if (!module->nr_metrics)
		return 0;
	if (module->nr_metrics > METRICS_MAX)
		return -EINVAL;
	metrics->list = wk_table_create(&metrics->memory, module->nr_metrics,
					sizeof(*metrics->list));
	if (!metrics->list)
		return -ENOMEM;
	count_starts(metrics, module);
	for (; !ret && metrics->nr < module->nr_metrics; metrics->nr++) {
		const struct weft_metric *from = &module->metrics[metrics->nr];
		struct wk_metric *metric = &metrics->list[metrics->nr];

		if (!is_sound(from)) {
			pr_err("%s: damaged description of a metric\n", module->module->name);
			ret = -EINVAL;
			break;
		}
		describe(metric, from);
		ret = make_areas(metric, &metrics->memory);
		if (!ret)
			ret = make_pairs(metric, &metrics->memory);
		if (ret)
			continue;
		hand_out(metric);
		if (metric->pairs.away)
			add_switched(&metrics->switches, metric);
	}
	if (ret)
		wk_metrics_deinit(metrics);
	else
		mark_inlined(metrics, module);
	return ret;
}

static void free_metric(struct wk_metric *metric)
{
	for (int cpu = 0; metric->parts && cpu < nr_cpu_ids; cpu++) {
		kvfree(metric->parts[cpu].area);
	}
	kfree(metric->parts);
	wk_count_destroy(metric->count);
	kvfree(metric->pairs.slots);
	kvfree(metric->pairs.by);
	kvfree(metric->pairs.away);
	kvfree(metric->pairs.where);
}

void wk_metrics_deinit(struct wk_metrics *metrics)
{
	if (!metrics->list)
		return;
	for (u32 i = 0; i < metrics->nr; i++)
		free_metric(&metrics->list[i]);
	kvfree(metrics->list);
	wk_account_close(&metrics->memory);
	metrics->list = NULL;
	metrics->switches.first = NULL;
	metrics->nr = 0;
}

/* ---- starting and stopping metrics ----------------------------------------------------------- */

static bool has_stack(const struct wk_metric *metric)
{
	for (u32 i = 0; i < metric->info.nr_keys; i++)
		if (metric->key_words[i] == WR_STACK_WORDS)
			return true;
	return false;
}

int wk_metrics_start(struct wk_metrics *metrics)
{
	int ret;

	wk_assert_locked();
	for (u32 i = 0; i < metrics->nr; i++) {
		struct wk_metric *metric = &metrics->list[i];

		/* Drops all pairs, also those of an earlier weave that have not ended. */
		wk_metric_keep_open(metrics, metric);
		free_slots(metric);
		if (has_stack(metric))
			wk_stack_need();
	}
	ret = wk_sched_switch_watch(&metrics->switches);
	if (ret)
		return ret;
	metrics->watched = true;
	return 0;
}

void wk_metrics_run(struct wk_metrics *metrics, u32 index, bool run)
{
	struct wk_metric *metric;

	wk_assert_locked();
	if (index >= metrics->nr || metrics->list[index].running == run)
		return;
	metric = &metrics->list[index];
	metric->running = run;
	if (run) {
		metric->since = ktime_get_ns();
		return;
	}
	metric->stopped_ns = ktime_get_ns();
	metric->ran += metric->stopped_ns - metric->since;
	metric->stopped_at = wr_now(&metrics->clock);
}

/*
 * Adds @shadows and @refused to the totals of the metric that the advice of @point implements. A
 * negative @refused is passed as its two's complement.
 */
static void add_shadow(struct wk_metrics *metrics, const struct weft_aspect *module,
		       const struct weft_joinpoint *point, u32 shadows, u32 refused)
{
	const struct weft_advice *advice;
	struct weft_metric_info *info;

	if (point->advice >= module->header->nr_advices || point->when == WEFT_CALLING)
		return;
	advice = &module->advices[point->advice];
	if (!advice->metric || advice->metric > metrics->nr)
		return;
	info = &metrics->list[advice->metric - 1].info;
	*(advice->ends ? &info->ends : &info->shadows) += shadows;
	*(advice->ends ? &info->ends_refused : &info->shadows_refused) += refused;
}

void wk_metrics_count_shadows(struct wk_metrics *metrics, const struct weft_aspect *module,
			      const struct list_head *attachments, const u8 *once)
{
	const struct wk_attachment *attachment;

	wk_assert_locked();
	for (u32 i = 0; i < metrics->nr; i++) {
		struct weft_metric_info *info = &metrics->list[i].info;

		info->shadows = info->shadows_refused = info->ends = info->ends_refused = 0;
	}
	for (u32 i = 0; i < module->header->nr_joinpoints; i++)
		add_shadow(metrics, module, &module->joinpoints[i], 1,
			   !once || wk_once_state(&once[i]) != WEFT_ONCE_OUT);
	list_for_each_entry(attachment, attachments, in_aspect)
		add_shadow(metrics, module, attachment->shadow.joinpoint, 0, -1);
}

void wk_metrics_count_uprobe(struct wk_metrics *metrics, const struct weft_aspect *module,
			     u32 joinpoint)
{
	wk_assert_locked();
	add_shadow(metrics, module, &module->joinpoints[joinpoint], 0, -1);
}

void wk_metrics_stop(struct wk_metrics *metrics)
{
	wk_assert_locked();
	if (!metrics->watched)
		return;
	metrics->watched = false;
	for (u32 i = 0; i < metrics->nr; i++)
		wk_metrics_run(metrics, i, false);
	wk_sched_switch_unwatch(&metrics->switches);
}

u64 wk_metric_count(const struct wk_metric *metric, int cpu)
{
	return metric->count ? READ_ONCE(*per_cpu_ptr(metric->count, cpu))
			     : metric->parts[cpu].count;
}

void wk_metrics_keep(struct wk_metrics *metrics)
{
	int cpu;

	wk_assert_locked();
	wk_metrics_stop(metrics);
	for (u32 i = 0; i < metrics->nr; i++) {
		struct wk_metric *metric = &metrics->list[i];

		if (metric->count)
			for_each_possible_cpu(cpu)
				metric->parts[cpu].count = wk_metric_count(metric, cpu);
		wk_count_destroy(metric->count);
		metric->count = NULL;
		metric->from = NULL;
	}
}

u64 wk_metrics_hits(const struct wk_metrics *metrics)
{
	u64 hits = 0;
	int cpu;

	for (u32 i = 0; i < metrics->nr; i++)
		if (metrics->list[i].inlined)
			for_each_possible_cpu(cpu)
				hits += wk_metric_count(&metrics->list[i], cpu);
	return hits;
}
