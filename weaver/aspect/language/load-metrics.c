// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads metrics from their elements, and adds their advice; see load-metrics.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/pair-table.h"
#include "aspect/language/body.h"
#include "aspect/language/load-advice.h"
#include "aspect/language/load-filter.h"
#include "aspect/language/load-keys.h"
#include "aspect/language/load-metrics.h"
#include "aspect/language/variables.h"

enum {
	/*
	 * Limits and defaults of attributes. ..._MAX_BYTES: lengths of texts without the NUL, for
	 * which struct weft_metric_info has room. FINE_OF_ELAPSED: default of `fine` for an
	 * <elapsed>.
	 */
	NAME_MAX_BYTES = 63,
	UNIT_MAX_BYTES = 31,
	ROWS_MAX = 1 << 16,
	PAIRS_MAX = 1 << 20,
	PAIRS_DEFAULT = 4096,
	FINE_MAX = 5,
	FINE_OF_ELAPSED = 3,
	BUCKETS_MAX = 1024,
	BUCKETS_DEFAULT = 20,
	/*
	 * maximum number of metrics that each need a pointer to per-CPU memory. The pointers of 512
	 * metrics fill half of the per-CPU memory that the kernel reserves for modules.
	 */
	AREAS_MAX = 512,
};

/* The elements that are metrics. .rows: default of the attribute `rows`. */
static const struct element {
	const char *name;
	enum weft_metric_type type;
	unsigned int rows;
} elements[] = {
	{ "counter", WEFT_METRIC_COUNTER, 256 },
	{ "sum", WEFT_METRIC_SUM, 256 },
	{ "histogram", WEFT_METRIC_HISTOGRAM, 128 },
	{ "elapsed", WEFT_METRIC_ELAPSED, 64 },
	{ "concurrency", WEFT_METRIC_CONCURRENCY, 256 },
};

static const struct element *find_element(const char *name)
{
	for (size_t i = 0; i < sizeof(elements) / sizeof(*elements); i++)
		if (!strcmp(elements[i].name, name))
			return &elements[i];
	return NULL;
}

bool wv_is_metric(const char *element)
{
	return find_element(element);
}

/* ---- reading a metric's attributes ----------------------------------------------------------- */

static void load_expression(struct wv_loader *loader, const struct wv_xml_node *node,
			    const char *name, const struct wv_metric_word *words,
			    struct wv_metric_expression *ret)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);
	const struct wv_metric_word *word;

	if (!attribute)
		return;
	ret->text = wv_load_text(loader, node, name);
	ret->word = word = wv_metric_find_word(words, attribute->value);
	if (!wv_load_code(loader, attribute, &ret->code))
		return;
	if (wv_code_is_blank(&ret->code))
		wv_report_error(&loader->list, attribute->value_location,
			    "%s is empty: it is an expression in C", name);
	else if (!word)
		wv_body_check(&ret->code, &loader->list);
	else if (word->variable)
		ret->code.variables = WV_VARIABLE_BIT(
			wv_variable_find(word->variable, strlen(word->variable)));
}

/* Returns the number that is the attribute's value; @fallback if it is absent. */
static uint64_t number_or(struct wv_loader *loader, const struct wv_xml_node *node,
			  const char *name, uint64_t least, uint64_t most, uint64_t fallback)
{
	return wv_load_attribute(node, name) ? wv_load_number(loader, node, name, least, most)
					     : fallback;
}

/* Reports attribute @name if it is present, because it has no effect here. @why: the reason. */
static void check_absent(struct wv_loader *loader, const struct wv_xml_node *node, const char *name,
			 const char *why)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);

	if (attribute)
		wv_report_error(&loader->list, attribute->location, "%s means nothing %s", name,
				why);
}

/*
 * Returns 0 if the attribute @name is absent or has the value @first, 1 if it is @second. Reports
 * another value.
 */
