// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes metrics as C; see write-metrics.h. Each expression that the author wrote is on lines of
 * its own, so that its columns match the XML. Its value is passed to functions of runtime/measure.h
 * and runtime/metric-table.h.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/metric-table.h"
#include "aspect/generate/write-metrics.h"

struct writer {
	const struct wv_metric *metric;
	wv_write_code write;
	void *context;
	struct wv_str *out;
	/* true: the C that runs at the end of a pair names $elapsed */
	bool names_elapsed;
	bool several;	    /* true: the metric starts at several joinpoints */
};

bool wv_metric_is_inline(const struct wv_metric *metric)
{
	return wv_metric_is_plain(metric) && !metric->condition.text && !metric->once;
}

static uint32_t nr_values(const struct wv_metric *metric)
{
	return WR_VALUES(metric->type, metric->buckets);
}

/* ---- the variables that hold the metrics' data ----------------------------------------------- */

void wv_metrics_write_storage(const struct wv_aspect *aspect, struct wv_str *out)
{
	wv_vec_for_each(each, &aspect->metrics) {
		const struct wv_metric *metric = *each;

		wv_str_add(out, metric->index ? "" : "\n");
		if (wv_metric_is_plain(metric))
			wv_str_addf(out, "static u64 __percpu *weft_count_%zu;\n", metric->index);
		else
			wv_str_addf(out,
				    "static DEFINE_PER_CPU(u64 *, weft_cells_%zu);\n",
				    metric->index);
		if (wv_metric_is_pair(metric))
			wv_str_addf(out, "static struct wr_pairs weft_pairs_%zu;\n", metric->index);
	}
}

/* ---- the C functions of the metrics' advice -------------------------------------------------- */

/*
 * Writes a declaration of @variable whose value is the expression. `(void)0,` turns the expression
 * into an rvalue: __auto_type does not accept a bit-field, and an array has to become a pointer.
 */
static void write_expression(struct writer *writer, const char *variable,
			     const struct wv_metric_expression *expression)
{
	wv_str_addf(writer->out, "\t__auto_type %s = ((void)0,", variable);
	if (expression->word) {
		wv_str_addf(writer->out, " %s);\n", expression->word->code);
		return;
	}
	wv_str_add(writer->out, "\n");
	writer->write(writer->context, &expression->code);
	wv_str_add(writer->out, "\t);\n");
}

static void write_condition(struct writer *writer, const char *before, const char *after)
{
	wv_str_add(writer->out, before);
	writer->write(writer->context, &writer->metric->condition.code);
	wv_str_add(writer->out, after);
}

static void write_cells(struct writer *writer)
{
	wv_str_addf(writer->out, "\tu64 *const weft_cells = this_cpu_read(weft_cells_%zu);\n",
		    writer->metric->index);
}

/*
 * Returns whether the key of each row is certainly a hash: a key of several values, a text or a
 * stack is stored by its hash, one number as it is. Returns false also if the key is one C
 * expression: then it is a hash if the expression is a text, which only the compiler knows.
 */
static bool is_hashed(const struct wv_metric *metric)
{
	const struct wv_metric_word *word = metric->by.key[0].expression.word;

	return metric->by.n > 1 || (metric->by.n && word && (word->size || word->stack));
}

static void write_layout(struct writer *writer)
{
	const struct wv_metric *metric = writer->metric;
	uint32_t words = 0;

	if (!metric->by.n)
		return;
	for (size_t i = 0; i < metric->by.n; i++)
		words += wv_metric_key_words(metric, i);
	wv_str_addf(writer->out,
		    "\tstatic const struct wr_layout weft_layout = {\n"
		    "\t\t.bits = %u, .key_words = %u, .hashed = %d, .nr_values = %u, "
		    ".weight = %d,\n\t};\n",
		    metric->row_bits, words, is_hashed(metric), nr_values(metric),
		    WR_WEIGHT(metric->type));
}

