// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the shadows of joinpoints, as described in shadows.h. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "index/line-columns.h"
#include "index/shadows.h"

#define NEVER WV_FIT_NEVER

/* Context of all steps of wv_shadows_init(). */
struct chooser {
	struct wv_shadows *shadows;
	const struct wv_merge *merge;
	const wv_rows *rows;
	const struct wv_symbols *symbols;
	const struct wv_operands *operands;
	/*
	 * For each group of labels (wv_label.group): how well the best label of the present
	 * joinpoint fits (wv_effect_fit()); NEVER between two joinpoints.
	 */
	uint8_t *best;
	WV_VEC(struct expansion {
		/* file, line and column of the expansion, and the function that contains it */
		uint32_t numbers[4];
	}) expansions; /* expansions of macros that contain accesses, sorted */
	size_t fate; /* index in merge->fates of the first fate that was not looked at yet */
	wv_addresses found; /* working memory of add_decoded_in() */
	struct wv_pool functions; /* names of the symbols without compiler suffixes */
	struct wv_error *error;
};

static const uint8_t fits[WEFT_KIND_COUNT][WEFT_EFFECT_ARGUMENT_0 + 1] = {
	/*
	 * Rows: the kind of the access. Columns: the label's effect: LOAD, STORE, RMW, CALL,
	 * ADDRESS, any ARGUMENT. Values: what wv_effect_fit() returns; 0 fits best.
	 */
	[WEFT_KIND_GET] =     { 0,	NEVER,	0,	NEVER,	NEVER,	NEVER },
	[WEFT_KIND_SET] =     { NEVER,	0,	0,	NEVER,	NEVER,	NEVER },
	[WEFT_KIND_RMW] =     { 1,	0,	0,	NEVER,	NEVER,	NEVER },
	[WEFT_KIND_ADDRESS] = { NEVER,	NEVER,	NEVER,	NEVER,	1,	0 },
	[WEFT_KIND_CALL] =    { 1,	NEVER,	NEVER,	0,	NEVER,	NEVER },
	[WEFT_KIND_INIT] =    { NEVER,	0,	0,	NEVER,	NEVER,	NEVER },
};

uint8_t wv_effect_fit(unsigned int kind, unsigned int effect)
{
	if (kind >= WEFT_KIND_COUNT || effect >= WEFT_EFFECT_COUNT)
		return NEVER;
	return fits[kind][effect < WEFT_EFFECT_ARGUMENT_0 ? effect : WEFT_EFFECT_ARGUMENT_0];
}

static int no_memory(struct wv_error *error)
{
	return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
}

static int compare_rows(const void *left, const void *right)
{
	const struct wv_row *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->column < b->column ? -1 : a->column > b->column;
}

static uint32_t symbol_at(const struct wv_symbols *symbols, uint64_t address)
{
	const struct wv_symbol *symbol = wv_symbols_at(symbols, address);

	return symbol ? symbol - symbols->list.data : WV_NO_SYMBOL;
}

/*
 * Finds the source location of each function's first byte. If several rows are for this byte, takes
 * the first, which is where the function begins. So the rows must still be in line table order.
 */
static int find_entries(struct chooser *chooser)
{
	const struct wv_symbols *symbols = chooser->symbols;
	struct wv_shadows *shadows = chooser->shadows;

	while (shadows->entries.n < symbols->list.n)
		if (!wv_vec_push(&shadows->entries))
			return no_memory(chooser->error);
	wv_vec_for_each(row, chooser->rows) {
		const struct wv_symbol *symbol = wv_symbols_at(symbols, row->address);
		struct wv_source_location *location;

		if (!row->statement || !symbol || symbol->address != row->address)
			continue;
		location = &shadows->entries.data[symbol - symbols->list.data];
		if (!location->line)
			*location =
				(struct wv_source_location){ row->file, row->line, row->column };
	}
	for (size_t i = 1; i < symbols->list.n; i++)
		if (symbols->list.data[i].alias)
			shadows->entries.data[i] = shadows->entries.data[i - 1];
	return 0;
}

/*
 * Joins adjacent rows of a line into ranges, and keeps the first statement of each range. Rows are
 * sorted by file, line and address, so the ranges of a line in one function follow each other. If
 * the range before is of another line or function, the present range is the first in its function.
 */
