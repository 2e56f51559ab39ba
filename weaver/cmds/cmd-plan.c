// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft plan`: shows the splice that each shadow would get, chosen from the database alone, without
 * the running kernel. plan-report.c formats the result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text-table.h"
#include "x86/decode.h"
#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "cmds/show-progress.h"
#include "cmds/defaults.h"
#include "cmds/plan-report.h"
#include "cmds/points-report.h"
#include "cmds/find-shadows.h"
#include "database/pointcut-parse.h"
#include "runtime/joinpoint-table.h"
#include "splice/refusal.h"

struct options {
	const char *database, *what, *function, *kind, *within;
	const char *module; /* operand of --all: name of a module; NULL: all images */
	uint32_t kinds; /* the kinds of access in .kind, as WV_KIND_BIT()s */
	size_t limit;
	bool all, alone, json;
};

static const struct wv_option known[] = {
	WV_TEXT(struct options, database, "db", 'd', "DB", WV_COMPLETE_DATABASE,
		"the joinpoint database (default: $WEFT_DB, or vmlinux.weft in $WEFT_KERNEL)"),
	WV_TEXT(struct options, function, "function", 'f', "F", WV_COMPLETE_WITHIN,
		"in place of a pointcut: every instruction of a function"),
	WV_FLAG(struct options, all, "all", 'a',
		"in place of a pointcut: every instruction of the kernel and its modules, or of "
		"MODULE, each alone; only the sums are shown"),
	WV_FLAG(struct options, alone, "alone", 0,
		"each shadow as if it were the only one; else no two splices overlap, as in one "
		"aspect"),
	WV_TEXT(struct options, kind, "kind", 'k', "KIND", WV_COMPLETE_KINDS,
		"of a member only these accesses"),
	WV_TEXT(struct options, within, "within", 'w', "W", WV_COMPLETE_WITHIN,
		"only what is in this file, folder or function"),
	WV_NUMBER(struct options, limit, "limit", 'n', "N",
		  "show only the first N; the summary counts all"),
	WV_FLAG(struct options, json, "json", 'j', "one JSON object a line"),
	{ 0 }
};

static int parse(int argc, char **argv, struct options *ret, struct wv_error *error)
{
	int first, failed;

	*ret = (struct options){ .kinds = WV_KINDS_ALL, .limit = SIZE_MAX };
	failed = wv_options_parse(&wv_cmd_plan, argc, argv, ret, &first, error);
	if (!failed && ret->kind)
		failed = wv_kinds_parse(ret->kind, &ret->kinds, error);
	if (failed)
		return failed;
	if (ret->all && first < argc)
		ret->module = argv[first++];
	if ((first < argc) + !!ret->function + ret->all != 1)
		return wv_usage(error, "plan",
				"name one of a pointcut, an aspect, --function F and --all");
	if (first + 1 < argc)
		return wv_usage(error, "plan", "unexpected argument '%s'", argv[first + 1]);
	ret->what = first < argc ? argv[first] : NULL;
	if (!ret->database)
		ret->database = wv_default_database(wv_default_kernel());
	if (!ret->database || !*ret->database)
		return wv_usage(error, "plan", WV_WHICH_DATABASE);
	return 0;
}

/*
 * The state of a `weft plan`. First .choices gets the addresses of the shadows, then the splices
 * are chosen, then the report is written.
 */
struct planning {
	struct wv_db *db;
	struct wv_splices *splices;
	struct wv_decoder *decoder;
	const struct options *options;
	WV_VEC(struct wv_choice) choices;
	/* one for each of .choices; NULL: the shadows are instructions without joinpoints */
	const struct wv_match **matches;
	/*
	 * one for each of .choices: why the aspect cannot be woven there; NULL: the shadows are not
	 * those of an aspect
	 */
	const enum weft_refusal *refusals;
	/* one for each of .choices: whether the report leaves it out; NULL: it leaves out none */
	const bool *dropped;
	const struct wv_shadow_list *shadows; /* has the shadows in programs; NULL: none */
	struct wv_str *out;
};

static const char *name_of(void *context, uint64_t address, uint64_t *offset_ret)
{
	return wv_db_symbol_at(context, address, offset_ret);
}

