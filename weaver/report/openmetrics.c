// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes metrics as OpenMetrics text. A "family" is OpenMetrics' word for a series of numbers with
 * one name: lines with its type, unit and help text, then "samples", each a line with a number and
 * labels.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/figures.h"
#include "report/openmetrics.h"

struct exposition {
	const struct wv_exposed_aspect *aspects;
	size_t nr_aspects;
	struct wv_str *out;
	WV_VEC(char *) names; /* names of the families written so far; each name is malloc()ed */
};

/* ---- writing names, labels and numbers ------------------------------------------------------- */

/*
 * Adds @text as a part of a name. Each run of characters that are not letters or digits becomes one
 * underscore. A run at the beginning of @out or at the end of @text is left out.
 */
static void add_name(struct wv_str *out, const char *text)
{
	bool gap = false;

	for (; *text; text++) {
		if (!isalnum((unsigned char)*text)) {
			gap = true;
			continue;
		}
		if (gap && out->n)
			wv_str_add_n(out, "_", 1);
		gap = false;
		wv_str_add_n(out, text, 1);
	}
}

/*
 * Removes all suffixes from @name that OpenMetrics reserves for the names of samples: the name of a
 * family may not end in one of them.
 */
static void cut_suffixes(struct wv_str *name)
{
	static const char *const suffixes[] = { "_total", "_count", "_sum",  "_bucket",
						"_created", "_info", "_gsum", "_gcount" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const size_t n = strlen(suffixes[i]);

		if (name->n <= n || strcmp(name->data + name->n - n, suffixes[i]))
			continue;
		name->n -= n;
		name->data[name->n] = '\0';
		i = -1; /* begin again: @name may now end in another suffix */
	}
}

/*
 * Adds @text with the escapes of OpenMetrics. Escapes double quotes only if @quotes is true: they
 * must be escaped in values of labels, and not in help texts.
 */
static void add_escaped(struct wv_str *out, const char *text, bool quotes)
{
	while (*text) {
		const size_t n = wv_utf8_length(text);

		if (*text == '\n')
			wv_str_add_n(out, "\\n", 2);
		else if (*text == '\\' || (quotes && *text == '"'))
			wv_str_addf(out, "\\%c", *text);
		else if (n)
			wv_str_add_n(out, text, n);
		else
			wv_str_add(out, WV_UTF8_REPLACEMENT);
		text += n ? n : 1;
	}
}

static void add_label(struct wv_str *out, const char *name, const char *value)
{
	if (out->n)
		wv_str_add_n(out, ",", 1);
	wv_str_addf(out, "%s=\"", name);
	add_escaped(out, value, true);
	wv_str_add_n(out, "\"", 1);
}

/*
 * Returns whether the metric's sum is nanoseconds. That of a concurrency metric is: the time that
 * tasks were inside, although the metric has no unit.
 */
static bool is_time(const struct weft_metric_info *info)
{
	return info->type == WEFT_METRIC_CONCURRENCY || !strcmp(info->unit, "ns");
}

static bool is_bytes(const struct weft_metric_info *info)
{
	return !strcmp(info->unit, "B") || !strcmp(info->unit, "bytes");
}

/*
 * Returns the unit in which OpenMetrics wants the metric's values, and in which the family's name
 * has to end; "" if there is none.
 */
static const char *unit_of(const struct weft_metric_info *info)
{
	return is_time(info) ? "seconds" : is_bytes(info) ? "bytes" : "";
}

/*
 * Adds @value, converted to the unit that unit_of() returns. No digit is lost: nanoseconds become
 * seconds with nine decimals.
 */
static void add_value(struct wv_str *out, const struct weft_metric_info *info, int64_t value)
{
	const uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	const char *sign = value < 0 ? "-" : "";

	if (is_time(info))
		wv_str_addf(out, "%s%" PRIu64 ".%09" PRIu64, sign, size / 1000000000,
			    size % 1000000000);
	else
		wv_str_addf(out, "%s%" PRIu64, sign, size);
}

/* ---- naming families ------------------------------------------------------------------------- */

/*
 * Adds @name to the names of families. Returns false if a family already has this name. If memory
 * runs out, sets to->out->failed and returns true, so that callers stop looking for a free name.
 */
