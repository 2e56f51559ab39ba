// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes aspects of one-liners; see oneliner.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/lexer.h"
#include "aspect/language/metric-elements.h"
#include "aspect/oneliner/advice-text.h"
#include "aspect/oneliner/oneliner.h"
#include "aspect/oneliner/point.h"
#include "aspect/xml/xml-writer.h"
#include "base/suggest.h"
#include "database/file-name.h"
#include "runtime/abi.h"
#include "runtime/joinpoint-table.h"

enum { NAME_MAX_BYTES = 63 }; /* maximum length of a metric's name, as in load-metrics.c */

#define KINDS_CHANGE (WV_KIND_BIT(WEFT_KIND_SET) | WV_KIND_BIT(WEFT_KIND_RMW))
/*
 * The kinds that a pointcut picks without the attribute `kind`, as in load-pick.c: each execution
 * that reads, writes or calls through the member.
 */
#define KINDS_EXECUTED (KINDS_CHANGE | WV_KIND_BIT(WEFT_KIND_GET) | WV_KIND_BIT(WEFT_KIND_CALL))

struct maker {
	const struct wv_oneliner *asked;
	struct wv_oneliner_made *ret;
	struct wv_xml_writer xml;
	struct wv_point points[2];
	size_t n;
	struct wv_error *error;
};

/*
 * For each type of one-liner, its command's name, with which the aspect's name begins, and the
 * default kinds of a member's accesses.
 */
static const struct {
	const char *name;
	uint32_t kinds;
} types[] = {
	[WV_ONELINER_COUNT] = { "count", KINDS_EXECUTED },
	[WV_ONELINER_HIST] = { "hist", KINDS_EXECUTED },
	[WV_ONELINER_TIME] = { "time", WV_KIND_BIT(WEFT_KIND_CALL) },
	[WV_ONELINER_LOG] = { "log", KINDS_EXECUTED },
	[WV_ONELINER_WATCH] = { "watch", KINDS_CHANGE },
	[WV_ONELINER_STACKS] = { "stacks", KINDS_EXECUTED },
};

/* ---- finding variables in the C of the one-liner --------------------------------------------- */

static bool names_any(const char *code, const char *const *words)
{
	for (; code && *words; words++)
		if (strstr(code, *words))
			return true;
	return false;
}

/* Returns whether the C of the one-liner contains one of @words, a list that ends with NULL. */
static bool code_names(const struct wv_oneliner *asked, const char *const *words)
{
	bool any = names_any(asked->condition, words) || names_any(asked->by, words) ||
		   names_any(asked->value, words);

	for (size_t i = 0; i < asked->nr_arguments; i++)
		any |= names_any(asked->arguments[i], words);
	return any;
}

/*
 * Returns whether the one-liner uses a value that is found for each shadow separately, and that
 * some shadows may lack.
 */
static bool may_lack(const struct wv_oneliner *asked)
{
	static const char *const words[] = { "$(", "$obj", "$value", "$field", "$ret", NULL };

	return asked->type == WV_ONELINER_WATCH || code_names(asked, words);
}

static bool names_return(const struct wv_oneliner *asked)
{
	static const char *const words[] = { "$ret", NULL };

	return code_names(asked, words);
}

/* ---- checking the question ------------------------------------------------------------------- */

/*
 * Checks one value of the key: the @n bytes at @by. It may be a word of wv_by_words, or C. Reports
 * any other single word: as C this would be a plain identifier, which is most probably a mistake.
 */