static int find_lines(struct chooser *chooser)
{
	struct wv_shadows *shadows = chooser->shadows;
	const struct wv_row *previous = NULL;
	uint32_t range_symbol = WV_NO_SYMBOL;
	bool kept = false; /* a statement of the range was added already */
	uint64_t end = 0;

	wv_vec_for_each(row, chooser->rows) {
		bool same_line = previous && previous->file == row->file &&
				 previous->line == row->line;
		uint32_t symbol = symbol_at(chooser->symbols, row->address);
		const struct wv_line *last;
		struct wv_line *line;

		if (!same_line || row->address > end || symbol != range_symbol)
			kept = false;
		if (!same_line || row->address + row->size > end)
			end = row->address + row->size;
		range_symbol = symbol;
		previous = row;
		if (kept || !row->statement)
			continue;
		kept = true;
		last = shadows->lines.n ? &shadows->lines.data[shadows->lines.n - 1] : NULL;
		same_line = last && last->file == row->file && last->line == row->line;
		line = wv_vec_push(&shadows->lines);
		if (!line)
			return no_memory(chooser->error);
		*line = (struct wv_line){ .address = row->address, .file = row->file,
					  .line = row->line, .column = row->column,
					  .symbol = symbol, .first = true };
		if (same_line && line[-1].symbol == symbol)
			line->first = false;
	}
	return 0;
}

static int add_shadow(struct chooser *chooser, const struct wv_shadow *shadow)
{
	struct wv_shadow *added = wv_vec_push(&chooser->shadows->list);

	if (!added)
		return no_memory(chooser->error);
	*added = *shadow;
	return 0;
}

static enum wv_chosen choose(const struct chooser *chooser, unsigned int kind,
			     const struct wv_label *label)
{
	uint8_t fit = wv_effect_fit(kind, label->effect);

	if (fit != NEVER && fit == chooser->best[label->group])
		return WV_CHOSEN_OWN;
	return kind == WEFT_KIND_GET && label->effect == WEFT_EFFECT_CALL ? WV_CHOSEN_CALL
									  : WV_CHOSEN_NOT;
}

/* Adds the @n labels of one joinpoint as shadows. Sets *@exact_ret if at least one label counts. */
static int add_labels(struct chooser *chooser, const struct wv_label *labels, size_t n,
		      bool *exact_ret)
{
	uint8_t kind = n ? chooser->merge->joinpoints.data[labels[0].joinpoint].kind : 0;
	uint64_t last_chosen = 0;
	int ret = 0;

	*exact_ret = false;
	for (size_t i = 0; i < n; i++) {
		uint8_t fit = wv_effect_fit(kind, labels[i].effect);

		if (fit < chooser->best[labels[i].group])
			chooser->best[labels[i].group] = fit;
	}
	for (size_t i = 0; i < n && !ret; i++) {
		struct wv_shadow shadow = {
			.address = labels[i].address,
			.joinpoint = labels[i].joinpoint,
			.symbol = symbol_at(chooser->symbols, labels[i].address),
			.effect = labels[i].effect,
			.precision = WEFT_PRECISION_EXACT,
			.chosen = choose(chooser, kind, &labels[i]),
		};

		if (shadow.chosen == WV_CHOSEN_OWN) {
			/* An instruction with several labels of a joinpoint is one shadow. */
			if (*exact_ret && last_chosen == shadow.address)
				shadow.chosen = WV_CHOSEN_NOT;
			*exact_ret = true;
			last_chosen = shadow.address;
		}
		ret = add_shadow(chooser, &shadow);
	}
	for (size_t i = 0; i < n; i++)
		chooser->best[labels[i].group] = NEVER;
	return ret;
}

static int compare_expansions(const void *left, const void *right)
{
	const struct expansion *a = left, *b = right;

	for (size_t i = 0; i < sizeof(a->numbers) / sizeof(a->numbers[0]); i++)
		if (a->numbers[i] != b->numbers[i])
			return a->numbers[i] < b->numbers[i] ? -1 : 1;
	return 0;
}

static int name_functions(struct chooser *chooser)
{
	wv_vec_for_each(symbol, &chooser->symbols->list)
		if (wv_pool_add_n(&chooser->functions, symbol->name, strcspn(symbol->name, ".")) ==
		    WV_POOL_FAILED)
			return no_memory(chooser->error);
	return 0;
}

