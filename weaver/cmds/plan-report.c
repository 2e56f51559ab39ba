// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats chosen splices as text, totals and JSON; see plan-report.h. */
#include "base/text-table.h"
#include "base/notation.h"
#include "cmds/plan-report.h"
#include "cmds/points-report.h"
#include "splice/refusal.h"

/*
 * The words for each result of the search for a displaced range. .name is written in tables and
 * JSON. .words is written in a sentence, and an address follows.
 */
static const struct {
	const char *name, *words;
} answers[WV_DISPLACE_ANSWERS] = {
	[WV_DISPLACE_FITS] = { "fits", "it fits, at" },
	[WV_DISPLACE_BOUNDARY] = { "boundary", "no instruction begins at" },
	[WV_DISPLACE_OWNED] = { "owned",
				"another mechanism of the kernel owns the instruction at" },
	[WV_DISPLACE_ENDBR] = { "endbr", "there is an endbr at" },
	[WV_DISPLACE_BRANCH_TARGET] = { "branch-target", "there is a branch target at" },
	[WV_DISPLACE_RETURN] = { "return", "a call would return into the displaced range, at" },
	[WV_DISPLACE_END] = { "end", "straight-line code ends at" },
	[WV_DISPLACE_UNKNOWN] = { "unknown", "the function's control flow is not known, at" },
	[WV_DISPLACE_FIXED] = { "fixed", "an instruction cannot be relocated, at" },
	[WV_DISPLACE_LONG] = { "long",
			       "the displaced range would be too long with the instruction at" },
	[WV_DISPLACE_TAKEN] = { "taken",
				"another splice of the aspect has displaced the instruction at" },
};

void wv_plan_name(struct wv_db *db, uint64_t address, struct wv_str *out)
{
	uint64_t offset;
	const char *name = wv_db_symbol_at(db, address, &offset);

	if (name)
		wv_str_add_module(out, wv_db_module_at(db, address));
	wv_str_add_address(out, address, name, offset);
}

void wv_plan_why(struct wv_db *db, const struct wv_why *why, struct wv_str *out)
{
	wv_str_addf(out, "%s ", answers[why->answer].words);
	wv_plan_name(db, why->address, out);
}

const char *wv_plan_reason(const struct wv_choice *choice)
{
	if (choice->splice == WV_SPLICE_REFUSED)
		return wv_refusal_name(choice->refusal);
	if (choice->splice != WV_SPLICE_TRAP)
		return "";
	return choice->no_slot ? "no-slot" : answers[choice->back.answer].name;
}

/*
 * Returns one word for why a splice is a trap. @answer is the result of the search for a displaced
 * range. If the search has found a range, the splice is a trap only because no springboard slot was
 * free.
 */
static const char *trap_name(unsigned int answer)
{
	return answer == WV_DISPLACE_FITS ? "no-slot" : answers[answer].name;
}

static void add_share(struct wv_text_table *table, const struct wv_splice_totals *totals,
		      const char *what, const char *how, size_t n)
{
	if (!n)
		return;
	wv_text_table_text(table, what);
	wv_text_table_text(table, how);
	wv_text_table_add(table, "%zu", n);
	wv_text_table_add(table, "%.2f %%", 100.0 * n / totals->all.matched);
}

static size_t at_jump_speed(const struct wv_splice_totals *totals)
{
	const size_t *by_splice = totals->all.by_splice;

	return by_splice[WV_SPLICE_CALL] + by_splice[WV_SPLICE_JUMP] +
	       by_splice[WV_SPLICE_SPRINGBOARD];
}

void wv_plan_shares(const struct wv_splice_totals *totals, const struct wv_text_totals *text,
		    struct wv_str *out)
{
	_cleanup_text_table_ struct wv_text_table table = { .n = 4 };
	const size_t *by_splice = totals->all.by_splice;

	wv_str_addf(out, "%s, %s of padding and %zu int3, in %s and other code\n\n",
		    wv_count_text(totals->all.matched, "instruction").text,
		    wv_count_text(text->padding, "nop").text, text->int3,
		    wv_count_text(text->ranges, "function").text);
	if (!totals->all.matched)
		return;
	add_share(&table, totals, "call", "turned to the trampoline", by_splice[WV_SPLICE_CALL]);
	add_share(&table, totals, "jump", "over one instruction",
		  by_splice[WV_SPLICE_JUMP] - totals->several);
	add_share(&table, totals, "jump", "over several instructions", totals->several);
	add_share(&table, totals, "springboard", "slot in padding",
		  by_splice[WV_SPLICE_SPRINGBOARD] - totals->in_donor);
	add_share(&table, totals, "springboard", "slot in a donor", totals->in_donor);
	add_share(&table, totals, "= at jump speed", "", at_jump_speed(totals));
	for (unsigned int i = 0; i < WV_DISPLACE_ANSWERS; i++)
		add_share(&table, totals, "trap", trap_name(i), totals->traps[i]);
	add_share(&table, totals, "= traps", "", by_splice[WV_SPLICE_TRAP]);
	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++)
		add_share(&table, totals, "refused", wv_refusal_name(i), totals->all.refused[i]);
	add_share(&table, totals, "= refused", "", by_splice[WV_SPLICE_REFUSED]);
	wv_text_table_print(&table, out);
	if (totals->attached_before)
		wv_str_addf(out,
			    "\n%zu of the spliced %s advice attached before %s, at the end of what "
			    "the splice displaces: %s own bytes are not touched\n",
			    totals->attached_before,
			    wv_plural(totals->attached_before, "has", "have"),
			    wv_plural(totals->attached_before, "it", "them"),
			    wv_plural(totals->attached_before, "its", "their"));
	wv_str_add(out, "\n");
	wv_totals_text(&totals->all, out);
	wv_str_add(out, "\n");
}