static int check_by_value(const struct maker *maker, const char *by, size_t n)
{
	struct wv_suggestion suggestion = { 0 };
	_cleanup_str_ struct wv_str all = { 0 }, wanted = { 0 };
	char hint[256];
	size_t letters = 0;

	while (letters < n && (isalnum((unsigned char)by[letters]) || by[letters] == '_'))
		letters++;
	if (letters < n)
		return 0; /* not a single word, so it is C */
	wv_str_add_n(&wanted, by, n);
	suggestion.wanted = wv_str_text(&wanted);
	for (const struct wv_metric_word *word = wv_by_words; word->name; word++) {
		if (!strcmp(word->name, suggestion.wanted))
			return 0;
		wv_suggestion_offer(&suggestion, word->name);
		wv_str_addf(&all, "%s%s", all.n ? ", " : "", word->name);
	}
	wv_suggestion_text(&suggestion, hint, sizeof(hint));
	return wv_fail(maker->error, WV_E_USAGE,
		       "no key '%s'%s (--by takes %s, or C such as '$arg2' or '(%s)')",
		       suggestion.wanted, hint, wv_str_text(&all), n ? wanted.data : "jiffies");
}

static int check_by(const struct maker *maker)
{
	const char *by = maker->asked->by;
	const size_t n = by ? strlen(by) : 0;
	int failed = 0;

	for (size_t from = 0, next; by && from <= n && !failed; from = next + 1) {
		size_t end = next = wv_token_next_comma(by, n, from);

		while (from < end && isspace((unsigned char)by[from]))
			from++;
		while (from < end && isspace((unsigned char)by[end - 1]))
			end--;
		failed = check_by_value(maker, by + from, end - from);
	}
	return failed;
}

/*
 * Returns whether the joinpoints of the point have a beginning and an end, so that the point alone
 * can be timed.
 */
static bool has_duration(const struct wv_point *point)
{
	const struct wv_pointcut *pointcut = &point->pointcut;

	switch (pointcut->type) {
	case WV_POINTCUT_MEMBER:
		return pointcut->kinds == WV_KIND_BIT(WEFT_KIND_CALL);
	case WV_POINTCUT_ENTRY:
		return !pointcut->only_inlined;
	default:
		return pointcut->type == WV_POINTCUT_CALLS || pointcut->type == WV_POINTCUT_CALLERS;
	}
}

static int check_time(const struct maker *maker)
{
	if (maker->n == 2 || has_duration(&maker->points[0]))
		return 0;
	return wv_fail(maker->error, WV_E_USAGE,
		       "'%s' does not last: time takes a function, calls (vfs_read%%callers, "
		       "'proto_ops.sendmsg call'), or two points, from one to the other",
		       maker->points[0].text);
}

static int check_watch(const struct maker *maker)
{
	const struct wv_pointcut *pointcut = &maker->points[0].pointcut;
	const uint32_t others = pointcut->kinds & ~KINDS_CHANGE;

	if (pointcut->type != WV_POINTCUT_MEMBER)
		return wv_fail(maker->error, WV_E_USAGE,
			       "'%s' is not a member, and only members change; `weft log %s` "
			       "prints a line for each hit",
			       maker->points[0].text, maker->points[0].text);
	if (wv_is_pattern(pointcut->structure) || wv_is_pattern(pointcut->member))
		return wv_fail(maker->error, WV_E_USAGE,
			       "'%s' is a pattern; watch takes one member", maker->points[0].text);
	if (!others)
		return 0;
	for (unsigned int kind = 0; kind < WEFT_KIND_COUNT; kind++)
		if (others & WV_KIND_BIT(kind))
			return wv_fail(maker->error, WV_E_USAGE,
				       "watch shows set and rmw, which change a member, and no "
				       "%s; `weft log '%s.%s %s'` prints a line for each",
				       wv_kind_name(kind), pointcut->structure, pointcut->member,
				       wv_kind_name(kind));
	return 0;
}