/* Collects where macros that contain accesses are expanded, and in which functions. */
static int find_expansions(struct chooser *chooser)
{
	wv_vec_for_each(joinpoint, &chooser->merge->joinpoints) {
		struct expansion *expansion;

		if (joinpoint->macro == WV_NO_MACRO)
			continue;
		expansion = wv_vec_push(&chooser->expansions);
		if (!expansion)
			return no_memory(chooser->error);
		*expansion = (struct expansion){ { joinpoint->file, joinpoint->line,
						   joinpoint->column, joinpoint->function } };
	}
	if (chooser->expansions.n)
		qsort(chooser->expansions.data, chooser->expansions.n,
		      sizeof(*chooser->expansions.data), compare_expansions);
	return 0;
}

/* Returns whether the expansion that contains @joinpoint also has accesses in other functions. */
static bool defines_functions(const struct chooser *chooser, const struct wv_joinpoint *joinpoint)
{
	const struct expansion wanted = { { joinpoint->file, joinpoint->line, joinpoint->column,
					    joinpoint->function } };
	const struct expansion *first = chooser->expansions.data;
	const struct expansion *end = first + chooser->expansions.n;
	const size_t location_size =
		3 * sizeof(wanted.numbers[0]); /* size of the three numbers that are a location */
	const struct expansion *found = bsearch(&wanted, first, chooser->expansions.n,
						sizeof(*first), compare_expansions);
	const struct expansion *at = found;

	while (at > first && !memcmp(at[-1].numbers, wanted.numbers, location_size))
		at--;
	if (at->numbers[3] != joinpoint->function)
		return true;
	for (at = found; at < end && !memcmp(at->numbers, wanted.numbers, location_size); at++)
		if (at->numbers[3] != joinpoint->function)
			return true;
	return false;
}

/*
 * The index of the first element of the sorted @vec whose (file, line) is not less than the wanted
 * one. This is a macro because elements may be struct wv_row or struct wv_line.
 */
#define LOWER_BOUND(vec, wanted_file, wanted_line)               \
	wv_vec_partition(vec, item,                              \
			 item->file < (wanted_file) ||           \
				 (item->file == (wanted_file) && \
				  item->line < (wanted_line)))

/* Selects those of the line table's rows at a joinpoint's location that count for the joinpoint. */
struct row_filter {
	const char *function; /* only rows in this function's symbols; NULL: rows anywhere */
	bool first_only;      /* only the first row of each symbol */
};

static struct row_filter row_filter(const struct chooser *chooser,
				    const struct wv_joinpoint *joinpoint)
{
	const struct wv_merge *merge = chooser->merge;
	struct row_filter filter = { 0 };
	const char *function;

	if (joinpoint->macro == WV_NO_MACRO)
		return filter;
	filter.first_only = true;
	function = wv_pool_get(&merge->names, merge->functions.data[joinpoint->function].name);
	/*
	 * If the function was inlined everywhere, it has no symbol, and its rows are in other
	 * functions. Then rows of all functions have to pass.
	 */
	if (defines_functions(chooser, joinpoint) &&
	    wv_pool_find(&chooser->functions, function) != WV_POOL_FAILED)
		filter.function = function;
	return filter;
}

/*
 * Returns whether rows of @symbol pass the filter. If the filter has a function, only rows of this
 * function's symbols pass: those with its name, perhaps with a compiler suffix.
 */
static bool passes(const struct chooser *chooser, const struct row_filter *filter, uint32_t symbol)
{
	const char *function = filter->function, *name;
	size_t n = function ? strlen(function) : 0;

	if (!function || symbol == WV_NO_SYMBOL)
		return !function;
	name = chooser->symbols->list.data[symbol].name;
	return !strncmp(name, function, n) && (!name[n] || name[n] == '.');
}

/*
 * Returns whether the address is before the entry shadow of the function @symbol. Only an endbr64
 * and the call of ftrace are there, which access nothing. The line table gives them the line and
 * column of the function. If a macro defines the function, all its instructions have this line and
 * column.
 */
static bool is_before_entry(const struct chooser *chooser, uint32_t symbol, uint64_t address)
{
	const struct wv_symbol *function;

	if (symbol == WV_NO_SYMBOL)
		return false;
	function = &chooser->symbols->list.data[symbol];
	return address - function->address < function->entry;
}