void wv_plan_shares_json(const struct wv_splice_totals *totals, const struct wv_text_totals *text,
			 struct wv_str *out)
{
	struct wv_json json = WV_JSON(out);

	wv_json_begin_object(&json, NULL);
	wv_json_unsigned(&json, "instructions", totals->all.matched);
	wv_json_unsigned(&json, "padding", text->padding);
	wv_json_unsigned(&json, "int3", text->int3);
	wv_json_unsigned(&json, "unknown", text->unknown);
	for (unsigned int i = 0; i < WV_SPLICES; i++)
		wv_json_unsigned(&json, wv_splice_name(i), totals->all.by_splice[i]);
	wv_json_unsigned(&json, "several_instructions", totals->several);
	wv_json_unsigned(&json, "in_donor", totals->in_donor);
	wv_json_unsigned(&json, "attached_before", totals->attached_before);
	wv_json_begin_object(&json, "traps");
	for (unsigned int i = 0; i < WV_DISPLACE_ANSWERS; i++)
		if (totals->traps[i])
			wv_json_unsigned(&json, trap_name(i), totals->traps[i]);
	wv_json_end_object(&json);
	wv_json_begin_object(&json, "refusals");
	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++)
		if (totals->all.refused[i])
			wv_json_unsigned(&json, wv_refusal_name(i), totals->all.refused[i]);
	wv_json_end_object(&json);
	wv_json_end_object(&json);
}

void wv_plan_keys(const struct wv_choice *choice, struct wv_json *json)
{
	wv_json_text(json, "splice", wv_splice_name(choice->splice));
	wv_json_text_if(json, "reason", wv_plan_reason(choice));
	if (choice->splice == WV_SPLICE_REFUSED)
		return;
	wv_json_unsigned(json, "before", choice->before);
	wv_json_unsigned(json, "displaced", choice->displaced);
	wv_json_unsigned(json, "instructions", choice->instructions);
	if (choice->attaches_before)
		wv_json_bool(json, "attaches_before", true);
	if (choice->splice == WV_SPLICE_SPRINGBOARD)
		wv_json_hex(json, "slot", choice->slot);
	if (choice->donor) {
		wv_json_hex(json, "donor", choice->slot - WEFT_JUMP_SIZE);
		wv_json_unsigned(json, "donor_bytes", choice->donor);
	}
}

static const char *name_of_address(void *context, uint64_t address, uint64_t *offset_ret)
{
	return wv_db_symbol_at(context, address, offset_ret);
}

void wv_plan_uprobe(const struct wv_selected *uprobe, struct wv_decoder *decoder,
		    struct wv_text_table *table)
{
	const struct wv_match *match = uprobe->match;
	char text[256] = "";

	if (match->nr_bytes)
		wv_decode_text(decoder, match->bytes, match->nr_bytes, match->address,
			       name_of_address, uprobe->program->db, text, sizeof(text));
	wv_text_table_text(table, wv_shadow_text(wv_base_name(uprobe->program->path),
						 match->symbol, match->symbol_offset).text);
	wv_text_table_text(table, text);
	wv_text_table_text(table, uprobe->refusal ? wv_splice_name(WV_SPLICE_REFUSED) : "uprobe");
	wv_text_table_text(table, uprobe->refusal ? wv_refusal_name(uprobe->refusal) : "");
}

void wv_plan_uprobe_json(const struct wv_selected *uprobe, struct wv_decoder *decoder,
			 struct wv_json *json)
{
	struct wv_source no_source = { 0 };

	wv_json_begin_object(json, NULL);
	wv_json_text(json, "program", uprobe->program->path);
	wv_points_keys(uprobe->program->db, decoder, uprobe->match, &no_source, json);
	wv_json_text(json, "splice",
		     uprobe->refusal ? wv_splice_name(WV_SPLICE_REFUSED) : "uprobe");
	if (uprobe->refusal)
		wv_json_text(json, "reason", wv_refusal_name(uprobe->refusal));
	wv_json_end_object(json);
}