static int check(const struct maker *maker)
{
	const struct wv_oneliner *asked = maker->asked;
	bool member = false;

	for (size_t i = 0; i < maker->n; i++)
		member |= maker->points[i].pointcut.type == WV_POINTCUT_MEMBER;
	if (asked->kinds && !member)
		return wv_fail(maker->error, WV_E_USAGE, "--kind is for members, which '%s' is not",
			       maker->points[0].text);
	if (asked->rows && !asked->by)
		return wv_fail(maker->error, WV_E_USAGE, "--rows is for --by: without it there is "
			       "one row");
	if (asked->type == WV_ONELINER_HIST && !asked->value)
		return wv_fail(maker->error, WV_E_USAGE,
			       "a histogram of what? give it with --value: '$arg3', '$(len)', "
			       "'$ret' of vfs_read%%exit");
	if (asked->type == WV_ONELINER_TIME)
		return check_time(maker);
	return asked->type == WV_ONELINER_WATCH ? check_watch(maker) : 0;
}

/* ---- leaving out inlined instances ----------------------------------------------------------- */

/*
 * Removes a function's inlined instances from the pointcut if the one-liner cannot use them. A
 * plain name of a function picks them, too. But an inlined instance has no argument registers,
 * returns no value, and has no exit at which a time could end.
 */
static void leave_out_inlined(struct maker *maker)
{
	static const char *const words[] = { "$arg", "$target", NULL };
	const struct wv_oneliner *asked = maker->asked;
	struct wv_pointcut *pointcut = &maker->points[0].pointcut;
	const char *why = NULL;

	if (pointcut->type != WV_POINTCUT_ENTRY || !pointcut->inlined || pointcut->only_inlined)
		return;
	if (asked->type == WV_ONELINER_TIME && maker->n == 1)
		why = "have no end that can be timed";
	else if (names_return(asked))
		why = "return nothing";
	else if (code_names(asked, words))
		why = "have no argument registers; $(NAME) finds their parameters";
	if (!why)
		return;
	pointcut->inlined = false;
	maker->ret->why = why;
	snprintf(maker->ret->inlined, sizeof(maker->ret->inlined), "%s", pointcut->symbol);
	/* $ret is known at the function's exits, not at its entry. */
	if (names_return(asked) && asked->type != WV_ONELINER_TIME)
		pointcut->type = WV_POINTCUT_EXIT;
}

/* ---- making names ---------------------------------------------------------------------------- */

static void add_words(const char *text, struct wv_str *out)
{
	bool blank = true;

	for (; *text; text++) {
		const bool letter = isalnum((unsigned char)*text) || *text == '_';

		if (letter && blank && out->n)
			wv_str_add(out, "_");
		if (letter)
			wv_str_add_n(out, text, 1);
		blank = !letter;
	}
}

static uint32_t hash_of(const char *text)
{
	uint32_t hash = 0x811c9dc5;

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 0x01000193;
	return hash;
}

/* Makes the name of the aspect and of its module, such as "count_vfs_open_by_comm". */
static int make_name(struct maker *maker, struct wv_str *name)
{
	enum { HASH_BYTES = 9 };
	const struct wv_oneliner *asked = maker->asked;

	if (asked->name) {
		wv_str_add(name, asked->name);
	} else {
		add_words(types[asked->type].name, name);
		for (size_t i = 0; i < maker->n; i++)
			add_words(maker->points[i].text, name);
		if (asked->by)
			wv_str_add(name, "_by");
		add_words(asked->by ? asked->by : "", name);
	}
	if (name->failed)
		return wv_no_memory(maker->error);
	if (!asked->name && name->n >= WEFT_NAME_MAX) {
		const uint32_t hash = hash_of(name->data);

		snprintf(name->data + WEFT_NAME_MAX - 1 - HASH_BYTES, HASH_BYTES + 1, "_%08x",
			 hash);
	}
	snprintf(maker->ret->file, sizeof(maker->ret->file), "%.*s.xml", WEFT_NAME_MAX - 1,
		 name->data);
	return 0;
}

/* Makes the metric's name in the report: the points as the user typed them. */
static void make_metric_name(const struct maker *maker, char ret[NAME_MAX_BYTES + 1])
{
	_cleanup_str_ struct wv_str name = { 0 };

	for (size_t i = 0; i < maker->n; i++)
		wv_str_addf(&name, "%s%s", i ? " .. " : "", maker->points[i].text);
	snprintf(ret, NAME_MAX_BYTES + 1, "%s", wv_str_text(&name));
}