static int add_columns(struct chooser *chooser, uint32_t position, bool *found_ret)
{
	const struct wv_joinpoint *joinpoint = &chooser->merge->joinpoints.data[position];
	struct row_filter filter = row_filter(chooser, joinpoint);
	const wv_rows *rows = chooser->rows;
	/*
	 * The function that a macro defines, if the rows show one: all code of this function has
	 * this line and column, so no row of the function says more than another. WV_NO_SYMBOL:
	 * none so far.
	 */
	uint32_t whole = WV_NO_SYMBOL;
	struct wv_shadow last = { 0 };

	*found_ret = false;
	for (size_t i = LOWER_BOUND(rows, joinpoint->file, joinpoint->line); i < rows->n; i++) {
		const struct wv_row *row = &rows->data[i];
		struct wv_shadow shadow = { .address = row->address, .joinpoint = position,
					    .precision = WEFT_PRECISION_COLUMN,
					    .chosen = WV_CHOSEN_OWN };
		int ret;

		if (row->file != joinpoint->file || row->line != joinpoint->line)
			break;
		if (!row->statement || row->column != joinpoint->column)
			continue;
		shadow.symbol = symbol_at(chooser->symbols, row->address);
		if (*found_ret && (row->address == last.address ||
				   (filter.first_only && shadow.symbol == last.symbol)))
			continue;
		if (is_before_entry(chooser, shadow.symbol, row->address))
			whole = shadow.symbol;
		if (!passes(chooser, &filter, shadow.symbol) ||
		    (whole != WV_NO_SYMBOL && shadow.symbol == whole))
			continue;
		ret = add_shadow(chooser, &shadow);
		if (ret)
			return ret;
		*found_ret = true;
		last = shadow;
	}
	return 0;
}

/*
 * Finds the instruction of the access's line in the function @symbol whose operand fits the access.
 * Sets *@ret to 0 if there is none, or if there are several.
 */
static int find_operand(struct chooser *chooser, uint32_t position, uint32_t symbol, uint64_t *ret)
{
	const struct wv_joinpoint *joinpoint = &chooser->merge->joinpoints.data[position];
	const wv_rows *rows = chooser->rows;
	size_t start = LOWER_BOUND(rows, joinpoint->file, joinpoint->line), end;

	while (start < rows->n && rows->data[start].file == joinpoint->file &&
	       rows->data[start].line == joinpoint->line &&
	       symbol_at(chooser->symbols, rows->data[start].address) != symbol)
		start++;
	for (end = start; end < rows->n && rows->data[end].file == joinpoint->file &&
			  rows->data[end].line == joinpoint->line; end++)
		if (symbol_at(chooser->symbols, rows->data[end].address) != symbol)
			break;
	return wv_operands_find(chooser->operands, position, rows->data + start, end - start, ret,
				chooser->error);
}

/*
 * Adds one shadow in each function that has code of the access's line: the instruction found by its
 * operand or, if there is none, the line's first statement. If @only_operand, adds no shadow where
 * no operand fits. Sets *@found_ret to whether it added any shadow, and *@best_ret to the best
 * precision of the added ones.
 */
static int add_lines(struct chooser *chooser, uint32_t position, bool only_operand,
		     bool *found_ret, enum weft_precision *best_ret)
{
	const struct wv_joinpoint *joinpoint = &chooser->merge->joinpoints.data[position];
	struct row_filter filter = row_filter(chooser, joinpoint);
	struct wv_shadows *shadows = chooser->shadows;
	size_t i = LOWER_BOUND(&shadows->lines, joinpoint->file, joinpoint->line);

	*best_ret = WEFT_PRECISION_LINE;
	*found_ret = false;
	for (; i < shadows->lines.n; i++) {
		const struct wv_line *line = &shadows->lines.data[i];
		struct wv_shadow shadow = { .address = line->address, .joinpoint = position,
					    .symbol = line->symbol,
					    .precision = WEFT_PRECISION_LINE,
					    .chosen = WV_CHOSEN_OWN };
		uint64_t operand = 0;
		int ret = 0;

		if (line->file != joinpoint->file || line->line != joinpoint->line)
			break;
		if (!line->first || !passes(chooser, &filter, line->symbol))
			continue;
		if (is_before_entry(chooser, line->symbol, line->address)) {
			const struct wv_symbol *function =
				&chooser->symbols->list.data[line->symbol];

			shadow.address = function->address + function->entry;
		}
		if (line->symbol != WV_NO_SYMBOL)
			ret = find_operand(chooser, position, line->symbol, &operand);
		if (ret)
			return ret;
		if (operand) {
			shadow.address = operand;
			shadow.precision = *best_ret = WEFT_PRECISION_OPERAND;
		} else if (only_operand) {
			continue;
		}
		ret = add_shadow(chooser, &shadow);
		if (ret)
			return ret;
		*found_ret = true;
	}
	return 0;
}

/*
 * Adds the shadows in one function for add_decoded(). @shadow is complete except for address and
 * precision. @rows are the rows of the access's line in this function.
 */
