// SPDX-License-Identifier: GPL-2.0-or-later
/* What readers of metrics get: totals, rows, and resets; see metrics.h. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "base/table-memory.h"
#include "metrics/metrics.h"
#include "base/lock.h"

/* 0: advice has claimed no row of a key yet; it may any time. */
static u64 area_kind(const struct wk_metric_part *part)
{
	return READ_ONCE(part->area->kind);
}

static u64 count_since(const struct wk_metric *metric, int cpu)
{
	return wk_metric_count(metric, cpu) - metric->parts[cpu].count_before;
}

/* ---- totals ---------------------------------------------------------------------------------- */

static void add_open(const struct wk_metrics *metrics, const struct wk_metric *metric,
		     struct weft_metric_info *info)
{
	u64 now = metric->running ? wr_now(&metrics->clock) : metric->stopped_at;

	for (u32 i = 0; i < metric->nr_slots; i++) {
		u64 start = wr_pair_state(&metric->pairs.slots[i]);
		u64 away = metric->pairs.away ? READ_ONCE(metric->pairs.away[i]) : 0;
		s64 units = wr_pair_units(start, now, away);

		if (!wr_pair_is_waiting(start) || !(start & WR_PAIR_COUNTS))
			continue;
		info->open++;
		info->open_time += wr_nanoseconds(units < 0 ? 0 : units, metrics->clock.mult);
	}
}

static u64 running_time(const struct wk_metric *metric)
{
	return metric->ran + (metric->running ? ktime_get_ns() - metric->since : 0);
}