/*
 * Adds @code, and casts the argument registers in it to numbers: $arg3 is a pointer, and C does not
 * compare a pointer with a number.
 */
static void add_as_number(const char *code, struct wv_str *out)
{
	static const char word[] = "$arg";

	for (const char *at; (at = strstr(code, word)); code = at + strlen(word)) {
		wv_str_add_n(out, code, at - code);
		wv_str_addf(out, "(unsigned long)%s", word);
	}
	wv_str_add(out, code);
}

static void write_number(struct maker *maker, const char *attribute, const char *code)
{
	_cleanup_str_ struct wv_str text = { 0 };

	if (!code)
		return;
	add_as_number(code, &text);
	maker->xml.out->failed |= text.failed;
	wv_xml_attribute(&maker->xml, attribute, wv_str_text(&text));
}

/* ---- writing elements ------------------------------------------------------------------------ */

static void write_pointcuts(struct maker *maker)
{
	static const char *const names[] = { "from", "to" };

	for (size_t i = 0; i < maker->n; i++) {
		wv_xml_begin(&maker->xml, "pointcut");
		wv_xml_attribute(&maker->xml, "name", maker->n > 1 ? names[i] : NULL);
		wv_point_write(&maker->points[i], maker->asked->within, &maker->xml);
		wv_xml_end(&maker->xml, "pointcut");
	}
}

/* Writes the attributes of a metric or advice that restrict which hits count. */
static void write_conditions(struct maker *maker)
{
	const struct wv_oneliner *asked = maker->asked;

	write_number(maker, "condition", asked->condition);
	wv_xml_attribute(&maker->xml, "optional", may_lack(asked) ? "yes" : NULL);
	wv_xml_attribute(&maker->xml, "pid", asked->pid);
	wv_xml_attribute(&maker->xml, "comm", asked->comm);
	wv_xml_attribute(&maker->xml, "uid", asked->uid);
}

static void write_by(struct maker *maker)
{
	const char *by = maker->asked->by;
	_cleanup_str_ struct wv_str text = { 0 };

	if (maker->asked->type == WV_ONELINER_STACKS)
		wv_str_addf(&text, "%s%sstack", by ? by : "", by ? ", " : "");
	else if (by)
		wv_str_add(&text, by);
	maker->xml.out->failed |= text.failed;
	wv_xml_attribute(&maker->xml, "by", text.data);
}

/*
 * Returns whether there are two points and one of them is inside a function: a line, a block or an
 * instruction. Then a task may pass the first point, and leave the function by a path on which it
 * never passes the second point.
 */
static bool is_way(const struct maker *maker)
{
	for (size_t i = 0; maker->n > 1 && i < maker->n; i++) {
		const int type = maker->points[i].pointcut.type;

		if (type == WV_POINTCUT_LINE || type == WV_POINTCUT_BLOCK ||
		    type == WV_POINTCUT_INSTRUCTION)
			return true;
	}
	return false;
}

static void write_metric(struct maker *maker, const char *element)
{
	const struct wv_oneliner *asked = maker->asked;
	char name[NAME_MAX_BYTES + 1];

	make_metric_name(maker, name);
	wv_xml_begin(&maker->xml, element);
	wv_xml_attribute(&maker->xml, "name", name);
	wv_xml_attribute(&maker->xml, "from", maker->n > 1 ? "from" : NULL);
	wv_xml_attribute(&maker->xml, "to", maker->n > 1 ? "to" : NULL);
	write_number(maker, "value", asked->value);
	wv_xml_attribute(&maker->xml, "unit", asked->unit);
	write_by(maker);
	wv_xml_attribute(&maker->xml, "rows",
			 asked->rows || asked->type != WV_ONELINER_STACKS ? asked->rows : "1024");
	wv_xml_attribute(&maker->xml, "nest", is_way(maker) ? "no" : NULL);
	write_conditions(maker);
	wv_xml_end(&maker->xml, element);
}

