// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft diff`: reports which joinpoints of a pointcut or an aspect moved, appeared or vanished
 * between two kernels.
 *
 * A joinpoint of the old kernel and a joinpoint of the new kernel are taken for the same if they
 * agree in kind, names, module, file and function (compare_identity()). If several joinpoints of a
 * kernel agree in these, they are numbered in the order of line and column, and the joinpoints of
 * the two kernels with equal numbers are taken for the same. A joinpoint has moved if its line, its
 * column, the offset in its function or its precision differs, because advice that was right for
 * one kernel may then be wrong for the other. Addresses always differ and are not compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/aspect-model.h"
#include "aspect/resolve/pick-query.h"
#include "base/cleanup.h"
#include "base/text-table.h"
#include "base/json-writer.h"
#include "base/notation.h"
#include "base/order.h"
#include "cmds/aspect-errors.h"
#include "cmds/cmd.h"
#include "cmds/incomplete.h"
#include "cmds/options.h"
#include "cmds/show-progress.h"
#include "runtime/joinpoint-table.h"
#include "database/db.h"
#include "database/pointcut-parse.h"
#include "database/wildcard.h"

struct options {
	const char *old, *new, *what, *kind;
	uint32_t kinds;
	bool json;
};

/* One joinpoint at one of its shadows, in one of the two kernels. */
struct point {
	const struct wv_match *match;
	size_t nth; /* number, from 0, among the points of equal identity (compare_identity()) */
};

typedef WV_VEC(struct point) points;

/*
 * The question that both kernels are asked: .pointcut or, if that is NULL, pointcut number .index
 * of .aspect.
 */
struct question {
	const struct wv_pointcut *pointcut;
	const struct wv_aspect *aspect;
	size_t index;
};

/* All joinpoints that one of the kernels has for the question. */
struct side {
	struct wv_picks picks; /* storage of .matches if the question is a pointcut of an aspect */
	struct wv_matches matches;
	points list;
	bool explained; /* .list is empty, and @error of the query says why */
};

static const struct wv_option known[] = {
	WV_FLAG(struct options, json, "json", 'j', "one JSON object a line"),
	WV_TEXT(struct options, kind, "kind", 'k', "KIND", WV_COMPLETE_KINDS,
		"of a member only these accesses, as for `weft points`"),
	{ 0 }
};

static int parse(int argc, char **argv, struct options *ret, struct wv_error *error)
{
	int first, failed;

	*ret = (struct options){ .kinds = WV_KINDS_ALL };
	failed = wv_options_parse(&wv_cmd_diff, argc, argv, ret, &first, error);
	if (!failed && ret->kind)
		failed = wv_kinds_parse(ret->kind, &ret->kinds, error);
	if (failed)
		return failed;
	if (argc - first != 3)
		return wv_usage(error, "diff", "two databases and a pointcut or aspect are needed");
	ret->old = argv[first];
	ret->new = argv[first + 1];
	ret->what = argv[first + 2];
	return 0;
}

/*
 * Compares those properties of a joinpoint by which it is recognized in the other kernel. Returns 0
 * if all are equal: @a and @b may then be the same joinpoint.
 */
static int compare_identity(const struct wv_match *a, const struct wv_match *b)
{
	return wv_order_texts(a->module, b->module) ?: wv_order_texts(a->file, b->file) ?:
	       wv_order_texts(a->function, b->function) ?:
	       wv_order_texts(a->symbol, b->symbol) ?:
	       wv_order_texts(a->structure, b->structure) ?:
	       wv_order_texts(a->member, b->member) ?: wv_order_texts(a->path, b->path) ?:
	       wv_order_texts(a->kind, b->kind);
}

static int compare_points(const void *left, const void *right)
{
	const struct wv_match *a = ((const struct point *)left)->match;
	const struct wv_match *b = ((const struct point *)right)->match;

	return compare_identity(a, b) ?: wv_order(a->line, b->line) ?:
	       wv_order(a->column, b->column) ?: wv_order(a->address, b->address);
}

static int query(struct wv_db *db, const struct question *question, struct side *ret,
		 struct wv_error *error)
{
	struct wv_errors errors = { 0 };
	int failed;