int wk_metrics_info(const struct wk_metrics *metrics, struct weft_metric_info *info)
{
	const struct wk_metric *metric;
	struct weft_metric_info request = *info;
	int cpu;

	wk_assert_locked();
	if (request.index >= metrics->nr)
		return -ERANGE;
	metric = &metrics->list[request.index];
	*info = metric->info;
	memcpy(info->name, request.name, sizeof(info->name));
	info->index = request.index;
	info->woven = running_time(metric);
	for_each_possible_cpu(cpu) {
		const struct wk_metric_part *part = &metric->parts[cpu];

		if (!part->area)
			continue;
		info->full += READ_ONCE(part->area->full);
		info->unmatched += READ_ONCE(part->area->unmatched);
		info->dropped += READ_ONCE(part->area->dropped);
		info->deep += READ_ONCE(part->area->deep);
		info->replaced += READ_ONCE(part->area->replaced);
		info->has_sign |= READ_ONCE(part->area->has_sign);
		info->key_kind = area_kind(part) ?: info->key_kind;
	}
	add_open(metrics, metric, info);
	info->open_time -= metric->open_time_before;
	return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The metric whose rows are read, and how to name its keys. */
struct reader {
	const struct wk_metric *metric;
	u64 kind; /* WEFT_KEY_* of all its keys */
	wk_name_key name_key;
	const void *table;
};

static void format_key(const struct reader *reader, u64 key, const u64 *words, char *text,
		       size_t size)
{
	switch (reader->kind) {
	case WEFT_KEY_UNSIGNED:
		scnprintf(text, size, "%llu", key);
		break;
	case WEFT_KEY_SIGNED:
		scnprintf(text, size, "%lld", (s64)key);
		break;
	case WEFT_KEY_POINTER:
		scnprintf(text, size, "%ps", (void *)(unsigned long)key);
		break;
	case WEFT_KEY_TEXT:
		strscpy(text, (const char *)words, min_t(size_t, size, WR_TEXT_SIZE));
		break;
	case WEFT_KEY_FUNCTION:
	case WEFT_KEY_JOINPOINT:
		reader->name_key(reader->table, reader->kind, key, text, size);
		break;
	}
}

static u64 key_kind(const struct wk_metric *metric)
{
	u64 kind = WEFT_KEY_NONE;
	int cpu;

	for_each_possible_cpu(cpu)
		if (metric->parts[cpu].area)
			kind = area_kind(&metric->parts[cpu]) ?: kind;
	return kind;
}

/* Whether @values, of a row, are not what they began as. */
static bool has_values(const struct wk_metric *metric, const u64 *values)
{
	u64 any = 0;

	for (u32 i = 0; i < metric->info.nr_values; i++)
		if (!WR_HAS_BUCKETS(metric->info.type) || i != WR_LEAST)
			any |= values[i];
	return any;
}

/* Fills @to from row @index. False: it need not be reported. It is unused, or has no values. */
static bool fill_row(const struct reader *reader, const struct wk_metric_part *part, u32 index,
		     struct weft_metric_row *to)
{
	const struct wk_metric *metric = reader->metric;
	const u64 *row = part->area->cells + index * metric->row_words;
	const u64 *values = wk_metric_values(metric, part->area, index);
	u64 stored = metric->info.rows ? READ_ONCE(*row) : 1;

	if (!stored)
		return false;
	for (u32 i = 0; i < metric->info.nr_values; i++)
		to->values[i] = READ_ONCE(values[i]);
	memset(to->text, 0, sizeof(to->text));
	to->key = 0;
	if (metric->info.rows) {
		to->key = stored == 1 ? WR_KEY_TURN : stored ^ WR_KEY_TURN;
		format_key(reader, to->key, row + 1, to->text, sizeof(to->text));
	}
	/* A key's text may be stored on one CPU, and the values of that key on another. */
	return has_values(metric, to->values) || reader->kind == WEFT_KEY_TEXT;
}

static int read_count_row(const struct wk_metric *metric, struct weft_metric_rows *request,
			  void *buffer)
{
	struct weft_metric_row row = { 0 };
	u64 count = count_since(metric, request->cpu);

	request->first = WEFT_ROWS_END;
	request->used = 0;
	if (!count)
		return 0;
	if (request->size < sizeof(row) + sizeof(count))
		return -EMSGSIZE;
	request->used = sizeof(row) + sizeof(count);
	memcpy(buffer, &row, sizeof(row));
	memcpy(buffer + sizeof(row), &count, sizeof(count));
	return 0;
}

static int read_rows(const struct reader *reader, struct weft_metric_rows *request, void *buffer)
{
	const struct wk_metric *metric = reader->metric;
	const struct wk_metric_part *part = &metric->parts[request->cpu];
	u32 rows = wk_metric_rows(metric), row = request->first;
	size_t size = sizeof(struct weft_metric_row) + metric->info.nr_values * sizeof(u64);
	struct weft_metric_row *to = kvzalloc(size, WK_GFP_TABLE);
	int ret = to ? 0 : -ENOMEM;

	request->used = 0;
	for (; !ret && part->area && row < rows; row++) {
		if (!fill_row(reader, part, row, to))
			continue;
		if (size > request->size - request->used) {
			ret = request->used ? 0 : -EMSGSIZE;
			break;
		}
		memcpy(buffer + request->used, to, size);
		request->used += size;
		cond_resched();
	}
	kvfree(to);
	request->first = row < rows && part->area ? row : WEFT_ROWS_END;
	return ret;
}

int wk_metrics_rows(const struct wk_metrics *metrics, struct weft_metric_rows *request,
		    void *buffer, wk_name_key name_key, const void *table)
{
	struct reader reader = { .name_key = name_key, .table = table };

	wk_assert_locked();
	if (request->index >= metrics->nr || request->cpu >= nr_cpu_ids)
		return -ERANGE;
	/* CPU numbers may have gaps; there is no per-CPU data for a number that no CPU can have. */
	if (!cpu_possible(request->cpu)) {
		request->first = WEFT_ROWS_END;
		request->used = 0;
		return 0;
	}
	reader.metric = &metrics->list[request->index];
	if (!reader.metric->words)
		return read_count_row(reader.metric, request, buffer);
	reader.kind = key_kind(reader.metric);
	return read_rows(&reader, request, buffer);
}

/* ---- reset ----------------------------------------------------------------------------------- */

/* Words that a CPU sets to zero at a time, with interrupts off. */
enum { PIECE_WORDS = 8192 };

/* Rows of an area from .first up to .next. */
struct piece {
	const struct wk_metric *metric;
	struct wr_area *area;
	u32 first, next;
};

/*
 * Runs on the CPU whose area it is. Advice that this interrupts may add one part of a hit before
 * and another part after it.
 */
static void clear_piece(void *context)
{
	struct piece *piece = context;

	if (!piece->first) {
		WRITE_ONCE(piece->area->full, 0);
		WRITE_ONCE(piece->area->unmatched, 0);
		WRITE_ONCE(piece->area->dropped, 0);
		WRITE_ONCE(piece->area->deep, 0);
		WRITE_ONCE(piece->area->replaced, 0);
	}
	for (; piece->first < piece->next; piece->first++)
		wk_metric_clear_row(piece->metric, piece->area, piece->first);
}

static void clear_area(const struct wk_metric *metric, int cpu)
{
	const u32 rows = wk_metric_rows(metric), step = 1 + PIECE_WORDS / metric->row_words;
	struct piece piece = { .metric = metric, .area = metric->parts[cpu].area };

	while (piece.first < rows) {
		piece.next = min(piece.first + step, rows);
		/* A CPU that is not there does not write. */
		if (smp_call_function_single(cpu, clear_piece, &piece, true))
			clear_piece(&piece);
		cond_resched();
	}
}

int wk_metrics_reset(struct wk_metrics *metrics)
{
	int cpu;

	wk_assert_locked();
	for (u32 i = 0; i < metrics->nr; i++) {
		struct wk_metric *metric = &metrics->list[i];
		struct weft_metric_info info = { 0 };

		cpus_read_lock();
		for_each_possible_cpu(cpu) {
			if (metric->words)
				clear_area(metric, cpu);
			else
				metric->parts[cpu].count_before = wk_metric_count(metric, cpu);
		}
		cpus_read_unlock();
		add_open(metrics, metric, &info);
		metric->open_time_before = info.open_time;
		metric->ran = 0;
		metric->since = ktime_get_ns();
	}
	return 0;
}