static unsigned int load_word(struct wv_loader *loader, const struct wv_xml_node *node,
			      const char *name, const char *first, const char *second)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);

	if (!attribute || !strcmp(attribute->value, first))
		return 0;
	if (!strcmp(attribute->value, second))
		return 1;
	wv_report_error(&loader->list, attribute->value_location, "%s is \"%s\" or \"%s\"", name,
			first, second);
	return 0;
}

static int64_t load_signed(struct wv_loader *loader, const struct wv_xml_node *node,
			   const char *name)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, name);
	long long value;
	char *end;

	if (!attribute)
		return 0;
	errno = 0;
	value = strtoll(attribute->value, &end, 0);
	if (!*attribute->value || isspace((unsigned char)*attribute->value) || *end || errno)
		wv_report_error(&loader->list, attribute->value_location, "'%s' is not a number",
			    attribute->value);
	return value;
}

static bool is_taken(const struct wv_loader *loader, const char *name)
{
	wv_vec_for_each(metric, &loader->aspect->metrics)
		if ((*metric)->name && !strcmp((*metric)->name, name))
			return true;
	return false;
}

/*
 * Returns the attribute `name`. If it is absent, returns the element's name, with a number added if
 * this name is in use.
 */
static char *load_name(struct wv_loader *loader, const struct wv_xml_node *node)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "name");
	char *name = NULL;

	if (attribute) {
		if (!attribute->value[strspn(attribute->value, " \t\n")] ||
		    strlen(attribute->value) > NAME_MAX_BYTES)
			wv_report_error(&loader->list, attribute->value_location,
				    "a metric's name has 1 to %d bytes", NAME_MAX_BYTES);
		if (is_taken(loader, attribute->value))
			wv_report_error(&loader->list, attribute->value_location,
				    "there is a metric '%s' already", attribute->value);
		return wv_load_text(loader, node, "name");
	}
	for (unsigned int i = 1; !name || is_taken(loader, name); i++) {
		free(name);
		if (asprintf(&name, i == 1 ? "%s" : "%s %u", node->name, i) < 0) {
			loader->list.no_memory = true;
			return NULL;
		}
	}
	return name;
}

static char *load_unit(struct wv_loader *loader, const struct wv_xml_node *node, bool pair)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "unit");
	char *unit = strdup(attribute				     ? attribute->value
			    : pair && !strcmp(node->name, "elapsed") ? "ns"
								     : "");

	if (attribute && strlen(attribute->value) > UNIT_MAX_BYTES)
		wv_report_error(&loader->list, attribute->value_location,
				"a unit has at most %d bytes", UNIT_MAX_BYTES);
	loader->list.no_memory |= !unit;
	return unit;
}

static void load_histogram(struct wv_loader *loader, const struct wv_xml_node *node,
			   struct wv_metric *metric)
{
	size_t errors = loader->list.errors.list.n;

	metric->scale = load_word(loader, node, "scale", "log2", "linear");
	if (loader->list.errors.list.n > errors)
		return; /* which other attributes are allowed depends on the scale */
	if (metric->scale == WEFT_SCALE_LINEAR) {
		check_absent(loader, node, "fine", "for a linear scale");
		metric->least = load_signed(loader, node, "least");
		metric->step = number_or(loader, node, "step", 1, INT64_MAX, 0);
		metric->buckets =
			number_or(loader, node, "buckets", 1, BUCKETS_MAX, BUCKETS_DEFAULT);
		if (!wv_load_attribute(node, "step"))
			wv_report_error(&loader->list, node->location,
					"a linear histogram needs the attribute 'step': the width "
					"of its buckets");
		return;
	}
	check_absent(loader, node, "least", "without scale=\"linear\"");
	check_absent(loader, node, "step", "without scale=\"linear\"");
	check_absent(loader, node, "buckets", "without scale=\"linear\"");
	metric->fine = number_or(loader, node, "fine", 0, FINE_MAX, 0);
	metric->buckets = WR_LOG2_BUCKETS(metric->fine);
}

/*
 * Loads where the metric begins and ends to measure. With the attribute `of` it measures from
 * before a pointcut until after the same pointcut. `of` may be absent if the aspect has only one
 * pointcut. With `from` and `to` it measures from one pointcut to another.
 */