static bool take_name(struct exposition *to, const char *name)
{
	char **slot;

	wv_vec_for_each(taken, &to->names) {
		if (!strcmp(*taken, name))
			return false;
	}
	slot = wv_vec_push(&to->names);
	if (slot)
		*slot = strdup(name);
	if (!slot || !*slot) {
		to->out->failed = true;
		if (slot)
			to->names.n--;
	}
	return true;
}

/*
 * Sets *@ret to the name of a metric's family: weft_ASPECT_METRIC_WHAT_UNIT. If a metric has two
 * families, their names differ in @what. @what and @unit may be "", and are then left out. If
 * another family already has the name, a number is inserted after METRIC:
 * weft_ASPECT_METRIC_2_WHAT_UNIT.
 */
static void name_family(struct exposition *to, const char *aspect,
			const struct weft_metric_info *info, const char *what, const char *unit,
			struct wv_str *ret)
{
	_cleanup_str_ struct wv_str base = { 0 };

	wv_str_add(&base, "weft");
	for (size_t i = 0; i < 2; i++) {
		wv_str_add_n(&base, "_", 1);
		add_name(&base, i ? info->metric : aspect);
	}
	cut_suffixes(&base);
	for (unsigned int number = 1;; number++) {
		wv_str_deinit(ret);
		*ret = (struct wv_str){ 0 };
		wv_str_add(ret, wv_str_text(&base));
		if (number > 1)
			wv_str_addf(ret, "_%u", number);
		wv_str_addf(ret, "%s%s%s%s", *what ? "_" : "", what, *unit ? "_" : "", unit);
		if (take_name(to, wv_str_text(ret)))
			break;
	}
	to->out->failed |= base.failed || ret->failed;
}

static void begin_family(struct exposition *to, const char *name, const char *type,
			 const char *unit)
{
	wv_str_addf(to->out, "# TYPE %s %s\n", name, type);
	if (*unit)
		wv_str_addf(to->out, "# UNIT %s %s\n", name, unit);
}

static void add_sample(struct exposition *to, const char *name, const char *suffix,
		       const struct wv_str *labels, const char *more)
{
	const bool both = labels->n && *more;

	wv_str_addf(to->out, "%s%s", name, suffix);
	if (labels->n || *more)
		wv_str_addf(to->out, "{%s%s%s}", wv_str_text(labels), both ? "," : "", more);
	wv_str_add_n(to->out, " ", 1);
}

/* ---- writing the families of one metric ------------------------------------------------------ */

struct family {
	struct exposition *to;
	const struct wv_metric_reading *reading;
	const char *name;
	WV_VEC(char *) labels; /* name of the label for each value of the key; each is malloc()ed */
};

static bool has_label(const struct family *family, const char *name)
{
	wv_vec_for_each(other, &family->labels) {
		if (!strcmp(*other, name))
			return true;
	}
	return false;
}

/*
 * Returns the name of the label for one of the values of the metric's keys, the one with the index
 * @key. The name is made of the text of this value in the metric's attribute `by`. It gets "key"
 * before it if it would be empty, begin with a digit, or be "le", which OpenMetrics reserves for
 * histograms. It gets a number after it if another label has the same name. The caller frees the
 * name. Returns NULL if out of memory.
 */
static char *label_name(const struct family *family, size_t key)
{
	_cleanup_str_ struct wv_str text = { 0 }, name = { 0 };
	const char *first;

	add_name(&text, wv_key_name(&family->reading->info, key));
	first = wv_str_text(&text);
	if (!*first || isdigit((unsigned char)*first) || !strcmp(first, "le"))
		wv_str_add(&name, *first ? "key_" : "key");
	wv_str_add(&name, first);
	while (!name.failed && has_label(family, wv_str_text(&name)))
		wv_str_addf(&name, "_%zu", key + 1);
	return text.failed || name.failed ? NULL : strdup(wv_str_text(&name));
}

static bool get_labels(struct family *family)
{
	for (size_t key = 0; key < family->reading->info.nr_keys; key++) {
		char *name = label_name(family, key), **slot;

		slot = name ? wv_vec_push(&family->labels) : NULL;
		if (!slot) {
			free(name);
			return false;
		}
		*slot = name;
	}
	return true;
}

