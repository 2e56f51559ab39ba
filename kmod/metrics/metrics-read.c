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
#include "metrics/key-text.h"
#include "metrics/metrics.h"
#include "base/lock.h"

static u64 count_since(const struct wk_metric *metric, int cpu)
{
	return wk_metric_count(metric, cpu) - metric->parts[cpu].count_before;
}

/* ---- reading the totals of a metric ---------------------------------------------------------- */

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

/*
 * Returns the weight of row @index. wr_row_weight() computes the same, but needs a layout that is
 * known at compile time.
 */
static u64 weight_of(const struct wk_metric *metric, const struct wk_metric_part *part, u32 index)
{
	const u64 *values = wk_metric_values(metric, part->area, index);
	const s64 weight = READ_ONCE(values[WR_WEIGHT(metric->info.type)]);

	return READ_ONCE(values[-1]) + (weight < 0 ? 0 : weight);
}

/*
 * Returns how much of a key's total on this CPU may be missing in the key's row, at most: it was
 * counted before the key took the row, or the key has no row. Within one set of rows that is at
 * most the weight of the lightest row (wr_row_replace()). The result is the greatest of these
 * weights over all sets.
 */
static u64 most_missing(const struct wk_metric *metric, const struct wk_metric_part *part)
{
	const u32 rows = metric->info.rows, set = min_t(u32, rows, WR_PROBES);
	u64 most = 0;

	for (u32 first = 0; first < rows; first += set) {
		u64 least = U64_MAX;

		for (u32 i = 0; i < set && least > most; i++)
			least = min(least, weight_of(metric, part, first + i));
		most = max(most, least);
		cond_resched();
	}
	return most;
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
		info->replaced_rows += READ_ONCE(part->area->replaced_rows);
		if (READ_ONCE(part->area->replaced_rows))
			info->missing += most_missing(metric, part);
		info->unmatched += READ_ONCE(part->area->unmatched);
		info->dropped += READ_ONCE(part->area->dropped);
		info->deep += READ_ONCE(part->area->deep);
		info->replaced += READ_ONCE(part->area->replaced);
		info->has_sign |= READ_ONCE(part->area->has_sign);
	}
	for (u32 i = 0; i < info->nr_keys; i++)
		info->key_kinds[i] = wk_metric_kinds(metric) >> 8 * i & 0xff;
	add_open(metrics, metric, info);
	info->open_time -= metric->open_time_before;
	return 0;
}

/* ---- reading rows ---------------------------------------------------------------------------- */

/* Has the row with these @values counted anything? WR_LEAST is left out: it does not begin as 0. */
static bool has_values(const struct wk_metric *metric, const u64 *values)
{
	u64 any = 0;

	for (u32 i = 0; i < metric->info.nr_values; i++)
		if (!WR_HAS_BUCKETS(metric->info.type) || i != WR_LEAST)
			any |= values[i];
	return any;
}

/* Returns the key that a row stores as @stored (WR_KEY_TURN). */
static u64 key_of(const struct wk_metric *metric, u64 stored)
{
	return metric->hashed ? stored : stored ^ WR_KEY_TURN;
}

/*
 * Fills @to with row @index in the form that readers get. Returns the size in bytes; 0: the row
 * need not be reported, since it is unused or has counted nothing.
 */