static void add_row(struct planning *planning, struct wv_text_table *table,
		    const struct wv_choice *choice)
{
	_cleanup_str_ struct wv_str shadow = { 0 }, reason = { 0 };
	char text[256];
	uint8_t bytes[WEFT_INSN_MAX];
	size_t n = wv_db_text_bytes(planning->db, choice->address, bytes, sizeof(bytes));

	wv_plan_name(planning->db, choice->address, &shadow);
	wv_decode_text(planning->decoder, bytes, n, choice->address, name_of, planning->db, text,
		       sizeof(text));
	if (choice->splice == WV_SPLICE_REFUSED || choice->splice == WV_SPLICE_TRAP)
		wv_str_add(&reason, wv_plan_reason(choice));
	else if (choice->instructions > 1 || choice->attaches_before)
		wv_str_addf(&reason, "%s, %s%s", wv_count_text(choice->displaced, "byte").text,
			    wv_count_text(choice->instructions, "instruction").text,
			    choice->before && !choice->attaches_before ? "," : "");
	if (choice->attaches_before)
		wv_str_addf(&reason, " up to it: %s", wv_refusal_name(choice->refusal));
	else if (choice->instructions > 1 && choice->before)
		wv_str_addf(&reason, " from %u before", choice->before);
	if (choice->splice == WV_SPLICE_SPRINGBOARD) {
		wv_str_addf(&reason, "%s%s", reason.n ? ", " : "",
			    choice->donor ? "slot in a donor " : "slot ");
		wv_plan_name(planning->db, choice->slot, &reason);
	}
	wv_text_table_text(table, wv_str_text(&shadow));
	wv_text_table_text(table, text);
	wv_text_table_text(table, wv_splice_name(choice->splice));
	wv_text_table_text(table, wv_str_text(&reason));
}

static void add_json(struct planning *planning, struct wv_json *json,
		     const struct wv_choice *choice)
{
	struct wv_source no_source = { 0 };
	struct wv_match match = { .precision = WEFT_PRECISION_SYMBOL, .kind = "instruction" };
	uint64_t offset;

	if (planning->matches) {
		match = *planning->matches[choice - planning->choices.data];
	} else {
		match.module = wv_db_module_at(planning->db, choice->address);
		match.address = choice->address;
		match.symbol = wv_db_symbol_at(planning->db, choice->address, &offset);
		match.symbol_offset = offset;
		match.nr_bytes = wv_db_text_bytes(planning->db, choice->address, match.bytes,
						  sizeof(match.bytes));
	}
	wv_json_begin_object(json, NULL);
	wv_points_keys(planning->db, planning->decoder, &match, &no_source, json);
	wv_plan_keys(choice, json);
	wv_json_end_object(json);
}

/*
 * Adds all shadows in programs to @totals. Adds them to @json, if the options want JSON, or to
 * @table, until the report has as many shadows as the options allow. *@shown is the number of
 * shadows so far.
 */
static void add_uprobes(struct planning *planning, struct wv_splice_totals *totals, size_t *shown,
			struct wv_text_table *table, struct wv_json *json)
{
	if (!planning->shadows)
		return;
	wv_vec_for_each(slot, &planning->shadows->uprobes) {
		const struct wv_selected *uprobe = *slot;

		if (uprobe->refusal) {
			wv_totals_add(&totals->all, WV_SPLICE_REFUSED, uprobe->refusal);
		} else {
			totals->all.matched++;
			totals->all.uprobes++;
		}
		if ((*shown)++ >= planning->options->limit)
			continue;
		if (planning->options->json)
			wv_plan_uprobe_json(uprobe, planning->decoder, json);
		else
			wv_plan_uprobe(uprobe, planning->decoder, table);
	}
}

static int report(struct planning *planning, struct wv_error *error)
{
	_cleanup_text_table_ struct wv_text_table table = { .n = 4 };
	struct wv_json json = WV_JSON(planning->out);
	struct wv_splice_totals totals = { 0 };
	size_t shown = 0;

	wv_text_table_text(&table, "SHADOW");
	wv_text_table_text(&table, "INSTRUCTION");
	wv_text_table_text(&table, "SPLICE");
	wv_text_table_text(&table, "BYTES OR REASON");
	wv_vec_for_each(choice, &planning->choices) {
		wv_splice_totals_add(&totals, choice);
		if (shown++ >= planning->options->limit)
			continue;
		if (planning->options->json)
			add_json(planning, &json, choice);
		else
			add_row(planning, &table, choice);
	}
	add_uprobes(planning, &totals, &shown, &table, &json);
	if (!planning->options->json) {
		wv_text_table_print(&table, planning->out);
		if (totals.all.matched > planning->options->limit)
			wv_str_addf(planning->out, "... and %zu more\n",
				    totals.all.matched - planning->options->limit);
		wv_str_add(planning->out, "\n");
		wv_totals_text(&totals.all, planning->out);
		wv_str_add(planning->out, "\n");
	}
	return planning->out->failed ? wv_no_memory(error) : 0;
}

static int choose(struct planning *planning, struct wv_error *error)
{
	struct wv_choice *choices = planning->choices.data;
	size_t n = planning->choices.n, left = 0;
	int ret = planning->options->alone
			  ? wv_splices_choose_alone(planning->splices, choices, n, error)
			  : wv_splices_choose(planning->splices, choices, n, error);

	for (size_t i = 0; i < n && !ret && planning->refusals; i++) {
		if (!planning->refusals[i])
			continue;
		choices[i].splice = WV_SPLICE_REFUSED;
		choices[i].refusal = planning->refusals[i];
		choices[i].attaches_before = false;
	}
	for (size_t i = 0; i < n && !ret; i++)
		if (!planning->dropped || !planning->dropped[i]) {
			choices[left] = choices[i];
			if (planning->matches)
				planning->matches[left] = planning->matches[i];
			left++;
		}
	planning->choices.n = left;
	return ret ? ret : report(planning, error);
}