	if (question->pointcut)
		return wv_db_query_like(db, question->pointcut, &ret->matches, error);
	failed = wv_pick_query(question->aspect, question->index, db, &ret->picks, &errors, error);
	wv_errors_deinit(&errors);
	return failed ? failed : wv_picks_matches(&ret->picks, &ret->matches, error);
}

/*
 * Queries one kernel. If this kernel has no joinpoint for the question, this is no error: the
 * report then says that all joinpoints of the other kernel have vanished or appeared.
 */
static int ask(struct wv_db *db, const struct question *question, struct side *ret,
	       struct wv_error *error)
{
	int failed = query(db, question, ret, error);

	if (failed == -WV_E_NO_MATCH) {
		memset(&ret->matches, 0, sizeof(ret->matches));
		ret->explained = true;
		return 0;
	}
	if (failed)
		return failed;
	wv_vec_for_each(match, &ret->matches.list) {
		struct point *point = wv_vec_push(&ret->list);

		if (!point)
			return wv_no_memory(error);
		point->match = match;
	}
	if (ret->list.n)
		qsort(ret->list.data, ret->list.n, sizeof(*ret->list.data), compare_points);
	for (size_t i = 1; i < ret->list.n; i++) {
		struct point *point = &ret->list.data[i];

		if (!compare_identity(point[-1].match, point->match))
			point->nth = point[-1].nth + 1;
	}
	return 0;
}

static void side_deinit(struct side *side)
{
	wv_picks_deinit(&side->picks);
	wv_matches_deinit(&side->matches);
	wv_vec_deinit(&side->list);
}

/* The output of the command, and how many joinpoints are the same, moved, appeared or vanished. */
struct report {
	const struct options *options;
	struct wv_text_table table;
	struct wv_str out;
	/* lines of JSON about joinpoints that the databases may lack; printed after .out */
	struct wv_str incomplete;
	size_t same, moved, appeared, vanished;
};

static void add_location(struct wv_str *out, const struct wv_match *match)
{
	wv_str_add_source(out, match->file ? match->file : "-", match->line, 0);
	if (match->symbol) {
		wv_str_add_n(out, " ", 1);
		wv_str_add_symbol(out, match->symbol, match->symbol_offset);
	}
	wv_str_addf(out, " %s", wv_precision_name(match->precision));
}

/*
 * Adds the location of a joinpoint in one kernel, as the key @key. Adds nothing if @match is NULL,
 * because that kernel does not have the joinpoint.
 */
static void add_side(struct wv_json *json, const char *key, const struct wv_match *match)
{
	if (!match)
		return;
	wv_json_begin_object(json, key);
	wv_json_unsigned(json, "line", match->line);
	wv_json_unsigned(json, "column", match->column);
	if (match->symbol)
		wv_json_unsigned(json, "offset", match->symbol_offset);
	wv_json_text(json, "precision", wv_precision_name(match->precision));
	wv_json_end_object(json);
}

static void add_json(struct wv_str *out, const char *what, const struct wv_match *old,
		     const struct wv_match *new)
{
	const struct wv_match *match = old ? old : new;
	struct wv_json json = WV_JSON(out);

	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, "change", what);
	wv_json_text_if(&json, "module", match->module);
	wv_json_text_if(&json, "struct", match->structure);
	wv_json_text_if(&json, "member", match->member);
	wv_json_text_if(&json, "kind", match->kind);
	wv_json_text_if(&json, "function", match->function);
	wv_json_text_if(&json, "file", match->file);
	wv_json_text_if(&json, "symbol", match->symbol);
	add_side(&json, "old", old);
	add_side(&json, "new", new);
	wv_json_end_object(&json);
}

/* Reports one difference. @old is NULL if the joinpoint appeared, @new if it vanished. */
static void add_difference(struct report *report, const char *what, const struct wv_match *old,
			   const struct wv_match *new)
{
	const struct wv_match *match = old ? old : new;
	_cleanup_str_ struct wv_str before = { 0 }, after = { 0 };
	struct wv_str *cell;

	if (report->options->json) {
		add_json(&report->out, what, old, new);
		return;
	}
	if (old)
		add_location(&before, old);
	if (new)
		add_location(&after, new);
	wv_text_table_text(&report->table, what);
	wv_text_table_text(&report->table,
			wv_access_text(match->structure, match->member, match->kind).text);
	cell = wv_text_table_begin(&report->table);
	wv_str_add_module(cell, match->module);
	wv_str_add(cell, match->function ? match->function : "-");
	wv_text_table_end(&report->table);
	wv_text_table_text(&report->table, old ? wv_str_text(&before) : "-");
	wv_text_table_text(&report->table, new ? wv_str_text(&after) : "-");
}

