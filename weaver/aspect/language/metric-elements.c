// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics, and the words that their attributes accept instead of C; see metric-elements.h. */
#include <stdlib.h>
#include <string.h>

#include "runtime/metric-table.h"
#include "aspect/language/metric-elements.h"

const struct wv_metric_word wv_by_words[] = {
	{ .name = "comm", .code = "current->comm", .size = "TASK_COMM_LEN", .words = 2 },
	/*
	 * What weft calls pid is the number of a process, which the kernel calls tgid. The kernel's
	 * `pid` is the number of a thread.
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
	{ .name = "stack", .words = WR_STACK_WORDS, .stack = true },
	{ .name = "now", .code = "weft_now()", .kind = "WEFT_KEY_TIME", .time = true },
	{ NULL }
};

const struct wv_metric_word wv_key_words[] = {
	[WV_KEY_TASK] = { .name = "task", .code = "wr_task_key(current)" },
	[WV_KEY_CPU] = { .name = "cpu", .code = "raw_smp_processor_id()" },
	{ NULL }
};

const struct wv_metric_word *wv_metric_find_word(const struct wv_metric_word *words,
						 const char *name)
{
	for (; words && words->name; words++)
		if (!strcmp(words->name, name))
			return words;
	return NULL;
}

bool wv_metric_is_plain(const struct wv_metric *metric)
{
	return metric->type == WEFT_METRIC_COUNTER && !metric->by.text;
}

bool wv_metric_is_pair(const struct wv_metric *metric)
{
	return metric->type == WEFT_METRIC_ELAPSED || metric->type == WEFT_METRIC_CONCURRENCY;
}

/*
 * Sets @ret to the expressions that one advice of the metric evaluates, and returns their number.
 * @ends: the advice is the one at the end of a pair. An attribute that is absent has an expression,
 * too, without text.
 */
static size_t expressions_of(const struct wv_metric *metric, bool ends,
			     const struct wv_metric_expression *ret[3 + WEFT_KEYS_MAX])
{
	size_t n = 0;

	if (ends) {
		ret[n++] = metric->to_key.text ? &metric->to_key : &metric->key;
		ret[n++] = &metric->to_condition;
		return n;
	}
	ret[n++] = &metric->condition;
	ret[n++] = wv_metric_is_pair(metric) ? &metric->key : &metric->value;
	for (size_t i = 0; i < metric->by.n; i++)
		ret[n++] = &metric->by.key[i].expression;
	return n;
}

const struct wv_aspect_code *wv_metric_code(const struct wv_metric *metric, bool ends, size_t index)
{
	const struct wv_metric_expression *expressions[3 + WEFT_KEYS_MAX];
	size_t n = expressions_of(metric, ends, expressions);

	return index < n ? &expressions[index]->code : NULL;
}

uint32_t wv_metric_key_words(const struct wv_metric *metric, size_t index)
{
	const struct wv_metric_by_key *key = &metric->by.key[index];
	const struct wv_metric_word *word = key->expression.word;

	if (word && word->words)
		return word->words;
	/* Only the compiler knows whether an expression is a text. Reserve the room of a text. */
	if (!word && !key->step)
		return WR_TEXT_WORDS;
	return metric->by.n > 1;
}

static void deinit_expression(struct wv_metric_expression *expression)
{
	wv_aspect_code_deinit(&expression->code);
	free(expression->text);
}

void wv_metric_destroy(struct wv_metric *metric)
{
	deinit_expression(&metric->value);
	for (size_t i = 0; i < metric->by.n; i++) {
		deinit_expression(&metric->by.key[i].expression);
		free(metric->by.key[i].name);
	}
	free(metric->by.text);
	deinit_expression(&metric->condition);
	deinit_expression(&metric->key);
	deinit_expression(&metric->to_key);
	deinit_expression(&metric->to_condition);
	free(metric->name);
	free(metric->unit);
	free(metric);
}