/* Writes declarations of weft_by_0, weft_by_1 and so on: the values of a row's key. */
static void write_keys(struct writer *writer)
{
	for (size_t i = 0; i < writer->metric->by.n; i++) {
		const struct wv_metric_by_key *key = &writer->metric->by.key[i];
		char name[32];

		if (key->expression.word && key->expression.word->stack)
			continue;
		snprintf(name, sizeof(name), key->step ? "weft_exact_%zu" : "weft_by_%zu", i);
		write_expression(writer, name, &key->expression);
		if (key->step)
			wv_str_addf(writer->out,
				    "\t__auto_type weft_by_%zu = "
				    "wr_floor(weft_exact_%zu, %llull);\n",
				    i, i, (unsigned long long)key->step);
	}
}

/* Adds the enum weft_key_kind of value @index of the key, as C. */
static void add_kind(const struct wv_metric_by_key *key, size_t index, struct wv_str *out)
{
	const struct wv_metric_word *word = key->expression.word;

	if (word && word->stack)
		wv_str_add(out, "WEFT_KEY_STACK");
	else if (key->time)
		wv_str_add(out, "WEFT_KEY_TIME");
	else if (word && word->size)
		wv_str_add(out, "WEFT_KEY_TEXT");
	else if (word && word->kind)
		wv_str_add(out, word->kind);
	else
		wv_str_addf(out, "wr_kind_of(weft_by_%zu)", index);
}

/* Writes the C that stores value @index of the key in weft_words, from word @at on. */
static void write_put(struct writer *writer, size_t index, uint32_t at)
{
	const struct wv_metric_word *word = writer->metric->by.key[index].expression.word;
	struct wv_str *out = writer->out;

	if (word && word->stack)
		wv_str_addf(out,
			    "\tweft_hash = wr_put_stack(weft_hash, &weft_words[%u], weft);\n",
			    at);
	else if (word && word->size)
		wv_str_addf(out,
			    "\tweft_hash = wr_put_text(weft_hash, &weft_words[%u], weft_by_%zu, "
			    "%s);\n",
			    at, index, word->size);
	else if (word || writer->metric->by.key[index].step)
		wv_str_addf(out,
			    "\tweft_hash = wr_put_number(weft_hash, &weft_words[%u], "
			    "(u64)weft_by_%zu);\n",
			    at, index);
	else
		wv_str_addf(out, "\tweft_hash = wr_put(weft_hash, &weft_words[%u], weft_by_%zu);\n",
			    at, index);
}

/*
 * Writes the declaration of weft_found, a struct wr_found: the row for this hit, in a metric whose
 * key has several values.
 */
static void write_find_several(struct writer *writer)
{
	const struct wv_metric *metric = writer->metric;
	struct wv_str *out = writer->out;
	uint32_t at = 0;

	wv_str_add(out, "\tu64 weft_words[] = {");
	for (size_t i = 0; i < metric->by.n; i++)
		for (uint32_t word = 0; word < wv_metric_key_words(metric, i); word++)
			wv_str_add(out, i || word ? ", 0" : " 0");
	wv_str_add(out, " }, weft_hash = 0;\n\n");
	for (size_t i = 0; i < metric->by.n; at += wv_metric_key_words(metric, i), i++)
		write_put(writer, i, at);
	wv_str_add(out, "\tconst struct wr_found weft_found = wr_find_hashed(\n"
			"\t\tweft_cells, weft_layout, weft_hash, weft_words,\n");
	for (size_t i = 0; i < metric->by.n; i++) {
		wv_str_add(out, i ? " |\n\t\t(u64)" : "\t\t(u64)");
		add_kind(&metric->by.key[i], i, out);
		wv_str_addf(out, " << %zu", 8 * i);
	}
	wv_str_add(out, ");\n");
}

/*
 * Writes the declaration of weft_found, a struct wr_found: the row for this hit, in a metric that
 * has `by`.
 */
static void write_find(struct writer *writer)
{
	const struct wv_metric_by_key *key = &writer->metric->by.key[0];
	const struct wv_metric_word *word = key->expression.word;
	struct wv_str *out = writer->out;

	if (writer->metric->by.n > 1) {
		write_find_several(writer);
		return;
	}
	wv_str_add(out, "\tconst struct wr_found weft_found = ");
	if (word && word->stack) {
		wv_str_add(out, "wr_find_stack(weft_cells, weft_layout, weft);\n");
	} else if (word && word->size) {
		wv_str_addf(out, "wr_find_text(weft_cells, weft_layout, weft_by_0, %s);\n",
			    word->size);
	} else if (key->time || (word && word->kind)) {
		wv_str_add(out, "wr_find(weft_cells, weft_layout, (u64)weft_by_0, ");
		add_kind(key, 0, out);
		wv_str_add(out, ");\n");
	} else {
		wv_str_add(out, "wr_find_by(weft_cells, weft_layout, weft_by_0);\n");
	}
}