static void load_ends(struct wv_loader *loader, const struct wv_xml_node *node,
		      struct wv_metric *metric)
{
	const struct wv_xml_attribute *of = wv_load_attribute(node, "of"),
				      *from = wv_load_attribute(node, "from"),
				      *to = wv_load_attribute(node, "to");

	metric->whole = !from && !to;
	if (of && (from || to))
		wv_report_error(
			&loader->list, (from ? from : to)->location,
			"%s means nothing beside 'of', which is before and after one pointcut",
			from ? "from" : "to");
	else if (!from != !to)
		wv_report_error(&loader->list, node->location,
				"<%s> needs the attributes 'from' and 'to' (two pointcuts), or "
				"'of' (before one and after it)",
				node->name);
	if (metric->whole)
		check_absent(loader, node, "to-key", "without 'from' and 'to'");
}

static void load_pair(struct wv_loader *loader, const struct wv_xml_node *node,
		      struct wv_metric *metric)
{
	const struct wv_xml_attribute *clock = wv_load_attribute(node, "clock");

	load_ends(loader, node, metric);
	load_expression(loader, node, "key", wv_key_words, &metric->key);
	load_expression(loader, node, "to-key", wv_key_words, &metric->to_key);
	load_expression(loader, node, "to-condition", NULL, &metric->to_condition);
	metric->replaces = load_word(loader, node, "nest", "yes", "no");
	if (!metric->key.text)
		metric->key.word = &wv_key_words[WV_KEY_TASK];
	metric->clock = load_word(loader, node, "clock", "wall", "cpu");
	if (metric->clock == WEFT_CLOCK_CPU &&
	    (metric->key.word != &wv_key_words[WV_KEY_TASK] || metric->to_key.text))
		wv_report_error(&loader->list, clock->value_location,
			    "the time that a task was running for needs key=\"task\"");
	metric->pair_bits = wv_load_bits_for(
		number_or(loader, node, "pairs", 2 * WR_PAIR_WAYS, PAIRS_MAX, PAIRS_DEFAULT) /
		WR_PAIR_WAYS);
	metric->fine = FINE_OF_ELAPSED;
	if (metric->type == WEFT_METRIC_ELAPSED)
		metric->buckets = WR_LOG2_BUCKETS(metric->fine);
}

/* ---- adding the metrics' advice -------------------------------------------------------------- */

static void add_advice(struct wv_loader *loader, const struct wv_metric *metric, bool ends,
		       const struct wv_aspect_advice *common)
{
	struct wv_aspect_advice *advice = wv_vec_push(&loader->aspect->advices);
	const struct wv_aspect_code *code;

	if (!advice) {
		loader->list.no_memory = true;
		return;
	}
	advice->code.location = metric->location;
	advice->metric = metric;
	advice->ends = ends;
	advice->optional = common->optional;
	advice->filter = common->filter;
	advice->start_after = common->start_after;
	advice->stop_after = common->stop_after;
	advice->once = metric->once;
	advice->code.text.location = metric->location;
	wv_str_add(&advice->code.text.bytes, "");
	for (size_t i = 0; (code = wv_metric_code(metric, ends, i)); i++)
		wv_load_take_names(loader, advice, code);
}

/*
 * Loads the text of an <elapsed>: C that runs at the end of each measurement. It becomes the body
 * of the advice at the end, which is the last one in the list, because it has just been added.
 */
static void load_end_body(struct wv_loader *loader, const struct wv_xml_node *node,
			  struct wv_metric *metric)
{
	struct wv_aspect *aspect = loader->aspect;
	struct wv_aspect_code body = { 0 };
	struct wv_aspect_advice *end;

	if (metric->type != WEFT_METRIC_ELAPSED || loader->list.no_memory ||
	    !wv_load_body(loader, node, &body))
		return;
	wv_body_check(&body, &loader->list);
	metric->body_variables = body.variables;
	end = &aspect->advices.data[aspect->advices.n - 1];
	wv_load_take_names(loader, end, &body);
	wv_xml_text_deinit(&end->code.text);
	end->code.text = body.text;
	end->code.location = body.location;
	body.text = (struct wv_xml_text){ 0 };
	wv_aspect_code_deinit(&body);
}

