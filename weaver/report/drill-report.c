// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the tree of calls of a drill as text and as JSON; see drill-tree.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json-writer.h"
#include "base/notation.h"
#include "report/drill-tree.h"
#include "report/figures.h"
#include "splice/refusal.h"

enum { SHARE_TEXT = 16 };

static double share_of(const struct wv_drill *drill, int64_t time)
{
	const int64_t whole = drill->nodes.data[0].wall;

	return whole ? (double)time / (double)whole : 0;
}

static bool is_timed(const struct wv_drill_site *site)
{
	return site->refusal == WEFT_REFUSAL_NONE && !site->cold;
}

static const char *reason_of(const struct wv_drill_site *site)
{
	return site->cold ? "cold part" : wv_refusal_name(site->refusal);
}

/* ---- the tree as text ------------------------------------------------------------------------ */

static const char *share_text(const struct wv_drill *drill, int64_t time, char text[SHARE_TEXT])
{
	snprintf(text, SHARE_TEXT, "%.1f %%", 100 * share_of(drill, time));
	return text;
}

static void add_place(const struct wv_drill_site *site, struct wv_str *out)
{
	if (!site)
		return;
	if (site->file)
		wv_str_addf(out, "  %s", wv_source_text(site->file, site->line, 0).text);
	if (site->inlined)
		wv_str_addf(out, " in %s", site->inlined);
	if (!site->to)
		wv_str_add(out, ", by a pointer");
}

static void add_times(const struct wv_drill *drill, int64_t wall, int64_t cpu, struct wv_str *out)
{
	char text[WV_FIGURE_TEXT], share[SHARE_TEXT];

	wv_str_addf(out, "%10s %8s", wv_figure_text((double)wall, "ns", text),
		    share_text(drill, wall, share));
	wv_str_addf(out, " %10s", wv_figure_text((double)cpu, "ns", text));
}

static void add_node(const struct wv_drill *drill, const struct wv_drill_node *node,
		     struct wv_str *out)
{
	char mean[WV_FIGURE_TEXT] = "";

	if (node->count)
		wv_figure_text((double)node->wall / (double)node->count, "ns", mean);
	add_times(drill, node->wall, node->cpu, out);
	wv_str_addf(out, " %9" PRIu64 " %10s  %*s%s", node->count, mean, 2 * (int)node->level, "",
		    node->function);
	add_place(node->site, out);
	wv_str_add(out, "\n");
}

static void add_line(const struct wv_drill *drill, int64_t wall, int64_t cpu, unsigned int level,
		     const char *text, struct wv_str *out)
{
	add_times(drill, wall, cpu, out);
	wv_str_addf(out, " %9s %10s  %*s%s\n", "", "", 2 * (int)level, "", text);
}

/*
 * Adds the calls that the function of node @parent makes, at most @top of them. After each such
 * call come the calls that its function makes.
 */
static void add_calls(const struct wv_drill *drill, size_t parent, size_t top, struct wv_str *out)
{
	const struct wv_drill_node *caller = &drill->nodes.data[parent];
	int64_t wall = 0, cpu = 0;
	char text[64];
	size_t n = 0;

	for (size_t i = parent + 1; i < drill->nodes.n; i++) {
		const struct wv_drill_node *node = &drill->nodes.data[i];

		if (node->parent != parent)
			continue;
		n++;
		if (top && n > top) {
			wall += node->wall;
			cpu += node->cpu;
			continue;
		}
		add_node(drill, node, out);
		add_calls(drill, i, top, out);
	}
	if (top && n > top) {
		snprintf(text, sizeof(text), "(%zu more %s)", n - top,
			 wv_plural(n - top, "call", "calls"));
		add_line(drill, wall, cpu, caller->level + 1, text, out);
	}
	if (caller->gone_into)
		add_line(drill, caller->self_wall, caller->self_cpu, caller->level + 1, "(itself)",
			 out);
}

static void add_untimed(const struct wv_drill_facts *facts, struct wv_str *out)
{
	bool reasons[WEFT_REFUSAL_COUNT] = { false }, any = false;

	for (size_t i = 0; i < facts->n; i++)
		wv_vec_for_each(site, &facts->into[i].sites) {
			if (is_timed(site))
				continue;
			if (!any)
				wv_str_add(out, "\nnot timed, so a part of the caller itself:\n");
			any = reasons[site->refusal] = true;
			wv_str_addf(out, "  %s at %s", site->to ? site->to : "a pointer's function",
				    wv_symbol_text(site->symbol, site->offset).text);
			if (site->file)
				wv_str_addf(out, " (%s)",
					    wv_source_text(site->file, site->line, 0).text);
			wv_str_addf(out, ": %s\n", reason_of(site));
		}
	for (unsigned int i = WEFT_REFUSAL_NONE + 1; i < WEFT_REFUSAL_COUNT; i++)
		if (reasons[i])
			wv_str_addf(out, "  %s: %s\n", wv_refusal_name(i), wv_refusal_reason(i));
}