/*
 * Writes the declaration of weft_values, a pointer to the metric's numbers that this hit will
 * change.
 */
static void write_values(struct writer *writer)
{
	if (!writer->metric->by.text) {
		wv_str_add(writer->out, "\tu64 *weft_values = weft_cells;\n\n");
		return;
	}
	write_find(writer);
	wv_str_add(writer->out, "\tu64 *weft_values = weft_found.values;\n\n");
}

static void write_change(struct writer *writer)
{
	const struct wv_metric *metric = writer->metric;
	struct wv_str *out = writer->out;

	if (metric->type == WEFT_METRIC_HISTOGRAM && metric->scale == WEFT_SCALE_LINEAR)
		wv_str_addf(out,
			    "\twr_linear_add(weft_cells, weft_values, (s64)weft_value, %lldll, "
			    "%lluull, %u);\n",
			    (long long)metric->least, (unsigned long long)metric->step,
			    metric->buckets);
	else if (metric->type == WEFT_METRIC_HISTOGRAM)
		wv_str_addf(out,
			    "\twr_log2_add(weft_cells, weft_values, (u64)weft_value, "
			    "wr_is_signed(weft_value), %u);\n",
			    metric->fine);
	else if (metric->type == WEFT_METRIC_ELAPSED)
		wv_str_addf(out, "\twr_log2_add(weft_cells, weft_values, weft_ns, false, %u);\n",
			    metric->fine);
	else
		wv_str_add(out, "\twr_increment(&weft_values[WR_COUNT]);\n");
	if (metric->type == WEFT_METRIC_SUM)
		wv_str_add(out, "\twr_add(&weft_values[WR_SUM], (u64)weft_value);\n");
	if (metric->type == WEFT_METRIC_CONCURRENCY)
		wv_str_add(out, "\twr_add(&weft_values[WR_SUM], weft_ns);\n");
}

static void write_of_value(struct writer *writer)
{
	const struct wv_metric *metric = writer->metric;

	if (metric->condition.text)
		write_condition(writer, "\tif (!(\n", "\t))\n\t\treturn;\n");
	if (metric->once)
		wv_str_add(writer->out, "\tif (!wr_first(weft))\n\t\treturn;\n");
	if (wv_metric_is_plain(metric)) {
		wv_str_addf(writer->out, "\tthis_cpu_inc(*weft_count_%zu);\n", metric->index);
		return;
	}
	if (metric->value.text)
		write_expression(writer, "weft_value", &metric->value);
	write_layout(writer);
	write_keys(writer);
	write_cells(writer);
	write_values(writer);
	write_change(writer);
}

static const char *yes_or_no(bool yes)
{
	return yes ? "true" : "false";
}

/*
 * Writes code for a start whose condition or guard does not hold, of a metric whose pairs do not
 * nest. Such a start returns without taking a slot in the table of pairs. If an earlier start with
 * the same key has a slot, the code frees that slot, because a new start replaces the earlier one.
 */
static void write_drop(struct writer *writer)
{
	const struct wv_metric *metric = writer->metric;

	if (!metric->condition.text && !metric->guarded)
		return;
	wv_str_addf(writer->out,
		    "\n\tif (!%s) {\n"
		    "\t\twr_pair_drop(weft_pairs_%zu.slots, %u, (u64)weft_key);\n"
		    "\t\treturn;\n\t}\n",
		    metric->condition.text ? "weft_counts" : "weft_active", metric->index,
		    metric->pair_bits);
}