static bool is_moved(const struct wv_match *old, const struct wv_match *new)
{
	return old->line != new->line || old->column != new->column ||
	       old->symbol_offset != new->symbol_offset || old->precision != new->precision;
}

/*
 * Compares the two kernels' joinpoints. Both lists are sorted by identity and number, so one pass
 * finds which joinpoints only one kernel has.
 */
static void compare_sides(struct report *report, const struct side *old, const struct side *new)
{
	size_t i = 0, k = 0;

	while (i < old->list.n || k < new->list.n) {
		const struct point *a = i < old->list.n ? &old->list.data[i] : NULL;
		const struct point *b = k < new->list.n ? &new->list.data[k] : NULL;
		int order = !a ? 1 : !b ? -1 : compare_identity(a->match, b->match) ?:
							wv_order(a->nth, b->nth);

		if (order < 0) {
			add_difference(report, "vanished", a->match, NULL);
			report->vanished++;
		} else if (order > 0) {
			add_difference(report, "appeared", NULL, b->match);
			report->appeared++;
		} else if (is_moved(a->match, b->match)) {
			add_difference(report, "moved", a->match, b->match);
			report->moved++;
		} else {
			report->same++;
		}
		i += order <= 0;
		k += order >= 0;
	}
}

/*
 * Returns an error for a pointcut that picks nothing in both kernels, if no query has returned one
 * that says why.
 */
static int fail_nowhere(const struct question *question, struct wv_error *error)
{
	static const char message[] = "neither kernel has such a joinpoint";
	const struct wv_aspect_pointcut *pointcut;

	if (question->pointcut)
		return wv_fail(error, WV_E_NO_MATCH, "%s", message);
	pointcut = &question->aspect->pointcuts.data[question->index];
	return wv_fail_at(error, WV_E_NO_MATCH, question->aspect->path, pointcut->location.line,
			  pointcut->location.column, "%s", message);
}

static int compare_pointcut(struct report *report, struct wv_db *old_db, struct wv_db *new_db,
			    const struct question *question, struct wv_error *error)
{
	struct side old = { 0 }, new = { 0 };
	int ret = ask(old_db, question, &old, error);

	if (!ret)
		ret = ask(new_db, question, &new, error);
	/* If neither kernel has such joinpoints, the pointcut is probably wrong. */
	if (!ret && !old.list.n && !new.list.n)
		ret = old.explained || new.explained ? -WV_E_NO_MATCH
						     : fail_nowhere(question, error);
	if (!ret)
		compare_sides(report, &old, &new);
	side_deinit(&old);
	side_deinit(&new);
	return ret;
}

/*
 * Warns of joinpoints that one of the databases may lack, because the report may say of these that
 * they have vanished or appeared.
 */
static int warn_incomplete(struct report *report, struct wv_db *old, struct wv_db *new,
			   const struct wv_asked *asked, struct wv_error *error)
{
	const struct options *options = report->options;
	struct wv_str *json = options->json ? &report->incomplete : NULL;
	int ret = wv_warn_incomplete(old, asked, options->old, json, error);

	return ret ? ret : wv_warn_incomplete(new, asked, options->new, json, error);
}

static int compare_aspect(struct report *report, struct wv_db *old, struct wv_db *new,
			  const char *path, struct wv_error *error)
{
	struct wv_aspect *aspect;
	int ret = wv_aspect_open(path, &aspect, error);

	if (ret)
		return ret;
	ret = warn_incomplete(report, old, new, &(struct wv_asked){ .aspect = aspect }, error);
	for (size_t i = 0; i < aspect->pointcuts.n && !ret; i++) {
		const struct question question = { .aspect = aspect, .index = i };

		if (!aspect->pointcuts.data[i].program)
			ret = compare_pointcut(report, old, new, &question, error);
	}
	wv_aspect_destroy(aspect);
	return ret;
}

