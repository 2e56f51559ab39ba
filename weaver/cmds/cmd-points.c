// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft points`: its options and queries. points-report.c formats the results. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "aspect/language/aspect-model.h"
#include "base/notation.h"
#include "aspect/resolve/pick-query.h"
#include "base/str.h"
#include "cmds/aspect-errors.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/incomplete.h"
#include "cmds/options.h"
#include "cmds/points-report.h"
#include "cmds/show-progress.h"
#include "runtime/joinpoint-table.h"
#include "database/db.h"
#include "database/missing-kinds.h"
#include "database/pointcut-kinds.h"
#include "database/pointcut-parse.h"
#include "database/wildcard.h"
#include "database/within.h"
#include "module/program-database.h"

struct options {
	const char *database, *program, *kind, *within, *file, *tree, *what;
	uint32_t kinds; /* the kinds of access in .kind, as WV_KIND_BIT()s */
	size_t limit, at_most;
	bool json, by_accessor;
	struct wv_str incomplete; /* lines of JSON about joinpoints that the database may lack */
	struct wv_points_style style;
};

static const struct wv_option known[] = {
	WV_TEXT(struct options, database, "db", 'd', "DB", WV_COMPLETE_DATABASE,
		"the joinpoint database (default: $WEFT_DB, or vmlinux.weft in $WEFT_KERNEL)"),
	WV_TEXT(struct options, program, "program", 'P', "PROGRAM", WV_COMPLETE_FILE,
		"the joinpoints of this program or shared library, which is indexed if need be"),
	WV_TEXT(struct options, kind, "kind", 'k', "KIND", WV_COMPLETE_KINDS,
		"of a member only these accesses: get, set, rmw, address, call, init; several with "
		"'|' between"),
	WV_TEXT(struct options, within, "within", 'w', "W", WV_COMPLETE_WITHIN,
		"only what is in this file, folder (fs/ext4/) or function"),
	WV_TEXT(struct options, file, "in", 'i', "FILE", WV_COMPLETE_SOURCE,
		"in place of a pointcut: every access of a file or folder"),
	WV_FLAG(struct options, by_accessor, "who", 0,
		"show by who gets, sets, changes, calls or fills a member"),
	WV_TEXT(struct options, tree, "source", 's', "TREE", WV_COMPLETE_FOLDER,
		"show the source lines as well"),
	WV_NUMBER(struct options, limit, "limit", 'n', "N",
		  "show only the first N; the totals count all"),
	WV_NUMBER(struct options, at_most, "at-most", 0, "N",
		  "refuse a pointcut that has more than N shadows"),
	WV_FLAG(struct options, json, "json", 'j', "one JSON object a line"),
	{ 0 }
};

static int parse(int argc, char **argv, struct options *ret, struct wv_error *error)
{
	static char of_program[PATH_MAX];
	struct stat status;
	int first, failed;

	*ret = (struct options){ .kinds = WV_KINDS_ALL, .limit = SIZE_MAX, .at_most = SIZE_MAX };
	failed = wv_options_parse(&wv_cmd_points, argc, argv, ret, &first, error);
	if (!failed && ret->kind)
		failed = wv_kinds_parse(ret->kind, &ret->kinds, error);
	if (failed)
		return failed;
	if (first == argc && !ret->file)
		return wv_usage(error, "points", "which pointcut?");
	if (first + !ret->file < argc)
		return wv_usage(error, "points", "unexpected argument '%s'",
				argv[first + !ret->file]);
	if (ret->program && ret->database)
		return wv_usage(error, "points", "--db and --program each name a database");
	if (ret->program) {
		failed = wv_program_database(ret->program, of_program, error);
		if (failed)
			return failed;
		ret->database = of_program;
	}
	if (!ret->database)
		ret->database = wv_default_database(wv_default_kernel());
	if (!ret->database || !*ret->database)
		return wv_usage(error, "points", WV_WHICH_DATABASE);
	ret->style = (struct wv_points_style){ .limit = ret->limit, .source.tree = ret->tree };
	if (!stat(ret->database, &status))
		ret->style.source.indexed = status.st_mtime;
	ret->what = ret->file ? ret->file : argv[first];
	return 0;
}

/* Returns -WV_E_TOO_MANY if there are more shadows than @at_most, the value of --at-most. */
static int check_number(const struct wv_matches *matches, size_t at_most, struct wv_error *error)
{
	size_t n = 0;

	wv_vec_for_each(match, &matches->list)
		n += match->precision != WEFT_PRECISION_OPTIMIZED_OUT;
	if (n <= at_most)
		return 0;
	return wv_fail(error, WV_E_TOO_MANY,
		       "%s, more than the %zu of --at-most; --kind and --within narrow a pointcut",
		       wv_count_text(n, "shadow").text, at_most);
}

