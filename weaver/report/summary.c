// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints a summary; see summary.h. */
#include "base/notation.h"
#include "module/precision-text.h"
#include "report/summary.h"
#include "runtime/precision-count.h"
#include "splice/refusal.h"
#include "splice/totals.h"

/*
 * Adds a line about a refused shadow, such as "  refused vfs_read+0x5 (fs/read_write.c:450:9):
 * ftrace: ...". The line also stands for @more other shadows that were refused for the same reason.
 */
static void add_refused(const struct wv_aspect_module *module, const struct weft_splice *splice,
			size_t more, struct wv_str *out)
{
	const struct weft_joinpoint *joinpoint = &module->joinpoints[splice->joinpoint];
	const char *file = wv_aspect_module_string(module, joinpoint->file);

	wv_str_add(out, "  refused ");
	wv_str_add_symbol(out, wv_aspect_module_string(module, joinpoint->symbol),
			  joinpoint->symbol_offset);
	if (*file) {
		wv_str_add(out, " (");
		wv_str_add_source(out, file, joinpoint->line, joinpoint->column);
		wv_str_add(out, ")");
	}
	if (more)
		wv_str_addf(out, " and %zu more", more);
	wv_str_addf(out, ": %s: %s\n", wv_refusal_name(splice->refusal),
		    wv_refusal_reason(splice->refusal));
}

/* Adds a line for each reason for a refusal, with the first shadow that was refused for it. */
static void add_reasons(const struct wv_aspect_module *module, const struct wv_summary *summary,
			struct wv_str *out)
{
	size_t n[WEFT_REFUSAL_COUNT] = { 0 };

	wv_vec_for_each(splice, &summary->refused.splices)
		if (splice->refusal < WEFT_REFUSAL_COUNT)
			n[splice->refusal]++;
	wv_vec_for_each(splice, &summary->refused.splices) {
		if (splice->refusal >= WEFT_REFUSAL_COUNT || !n[splice->refusal])
			continue;
		add_refused(module, splice, n[splice->refusal] - 1, out);
		n[splice->refusal] = 0;
	}
}

/*
 * Adds a line such as "  no jump over several instructions for 3: branch-target 2, overlap 1". The
 * numbers are of shadows at which weft.ko has refused a splice over several instructions. They have
 * a splice over one instruction instead (wv_plan_narrow()), mostly a trap.
 */
static void add_narrowed(const struct wv_plan *woven, struct wv_str *out)
{
	size_t n = 0;

	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++)
		n += woven->narrowed[i];
	if (!n)
		return;
	wv_str_addf(out, "  no jump over several instructions for %zu: ", n);
	wv_reasons_text(woven->narrowed, out);
	wv_str_add(out, "\n");
}

static void add_precision(const struct wv_aspect_module *module, struct wv_str *out)
{
	uint32_t n[WEFT_PRECISION_OPTIMIZED_OUT];
	_cleanup_str_ struct wv_str text = { 0 };

	wr_count_precision(module->joinpoints, module->n, n);
	wv_precision_text(n, &text);
	if (text.n)
		wv_str_addf(out, "  %s\n", text.data);
}

static void add_totals(const struct wv_aspect_module *module, const struct wv_summary *summary,
		       struct wv_str *out)
{
	struct wv_totals totals = { 0 };

	wv_vec_for_each(splice, &summary->woven.splices)
		wv_totals_add(&totals, wv_splice_of_kind(splice->kind), WEFT_REFUSAL_NONE);
	wv_vec_for_each(splice, &summary->refused.splices)
		wv_totals_add(&totals, WV_SPLICE_REFUSED, splice->refusal);
	totals.matched = summary->matched;
	totals.uprobes = summary->uprobes;
	wv_str_addf(out, "%s: ", module->header.name);
	wv_totals_text(&totals, out);
	wv_str_add(out, "\n");
}

void wv_summary_print_dropped(const struct wv_aspect_module *module,
			      const struct wv_summary *summary)
{
	if (summary->dropped)
		fprintf(stderr,
			"weft: note: %s of an earlier weave of %s, which nobody had read, %s\n",
			wv_count_text(summary->dropped, "record").text, module->header.name,
			wv_plural(summary->dropped, "was dropped", "were dropped"));
}

void wv_summary_print_brief(FILE *out, const struct wv_aspect_module *module,
			    const struct wv_summary *summary)
{
	_cleanup_str_ struct wv_str text = { 0 };

	add_totals(module, summary, &text);
	fputs(wv_str_text(&text), out);
}

void wv_summary_print(FILE *out, const struct wv_aspect_module *module,
		     const struct wv_summary *summary, bool all)
{
	_cleanup_str_ struct wv_str text = { 0 };

	add_totals(module, summary, &text);
	add_narrowed(&summary->woven, &text);
	add_precision(module, &text);
	if (summary->waiting)
		wv_str_addf(&text, "  %s pending: woven when the module is loaded (weft list)\n",
			    wv_count_text(summary->waiting, "shadow").text);
	if (!all)
		add_reasons(module, summary, &text);
	wv_vec_for_each(splice, &summary->refused.splices)
		if (all)
			add_refused(module, splice, 0, &text);
	fputs(wv_str_text(&text), out);
}