static int compare_what(struct report *report, struct wv_db *old, struct wv_db *new,
			struct wv_error *error)
{
	const struct options *options = report->options;
	struct wv_pointcut pointcut;
	int ret;

	if (wv_is_aspect_file(options->what))
		return compare_aspect(report, old, new, options->what, error);
	ret = wv_pointcut_parse(options->what, options->kinds, &pointcut, error);
	if (ret)
		return ret;
	ret = warn_incomplete(report, old, new, &(struct wv_asked){ .pointcut = &pointcut }, error);
	if (!ret)
		ret = compare_pointcut(report, old, new,
				       &(struct question){ .pointcut = &pointcut }, error);
	wv_pointcut_deinit(&pointcut);
	return ret;
}

/*
 * Warns if both databases are of the same kernel. A difference then only shows that different
 * versions of weft have made the databases.
 */
static void warn_same_kernel(const struct options *options, struct wv_db *old, struct wv_db *new)
{
	size_t old_size, new_size;
	const uint8_t *old_id = wv_db_build_id(old, &old_size);
	const uint8_t *new_id = wv_db_build_id(new, &new_size);

	if (old_size && old_size == new_size && !memcmp(old_id, new_id, old_size))
		fprintf(stderr,
			"weft: warning: %s and %s are of one kernel: their build-ids are the "
			"same\n",
			options->old, options->new);
}

static int print(struct report *report, struct wv_error *error)
{
	size_t changed = report->moved + report->appeared + report->vanished;
	int ret;

	if (!report->options->json) {
		if (changed) {
			wv_text_table_print(&report->table, &report->out);
			wv_str_add(&report->out, "\n");
		}
		wv_str_addf(&report->out, "%zu the same, %zu moved, %zu appeared, %zu vanished\n",
			    report->same, report->moved, report->appeared, report->vanished);
	}
	wv_str_add(&report->out, wv_str_text(&report->incomplete));
	ret = wv_print(&report->out, error);
	if (ret)
		return ret;
	return changed ? wv_fail(error, WV_E_DIFFERENT, "the kernels differ in %zu of %s", changed,
				 wv_count_text(changed + report->same, "joinpoint").text) : 0;
}

static int run(int argc, char **argv, struct wv_error *error)
{
	static const char *const titles[] = { "CHANGE", "JOINPOINT", "FUNCTION", "OLD", "NEW" };
	_cleanup_db_ struct wv_db *old = NULL, *new = NULL;
	struct options options;
	struct report report = { .options = &options, .table.n = 5 };
	int ret = parse(argc, argv, &options, error);

	if (!ret)
		ret = wv_db_open(options.old, &old, error);
	if (!ret)
		ret = wv_db_open(options.new, &new, error);
	if (!ret)
		warn_same_kernel(&options, old, new);
	for (size_t i = 0; i < report.table.n; i++)
		wv_text_table_text(&report.table, titles[i]);
	wv_progress_begin("comparing", options.what);
	if (!ret)
		ret = compare_what(&report, old, new, error);
	wv_progress_end();
	if (!ret)
		ret = print(&report, error);
	wv_text_table_deinit(&report.table);
	wv_str_deinit(&report.out);
	wv_str_deinit(&report.incomplete);
	return ret;
}

const struct wv_cmd wv_cmd_diff = {
	.name = "diff",
	.run = run,
	.summary = "show which joinpoints differ between two kernels",
	.usage = "[options] OLD.weft NEW.weft POINTCUT|ASPECT.xml",
	.options = known,
	.operands = { WV_COMPLETE_DATABASE, WV_COMPLETE_DATABASE, WV_COMPLETE_POINTCUT },
	.notes = "OLD.weft and NEW.weft are databases of two kernels; POINTCUT is as for `weft "
		 "points`.\n"
		 "Exit code 0: the same joinpoints at the same source lines and places; 14: some "
		 "differ.\n",
	.examples = "weft diff linux-6.1.1/vmlinux.weft linux-6.1.2/vmlinux.weft sock.sk_state\n",
};