static void write_start(struct writer *writer)
{
	const struct wv_metric *metric = writer->metric;
	struct wv_str *out = writer->out;

	if (metric->condition.text)
		write_condition(writer,
				metric->guarded ? "\tconst bool weft_counts = weft_active && (\n"
						: "\tconst bool weft_counts = !!(\n",
				"\t);\n");
	wv_str_addf(out,
		    "\tstatic const struct wr_start_traits weft_traits = {\n"
		    "\t\t.bits = %u, .away = %s, .replaces = %s, .where = %s,\n\t};\n",
		    metric->pair_bits, yes_or_no(metric->clock == WEFT_CLOCK_CPU),
		    yes_or_no(metric->replaces), yes_or_no(writer->several));
	write_expression(writer, "weft_key", &metric->key);
	if (metric->replaces)
		write_drop(writer);
	if (metric->by.text) {
		write_layout(writer);
		write_keys(writer);
		write_cells(writer);
		write_find(writer);
	}
	wv_str_addf(out,
		    "\n\twr_start(&weft_cells_%zu, &weft_pairs_%zu, weft_traits, (u64)weft_key, "
		    "%s, %s,\n\t\t weft->shadow->joinpoint, &weft_aspect.clock);\n",
		    metric->index, metric->index,
		    metric->replaces	   ? "true"
		    : metric->condition.text ? "weft_counts"
		    : metric->guarded	     ? "weft_active"
					     : "true",
		    metric->by.text ? "&weft_found.key" : "NULL");
}

static void write_end(struct writer *writer)
{
	const struct wv_metric *metric = writer->metric;
	const struct wv_metric_expression *key =
		metric->to_key.text ? &metric->to_key : &metric->key;
	struct wv_str *out = writer->out;

	wv_str_addf(out,
		    "\tstatic const struct wr_pair_traits weft_traits = {\n\t\t.bits = %u, .by = "
		    "%s, .away = %s,\n",
		    metric->pair_bits, yes_or_no(metric->by.text),
		    yes_or_no(metric->clock == WEFT_CLOCK_CPU));
	wv_str_addf(out, "\t\t.backwards = %s,\n\t};\n", yes_or_no(!key->word));
	write_layout(writer);
	wv_str_add(out, "\tconst u64 weft_now = wr_now(&weft_aspect.clock);\n");
	write_expression(writer, "weft_key", key);
	wv_str_add(out, "\tu64 weft_by = 0, weft_ns, *weft_values;\n");
	wv_str_addf(out,
		    "\tconst u64 weft_start = wr_end(&weft_pairs_%zu, weft_traits, (u64)weft_key, "
		    "&weft_by,\n"
		    "\t\t\t\t\t weft_now, &weft_aspect.clock, &weft_ns);\n",
		    metric->index);
	write_cells(writer);
	wv_str_add(out, "\n\tif (!weft_start) {\n"
			"\t\twr_increment(&wr_area_of(weft_cells)->unmatched);\n"
			"\t\treturn;\n\t}\n");
	if (!metric->replaces && (metric->condition.text || metric->guarded))
		wv_str_add(out, "\tif (!(weft_start & WR_PAIR_COUNTS))\n\t\treturn;\n");
	if (writer->names_elapsed)
		wv_str_add(out, "\tconst u64 $elapsed = weft_ns;\n\n");
	if (metric->to_condition.text) {
		wv_str_add(out, "\tif (!(\n");
		writer->write(writer->context, &metric->to_condition.code);
		wv_str_add(out, "\t))\n\t\treturn;\n");
	}
	if (!metric->by.text) {
		wv_str_add(out, "\tweft_values = weft_cells;\n");
		write_change(writer);
		return;
	}
	wv_str_add(out, "\tweft_values = wr_find(weft_cells, weft_layout, weft_by, "
			"WEFT_KEY_NONE).values;\n");
	write_change(writer);
}

static uint64_t elapsed_bit(void)
{
	static const char name[] = "$elapsed";

	return WV_VARIABLE_BIT(wv_variable_find(name, strlen(name)));
}

void wv_metric_write_body(const struct wv_aspect_advice *advice, bool several, wv_write_code write,
			  void *context, struct wv_str *out)
{
	struct writer writer = {
		.metric = advice->metric, .write = write, .context = context, .out = out,
		.several = several,
		.names_elapsed = advice->code.variables & elapsed_bit(),
	};

	if (advice->ends)
		write_end(&writer);
	else if (wv_metric_is_pair(advice->metric))
		write_start(&writer);
	else
		write_of_value(&writer);
}

