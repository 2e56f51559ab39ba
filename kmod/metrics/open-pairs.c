// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies open pairs, starts that wait for their ends, for readers; see metrics.h. Advice may change
 * a slot meanwhile. So the state of a slot is read before and after its contents, and the slot is
 * left out if the two differ.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/lock.h"
#include "base/table-memory.h"
#include "metrics/key-text.h"
#include "metrics/metrics.h"

/* The task that made the start in a slot. .tid is 0 if the task has ended or is the idle task. */
struct owner {
	u32 pid, tid;
	char comm[TASK_COMM_LEN];
};

struct opens {
	const struct wk_metrics *metrics;
	const struct wk_metric *metric;
	struct wk_key_reader reader;
	/* owner of each slot; NULL: the metric's pairs are not told apart by task */
	struct owner *owners;
	u64 now, now_ns;      /* the present time, by the metrics' clock and by CLOCK_MONOTONIC */
	struct weft_open_pair *to; /* the pair that is copied next, followed by its texts */
};

/* Stores @task as the owner of each slot that has one of its starts. */
static void note_owner(const struct opens *opens, const struct task_struct *task)
{
	const struct wr_pairs *pairs = &opens->metric->pairs;
	const u64 key = wr_task_key(task);
	const struct wr_pair *bucket = wr_pair_bucket(pairs->slots, pairs->bits, key);

	for (u32 way = 0; way < WR_PAIR_WAYS; way++) {
		struct owner *owner = &opens->owners[bucket - pairs->slots + way];

		if (!wr_pair_is_waiting(wr_pair_state(&bucket[way])) ||
		    READ_ONCE(bucket[way].key) != key)
			continue;
		owner->pid = task->tgid;
		owner->tid = task->pid;
		strscpy(owner->comm, task->comm, sizeof(owner->comm));
	}
}

static int find_owners(struct opens *opens)
{
	const struct task_struct *process, *task;

	if (opens->metric->pair_key != WEFT_PAIR_TASK)
		return 0;
	opens->owners = kvcalloc(opens->metric->nr_slots, sizeof(*opens->owners), WK_GFP_TABLE);
	if (!opens->owners)
		return -ENOMEM;
	rcu_read_lock();
	for_each_process_thread(process, task)
		note_owner(opens, task);
	rcu_read_unlock();
	return 0;
}

/* Returns the row of @key on any CPU where the values of the key are known; NULL: there is none. */
static const u64 *find_row(const struct wk_metric *metric, u64 key)
{
	const u32 rows = metric->info.rows, set = min_t(u32, rows, WR_PROBES) - 1;
	const u32 bits = ilog2(rows);
	const u64 stored = metric->hashed ? key : wr_stored_key(key);
	const u32 index = !bits ? 0 : metric->hashed ? key >> (64 - bits) : wr_hash(stored, bits);
	int cpu;

	for_each_possible_cpu(cpu) {
		struct wr_area *area = metric->parts[cpu].area;

		for (u32 i = 0; area && i <= set; i++) {
			const u32 at = (index & ~set) | ((index + i) & set);
			const u64 *row = wk_metric_values(metric, area, at) - metric->all_key_words;

			if (READ_ONCE(*row) == stored &&
			    (metric->info.nr_keys < 2 ||
			     READ_ONCE(row[metric->all_key_words - 2])))
				return row;
		}
	}
	return NULL;
}

/* Writes the name of the joinpoint where the pair in @slot has started; "" if not known. */
static size_t name_where(const struct opens *opens, u32 slot, char *text)
{
	const struct wk_metrics *metrics = opens->metrics;
	const struct wk_metric *metric = opens->metric;
	u64 index = metric->first_start;

	text[0] = 0;
	if (metric->pairs.where)
		index = (READ_ONCE(metric->pairs.where[slot]) - metrics->joinpoints) /
			sizeof(struct weft_joinpoint);
	if (index < metrics->nr_joinpoints)
		opens->reader.name_key(opens->reader.table, WEFT_KEY_JOINPOINT, index, text,
				       WK_KEY_TEXT);
	return strlen(text) + 1;
}

/*
 * Writes the values of the key of the pair's row to @text, or empty texts if they are not known.
 * Returns the number of bytes.
 */