static void write_text(struct maker *maker, const char *element, const struct wv_str *text)
{
	maker->xml.out->failed |= text->failed;
	wv_xml_begin(&maker->xml, element);
	if (strstr(element, "-advice"))
		write_conditions(maker);
	wv_xml_lines(&maker->xml, wv_str_text(text));
	wv_xml_end(&maker->xml, element);
}

static void write_advice(struct maker *maker)
{
	const struct wv_pointcut *pointcut = &maker->points[0].pointcut;
	const struct wv_oneliner *asked = maker->asked;
	const bool log = asked->type == WV_ONELINER_LOG;
	_cleanup_str_ struct wv_str text = { 0 };

	if (log)
		wv_log_body(asked, &text);
	else
		wv_watch_body(asked, pointcut->structure, pointcut->member, &text);
	/*
	 * The value that a call returns is known only after the call; at a function's exit it is
	 * known already.
	 */
	write_text(maker,
		   log && names_return(asked) && pointcut->type != WV_POINTCUT_EXIT
			   ? "after-advice"
			   : "before-advice",
		   &text);
}

static void write_include(struct maker *maker, const char *header)
{
	if (!header)
		return;
	wv_xml_begin(&maker->xml, "include");
	wv_xml_attribute(&maker->xml, "header", header);
	wv_xml_end(&maker->xml, "include");
}

static int write_aspect(struct maker *maker)
{
	const struct wv_oneliner *asked = maker->asked;
	_cleanup_str_ struct wv_str name = { 0 };
	int failed = make_name(maker, &name);

	if (failed)
		return failed;
	wv_xml_begin(&maker->xml, "aspect");
	wv_xml_attribute(&maker->xml, "name", name.data);
	write_include(maker, asked->stack ? "linux/stacktrace.h" : NULL);
	write_include(maker, asked->include);
	write_pointcuts(maker);
	if (asked->type == WV_ONELINER_LOG || asked->type == WV_ONELINER_WATCH)
		write_advice(maker);
	else
		write_metric(maker, asked->type == WV_ONELINER_HIST ? "histogram" :
				    asked->type == WV_ONELINER_TIME ? "elapsed" :
								      "counter");
	wv_xml_end(&maker->xml, "aspect");
	return maker->xml.out->failed ? wv_no_memory(maker->error) : 0;
}

int wv_oneliner_make(const struct wv_oneliner *asked, struct wv_oneliner_made *ret,
		     struct wv_error *error)
{
	struct maker maker = { .asked = asked, .ret = ret, .error = error };
	/*
	 * The kinds of access that are meant by a member without kinds. For one point they are
	 * those of the command. For `weft time` these are calls, which have a duration; but if it
	 * has two points, each may be any access.
	 */
	const uint32_t usual = asked->points[1] ? KINDS_EXECUTED : types[asked->type].kinds;
	int failed = 0;

	*ret = (struct wv_oneliner_made){ 0 };
	maker.xml.out = &ret->xml;
	for (; maker.n < 2 && asked->points[maker.n] && !failed; maker.n += !failed)
		failed = wv_point_parse(asked->points[maker.n], asked->kinds, usual,
					&maker.points[maker.n], error);
	if (!failed)
		failed = check(&maker);
	if (!failed)
		failed = check_by(&maker);
	if (!failed) {
		leave_out_inlined(&maker);
		failed = write_aspect(&maker);
	}
	for (size_t i = 0; i < maker.n; i++)
		wv_point_deinit(&maker.points[i]);
	if (failed)
		wv_oneliner_made_deinit(ret);
	return failed;
}

void wv_oneliner_made_deinit(struct wv_oneliner_made *made)
{
	wv_str_deinit(&made->xml);
}
