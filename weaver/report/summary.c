// SPDX-License-Identifier: GPL-2.0-or-later
/* Printing a summary; see summary.h. */
#include "report/summary.h"
#include "splice/refusal.h"

const char *wv_joinpoint_location(const struct wv_aspect_module *module,
			       const struct weft_joinpoint *joinpoint, char *text, size_t size)
{
	const char *file = wv_aspect_module_string(module, joinpoint->file);
	int n = snprintf(text, size, "%s+%#x", wv_aspect_module_string(module, joinpoint->symbol),
			 joinpoint->symbol_offset);

	if (n < 0 || (size_t)n >= size || !file[0])
		return text;
	if (joinpoint->column)
		snprintf(text + n, size - n, " (%s:%u:%u)", file, joinpoint->line,
			 joinpoint->column);
	else
		snprintf(text + n, size - n, " (%s:%u)", file, joinpoint->line);
	return text;
}

static void print_refused(FILE *out, const struct wv_aspect_module *module,
			  const struct wv_plan *refused)
{
	char place[512];

	wv_vec_for_each(splice, &refused->splices)
		fprintf(out, "  refused %s: %s: %s\n",
			wv_joinpoint_location(module, &module->joinpoints[splice->joinpoint], place,
					   sizeof(place)),
			wv_refusal_name(splice->refusal), wv_refusal_reason(splice->refusal));
}

/* " = call 2 + jump 1 + springboard 0 + trap 3" */
static void print_kinds(FILE *out, const struct wv_plan *woven)
{
	static const struct {
		enum weft_splice_kind kind;
		const char *name;
	} kinds[] = { { WEFT_SPLICE_CALL, "call" }, { WEFT_SPLICE_JUMP, "jump" }, { WEFT_SPLICE_SPRINGBOARD, "springboard" },
		      { WEFT_SPLICE_TRAP, "trap" } };
	size_t by_kind[WEFT_SPLICE_KINDS] = { 0 };

	wv_vec_for_each(splice, &woven->splices)
		by_kind[splice->kind]++;
	for (size_t i = 0; i < WEFT_SPLICE_KINDS; i++)
		fprintf(out, "%s%s %zu", i ? " + " : " = ", kinds[i].name, by_kind[kinds[i].kind]);
}

/* "  no jump over several instructions for 3: branch-target 2, overlap 1": traps that the compiled aspect hoped to make jumps */
static void print_narrowed(FILE *out, const struct wv_plan *woven)
{
	size_t n = 0;

	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++)
		n += woven->narrowed[i];
	if (!n)
		return;
	fprintf(out, "  no jump over several instructions for %zu:", n);
	for (unsigned int i = 0, first = 1; i < WEFT_REFUSAL_COUNT; i++) {
		if (!woven->narrowed[i])
			continue;
		fprintf(out, "%s %s %zu", first ? "" : ",", wv_refusal_name(i), woven->narrowed[i]);
		first = 0;
	}
	fprintf(out, "\n");
}

void wv_summary_print(FILE *out, const struct wv_aspect_module *module,
		     const struct wv_summary *summary)
{
	size_t by_reason[WEFT_REFUSAL_COUNT] = { 0 };
	bool first = true;

	fprintf(out, "%s: matched %zu", module->header.name, summary->matched);
	print_kinds(out, &summary->woven);
	fprintf(out, " + refused %zu", summary->refused.splices.n);
	wv_vec_for_each(splice, &summary->refused.splices)
		by_reason[splice->refusal < WEFT_REFUSAL_COUNT ? splice->refusal : 0]++;
	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++) {
		if (!by_reason[i])
			continue;
		fprintf(out, "%s%s %zu", first ? " (" : ", ", wv_refusal_name(i), by_reason[i]);
		first = false;
	}
	fprintf(out, "%s\n", first ? "" : ")");
	print_narrowed(out, &summary->woven);
	print_refused(out, module, &summary->refused);
}
