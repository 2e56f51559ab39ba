// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics, and the words that their attributes accept instead of C; see metric-elements.h. */
#include <stdlib.h>

#include "aspect/language/metric-elements.h"

const struct wv_metric_word wv_by_words[] = {
	{ .name = "comm", .code = "current->comm", .size = "TASK_COMM_LEN" },
	/*
	 * weft's pid is the number of a process, which the kernel calls tgid; the kernel's `pid` is
	 * the number of a thread.
	 */
	{ .name = "pid", .code = "current->tgid" },
	{ .name = "tid", .code = "current->pid" },
	{ .name = "tgid", .code = "current->tgid" },
	{ .name = "uid", .code = "__kuid_val(current_uid())" },
	{ .name = "cpu", .code = "raw_smp_processor_id()", .kind = "WEFT_KEY_UNSIGNED" },
	{ .name = "function",
	  .code = "weft->shadow->joinpoint->function",
	  .kind = "WEFT_KEY_FUNCTION" },
	{ .name = "joinpoint", .code = "$jp", .variable = "$jp", .kind = "WEFT_KEY_JOINPOINT" },
	{ .name = "target", .code = "$target", .variable = "$target" },
	{ NULL }
};

const struct wv_metric_word wv_key_words[] = {
	{ .name = "task", .code = "wr_task_key(current)" },
	{ .name = "cpu", .code = "raw_smp_processor_id()" },
	{ NULL }
};

bool wv_metric_is_plain(const struct wv_metric *metric)
{
	return metric->type == WEFT_METRIC_COUNTER && !metric->by.text;
}

bool wv_metric_is_pair(const struct wv_metric *metric)
{
	return metric->type == WEFT_METRIC_ELAPSED || metric->type == WEFT_METRIC_CONCURRENCY;
}

/*
 * The expressions that an advice of the metric evaluates: if @ends, the advice at the end of a
 * pair; else the other one. Absent expressions are included, without text. Returns their number.
 */
static size_t expressions_of(const struct wv_metric *metric, bool ends,
			     const struct wv_metric_expression *ret[4])
{
	size_t n = 0;

	if (ends) {
		ret[n++] = metric->to_key.text ? &metric->to_key : &metric->key;
		ret[n++] = &metric->to_condition;
		return n;
	}
	ret[n++] = &metric->condition;
	ret[n++] = wv_metric_is_pair(metric) ? &metric->key : &metric->value;
	ret[n++] = &metric->by;
	return n;
}

const struct wv_aspect_code *wv_metric_code(const struct wv_metric *metric, bool ends, size_t index)
{
	const struct wv_metric_expression *expressions[4];
	size_t n = expressions_of(metric, ends, expressions);

	return index < n ? &expressions[index]->code : NULL;
}

static void deinit_expression(struct wv_metric_expression *expression)
{
	wv_aspect_code_deinit(&expression->code);
	free(expression->text);
}

void wv_metric_destroy(struct wv_metric *metric)
{
	deinit_expression(&metric->value);
	deinit_expression(&metric->by);
	deinit_expression(&metric->condition);
	deinit_expression(&metric->key);
	deinit_expression(&metric->to_key);
	deinit_expression(&metric->to_condition);
	free(metric->name);
	free(metric->unit);
	free(metric);
}