static size_t name_row(const struct opens *opens, u32 slot, char *text)
{
	const struct wk_metric *metric = opens->metric;
	const u32 nr_keys = metric->info.nr_keys;
	const u64 *row;
	u64 key;
	size_t n = 0;

	if (!nr_keys)
		return 0;
	key = READ_ONCE(metric->pairs.by[slot]);
	row = find_row(metric, key);
	if (row)
		n = wk_key_texts(&opens->reader, key, row);
	memcpy(text, opens->reader.text, n);
	if (n)
		return n;
	memset(text, 0, nr_keys);
	return nr_keys;
}

/*
 * Fills opens->to with the pair in @slot. Returns the number of bytes; 0: the slot has no open
 * pair.
 */
static size_t fill_pair(const struct opens *opens, u32 slot)
{
	const struct wk_metric *metric = opens->metric;
	const struct wr_pair *pair = &metric->pairs.slots[slot];
	const u64 state = wr_pair_state(pair), mult = opens->metrics->clock.mult;
	const u64 away = metric->pairs.away ? READ_ONCE(metric->pairs.away[slot]) : 0;
	const s64 wall = opens->now - (state >> WR_PAIR_TIME);
	const s64 units = metric->pairs.away ? wr_pair_units(state, opens->now, away) : wall;
	struct weft_open_pair *to = opens->to;
	char *text = (char *)(to + 1);
	size_t n;

	if (!wr_pair_is_waiting(state) || !(state & WR_PAIR_COUNTS))
		return 0;
	*to = (struct weft_open_pair){
		.key = metric->pair_key == WEFT_PAIR_TASK ? 0 : READ_ONCE(pair->key),
		.since = opens->now_ns - wr_nanoseconds(wall < 0 ? 0 : wall, mult),
		.age = wr_nanoseconds(units < 0 ? 0 : units, mult),
		.key_kind = metric->pair_key,
	};
	if (opens->owners && opens->owners[slot].tid) {
		to->pid = opens->owners[slot].pid;
		to->tid = opens->owners[slot].tid;
		memcpy(to->comm, opens->owners[slot].comm, sizeof(to->comm));
	}
	n = name_where(opens, slot, text);
	n += name_row(opens, slot, text + n);
	to->text_size = ALIGN(n, sizeof(u64));
	memset(text + n, 0, to->text_size - n);
	return wr_pair_state(pair) == state ? sizeof(*to) + to->text_size : 0;
}

static int read_pairs(const struct opens *opens, struct weft_metric_rows *request, void *buffer)
{
	const u32 nr_slots = opens->metric->nr_slots;
	u32 slot = request->first;
	size_t size;

	request->used = 0;
	for (; slot < nr_slots; slot++) {
		cond_resched();
		size = fill_pair(opens, slot);
		if (!size)
			continue;
		if (size > request->size - request->used)
			break;
		memcpy(buffer + request->used, opens->to, size);
		request->used += size;
	}
	if (slot < nr_slots && !request->used)
		return -EMSGSIZE;
	request->first = slot < nr_slots ? slot : WEFT_ROWS_END;
	return 0;
}

int wk_metrics_open(const struct wk_metrics *metrics, struct weft_metric_rows *request,
		    void *buffer, wk_name_key name_key, const void *table)
{
	struct opens opens = { .metrics = metrics };
	const struct wk_metric *metric;
	int ret = -ENOMEM;

	wk_assert_locked();
	if (request->index >= metrics->nr || request->cpu)
		return -ERANGE;
	opens.metric = metric = &metrics->list[request->index];
	opens.reader = (struct wk_key_reader){
		.metric = metric, .kinds = wk_metric_kinds(metric),
		.name_key = name_key, .table = table,
		.text = kvmalloc(WK_KEY_TEXT_MAX, WK_GFP_TABLE),
	};
	opens.to = kvmalloc(sizeof(*opens.to) + WK_KEY_TEXT + WK_KEY_TEXT_MAX + sizeof(u64),
			    WK_GFP_TABLE);
	opens.now = metric->running ? wr_now(&metrics->clock) : metric->stopped_at;
	opens.now_ns = metric->running ? ktime_get_ns() : metric->stopped_ns;
	if (opens.reader.text && opens.to)
		ret = find_owners(&opens);
	if (!ret)
		ret = read_pairs(&opens, request, buffer);
	kvfree(opens.owners);
	kvfree(opens.to);
	kvfree(opens.reader.text);
	return ret;
}