static void load_whole(struct wv_loader *loader, const struct wv_xml_node *node,
		       const struct element *element, struct wv_metric *metric)
{
	struct wv_aspect_advice common = { .optional = wv_load_yes(loader, node, "optional"),
					   .filter = wv_load_hit_filter(loader, node) };

	wv_load_times(loader, node, &common);
	metric->location = node->location;
	metric->once = wv_load_yes(loader, node, "once");
	metric->type = element->type;
	metric->unit = load_unit(loader, node, wv_metric_is_pair(metric));
	load_expression(loader, node, "condition", NULL, &metric->condition);
	wv_load_by(loader, node, &metric->by);
	load_expression(loader, node, "value", NULL, &metric->value);
	if (metric->by.text)
		metric->row_bits = wv_load_bits_for(
			number_or(loader, node, "rows", 1, ROWS_MAX, element->rows));
	else
		check_absent(loader, node, "rows", "without 'by'");
	if (metric->type == WEFT_METRIC_HISTOGRAM)
		load_histogram(loader, node, metric);
	else if (wv_metric_is_pair(metric))
		load_pair(loader, node, metric);
	add_advice(loader, metric, false, &common);
	if (wv_metric_is_pair(metric)) {
		add_advice(loader, metric, true, &common);
		load_end_body(loader, node, metric);
	}
}

static void check_number(struct wv_loader *loader, const struct wv_metric *metric)
{
	size_t n = 0;

	wv_vec_for_each(other, &loader->aspect->metrics)
		n += !wv_metric_is_plain(*other);
	if (!wv_metric_is_plain(metric) && n == AREAS_MAX + 1)
		wv_report_error(&loader->list, metric->location,
				"there is room for %d metrics besides counters without 'by' in an "
				"aspect, and this is one more",
				AREAS_MAX);
}

void wv_load_metric(struct wv_loader *loader, const struct wv_xml_node *node)
{
	struct wv_metric *metric = calloc(1, sizeof(*metric));
	char *name = load_name(loader, node);
	struct wv_metric **slot = metric ? wv_vec_push(&loader->aspect->metrics) : NULL;

	if (!slot) {
		loader->list.no_memory = true;
		free(metric);
		free(name);
		return;
	}
	*slot = metric;
	metric->name = name;
	metric->index = loader->aspect->metrics.n - 1;
	load_whole(loader, node, find_element(node->name), metric);
	check_number(loader, metric);
}

/*
 * Returns whether the filter may let the start of a pair pass and then reject its end: the end may
 * run in another task, or the task may have got another name or user meanwhile. Then the terms of
 * the filter that may change are checked at the start only.
 */
static bool asks_later(const struct wv_hit_filter *filter, const struct wv_metric *metric)
{
	return filter && (filter->comms.n || filter->uids.n || !metric->of_task);
}

size_t wv_metric_bind(struct wv_loader *loader, const struct wv_xml_node *node,
		      struct wv_aspect_advice *advice)
{
	struct wv_metric *metric = loader->aspect->metrics.data[advice->metric->index];
	const struct wv_aspect_pointcut *start;

	if (!wv_metric_is_pair(metric)) {
		wv_load_bind(loader, node, advice, "pointcut");
		return 1;
	}
	wv_load_bind(loader, node, advice, metric->whole ? "of" : "from");
	start = &loader->aspect->pointcuts.data[advice->pointcut];
	metric->of_task = metric->key.word == &wv_key_words[WV_KEY_TASK] && !metric->to_key.text;
	metric->guarded = start->flows.n || start->tagged.n || asks_later(advice->filter, metric);
	advice[1].after = metric->whole;
	wv_load_bind(loader, node, advice + 1, metric->whole ? "of" : "to");
	return 2;
}
