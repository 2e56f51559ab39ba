// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats matches: as a table with totals, or as JSON, one object per line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text-table.h"
#include "x86/decode.h"
#include "base/notation.h"
#include "base/order.h"
#include "base/progress.h"
#include "cmds/points-report.h"
#include "database/pointcut.h"
#include "runtime/joinpoint-table.h"

static const char *name_of_address(void *context, uint64_t address, uint64_t *offset_ret)
{
	return wv_db_symbol_at(context, address, offset_ret);
}

/*
 * Writes the text of the instruction at the shadow of @match to @buffer; "" if the database does
 * not have its bytes.
 */
static void instruction(struct wv_db *db, struct wv_decoder *decoder, const struct wv_match *match,
			char *buffer, size_t size)
{
	buffer[0] = '\0';
	if (match->nr_bytes)
		wv_decode_text(decoder, match->bytes, match->nr_bytes, match->address,
			       name_of_address, db, buffer, size);
}

#define INSTRUCTION_SIZE 256

/*
 * Returns whether fates are shown for the match: it is an access that was optimized out, or one
 * that has fates and whose shadow is not exact.
 */
static bool has_fate(const struct wv_match *match)
{
	if (!match->joinpoint || !match->function)
		return false;
	return match->precision == WEFT_PRECISION_OPTIMIZED_OUT ||
	       (match->fates && match->precision != WEFT_PRECISION_EXACT);
}

/*
 * Adds the words for the fates of the access: "dead", or for example "coalesced with
 * FILE:LINE:COLUMN exact SYMBOL+OFFSET", where these are of the servant.
 */
static void add_fates(struct wv_str *out, const struct wv_match *match)
{
	const char *between = "";

	for (unsigned int i = 0; i < WEFT_FATE_COUNT; i++) {
		if (!(match->fates & 1u << i))
			continue;
		wv_str_addf(out, "%s%s", between, wv_fate_name(i));
		between = "; ";
		if (i != WEFT_FATE_COALESCED || !match->servant_file)
			continue;
		wv_str_add(out, " with ");
		wv_str_add_source(out, match->servant_file, match->servant_line,
				  match->servant_column);
		if (match->servant_symbol)
			wv_str_addf(out, " exact %s",
				    wv_symbol_text(match->servant_symbol,
						   match->servant_offset).text);
	}
	if (!match->fates)
		wv_str_add(out, wv_fate_name(WEFT_FATE_COUNT));
}

static void add_fate_keys(const struct wv_match *match, struct wv_json *json)
{
	_cleanup_str_ struct wv_str text = { 0 };

	if (!has_fate(match))
		return;
	add_fates(&text, match);
	wv_json_text_if(json, "fate", text.data);
	if (match->servant_symbol)
		wv_json_text(json, "served",
			     wv_symbol_text(match->servant_symbol, match->servant_offset).text);
}

void wv_points_keys(struct wv_db *db, struct wv_decoder *decoder, const struct wv_match *match,
		    struct wv_source *source, struct wv_json *json)
{
	char text[INSTRUCTION_SIZE];

	wv_json_text_if(json, "module", match->module);
	wv_json_text_if(json, "struct", match->structure);
	wv_json_text_if(json, "member", match->member);
	wv_json_text_if(json, "kind", match->kind);
	wv_json_text_if(json, "function", match->function);
	wv_json_text_if(json, "file", match->file);
	if (match->file && match->line)
		wv_json_unsigned(json, "line", match->line);
	if (match->file && match->column)
		wv_json_unsigned(json, "column", match->column);
	if (match->symbol) {
		wv_json_text(json, "symbol", match->symbol);
		wv_json_unsigned(json, "offset", match->symbol_offset);
	}
	/* A shadow in a module has no address before the module is loaded. */
	if (match->precision != WEFT_PRECISION_OPTIMIZED_OUT && !match->module)
		wv_json_hex(json, "address", match->address);
	wv_json_text(json, "precision", wv_precision_name(match->precision));
	instruction(db, decoder, match, text, sizeof(text));
	wv_json_text_if(json, "instruction", text);
	add_fate_keys(match, json);
	wv_json_text_if(json, "source", wv_source_line(source, match->file, match->line));
}

static void add_json(struct wv_json *json, struct wv_db *db, struct wv_decoder *decoder,
		     const struct wv_match *match, struct wv_source *source)
{
	wv_json_begin_object(json, NULL);
	wv_points_keys(db, decoder, match, source, json);
	wv_json_end_object(json);
}

/* Adds the cells with the joinpoint's name and its location in the source. */
static void add_location(struct wv_text_table *table, const struct wv_match *match)
{
	struct wv_str *cell = wv_text_table_begin(table);

	wv_str_add_access(cell, match->structure, match->member, match->kind);
	wv_text_table_end(table);
	wv_text_table_text(table, match->function ? match->function : "-");
	cell = wv_text_table_begin(table);
	if (match->file)
		wv_str_add_source(cell, match->file, match->line, match->column);
	else
		wv_str_add_n(cell, "-", 1);
	wv_text_table_end(table);
}