static size_t fill_row(const struct wk_key_reader *reader, const struct wk_metric_part *part,
		       u32 index, struct weft_metric_row *to)
{
	const struct wk_metric *metric = reader->metric;
	const u64 *values = wk_metric_values(metric, part->area, index);
	const u64 *row = values - metric->all_key_words;
	const bool keyed = index < metric->info.rows;
	u64 stored = keyed ? READ_ONCE(*row) : 1;
	u64 *out;
	size_t n;

	if (!stored || (keyed && stored == WR_ROW_BUSY))
		return 0;
	*to = (struct weft_metric_row){ .others = metric->info.rows && !keyed };
	if (keyed) {
		to->key = key_of(metric, stored);
		n = wk_key_texts(reader, to->key, row);
		to->text_size = ALIGN(n, sizeof(u64));
		memset(to + 1, 0, to->text_size);
		memcpy(to + 1, reader->text, n);
	}
	out = (void *)(to + 1) + to->text_size;
	for (u32 i = 0; i < metric->info.nr_values; i++)
		out[i] = READ_ONCE(values[i]);
	/* Another key may have taken the row meanwhile. */
	if (keyed && READ_ONCE(*row) != stored)
		return 0;
	/*
	 * A row that has counted nothing is still reported if it has its key's text: on another CPU
	 * the key's row may have values but no text.
	 */
	if (!has_values(metric, out) && !to->text_size)
		return 0;
	return (void *)(out + metric->info.nr_values) - (void *)to;
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

static int read_rows(const struct wk_key_reader *reader, struct weft_metric_rows *request,
		     void *buffer, struct weft_metric_row *to)
{
	const struct wk_metric *metric = reader->metric;
	const struct wk_metric_part *part = &metric->parts[request->cpu];
	u32 rows = wk_metric_parts(metric), row = request->first;
	size_t size;
	int ret = 0;

	request->used = 0;
	for (; part->area && row < rows; row++) {
		cond_resched();
		size = fill_row(reader, part, row, to);
		if (!size)
			continue;
		if (size > request->size - request->used) {
			ret = request->used ? 0 : -EMSGSIZE;
			break;
		}
		memcpy(buffer + request->used, to, size);
		request->used += size;
	}
	request->first = row < rows && part->area ? row : WEFT_ROWS_END;
	return ret;
}

int wk_metrics_rows(const struct wk_metrics *metrics, struct weft_metric_rows *request,
		    void *buffer, wk_name_key name_key, const void *table)
{
	struct wk_key_reader reader = { .name_key = name_key, .table = table };
	struct weft_metric_row *row;
	int ret = -ENOMEM;

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
	reader.kinds = wk_metric_kinds(reader.metric);
	reader.text = kvmalloc(WK_KEY_TEXT_MAX, WK_GFP_TABLE);
	row = kvmalloc(sizeof(*row) + WK_KEY_TEXT_MAX + reader.metric->info.nr_values * sizeof(u64),
		       WK_GFP_TABLE);
	if (reader.text && row)
		ret = read_rows(&reader, request, buffer, row);
	kvfree(reader.text);
	kvfree(row);
	return ret;
}

/* ---- resetting metrics ----------------------------------------------------------------------- */

/* The number of words that a CPU sets to zero at a time, with interrupts off. */
enum { PIECE_WORDS = 8192 };

/* The rows of an area from .first to the one before .next. */
struct piece {
	const struct wk_metric *metric;
	struct wr_area *area;
	u32 first, next;
};

/*
 * Sets the rows of @context, a struct piece, to zero. Runs on the CPU whose rows they are, and may
 * interrupt advice there in the middle of a hit. What that hit has added before is then lost, and
 * what it adds afterwards is kept; so the values of the row do not belong to the same hits any
 * more.
 */
static void clear_piece(void *context)
{
	struct piece *piece = context;

	if (!piece->first) {
		WRITE_ONCE(piece->area->full, 0);
		WRITE_ONCE(piece->area->replaced_rows, 0);
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
	const u32 rows = wk_metric_parts(metric), step = 1 + PIECE_WORDS / metric->row_words;
	struct piece piece = { .metric = metric, .area = metric->parts[cpu].area };

	while (piece.first < rows) {
		piece.next = min(piece.first + step, rows);
		/* An offline CPU does not write to its area, so this CPU may. */
		if (smp_call_function_single(cpu, clear_piece, &piece, true))
			clear_piece(&piece);
		cond_resched();
	}
}

void wk_metric_keep_open(const struct wk_metrics *metrics, struct wk_metric *metric)
{
	struct weft_metric_info info = { 0 };

	add_open(metrics, metric, &info);
	metric->open_time_before -= info.open_time;
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