static int add_decoded_in(struct chooser *chooser, struct wv_shadow *shadow,
			  const struct wv_row *rows, size_t n, bool *found_ret,
			  enum weft_precision *best_ret)
{
	uint32_t column = chooser->merge->joinpoints.data[shadow->joinpoint].column;
	const struct wv_row *statement = NULL;
	int ret = wv_line_columns_find(chooser->operands, chooser->symbols, shadow->joinpoint, rows,
				     n, &chooser->found, chooser->error);

	shadow->precision = WEFT_PRECISION_COLUMN;
	wv_vec_for_each(address, &chooser->found) {
		shadow->address = *address;
		if (!ret)
			ret = add_shadow(chooser, shadow);
	}
	if (!ret && !chooser->found.n) {
		shadow->precision = WEFT_PRECISION_OPERAND;
		ret = wv_operands_find(chooser->operands, shadow->joinpoint, rows, n,
				       &shadow->address, chooser->error);
		for (size_t i = 0; i < n && !shadow->address; i++)
			if (rows[i].statement &&
			    !is_before_entry(chooser, shadow->symbol, rows[i].address) &&
			    (!statement ||
			     (statement->column != column && rows[i].column == column)))
				statement = &rows[i];
		if (!shadow->address)
			shadow->precision = WEFT_PRECISION_LINE;
		if (!shadow->address && !statement)
			return ret;
		if (!shadow->address)
			shadow->address = statement->address;
		if (!ret)
			ret = add_shadow(chooser, shadow);
	}
	*found_ret = true;
	if (shadow->precision < *best_ret)
		*best_ret = shadow->precision;
	return ret;
}

/*
 * Adds shadows in text whose labels are not known. Looks at each function that has code of the
 * access's line, and adds the first of these that it has:
 * - the instructions that are found by column;
 * - the instruction that is found by its operand;
 * - a statement of the line, preferably one at the access's column.
 *
 * Sets *@found_ret to whether it added any shadow, and *@best_ret to the best precision of the
 * added ones.
 */
static int add_decoded(struct chooser *chooser, uint32_t position, bool *found_ret,
		       enum weft_precision *best_ret)
{
	const struct wv_joinpoint *joinpoint = &chooser->merge->joinpoints.data[position];
	struct row_filter filter = row_filter(chooser, joinpoint);
	const wv_rows *rows = chooser->rows;
	size_t start = LOWER_BOUND(rows, joinpoint->file, joinpoint->line), end;

	*best_ret = WEFT_PRECISION_LINE;
	*found_ret = false;
	for (; start < rows->n && rows->data[start].file == joinpoint->file &&
	       rows->data[start].line == joinpoint->line; start = end) {
		const struct wv_row *first = &rows->data[start];
		struct wv_shadow shadow = { .joinpoint = position, .chosen = WV_CHOSEN_OWN,
					    .symbol = symbol_at(chooser->symbols, first->address) };
		int ret = 0;

		for (end = start + 1; end < rows->n && rows->data[end].file == joinpoint->file &&
				      rows->data[end].line == joinpoint->line; end++)
			if (symbol_at(chooser->symbols, rows->data[end].address) != shadow.symbol)
				break;
		/*
		 * Text that belongs to no symbol is left from a weak function that another one has
		 * replaced.
		 */
		if (shadow.symbol != WV_NO_SYMBOL &&
		    !wv_merge_is_labelled(chooser->merge, first->address) &&
		    passes(chooser, &filter, shadow.symbol))
			ret = add_decoded_in(chooser, &shadow, first, end - start, found_ret,
					     best_ret);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Sorts the shadows of one joinpoint by address. They are not in order yet if labels were added
 * before shadows from the line table.
 */
static int compare_shadows(const void *left, const void *right)
{
	const struct wv_shadow *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->effect != b->effect)
		return a->effect < b->effect ? -1 : 1;
	return a->precision < b->precision ? -1 : a->precision > b->precision;
}

static bool is_in_function(const struct wv_merge *merge, uint32_t position)
{
	uint32_t function = merge->joinpoints.data[position].function;

	return *wv_pool_get(&merge->names, merge->functions.data[function].name);
}

/* Which shadows of a joinpoint are still to be found, given its fates. */
enum left {
	LEFT_ALL,     /* all: no fate is known */
	LEFT_OPERAND, /* by operand only: the access is coalesced, and its servant is not known */
	LEFT_NONE,
};

/*
 * Returns which shadows of the joinpoint at @position are still to be found, according to its
 * fates. Advances chooser->fate past these fates.
 */
static enum left left_by_fates(struct chooser *chooser, uint32_t position)
{
	const struct wv_merge *merge = chooser->merge;
	enum left left = LEFT_ALL;