void wv_drill_text(const struct wv_drill *drill, const struct wv_drill_facts *facts, size_t top,
		   struct wv_str *out)
{
	wv_str_addf(out, "\n%10s %8s %10s %9s %10s  %s\n", "wall", "share", "on a CPU", "count",
		    "mean", "call");
	add_node(drill, &drill->nodes.data[0], out);
	add_calls(drill, 0, top, out);
	if (*drill->unseen)
		wv_str_addf(out, "  NOT SEEN: %s of %s\n", drill->unseen, facts->into[0].name);
	if (drill->under_way)
		wv_str_addf(out, "  %" PRIu64 " started and not ended\n", drill->under_way);
	if (drill->apart)
		wv_str_addf(out, "  NOT SHOWN: %s in such calls\n",
			    wv_count_text(drill->apart, "call").text);
	if (drill->lost)
		wv_str_addf(out, "  NOT COUNTED: %s found no room\n",
			    wv_count_text(drill->lost, "call").text);
	add_untimed(facts, out);
}

/* ---- the tree as JSON ------------------------------------------------------------------------ */

static void add_site_keys(const struct wv_drill_site *site, struct wv_json *json)
{
	wv_json_text(json, "site", wv_symbol_text(site->symbol, site->offset).text);
	if (site->file) {
		wv_json_text(json, "file", site->file);
		wv_json_unsigned(json, "line", site->line);
	}
	wv_json_text_if(json, "inlined", site->inlined);
}

static void add_node_object(const struct wv_drill *drill, const struct wv_drill_node *node,
			    struct wv_json *json)
{
	wv_json_begin_object(json, NULL);
	wv_json_text(json, "function", node->function);
	wv_json_unsigned(json, "level", node->level);
	if (node->level)
		wv_json_unsigned(json, "caller", node->parent);
	if (node->site) {
		add_site_keys(node->site, json);
		wv_json_bool(json, "pointer", !node->site->to);
	}
	wv_json_unsigned(json, "count", node->count);
	wv_json_signed(json, "wall_ns", node->wall);
	wv_json_signed(json, "cpu_ns", node->cpu);
	if (node->count) {
		wv_json_signed(json, "min_ns", node->min);
		wv_json_signed(json, "max_ns", node->max);
	}
	wv_json_real(json, "share", share_of(drill, node->wall), 6);
	if (node->gone_into) {
		wv_json_signed(json, "self_wall_ns", node->self_wall);
		wv_json_signed(json, "self_cpu_ns", node->self_cpu);
	}
	wv_json_end_object(json);
}

void wv_drill_json(const struct wv_drill *drill, const struct wv_drill_facts *facts,
		   struct wv_str *out)
{
	struct wv_json json = WV_JSON(out);

	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, "drill", facts->into[0].name);
	wv_json_unsigned(&json, "depth", facts->depth);
	wv_json_begin_array(&json, "into");
	for (size_t i = 0; i < facts->n; i++)
		wv_json_text(&json, NULL, facts->into[i].name);
	wv_json_end_array(&json);
	wv_json_unsigned(&json, "open", drill->under_way);
	wv_json_unsigned(&json, "apart", drill->apart);
	wv_json_unsigned(&json, "dropped", drill->lost);
	wv_json_begin_array(&json, "calls");
	wv_vec_for_each(node, &drill->nodes)
		add_node_object(drill, node, &json);
	wv_json_end_array(&json);
	wv_json_begin_array(&json, "untimed");
	for (size_t i = 0; i < facts->n; i++)
		wv_vec_for_each(site, &facts->into[i].sites) {
			if (is_timed(site))
				continue;
			wv_json_begin_object(&json, NULL);
			wv_json_text_if(&json, "function", site->to);
			add_site_keys(site, &json);
			wv_json_text(&json, "reason", reason_of(site));
			wv_json_end_object(&json);
		}
	wv_json_end_array(&json);
	wv_json_end_object(&json);
}
