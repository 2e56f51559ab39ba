// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the table of advice; see write-advices.h. */
#include "aspect/generate/guard.h"
#include "aspect/generate/write-advices.h"
#include "aspect/generate/write-metrics.h"
#include "aspect/generate/write-values.h"
#include "aspect/language/body.h"
#include "aspect/language/variables.h"
#include "aspect/resolve/dwarf-expression.h"
#include "base/duration.h"
#include "base/notation.h"
#include "runtime/frame.h"

static void write_time(const char *name, uint64_t time, struct wv_str *out)
{
	char text[WV_DURATION_TEXT];

	if (time)
		wv_str_addf(out, ",\n\t  .%s = %lluull /* %s */", name, (unsigned long long)time,
			    wv_duration_text(time, text));
}

void wv_registers_write(uint32_t bits, struct wv_str *out)
{
	const char *separator = "";

	if (!bits)
		wv_str_add(out, "0");
	for (unsigned int bit = 0; bit < WR_NR_NAMES; bit++) {
		if (!(bits & WR_BIT(bit)))
			continue;
		wv_str_addf(out, "%sWR_BIT(%s)", separator, wv_register_names[bit]);
		separator = " | ";
	}
}

/* Writes the members of struct weft_advice that advice with and without a function both have. */
static void write_rest(const struct wv_aspect_advice *advice, struct wv_str *out)
{
	write_time("start_after", advice->start_after, out);
	write_time("stop_after", advice->stop_after, out);
	if (advice->metric)
		wv_str_addf(out, ",\n\t  .metric = %zu%s", advice->metric->index + 1,
			    advice->ends ? ", .ends = true" : "");
	if (advice->once)
		wv_str_add(out, ",\n\t  .once = true");
}

static void write_advice_row(const struct wv_aspect *aspect, const struct wv_values *values,
			     const struct wv_aspect_advice *advice, struct wv_str *out)
{
	const size_t index = advice - aspect->advices.data;
	uint32_t needs = 0;

	for (size_t i = 0; i < wv_nr_variables; i++)
		if (advice->code.variables & WV_VARIABLE_BIT(i))
			needs |= wv_variables[i].needs;
	needs |= wv_values_registers(values, index);
	if (advice->code.calls)
		needs |= WR_BIT(WR_CALLERS);
	/* weft_stack() finds the callers beside the frame, which exists if a register is needed. */
	if (advice->code.stack)
		needs |= WR_BIT(WR_RBP);
	if (advice->around) {
		wv_str_add(out, "\t{ .entry = NULL");
	} else {
		wv_str_addf(out, "\t{ .entry = weft_entry_%zu,%s.needs = ", index,
			    needs ? "\n\t  " : " ");
		wv_registers_write(needs, out);
	}
	wv_str_add(out, ",\n\t  .file = ");
	wv_str_add_c(out, wv_base_name(aspect->path));
	wv_str_addf(out, ", .line = %u", wv_body_line(&advice->code));
	write_rest(advice, out);
	wv_str_add(out, " },\n");
}

static void write_inline_row(const struct wv_aspect_advice *advice, struct wv_str *out)
{
	wv_str_add(out, "\t{ .entry = NULL");
	if (advice->metric)
		wv_str_addf(out, ", .count = &weft_count_%zu", advice->metric->index);
	write_rest(advice, out);
	wv_str_add(out, " },\n");
}

bool wv_advice_is_inline(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice)
{
	if (advice->flow || advice->tag || advice->around || wv_has_guard(aspect, advice))
		return false;
	return advice->metric ? wv_metric_is_inline(advice->metric) :
				wv_body_is_empty(&advice->code) && !advice->once;
}

void wv_advices_write(const struct wv_aspect *aspect, const struct wv_values *values,
		      struct wv_str *out)
{
	wv_str_add(out, "\nstatic const struct weft_advice weft_advices[] = {\n");
	wv_vec_for_each(advice, &aspect->advices) {
		if (wv_advice_is_inline(aspect, advice))
			write_inline_row(advice, out);
		else
			write_advice_row(aspect, values, advice, out);
	}
	wv_str_add(out, "};\n");
}