/*
 * Sets *@ret to the labels of @row. If @row is that of the keys without a row of their own, each
 * label has the value "(others)".
 */
static void row_labels(const struct family *family, const struct wv_metric_row *row,
		       struct wv_str *ret)
{
	const bool others = row == &family->reading->others;

	for (size_t key = 0; key < family->labels.n; key++)
		add_label(ret, family->labels.data[key],
			  others ? "(others)" : wv_row_text(row, key));
}

static bool is_power_of_two(double value)
{
	return value >= 1 && value < 0x1p63 && !((uint64_t)value & ((uint64_t)value - 1));
}

/*
 * Greatest bound that is written for a histogram on a logarithmic scale, in the metric's unit. If
 * this is nanoseconds, the bound is 18 minutes; if it is bytes, 1 TiB.
 */
#define GREATEST_BOUND 0x1p40

/*
 * Returns whether the upper end of @bucket is written as a bound. On a linear scale each upper end
 * is one. On a logarithmic scale only powers of two are bounds, although the buckets may be
 * narrower. The result does not depend on the bucket's count: a monitor computes a rate for each
 * bound from two readings, so each reading must have the same bounds.
 */
static bool has_bound(const struct weft_metric_info *info, const struct wv_bucket *bucket)
{
	if (bucket->above)
		return false;
	if (info->scale == WEFT_SCALE_LINEAR)
		return true;
	return bucket->next <= GREATEST_BOUND && is_power_of_two(bucket->next);
}

/*
 * Adds the samples of one row of a histogram: for each bound the number of values up to and
 * including it, then sum and count. As values are whole numbers, the bound of a bucket is one less
 * than the least value of the next bucket. If values may be negative, OpenMetrics forbids a sum. It
 * also forbids a count without a sum, so neither is written then.
 */
static void add_histogram(const struct family *family, const struct wv_metric_row *row,
			  const struct wv_str *labels)
{
	const struct weft_metric_info *info = &family->reading->info;
	struct wv_str *out = family->to->out;
	struct wv_figures figures;
	uint64_t below = 0;

	wv_figures_get(family->reading, row, &figures);
	for (size_t i = 0; i < wv_nr_buckets(info); i++) {
		struct wv_bucket bucket = wv_bucket_at(info, row->values, i);
		_cleanup_str_ struct wv_str bound = { 0 };

		below += bucket.count;
		if (!has_bound(info, &bucket))
			continue;
		wv_str_add(&bound, "le=\"");
		add_value(&bound, info, (int64_t)bucket.next - 1);
		wv_str_add(&bound, "\"");
		out->failed |= bound.failed;
		add_sample(family->to, family->name, "_bucket", labels, wv_str_text(&bound));
		wv_str_addf(out, "%" PRIu64 "\n", below);
	}
	add_sample(family->to, family->name, "_bucket", labels, "le=\"+Inf\"");
	wv_str_addf(out, "%" PRIu64 "\n", figures.count);
	if (figures.min < 0 || (info->scale == WEFT_SCALE_LINEAR && info->least < 0))
		return;
	add_sample(family->to, family->name, "_sum", labels, "");
	add_value(out, info, figures.sum);
	wv_str_add(out, "\n");
	add_sample(family->to, family->name, "_count", labels, "");
	wv_str_addf(out, "%" PRIu64 "\n", figures.count);
}

static void add_count(const struct family *family, const struct wv_metric_row *row,
		      const struct wv_str *labels)
{
	struct wv_figures figures;

	wv_figures_get(family->reading, row, &figures);
	add_sample(family->to, family->name, "_total", labels, "");
	wv_str_addf(family->to->out, "%" PRIu64 "\n", figures.count);
}

/*
 * Adds a row of a sum. Negative values make a sum smaller, and a counter of OpenMetrics must not
 * become smaller. So the family has the type "gauge", whose samples have no suffix.
 */
static void add_sum(const struct family *family, const struct wv_metric_row *row,
		    const struct wv_str *labels)
{
	struct wv_figures figures;

	wv_figures_get(family->reading, row, &figures);
	add_sample(family->to, family->name, "", labels, "");
	add_value(family->to->out, &family->reading->info, figures.sum);
	wv_str_add(family->to->out, "\n");
}

