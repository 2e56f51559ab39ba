// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes open pairs; see open-starts.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/figures.h"
#include "report/open-starts.h"
#include "report/visible.h"

/* INDENT: in characters. KEY_TEXT: size in bytes of the text of a pair's key. */
enum { INDENT = 4, KEY_TEXT = 48 };

/*
 * Returns whether @number is written in hexadecimal. This is so for all numbers that may be an
 * address of the kernel, because an address is easier to read in hexadecimal.
 */
static bool is_large(uint64_t number)
{
	return number > UINT32_MAX;
}

static void key_text(const struct weft_open_pair *start, char text[KEY_TEXT])
{
	if (start->key_kind == WEFT_PAIR_TASK && start->tid)
		snprintf(text, KEY_TEXT, "%s-%u", wv_visible_comm(start->comm).text, start->tid);
	else if (start->key_kind == WEFT_PAIR_TASK)
		snprintf(text, KEY_TEXT, "(ended, or idle)");
	else if (is_large(start->key))
		snprintf(text, KEY_TEXT, "%#" PRIx64, (uint64_t)start->key);
	else
		snprintf(text, KEY_TEXT, "%" PRIu64, (uint64_t)start->key);
}

static bool is_stack(const struct weft_metric_info *info, size_t key)
{
	return info->key_kinds[key] == WEFT_KEY_STACK;
}

static void add_head(const struct wv_metric_reading *reading, struct wv_str *out)
{
	static const char *const names[] = {
		[WEFT_PAIR_NUMBER] = "key", [WEFT_PAIR_TASK] = "task", [WEFT_PAIR_CPU] = "cpu",
	};
	const unsigned int kind = reading->open.data[0].start.key_kind;

	wv_str_addf(out, "%*s%-20s %16s %10s  %s", INDENT, "",
		    kind <= WEFT_PAIR_CPU ? names[kind] : "key", "since (s)", "age", "where");
	for (size_t key = 0; key < reading->info.nr_keys; key++)
		wv_str_addf(out, ", %s", wv_key_name(&reading->info, key));
	wv_str_add(out, "\n");
}

static void add_stack(const char *text, struct wv_str *out)
{
	while (*text) {
		const size_t n = strcspn(text, "\n");

		wv_str_addf(out, "%*s%.*s\n", INDENT + 4, "", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

static void add_pair(const struct weft_metric_info *info, const struct wv_open_pair *pair,
		     struct wv_str *out)
{
	const uint64_t second = 1000000000;
	const char *where = wv_open_where(pair);
	char key[KEY_TEXT], age[WV_FIGURE_TEXT];
	size_t from;

	key_text(&pair->start, key);
	wv_str_addf(out, "%*s%-20s %6" PRIu64 ".%09" PRIu64 " %10s  %s", INDENT, "", key,
		    (uint64_t)pair->start.since / second, (uint64_t)pair->start.since % second,
		    wv_figure_text((double)pair->start.age, "ns", age), *where ? where : "-");
	from = out->n;
	for (size_t i = 0; i < info->nr_keys; i++)
		wv_str_addf(out, ", %s", is_stack(info, i) ? "" : wv_open_text(pair, i));
	wv_visible_from(out, from);
	wv_str_add(out, "\n");
	for (size_t i = 0; i < info->nr_keys; i++)
		if (is_stack(info, i))
			add_stack(wv_open_text(pair, i), out);
}

void wv_open_pairs_text(const struct wv_metric_reading *reading, size_t most, struct wv_str *out)
{
	const size_t all = reading->open.n, shown = most && most < all ? most : all;

	if (!all)
		return;
	add_head(reading, out);
	for (size_t i = 0; i < shown; i++)
		add_pair(&reading->info, &reading->open.data[i], out);
	if (shown < all)
		wv_str_addf(out, "%*s(%zu more; --open shows all)\n", INDENT, "", all - shown);
}

static void add_object(const struct weft_metric_info *info, const struct wv_open_pair *pair,
		       struct wv_json *json)
{
	const struct weft_open_pair *start = &pair->start;

	wv_json_begin_object(json, NULL);
	if (start->key_kind == WEFT_PAIR_TASK) {
		if (start->tid) {
			wv_json_unsigned(json, "pid", start->pid);
			wv_json_unsigned(json, "tid", start->tid);
			wv_json_text(json, "comm", start->comm);
		}
	} else if (start->key_kind == WEFT_PAIR_CPU) {
		wv_json_unsigned(json, "cpu", start->key);
	} else {
		wv_json_hex(json, "key", start->key);
	}
	wv_json_unsigned(json, "since_ns", start->since);
	wv_json_unsigned(json, "age_ns", start->age);
	wv_json_text_if(json, "where", wv_open_where(pair));
	if (info->nr_keys) {
		wv_json_begin_array(json, "keys");
		for (size_t i = 0; i < info->nr_keys; i++)
			wv_json_text(json, NULL, wv_open_text(pair, i));
		wv_json_end_array(json);
	}
	wv_json_end_object(json);
}

void wv_open_pairs_json(const struct wv_metric_reading *reading, struct wv_json *json)
{
	wv_json_begin_array(json, "open_pairs");
	wv_vec_for_each(pair, &reading->open)
		add_object(&reading->info, pair, json);
	wv_json_end_array(json);
}