static void add_shadow(struct wv_text_table *table, const struct wv_match *match)
{
	struct wv_str *cell = wv_text_table_begin(table);

	if (match->symbol)
		wv_str_add_module(cell, match->module);
	if (match->symbol || match->address)
		wv_str_add_address(cell, match->address, match->symbol, match->symbol_offset);
	else
		wv_str_add_n(cell, "-", 1);
	wv_text_table_end(table);
}

static void add_row(struct wv_text_table *table, struct wv_db *db, struct wv_decoder *decoder,
		    const struct wv_match *match, struct wv_source *source)
{
	char text[INSTRUCTION_SIZE];
	struct wv_str *cell;

	add_location(table, match);
	add_shadow(table, match);
	wv_text_table_text(table, wv_precision_name(match->precision));
	instruction(db, decoder, match, text, sizeof(text));
	cell = wv_text_table_begin(table);
	wv_str_add(cell, text);
	if (has_fate(match)) {
		wv_str_add(cell, *text ? "; " : "");
		add_fates(cell, match);
	}
	wv_text_table_end(table);
	if (source->tree) {
		const char *line = wv_source_line(source, match->file, match->line);

		wv_text_table_text(table, line ? line : "");
	}
}

/* A word, such as a kind of access, and how often it has occurred. */
struct tally {
	const char *word;
	size_t n;
};

#define TALLY_MAX 16

static void add_tally(struct tally *tallies, const char *word)
{
	for (size_t i = 0; i < TALLY_MAX; i++) {
		if (!tallies[i].word)
			tallies[i].word = word;
		if (!strcmp(tallies[i].word, word)) {
			tallies[i].n++;
			return;
		}
	}
}

static int compare_tallies(const void *left, const void *right)
{
	const struct tally *a = left, *b = right;

	return wv_order(b->n, a->n) ?: wv_order_texts(a->word, b->word);
}

/*
 * Appends each word with how often it has occurred, as " (call 12, get 3)". The most frequent word
 * comes first. Appends nothing if no word has occurred.
 */
static void print_tallies(struct wv_str *out, struct tally *tallies)
{
	qsort(tallies, TALLY_MAX, sizeof(*tallies), compare_tallies);
	for (size_t i = 0; i < TALLY_MAX && tallies[i].n; i++)
		wv_str_addf(out, "%s%s %zu", i ? ", " : " (", tallies[i].word, tallies[i].n);
	if (tallies[0].n)
		wv_str_add(out, ")");
}

static int compare_joinpoints(const void *left, const void *right)
{
	const struct wv_match *const *a = left, *const *b = right;

	return wv_order((*a)->joinpoint, (*b)->joinpoint) ?: wv_order_texts((*a)->kind, (*b)->kind);
}

/*
 * Appends how many joinpoints of each kind and how many shadows of each precision there are. A
 * joinpoint with several shadows counts as one joinpoint. A get of a function pointer that is then
 * called counts twice, as a get and as a call.
 */
static int print_totals(struct wv_str *out, const struct wv_matches *matches,
			struct wv_error *error)
{
	struct tally kinds[TALLY_MAX] = { 0 }, precisions[TALLY_MAX] = { 0 };
	struct tally fates[TALLY_MAX] = { 0 };
	size_t joinpoints = 0, shadows = 0, optimized_out = 0, n = matches->list.n;
	const struct wv_match **sorted = calloc(n + 1, sizeof(*sorted));

	if (!sorted)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &matches->list.data[i];
	qsort(sorted, n, sizeof(*sorted), compare_joinpoints);
	for (size_t i = 0; i < n; i++) {
		const struct wv_match *match = sorted[i];

		if (!i || !match->joinpoint || compare_joinpoints(&match, &sorted[i - 1])) {
			joinpoints++;
			add_tally(kinds, match->kind);
		}
		if (match->precision == WEFT_PRECISION_OPTIMIZED_OUT) {
			optimized_out++;
			add_tally(fates, wv_match_fate(match));
		} else {
			shadows++;
			add_tally(precisions, wv_precision_name(match->precision));
		}
	}
	free(sorted);
	wv_str_add(out, wv_count_text(joinpoints, "joinpoint").text);
	print_tallies(out, kinds);
	wv_str_addf(out, ", %s", wv_count_text(shadows, "shadow").text);
	print_tallies(out, precisions);
	wv_str_addf(out, ", %zu optimized out", optimized_out);
	print_tallies(out, fates);
	wv_str_add(out, "\n");
	return 0;
}