/*
 * Adds a row of a concurrency metric: the time that tasks were inside, added up over all tasks. The
 * rate of this counter, which a monitor computes, is in seconds per second: the mean number of
 * tasks that are inside at once. The time of tasks that are still inside is added only if the
 * metric has no keys, because the key of such a task is not known before it leaves.
 */
static void add_inside(const struct family *family, const struct wv_metric_row *row,
		       const struct wv_str *labels)
{
	const struct weft_metric_info *info = &family->reading->info;
	struct wv_figures figures;

	wv_figures_get(family->reading, row, &figures);
	add_sample(family->to, family->name, "_total", labels, "");
	add_value(family->to->out, info, figures.sum + (info->rows ? 0 : (int64_t)info->open_time));
	wv_str_add(family->to->out, "\n");
}

typedef void row_writer(const struct family *family, const struct wv_metric_row *row,
			const struct wv_str *labels);

static void add_rows(struct family *family, row_writer *write)
{
	const struct wv_metric_reading *reading = family->reading;
	struct exposition *to = family->to;

	if (!get_labels(family))
		to->out->failed = true;
	for (size_t i = 0; i <= reading->rows.n && !to->out->failed; i++) {
		const bool last = i == reading->rows.n;
		const struct wv_metric_row *row = last ? &reading->others : &reading->rows.data[i];
		_cleanup_str_ struct wv_str labels = { 0 };

		if (!row->values)
			continue;
		row_labels(family, row, &labels);
		to->out->failed |= labels.failed;
		write(family, row, &labels);
	}
	wv_vec_for_each(name, &family->labels)
		free(*name);
	wv_vec_deinit(&family->labels);
}

/* How one family of a metric is written. */
struct shape {
	/* .type: type of the family in OpenMetrics. .what: the argument @what of name_family(). */
	const char *type, *what;
	bool has_unit;	   /* the family has the unit of unit_of() */
	row_writer *write; /* adds the samples of a row */
};

/*
 * The one or two families of each type of metric. If there is only one, the second has no .write.
 */
static const struct shape shapes[WEFT_METRIC_TYPES][2] = {
	[WEFT_METRIC_COUNTER] = { { "counter", "", false, add_count } },
	[WEFT_METRIC_SUM] = { { "gauge", "", true, add_sum },
			      { "counter", "hits", false, add_count } },
	[WEFT_METRIC_HISTOGRAM] = { { "histogram", "", true, add_histogram } },
	[WEFT_METRIC_ELAPSED] = { { "histogram", "", true, add_histogram } },
	[WEFT_METRIC_CONCURRENCY] = { { "counter", "inside", true, add_inside },
				      { "counter", "entered", false, add_count } },
};

static void add_help(struct exposition *to, const char *name, const char *aspect,
		     const struct weft_metric_info *info)
{
	wv_str_addf(to->out, "# HELP %s ", name);
	add_escaped(to->out, wv_metric_type_name(info->type), false);
	wv_str_add(to->out, " ");
	add_escaped(to->out, info->metric, false);
	wv_str_add(to->out, " of the aspect ");
	add_escaped(to->out, aspect, false);
	if (*info->value) {
		wv_str_add(to->out, ": ");
		add_escaped(to->out, info->value, false);
	}
	wv_str_add(to->out, "\n");
}

static void add_metric(struct exposition *to, const char *aspect,
		       const struct wv_metric_reading *reading)
{
	if (reading->info.type >= WEFT_METRIC_TYPES)
		return;
	for (size_t i = 0; i < 2 && shapes[reading->info.type][i].write; i++) {
		const struct shape *shape = &shapes[reading->info.type][i];
		const char *unit = shape->has_unit ? unit_of(&reading->info) : "";
		_cleanup_str_ struct wv_str name = { 0 };
		struct family family = { .to = to, .reading = reading };

		name_family(to, aspect, &reading->info, shape->what, unit, &name);
		family.name = wv_str_text(&name);
		begin_family(to, family.name, shape->type, unit);
		add_help(to, family.name, aspect, &reading->info);
		add_rows(&family, shape->write);
	}
}

/* ---- writing families with one sample for each aspect or metric ------------------------------ */

static void begin_common(struct exposition *to, const char *name, const char *type,
			 const char *help)
{
	take_name(to, name);
	begin_family(to, name, type, "");
	wv_str_addf(to->out, "# HELP %s %s\n", name, help);
}

