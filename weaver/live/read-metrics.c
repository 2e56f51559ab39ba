// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads metrics, CPU by CPU; see read-metrics.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "runtime/metric-table.h"
#include "base/cleanup.h"
#include "live/read-metrics.h"

enum { ROWS_BUFFER = 256 * 1024 };

static void *copy(const void *from, size_t n)
{
	void *to = malloc(n ? n : 1);

	return to ? memcpy(to, from, n) : NULL;
}

/* Adds the values of @row to reading->others, which also takes over or frees the memory of @row. */
static void add_others(struct wv_metric_reading *reading, struct wv_metric_row *row)
{
	if (!reading->others.values) {
		reading->others = *row;
		return;
	}
	wv_row_add(&reading->info, reading->others.values, row->values);
	wv_metric_row_deinit(row);
}

/*
 * Adds to @reading the row that begins at @at, where the buffer has @size bytes left. Returns the
 * row's size in bytes, or a negative code.
 */
static long add_row(struct wv_metric_reading *reading, const char *at, size_t size,
		    struct wv_error *error)
{
	const size_t values = reading->info.nr_values * sizeof(uint64_t);
	struct wv_metric_row new = { 0 }, *row;
	struct weft_metric_row head;

	if (size < sizeof(head) + values)
		return wv_fail(error, WV_E_FORMAT, "%s: a row ends too early",
			       reading->info.metric);
	memcpy(&head, at, sizeof(head));
	if (head.text_size > size - sizeof(head) - values ||
	    (head.text_size && at[sizeof(head) + head.text_size - 1]))
		return wv_fail(error, WV_E_FORMAT, "%s: a row's key has no end",
			       reading->info.metric);
	new.key = head.key;
	new.texts_size = head.text_size;
	new.texts = head.text_size ? copy(at + sizeof(head), head.text_size) : NULL;
	new.values = copy(at + sizeof(head) + head.text_size, values);
	row = wv_vec_push(&reading->rows);
	if (!row || !new.values || (head.text_size && !new.texts)) {
		reading->rows.n -= row != NULL;
		wv_metric_row_deinit(&new);
		return wv_no_memory(error);
	}
	*row = new;
	if (head.others) {
		reading->rows.n--;
		add_others(reading, &new);
	}
	return (long)(sizeof(head) + head.text_size + values);
}

/*
 * Calls @add for each row or open pair in the buffer. @add returns its size in bytes, so that the
 * next one can be found, or a negative code, which is then the result.
 */
static int add_each(struct wv_metric_reading *reading, const void *buffer, size_t size,
		    long (*add)(struct wv_metric_reading *reading, const char *at, size_t size,
				struct wv_error *error),
		    struct wv_error *error)
{
	const char *at = buffer;