static int show_matches(struct wv_db *db, struct wv_matches *matches, struct options *options,
			struct wv_str *out, struct wv_error *error)
{
	int ret = options->within ? wv_matches_within(matches, options->within, error) : 0;

	if (!ret)
		ret = check_number(matches, options->at_most, error);
	if (ret)
		return ret;
	if (options->json)
		return wv_points_json(db, matches, &options->style, out, error);
	if (options->by_accessor)
		return wv_points_by_accessor(db, matches, &options->style, out, error);
	return wv_points_text(db, matches, &options->style, out, error);
}

static int warn_incomplete(struct wv_db *db, const struct wv_asked *asked, struct options *options,
			   struct wv_error *error)
{
	return wv_warn_incomplete(db, asked, NULL, options->json ? &options->incomplete : NULL,
				  error);
}

static int show_pointcut(struct wv_db *db, const struct wv_pointcut *pointcut,
			 struct options *options, struct wv_str *out, struct wv_error *error)
{
	const struct wv_asked asked = { .pointcut = pointcut, .within = options->within };
	struct wv_matches matches;
	int ret = warn_incomplete(db, &asked, options, error);

	if (!ret)
		ret = wv_db_query_like(db, pointcut, &matches, error);
	if (ret)
		return ret;
	if (!matches.list.n)
		ret = wv_db_explain_kinds(db, pointcut, error);
	else
		ret = show_matches(db, &matches, options, out, error);
	wv_matches_deinit(&matches);
	return ret;
}

/*
 * Adds to @out the joinpoints that pointcut number @index of the aspect picks in the database @db.
 * The result of a pointcut with a <within> is narrowed down further by the option --within. Adds an
 * error to @errors for each name that the kernel does not have.
 */
static int show_pick(struct wv_db *db, const struct wv_aspect *aspect, size_t index,
		     struct options *options, struct wv_str *out, struct wv_errors *errors,
		     struct wv_error *error)
{
	const struct wv_aspect_pointcut *pointcut = &aspect->pointcuts.data[index];
	struct wv_matches matches = { 0 };
	struct wv_picks picks;
	int ret;

	ret = wv_pick_query(aspect, index, db, &picks, errors, error);
	if (ret)
		return ret;
	ret = wv_picks_matches(&picks, &matches, error);
	if (!ret && !matches.list.n && pointcut->pick->type == WV_PICK_POINTCUT &&
	    !wv_pointcut_is_pattern(&pointcut->pick->pointcut))
		ret = wv_db_explain_kinds(db, &pointcut->pick->pointcut, error);
	else if (!ret && !matches.list.n)
		ret = wv_fail(error, WV_E_NO_MATCH,
			      "this pointcut picks no joinpoint of the kernel");
	else if (!ret)
		ret = show_matches(db, &matches, options, out, error);
	wv_matches_deinit(&matches);
	wv_picks_deinit(&picks);
	return ret;
}

/*
 * Calls show_pick() with the database of what the pointcut is for: a program, or the kernel, whose
 * database is @db.
 */
static int show_pick_of_target(struct wv_db *db, const struct wv_aspect *aspect, size_t index,
			       struct options *options, struct wv_str *out,
			       struct wv_errors *errors, struct wv_error *error)
{
	const char *program = aspect->pointcuts.data[index].program;
	_cleanup_db_ struct wv_db *own = NULL;
	char path[PATH_MAX];
	int ret = program ? wv_program_database(program, path, error) : 0;

	if (!ret && program)
		ret = wv_db_open(path, &own, error);
	return ret ? ret : show_pick(own ? own : db, aspect, index, options, out, errors, error);
}

/*
 * Calls show_pick_of_target(). If that fails and has not added an error to @errors, adds its error;
 * if this error has no location, with that of the pointcut.
 */
static int try_pick(struct wv_db *db, const struct wv_aspect *aspect, size_t index,
		    struct options *options, struct wv_str *out, struct wv_errors *errors,
		    struct wv_error *error)
{
	const struct wv_text_location location = aspect->pointcuts.data[index].location;
	size_t reported = errors->list.n;
	struct wv_error plain, *slot;
	int ret = show_pick_of_target(db, aspect, index, options, out, errors, error);

	if (!ret || errors->list.n > reported)
		return ret;
	plain = *error;
	if (!plain.file[0])
		wv_fail_at(error, plain.code, aspect->path, location.line, location.column, "%s",
			   plain.message);
	slot = wv_vec_push(&errors->list);
	if (!slot)
		return wv_no_memory(error);
	*slot = *error;
	return ret;
}

