// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft explain`: shows the splice that one shadow would get, and why it gets no better one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text-table.h"
#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/explain-report.h"
#include "cmds/options.h"
#include "cmds/find-shadows.h"
#include "runtime/joinpoint-table.h"
#include "plan/function-cache.h"

struct options {
	const char *database, *what, *kind, *within;
	uint32_t kinds; /* the kinds of access in .kind, as WV_KIND_BIT()s */
	bool json;
};

static const struct wv_option known[] = {
	WV_TEXT(struct options, database, "db", 'd', "DB", WV_COMPLETE_DATABASE,
		"the joinpoint database (default: $WEFT_DB, or vmlinux.weft in $WEFT_KERNEL)"),
	WV_TEXT(struct options, kind, "kind", 'k', "KIND", WV_COMPLETE_KINDS,
		"of a member only these accesses"),
	WV_TEXT(struct options, within, "within", 'w', "W", WV_COMPLETE_WITHIN,
		"only what is in this file, folder or function"),
	WV_FLAG(struct options, json, "json", 'j', "one JSON object"),
	{ 0 }
};

static int parse(int argc, char **argv, struct options *ret, struct wv_error *error)
{
	int first, failed;

	*ret = (struct options){ .kinds = WV_KINDS_ALL };
	failed = wv_options_parse(&wv_cmd_explain, argc, argv, ret, &first, error);
	if (!failed && ret->kind)
		failed = wv_kinds_parse(ret->kind, &ret->kinds, error);
	if (failed)
		return failed;
	if (first + 1 != argc)
		return wv_usage(error, "explain",
				first == argc ? "which shadow?" : "one shadow at a time");
	ret->what = argv[first];
	if (!ret->database)
		ret->database = wv_default_database(wv_default_kernel());
	if (!ret->database || !*ret->database)
		return wv_usage(error, "explain", WV_WHICH_DATABASE);
	return 0;
}

/*
 * Sets *@ret to the address of the shadow to explain. Fails if the options name several shadows.
 */
static int find_one(struct wv_db *db, const struct options *options, uint64_t *ret,
		    struct wv_error *error)
{
	_cleanup_shadow_list_ struct wv_shadow_list shadows = { 0 };
	const struct wv_match *first, *last;
	int failed = wv_shadow_list_find(db, options->what, options->kinds, options->within,
					 NULL, &shadows, error);

	if (!failed && !shadows.list.n)
		failed = wv_fail(error, WV_E_NO_MATCH,
				 "'%s' has only shadows in programs, which get no splice",
				 options->what);
	if (failed)
		return failed;
	first = shadows.list.data[0];
	last = shadows.list.data[shadows.list.n - 1];
	*ret = first->address;
	if (first->address == last->address)
		return 0;
	return wv_fail(error, WV_E_USAGE, "'%s' has %s, from %s to %s: name one of them",
		       options->what, wv_count_text(shadows.list.n, "shadow").text,
		       wv_shadow_text(first->module, first->symbol, first->symbol_offset).text,
		       wv_shadow_text(last->module, last->symbol, last->symbol_offset).text);
}

static int preview(struct wv_explanation *explanation, const struct wv_function_range *range,
		   uint64_t away, struct wv_error *error)
{
	if (explanation->choice.splice == WV_SPLICE_REFUSED)
		return 0;
	explanation->spliced = true;
	return wv_preview_init(&explanation->preview, &explanation->choice, range->bytes,
			       range->end - range->start, range->start, away,
			       explanation->live, range->sanitize, error);
}

static int explain(struct wv_db *db, const struct options *options, uint64_t address,
		   struct wv_str *out, struct wv_error *error)
{
	struct wv_explanation explanation = { .choice.address = address,
					      .live = WEFT_LIVE_UNKNOWN };
	_cleanup_splices_ struct wv_splices *splices = NULL;
	_cleanup_functions_ struct wv_functions *functions = NULL;
	const struct wv_function_range *range = NULL;
	int ret = wv_splices_create(db, &splices, error);

	if (!ret)
		ret = wv_splices_choose(splices, &explanation.choice, 1, error);
	if (!ret)
		ret = wv_function_ranges_at(wv_splices_ranges(splices), address, &range, error);
	if (!ret)
		ret = wv_functions_create(db, &functions, error);
	if (!ret)
		ret = wv_functions_live(functions, address, &explanation.live, error);
	if (!ret && range) {
		explanation.sanitize = range->sanitize;
		ret = preview(&explanation, range, wv_db_away(db, address), error);
	}
	if (!ret)
		ret = wv_function_ranges_owner(wv_splices_ranges(splices), address,
					       &explanation.owner, error);
	if (!explanation.owner && explanation.choice.refusal == WEFT_REFUSAL_FTRACE)
		explanation.owner = "ftrace, written at any time";
	if (!ret)
		ret = options->json ? wv_explain_json(db, &explanation, out, error) :
				      wv_explain_text(db, &explanation, out, error);
	wv_preview_deinit(&explanation.preview);
	return ret;
}

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_str_ struct wv_str out = { 0 };
	_cleanup_db_ struct wv_db *db = NULL;
	struct options options;
	uint64_t address;
	int ret = parse(argc, argv, &options, error);

	if (!ret)
		ret = wv_db_open(options.database, &db, error);
	if (!ret)
		ret = find_one(db, &options, &address, error);
	if (!ret)
		ret = explain(db, &options, address, &out, error);
	return ret ? ret : wv_print(&out, error);
}

const struct wv_cmd wv_cmd_explain = {
	.name = "explain",
	.run = run,
	.summary = "show how one shadow would be spliced, byte by byte, and why",
	.usage = "[options] SYMBOL+OFFSET|POINTCUT",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.notes = "POINTCUT is as for `weft points`, and has one shadow. The bytes are the image's; "
		 "the trampoline is what weft.ko's own\n"
		 "emitter makes for a before-advice that names no variable, at an address that is "
		 "made up.\n",
	.examples = "weft explain vfs_read+0x5\n",
};