/* ---- the table of metrics for weft.ko -------------------------------------------------------- */

static void write_text(struct wv_str *out, const char *field, const char *text)
{
	wv_str_addf(out, " .%s = ", field);
	wv_str_add_c(out, text ? text : "");
	wv_str_add(out, ",");
}

static void write_by(const struct wv_metric *metric, struct wv_str *out)
{
	wv_str_add(out, metric->by.n ? " .by = " : " .by = \"\"");
	for (size_t i = 0; i < metric->by.n; i++) {
		wv_str_add(out, i ? " \"\\0\" " : "");
		wv_str_add_c(out, metric->by.key[i].name);
	}
	wv_str_add(out, ",");
	if (!metric->by.n)
		return;
	wv_str_addf(out, " .nr_keys = %zu, .key_words = {", metric->by.n);
	for (size_t i = 0; i < metric->by.n; i++)
		wv_str_addf(out, "%s %u", i ? "," : "", wv_metric_key_words(metric, i));
	wv_str_addf(out, " }, .hashed = %s,", yes_or_no(is_hashed(metric)));
}

/* Returns the enum weft_pair_key of the metric, as C. */
static const char *pair_key(const struct wv_metric *metric)
{
	const struct wv_metric_word *word = metric->key.word;

	return word == &wv_key_words[WV_KEY_TASK] ? "WEFT_PAIR_TASK" :
	       word == &wv_key_words[WV_KEY_CPU]  ? "WEFT_PAIR_CPU" :
						    "WEFT_PAIR_NUMBER";
}

static void write_row(const struct wv_metric *metric, struct wv_str *out)
{
	static const char *const types[] = {
		[WEFT_METRIC_COUNTER] = "WEFT_METRIC_COUNTER",
		[WEFT_METRIC_SUM] = "WEFT_METRIC_SUM",
		[WEFT_METRIC_HISTOGRAM] = "WEFT_METRIC_HISTOGRAM",
		[WEFT_METRIC_ELAPSED] = "WEFT_METRIC_ELAPSED",
		[WEFT_METRIC_CONCURRENCY] = "WEFT_METRIC_CONCURRENCY",
	};

	wv_str_add(out, "\t{");
	write_text(out, "name", metric->name);
	write_text(out, "unit", metric->unit);
	wv_str_add(out, "\n\t ");
	write_text(out, "value", metric->value.text);
	write_by(metric, out);
	wv_str_addf(out, "\n\t  .type = %s, .scale = %s, .clock = %s,\n", types[metric->type],
		    metric->scale == WEFT_SCALE_LINEAR ? "WEFT_SCALE_LINEAR" : "WEFT_SCALE_LOG2",
		    metric->clock == WEFT_CLOCK_CPU ? "WEFT_CLOCK_CPU" : "WEFT_CLOCK_WALL");
	wv_str_addf(out, "\t  .fine = %u, .buckets = %u, .least = %lldll, .step = %lluull,\n",
		    metric->fine, metric->buckets, (long long)metric->least,
		    (unsigned long long)metric->step);
	wv_str_addf(out, "\t  .row_bits = %u, .pair_bits = %u,", metric->row_bits,
		    metric->pair_bits);
	wv_str_addf(out,
		    wv_metric_is_plain(metric) ? " .count = &weft_count_%zu"
					       : " .cells = &weft_cells_%zu",
		    metric->index);
	if (wv_metric_is_pair(metric))
		wv_str_addf(out, ",\n\t  .pairs = &weft_pairs_%zu, .pair_key = %s", metric->index,
			    pair_key(metric));
	wv_str_add(out, " },\n");
}

void wv_metrics_write_table(const struct wv_aspect *aspect, struct wv_str *out)
{
	if (!aspect->metrics.n)
		return;
	wv_str_add(out, "\nstatic const struct weft_metric weft_metrics[] = {\n");
	wv_vec_for_each(metric, &aspect->metrics)
		write_row(*metric, out);
	wv_str_add(out, "};\n");
}

void wv_metrics_write_end(const struct wv_aspect *aspect, struct wv_str *out)
{
	if (aspect->metrics.n)
		wv_str_add(out,
			   ", .metrics = weft_metrics, .nr_metrics = ARRAY_SIZE(weft_metrics)");
}