/* Shows what each pointcut of an aspect picks. If there are several, writes their names before. */
static int show_aspect(struct wv_db *db, struct options *options, struct wv_str *out,
		       struct wv_error *error)
{
	struct wv_errors errors = { 0 };
	struct wv_aspect *aspect;
	int ret, failed;

	ret = wv_aspect_open(options->what, &aspect, error);
	if (ret)
		return ret;
	failed = warn_incomplete(db, &(struct wv_asked){ .aspect = aspect }, options, error);
	for (size_t i = 0; i < aspect->pointcuts.n && (!failed || failed == -WV_E_NO_MATCH); i++) {
		if (aspect->pointcuts.n > 1 && !options->json)
			wv_str_addf(out, "%s%s:\n", i ? "\n" : "", aspect->pointcuts.data[i].name);
		ret = try_pick(db, aspect, i, options, out, &errors, error);
		failed = ret ? ret : failed;
	}
	if (errors.list.n)
		*error = errors.list.data[errors.list.n - 1];
	wv_print_errors(&errors);
	wv_aspect_destroy(aspect);
	return failed;
}

/*
 * Shows what a pointcut of the command line picks. Parses the pointcut before it opens the
 * database, so that errors of the command line are reported first.
 */
static int show_text(struct wv_db **db, struct options *options, struct wv_str *out,
		     struct wv_error *error)
{
	struct wv_pointcut pointcut;
	int ret;

	ret = options->file ?
		      wv_pointcut_of_file(options->file, options->kinds, &pointcut, error) :
		      wv_pointcut_parse(options->what, options->kinds, &pointcut, error);
	if (ret)
		return ret;
	if (options->by_accessor && pointcut.type != WV_POINTCUT_MEMBER)
		ret = wv_usage(error, "points", "--who is for a member, which '%s' is not",
			       options->what);
	else if (options->kind && pointcut.type != WV_POINTCUT_MEMBER && !options->file)
		ret = wv_usage(error, "points", "--kind is for members, which '%s' is not",
			       options->what);
	if (!ret)
		ret = wv_db_open(options->database, db, error);
	if (!ret)
		ret = show_pointcut(*db, &pointcut, options, out, error);
	wv_pointcut_deinit(&pointcut);
	return ret;
}

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_str_ struct wv_str out = { 0 };
	struct options options;
	int ret;

	ret = parse(argc, argv, &options, error);
	if (ret)
		return ret;
	wv_progress_begin("looking for", options.what);
	if (options.file || !wv_is_aspect_file(options.what)) {
		ret = show_text(&db, &options, &out, error);
	} else if (options.kind) {
		ret = wv_usage(error, "points",
			       "--kind is for members, an aspect has its own kinds");
	} else {
		ret = wv_db_open(options.database, &db, error);
		if (!ret)
			ret = show_aspect(db, &options, &out, error);
	}
	wv_progress_end();
	if (options.style.source.missing.data && !options.style.source.found)
		fprintf(stderr,
			"weft: warning: there is no %s: --source names the top of the kernel's "
			"source tree\n",
			options.style.source.missing.data);
	if (options.style.source.newer.data)
		fprintf(stderr,
			"weft: warning: %s was changed after %s was made: its lines may not be the "
			"kernel's\n",
			options.style.source.newer.data, options.database);
	wv_source_deinit(&options.style.source);
	wv_str_add(&out, wv_str_text(&options.incomplete));
	wv_str_deinit(&options.incomplete);
	return ret ? ret : wv_print(&out, error);
}

const struct wv_cmd wv_cmd_points = {
	.name = "points",
	.run = run,
	.summary = "show the joinpoints and shadows of a pointcut or an aspect",
	.usage = "[options] POINTCUT|ASPECT.xml",
	.options = known,
	.operands = { WV_COMPLETE_POINTCUT },
	.intro = "POINTCUT is one of\n",
	.list = wv_pointcut_help,
	.notes =
		"or an aspect file (ASPECT.xml): all its pointcuts.\n"
		"In names * stands for any characters and ? for one: 'vfs_*%exit', 'sk_buff.*'. So "
		"it\n"
		"does in each component of a file; a / at the end makes it a folder, counted from\n"
		"the top of the source, with all below it: --in net/ipv4/, --within 'tcp_*.c'.\n"
		"With a / before it, a file is counted from there, too: --in /kernel/signal.c.\n",
	.examples = "weft points --kind call sk_buff.destructor\n"
		    "weft points --program ./nginx --kind set ngx_http_request_s.count\n"
		    "weft points --who sock.sk_state\n"
		    "weft points --in fs/namei.c --source linux\n",
};