	for (; chooser->fate < merge->fates.n; chooser->fate++) {
		const struct wv_fate *fate = &merge->fates.data[chooser->fate];

		if (fate->joinpoint > position)
			break;
		if (fate->joinpoint < position)
			continue;
		if (fate->fate != WEFT_FATE_COALESCED || fate->servant != WV_NO_SERVANT)
			left = LEFT_NONE;
		else if (left == LEFT_ALL)
			left = LEFT_OPERAND;
	}
	return left;
}

static int add_joinpoint(struct chooser *chooser, uint32_t position, const struct wv_label *labels,
			 size_t n)
{
	enum left left = left_by_fates(chooser, position);
	struct wv_shadows *shadows = chooser->shadows;
	enum weft_precision precision = WEFT_PRECISION_EXACT, decoded = precision;
	size_t start = shadows->list.n, labelled;
	bool in_function = is_in_function(chooser->merge, position);
	bool found, found_decoded = false;
	int ret;

	ret = add_labels(chooser, labels, n, &found);
	labelled = shadows->list.n - start;
	if (!ret && in_function && chooser->merge->partial)
		ret = add_decoded(chooser, position, &found_decoded, &decoded);
	if (found_decoded && !found) {
		found = true;
		precision = decoded;
	}
	if (!ret && !found && in_function && left == LEFT_ALL) {
		precision = WEFT_PRECISION_COLUMN;
		ret = add_columns(chooser, position, &found);
	}
	if (!ret && !found && in_function && left != LEFT_NONE)
		ret = add_lines(chooser, position, left == LEFT_OPERAND, &found, &precision);
	if (ret)
		return ret;
	if (!found)
		precision = WEFT_PRECISION_OPTIMIZED_OUT;
	if (labelled && shadows->list.n - start > labelled)
		qsort(shadows->list.data + start, shadows->list.n - start,
		      sizeof(*shadows->list.data), compare_shadows);
	shadows->nr_joinpoints[precision]++;
	return 0;
}

/* Processes every joinpoint with its labels, which are sorted by joinpoint. */
static int add_joinpoints(struct chooser *chooser)
{
	const struct wv_merge *merge = chooser->merge;
	size_t label = 0;

	for (size_t i = 0; i < merge->joinpoints.n; i++) {
		size_t end = label;
		int ret;

		while (end < merge->labels.n && merge->labels.data[end].joinpoint == i)
			end++;
		ret = add_joinpoint(chooser, i, merge->labels.data + label, end - label);
		if (ret)
			return ret;
		label = end;
	}
	return 0;
}

int wv_shadows_init(struct wv_shadows *shadows, const struct wv_merge *merge, wv_rows *rows,
		    const struct wv_symbols *symbols, const struct wv_operands *operands,
		    struct wv_error *error)
{
	_cleanup_free_ uint8_t *best = malloc((size_t)merge->next_group + 1);
	struct chooser chooser = { .shadows = shadows, .merge = merge, .rows = rows,
				   .symbols = symbols, .operands = operands, .best = best,
				   .error = error };
	int ret;

	memset(shadows, 0, sizeof(*shadows));
	if (!best)
		return no_memory(error);
	memset(best, NEVER, (size_t)merge->next_group + 1);
	wv_vec_for_each(row, rows)
		row->file = merge->file_of.data[row->file];
	ret = find_entries(&chooser);
	if (rows->n)
		qsort(rows->data, rows->n, sizeof(*rows->data), compare_rows);
	if (!ret)
		ret = find_lines(&chooser);
	if (!ret)
		ret = find_expansions(&chooser);
	if (!ret)
		ret = name_functions(&chooser);
	if (!ret)
		ret = add_joinpoints(&chooser);
	wv_vec_deinit(&chooser.found);
	wv_vec_deinit(&chooser.expansions);
	wv_pool_deinit(&chooser.functions);
	if (ret)
		wv_shadows_deinit(shadows);
	return ret;
}

void wv_shadows_deinit(struct wv_shadows *shadows)
{
	wv_vec_deinit(&shadows->entries);
	wv_vec_deinit(&shadows->lines);
	wv_vec_deinit(&shadows->list);
	wv_vec_deinit(&shadows->fates);
}