int wv_points_json(struct wv_db *db, const struct wv_matches *matches,
		   struct wv_points_style *style, struct wv_str *out, struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct wv_json json = WV_JSON(out);
	size_t n = style->limit < matches->list.n ? style->limit : matches->list.n;
	int ret = wv_decoder_create(&decoder, error);

	if (ret)
		return ret;
	wv_progress_stage("instructions");
	for (size_t i = 0; i < n; i++) {
		wv_progress_count(i, n);
		add_json(&json, db, decoder, &matches->list.data[i], &style->source);
	}
	return out->failed ? wv_no_memory(error) : 0;
}

int wv_points_text(struct wv_db *db, const struct wv_matches *matches,
		   struct wv_points_style *style, struct wv_str *out, struct wv_error *error)
{
	static const char *const titles[] = { "JOINPOINT", "FUNCTION",	  "PLACE", "SHADOW",
					      "PRECISION", "INSTRUCTION", "SOURCE" };
	/* The last column has source lines. It is left out if the user has named no source tree. */
	_cleanup_text_table_ struct wv_text_table table = {
		.n = sizeof(titles) / sizeof(titles[0]) - !style->source.tree };
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	size_t n = style->limit < matches->list.n ? style->limit : matches->list.n;
	int ret = wv_decoder_create(&decoder, error);

	if (ret)
		return ret;
	for (size_t i = 0; i < table.n; i++)
		wv_text_table_text(&table, titles[i]);
	wv_progress_stage("instructions");
	for (size_t i = 0; i < n; i++) {
		wv_progress_count(i, n);
		add_row(&table, db, decoder, &matches->list.data[i], &style->source);
	}
	wv_text_table_print(&table, out);
	if (style->limit < matches->list.n)
		wv_str_addf(out, "... and %zu more\n", matches->list.n - style->limit);
	wv_str_add(out, "\n");
	ret = print_totals(out, matches, error);
	if (!ret && out->failed)
		ret = wv_no_memory(error);
	return ret;
}

/* Kinds of access to a member and their headings, in the order in which they are shown. */
static const struct {
	const char *kind, *heading;
} groups[] = {
	{ "get", "read by" },	   { "set", "set by" },	      { "rmw", "changed by" },
	{ "address", "address taken by" }, { "call", "called by" }, { "init", "filled by" },
};

/*
 * Adds a row for each joinpoint of one kind, with the number of its shadows. In @matches, the
 * entries of a joinpoint must be next to each other.
 */
static void add_group(struct wv_text_table *table, const struct wv_matches *matches,
		      const char *kind, struct wv_points_style *style)
{
	size_t n = matches->list.n;

	for (size_t i = 0, next; i < n; i = next) {
		const struct wv_match *match = &matches->list.data[i];
		size_t shadows = 0;
		const char *line;

		for (next = i; next < n && matches->list.data[next].joinpoint == match->joinpoint &&
			       !strcmp(matches->list.data[next].kind, match->kind); next++)
			shadows +=
				matches->list.data[next].precision != WEFT_PRECISION_OPTIMIZED_OUT;
		if (strcmp(match->kind, kind))
			continue;
		wv_text_table_add(table, "  %s", match->function ? match->function : "static data");
		wv_text_table_text(table, match->file ? wv_source_text(match->file, match->line,
								    match->column).text : "-");
		wv_text_table_text(table, wv_precision_name(match->precision));
		if (shadows > 1)
			wv_text_table_text(table, wv_count_text(shadows, "shadow").text);
		else if (shadows)
			add_shadow(table, match);
		else
			wv_text_table_text(table, "-");
		line = wv_source_line(&style->source, match->file, match->line);
		wv_text_table_text(table, line ? line : "");
	}
}

static int compare_for_groups(const void *left, const void *right)
{
	const struct wv_match *a = left, *b = right;

	return wv_order_texts(a->file, b->file) ?: wv_order(a->line, b->line) ?:
	       wv_order(a->column, b->column) ?: wv_order(a->joinpoint, b->joinpoint) ?:
	       wv_order_texts(a->kind, b->kind) ?: wv_order(a->address, b->address);
}

int wv_points_by_accessor(struct wv_db *db, const struct wv_matches *matches,
			  struct wv_points_style *style, struct wv_str *out, struct wv_error *error)
{
	if (matches->list.n)
		qsort(matches->list.data, matches->list.n, sizeof(*matches->list.data),
		      compare_for_groups);
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		_cleanup_text_table_ struct wv_text_table table = { .n = 5 };

		add_group(&table, matches, groups[i].kind, style);
		if (!table.cells.n)
			continue;
		wv_str_addf(out, "%s:\n", groups[i].heading);
		wv_text_table_print(&table, out);
		wv_str_add(out, "\n");
	}
	if (out->failed)
		return wv_no_memory(error);
	return print_totals(out, matches, error);
}