	while (size) {
		long n = add(reading, at, size, error);

		if (n < 0)
			return (int)n;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

int wv_reading_add(struct wv_metric_reading *reading, const void *buffer, size_t size,
		   struct wv_error *error)
{
	return add_each(reading, buffer, size, add_row, error);
}

void wv_metric_row_deinit(struct wv_metric_row *row)
{
	free(row->texts);
	free(row->values);
}

/*
 * @texts has texts that end with a NUL each, of @size bytes in all. Returns the one with the index
 * @index; "" if there are not so many.
 */
static const char *text_of(const char *texts, size_t size, size_t index)
{
	const char *end = texts + size;

	for (; texts < end && index; index--)
		texts += strlen(texts) + 1;
	return texts < end ? texts : "";
}

const char *wv_key_name(const struct weft_metric_info *info, size_t index)
{
	return text_of(info->by, sizeof(info->by), index);
}

const char *wv_row_text(const struct wv_metric_row *row, size_t index)
{
	return row->texts ? text_of(row->texts, row->texts_size, index) : "";
}

static int by_key(const void *a, const void *b)
{
	const struct wv_metric_row *left = a, *right = b;

	return (left->key > right->key) - (left->key < right->key);
}

/* Returns the number by which rows are sorted: a count, a sum or a total. The largest is first. */
static uint64_t weight(const struct weft_metric_info *info, const struct wv_metric_row *row)
{
	uint64_t weight = 0;

	switch (info->type) {
	case WEFT_METRIC_COUNTER:
		return row->values[WR_COUNT];
	case WEFT_METRIC_SUM:
	case WEFT_METRIC_CONCURRENCY:
		return row->values[WR_SUM];
	case WEFT_METRIC_ELAPSED:
		return row->values[WR_TOTAL];
	}
	for (size_t i = WR_BELOW; i < info->nr_values; i++)
		weight += row->values[i];
	return weight;
}

static int by_weight(const void *a, const void *b, void *info)
{
	uint64_t left = weight(info, a), right = weight(info, b);
	int order = (left < right) - (left > right);

	return order ? order : strcmp(wv_row_text(a, 0), wv_row_text(b, 0));
}

static bool is_empty(const struct weft_metric_info *info, const struct wv_metric_row *row)
{
	for (size_t i = 0; i < info->nr_values; i++)
		if (row->values[i] && !(WR_HAS_BUCKETS(info->type) && i == WR_LEAST))
			return false;
	return true;
}

void wv_row_begin(const struct weft_metric_info *info, uint64_t *values)
{
	memset(values, 0, info->nr_values * sizeof(*values));
	if (WR_HAS_BUCKETS(info->type))
		values[WR_LEAST] = WR_NO_LEAST;
}

void wv_row_add(const struct weft_metric_info *info, uint64_t *to, const uint64_t *from)
{
	const bool extremes = WR_HAS_BUCKETS(info->type);

	for (size_t i = 0; i < info->nr_values; i++) {
		if (extremes && i == WR_LEAST)
			to[i] = from[i] < to[i] ? from[i] : to[i];
		else if (extremes && i == WR_MOST)
			to[i] = from[i] > to[i] ? from[i] : to[i];
		else
			to[i] += from[i];
	}
}

void wv_reading_finish(struct wv_metric_reading *reading)
{
	struct wv_metric_row *rows = reading->rows.data;
	size_t kept = 0, full = 0;

	if (!reading->rows.n)
		return;
	qsort(rows, reading->rows.n, sizeof(*rows), by_key);
	for (size_t i = 0; i < reading->rows.n; i++) {
		if (!kept || rows[kept - 1].key != rows[i].key) {
			rows[kept++] = rows[i];
			continue;
		}
		wv_row_add(&reading->info, rows[kept - 1].values, rows[i].values);
		if (!rows[kept - 1].texts) {
			rows[kept - 1].texts = rows[i].texts;
			rows[kept - 1].texts_size = rows[i].texts_size;
			rows[i].texts = NULL;
		}
		wv_metric_row_deinit(&rows[i]);
	}
	for (size_t i = 0; i < kept; i++) {
		/* If no CPU had the text of the row's key, the row cannot be shown on its own. */
		if (reading->info.nr_keys && !rows[i].texts)
			add_others(reading, &rows[i]);
		else if (is_empty(&reading->info, &rows[i]))
			wv_metric_row_deinit(&rows[i]);
		else
			rows[full++] = rows[i];
	}
	reading->rows.n = full;
	qsort_r(rows, full, sizeof(*rows), by_weight, &reading->info);
}

/* ---- reading open pairs ---------------------------------------------------------------------- */

static long add_open(struct wv_metric_reading *reading, const char *at, size_t size,
		     struct wv_error *error)
{
	struct wv_open_pair new = { 0 }, *pair;

	if (size < sizeof(new.start))
		return wv_fail(error, WV_E_FORMAT, "%s: a start ends too early",
			       reading->info.metric);
	memcpy(&new.start, at, sizeof(new.start));
	at += sizeof(new.start);
	if (!new.start.text_size || new.start.text_size > size - sizeof(new.start) ||
	    at[new.start.text_size - 1] ||
	    memchr(new.start.comm, 0, sizeof(new.start.comm)) == NULL)
		return wv_fail(error, WV_E_FORMAT, "%s: a start's text has no end",
			       reading->info.metric);
	new.texts = copy(at, new.start.text_size);
	pair = new.texts ? wv_vec_push(&reading->open) : NULL;
	if (!pair) {
		free(new.texts);
		return wv_no_memory(error);
	}
	*pair = new;
	return (long)(sizeof(new.start) + new.start.text_size);
}

int wv_reading_add_open(struct wv_metric_reading *reading, const void *buffer, size_t size,
			struct wv_error *error)
{
	return add_each(reading, buffer, size, add_open, error);
}

static int by_age(const void *a, const void *b)
{
	const struct wv_open_pair *left = a, *right = b;

	return (left->start.since > right->start.since) - (left->start.since < right->start.since);
}

void wv_reading_sort_open(struct wv_metric_reading *reading)
{
	if (reading->open.n)
		qsort(reading->open.data, reading->open.n, sizeof(*reading->open.data), by_age);
}

const char *wv_open_where(const struct wv_open_pair *pair)
{
	return text_of(pair->texts, pair->start.text_size, 0);
}

const char *wv_open_text(const struct wv_open_pair *pair, size_t index)
{
	return text_of(pair->texts, pair->start.text_size, index + 1);
}

/* ---- requesting the totals and rows of metrics ----------------------------------------------- */

/*
 * Adds to @reading all rows (@command is WEFT_IOC_METRIC_ROWS) or open pairs (WEFT_IOC_METRIC_OPEN)
 * that the metric reading->info.index of the aspect @name has on CPU @cpu. @buffer has ROWS_BUFFER
 * bytes.
 */
static int read_all(const struct wv_device *device, unsigned long command, const char *name,
		    uint32_t cpu, void *buffer, struct wv_metric_reading *reading,
		    struct wv_error *error)
{
	struct weft_metric_rows request = {
		.index = reading->info.index,
		.cpu = cpu,
		.size = ROWS_BUFFER,
		.buffer = (uintptr_t)buffer,
	};
	int err = 0;

	snprintf(request.name, sizeof(request.name), "%s", name);
	while (!err && request.first != WEFT_ROWS_END) {
		if (ioctl(device->fd, command, &request))
			return wv_fail_errno(error, errno, "reading metrics of %s", name);
		err = command == WEFT_IOC_METRIC_OPEN ?
			      wv_reading_add_open(reading, buffer, request.used, error) :
			      wv_reading_add(reading, buffer, request.used, error);
	}
	return err;
}

static int read_metric(const struct wv_device *device, const char *name, uint32_t index,
		       void *buffer, struct wv_readings *ret, bool *end_ret, struct wv_error *error)
{
	struct weft_metric_info info = { .index = index };
	struct wv_metric_reading *reading;
	int err = 0;

	snprintf(info.name, sizeof(info.name), "%s", name);
	*end_ret = false;
	if (ioctl(device->fd, WEFT_IOC_METRIC, &info)) {
		*end_ret = errno == ERANGE;
		if (*end_ret)
			return 0;
		return errno == ENOENT ? wv_fail(error, WV_E_STATE, "no aspect %s", name) :
					 wv_fail_errno(error, errno, "reading metrics of %s", name);
	}
	reading = wv_vec_push(&ret->list);
	if (!reading)
		return wv_no_memory(error);
	reading->info = info;
	for (uint32_t cpu = 0; !err && cpu < info.nr_cpus; cpu++)
		err = read_all(device, WEFT_IOC_METRIC_ROWS, name, cpu, buffer, reading, error);
	if (!err)
		wv_reading_finish(reading);
	return err;
}

int wv_readings_get(const struct wv_device *device, const char *name, struct wv_readings *ret,
		    struct wv_error *error)
{
	_cleanup_free_ void *buffer = malloc(ROWS_BUFFER);
	bool end = false;
	int err = buffer ? 0 : wv_no_memory(error);

	memset(ret, 0, sizeof(*ret));
	for (uint32_t index = 0; !err && !end; index++)
		err = read_metric(device, name, index, buffer, ret, &end, error);
	if (err)
		wv_readings_deinit(ret);
	return err;
}

int wv_readings_get_open(const struct wv_device *device, const char *name,
			 struct wv_readings *readings, struct wv_error *error)
{
	_cleanup_free_ void *buffer = malloc(ROWS_BUFFER);
	int err = buffer ? 0 : wv_no_memory(error);

	wv_vec_for_each(reading, &readings->list) {
		if (err || !reading->info.open)
			continue;
		err = read_all(device, WEFT_IOC_METRIC_OPEN, name, 0, buffer, reading, error);
		wv_reading_sort_open(reading);
	}
	return err;
}

void wv_readings_deinit(struct wv_readings *readings)
{
	wv_vec_for_each(reading, &readings->list) {
		wv_vec_for_each(pair, &reading->open)
			free(pair->texts);
		wv_vec_deinit(&reading->open);
		wv_vec_for_each(row, &reading->rows)
			wv_metric_row_deinit(row);
		wv_metric_row_deinit(&reading->others);
		wv_vec_deinit(&reading->rows);
	}
	wv_vec_deinit(&readings->list);
}

int wv_readings_reset(const struct wv_device *device, const char *name, struct wv_error *error)
{
	struct weft_metric_reset request = { 0 };

	snprintf(request.name, sizeof(request.name), "%s", name);
	if (!ioctl(device->fd, WEFT_IOC_METRIC_RESET, &request))
		return 0;
	if (errno == ENOENT)
		return wv_fail(error, WV_E_STATE, "no aspect %s", name);
	return wv_fail_errno(error, errno, "resetting the metrics of %s", name);
}