static int add(struct planning *planning, uint64_t address, struct wv_error *error)
{
	struct wv_choice *choice = wv_vec_push(&planning->choices);

	if (!choice)
		return wv_no_memory(error);
	choice->address = address;
	return 0;
}

static int plan_shadows(struct planning *planning, struct wv_error *error)
{
	const struct options *options = planning->options;
	_cleanup_shadow_list_ struct wv_shadow_list shadows = { 0 };
	_cleanup_str_ struct wv_str incomplete = { 0 };
	int ret = wv_shadow_list_find(planning->db, options->what, options->kinds, options->within,
				      options->json ? &incomplete : NULL, &shadows, error);

	for (size_t i = 0; i < shadows.list.n && !ret; i++)
		ret = add(planning, shadows.list.data[i]->address, error);
	planning->matches = shadows.list.data;
	planning->refusals = shadows.refusals.data;
	planning->dropped = shadows.dropped.data;
	planning->shadows = &shadows;
	if (!ret)
		ret = choose(planning, error);
	if (!ret && !options->json && shadows.optimized_out)
		wv_str_addf(planning->out, "left out: %zu optimized out\n",
			    shadows.optimized_out);
	wv_str_add(planning->out, wv_str_text(&incomplete));
	return ret;
}

/*
 * Plans all instructions, except padding, of all functions that have the name in --function.
 */
static int plan_function(struct planning *planning, struct wv_error *error)
{
	_cleanup_shadow_list_ struct wv_shadow_list shadows = { 0 };
	struct wv_pointcut pointcut;
	int ret = wv_pointcut_of_function(planning->options->function, &pointcut, error);

	if (!ret)
		ret = wv_db_query(planning->db, &pointcut, &shadows.matches, error);
	wv_pointcut_deinit(&pointcut);
	wv_vec_for_each(match, &shadows.matches.list) {
		struct wv_function_ranges *ranges = wv_splices_ranges(planning->splices);
		const struct wv_function_range *range = NULL;

		if (!ret)
			ret = wv_function_ranges_at(ranges, match->address, &range, error);
		for (uint64_t at = range ? range->start : 0;
		     !ret && range && at < range->code_end;) {
			struct wv_insn_info info =
				wv_displaceable_insn(wv_chooser_displaceable(range->chooser), at);

			if (info.length &&
			    !wv_padding_holds(wv_chooser_padding(range->chooser), at))
				ret = add(planning, at, error);
			at += info.length ? info.length : 1;
		}
	}
	if (!ret && !planning->choices.n)
		ret = wv_fail(error, WV_E_NO_MATCH,
			      "function '%s' has no code in the kernel's text",
			      planning->options->function);
	return ret ? ret : choose(planning, error);
}

static int plan_all(struct planning *planning, struct wv_error *error)
{
	struct wv_splice_totals totals;
	struct wv_text_totals text;
	int ret = wv_splices_all(planning->splices, planning->options->module, &totals, &text,
				 error);

	if (ret)
		return ret;
	if (planning->options->json)
		wv_plan_shares_json(&totals, &text, planning->out);
	else
		wv_plan_shares(&totals, &text, planning->out);
	return 0;
}

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_str_ struct wv_str out = { 0 };
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_splices_ struct wv_splices *splices = NULL;
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct options options;
	struct planning planning = { .options = &options, .out = &out };
	int ret = parse(argc, argv, &options, error);

	if (!ret)
		ret = wv_db_open(options.database, &db, error);
	if (!ret)
		ret = wv_splices_create(db, &splices, error);
	if (!ret)
		ret = wv_decoder_create(&decoder, error);
	planning.db = db;
	planning.splices = splices;
	planning.decoder = decoder;
	if (!options.json)
		wv_progress_begin("planning", options.all	 ? "the whole text"
					      : options.function ? options.function
								 : options.what);
	if (!ret && options.all)
		ret = plan_all(&planning, error);
	else if (!ret && options.function)
		ret = plan_function(&planning, error);
	else if (!ret)
		ret = plan_shadows(&planning, error);
	wv_progress_end();
	wv_vec_deinit(&planning.choices);
	return ret ? ret : wv_print(&out, error);
}

const struct wv_cmd wv_cmd_plan = {
	.name = "plan",
	.run = run,
	.summary = "show how each shadow would be spliced, without a kernel",
	.usage = "[options] POINTCUT|ASPECT.xml | --function F | --all [MODULE]",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.notes = "POINTCUT is as for `weft points`, and so are the keys of the JSON, with splice "
		 "and reason added.\n"
		 "\n"
		 "Nothing of a kernel is touched: the bytes are the image's. weft.ko looks at the "
		 "live text when an aspect is\n"
		 "woven, and takes a trap where it does not find what is promised here. Which "
		 "shadows optional advice of an\n"
		 "aspect drops is looked up in the vmlinux of $WEFT_KERNEL.\n",
	.examples = "weft plan sk_buff.destructor\n"
		    "weft plan --function vfs_read\n"
		    "weft plan --all\n"
		    "weft plan --all vmlinux\n",
};