#define COUNT(name, member, help)                                             \
	{                                                                     \
		name, help, offsetof(struct weft_status, member)              \
	}
static const struct {
	const char *name, *help;
	size_t offset;
} counts[] = {
	COUNT("weft_aspect_hits", hits, "Executions that ran the aspect's advice."),
	COUNT("weft_aspect_missed", missed, "Executions that did not run the advice."),
	COUNT("weft_aspect_records", records, "Records that the advice wrote."),
	COUNT("weft_aspect_records_lost", lost, "Records that found the buffer full."),
	COUNT("weft_aspect_faults", faults, "Faults in the advice."),
};

static void add_aspect_sample(struct exposition *to, const char *name, const char *suffix,
			      const struct wv_exposed_aspect *aspect, uint64_t value)
{
	_cleanup_str_ struct wv_str labels = { 0 };

	add_label(&labels, "aspect", aspect->status.name);
	to->out->failed |= labels.failed;
	add_sample(to, name, suffix, &labels, "");
	wv_str_addf(to->out, "%" PRIu64 "\n", value);
}

static void add_aspects(struct exposition *to)
{
	begin_common(to, "weft_aspect_loaded", "gauge", "1 if weft.ko knows the aspect.");
	for (size_t i = 0; i < to->nr_aspects; i++)
		add_aspect_sample(to, "weft_aspect_loaded", "", &to->aspects[i],
				  !to->aspects[i].absent);
	begin_common(to, "weft_aspect_woven", "gauge", "1 if the aspect is woven.");
	for (size_t i = 0; i < to->nr_aspects; i++)
		add_aspect_sample(to, "weft_aspect_woven", "", &to->aspects[i],
				  to->aspects[i].status.state == WEFT_STATE_WOVEN);
	for (size_t n = 0; n < sizeof(counts) / sizeof(*counts); n++) {
		begin_common(to, counts[n].name, "counter", counts[n].help);
		for (size_t i = 0; i < to->nr_aspects; i++) {
			uint64_t value;

			if (to->aspects[i].absent)
				continue;
			memcpy(&value, (const char *)&to->aspects[i].status + counts[n].offset,
			       sizeof(value));
			add_aspect_sample(to, counts[n].name, "_total", &to->aspects[i], value);
		}
	}
}

#define REASON(name, member)                                \
	{                                                   \
		name, offsetof(struct weft_metric_info, member) \
	}
static const struct {
	const char *name;
	size_t offset;
} reasons[] = {
	REASON("no row", full),
	REASON("no room for a start", dropped),
	REASON("too many starts of a key", deep),
	REASON("end without a start", unmatched),
};

static void add_uncounted(struct exposition *to, const char *aspect,
			  const struct weft_metric_info *info)
{
	for (size_t n = 0; n < sizeof(reasons) / sizeof(*reasons); n++) {
		_cleanup_str_ struct wv_str labels = { 0 };
		uint64_t value;

		memcpy(&value, (const char *)info + reasons[n].offset, sizeof(value));
		add_label(&labels, "aspect", aspect);
		add_label(&labels, "metric", info->metric);
		add_label(&labels, "reason", reasons[n].name);
		to->out->failed |= labels.failed;
		add_sample(to, "weft_metric_uncounted", "_total", &labels, "");
		wv_str_addf(to->out, "%" PRIu64 "\n", value);
	}
}

void wv_openmetrics(const struct wv_exposed_aspect *aspects, size_t n, struct wv_str *out)
{
	struct exposition to = { .aspects = aspects, .nr_aspects = n, .out = out };

	add_aspects(&to);
	begin_common(&to, "weft_metric_uncounted", "counter", "Hits that a metric did not count.");
	for (size_t i = 0; i < n; i++) {
		wv_vec_for_each(reading, &aspects[i].readings.list)
			add_uncounted(&to, aspects[i].status.name, &reading->info);
	}
	for (size_t i = 0; i < n; i++) {
		wv_vec_for_each(reading, &aspects[i].readings.list)
			add_metric(&to, aspects[i].status.name, reading);
	}
	wv_str_add(out, "# EOF\n");
	wv_vec_for_each(name, &to.names)
		free(*name);
	wv_vec_deinit(&to.names);
}
