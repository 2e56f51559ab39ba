// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds unlabelled duplicates; see unlabelled.h. Collects a pattern of each labelled instruction,
 * and sorts the patterns by source location. Then the code of each location is compared with the
 * location's patterns. So the code is decoded only once, however many joinpoints the location has.
 * It is not decoded at all if its bytes do not contain the displacement of any pattern.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "index/unlabelled.h"

enum { STACK_POINTER = 4 /* number of rsp in x86 encodings */ };

#define ANY_COLUMN UINT32_MAX

/*
 * What a labelled instruction and its duplicate must have in common: source location, access
 * effect, displacement (.offset) and access size, both in bytes.
 */
struct look {
	uint32_t location[3]; /* file, line, column or ANY_COLUMN */
	uint32_t effect;      /* enum weft_access_effect */
	uint64_t offset;
	uint32_t size;
};

/* The pattern of a labelled instruction of @joinpoint, and the names of its member. */
struct pattern {
	struct look look;
	uint32_t names[2]; /* numbers of the names of struct and member */
	uint32_t joinpoint;
	uint64_t address;
	bool doubtful; /* labelled instructions of other members match this pattern too */
};

struct duplicate {
	uint64_t address;
	uint32_t joinpoint, symbol;
	uint8_t effect;
	bool taken; /* true: do not add it; leave_taken() and leave_split() decide this */
};

struct search {
	struct wv_shadows *shadows;
	const struct wv_merge *merge;
	const wv_rows *rows;
	const struct wv_symbols *symbols;
	const struct wv_operands *operands;
	const struct wv_inlined_list *inlined;
	WV_VEC(struct pattern) patterns; /* sorted by look, joinpoint; each once */
	/* sorted by address, joinpoint; later by joinpoint, address */
	WV_VEC(struct duplicate) duplicates;
	struct wv_error *error;
};

static int compare_looks(const struct look *a, const struct look *b)
{
	return wv_order_numbers(a->location, b->location,
				sizeof(a->location) / sizeof(a->location[0])) ?:
	       wv_order(a->offset, b->offset) ?: wv_order(a->effect, b->effect) ?:
		wv_order(a->size, b->size);
}

static int by_instruction(const void *left, const void *right)
{
	const struct pattern *a = left, *b = right;

	return compare_looks(&a->look, &b->look) ?: wv_order(a->address, b->address) ?:
	       wv_order_numbers(a->names, b->names, 2) ?: wv_order(a->joinpoint, b->joinpoint);
}

static int by_look(const void *left, const void *right)
{
	const struct pattern *a = left, *b = right;

	return compare_looks(&a->look, &b->look) ?: wv_order(a->joinpoint, b->joinpoint);
}

static int by_address(const void *left, const void *right)
{
	const struct duplicate *a = left, *b = right;

	return wv_order(a->address, b->address) ?: wv_order(a->joinpoint, b->joinpoint);
}

static int by_joinpoint(const void *left, const void *right)
{
	const struct duplicate *a = left, *b = right;

	return wv_order(a->joinpoint, b->joinpoint) ?: wv_order(a->address, b->address);
}

/*
 * Returns the index after the last row of the line that begins at or before @address. Returns the
 * index of the line's first row if @address is 0.
 */
static size_t upper_bound(const wv_rows *rows, uint32_t file, uint32_t line, uint64_t address)
{
	return wv_vec_partition(rows, row,
				(wv_order(row->file, file) ?: wv_order(row->line, line) ?:
				 wv_order(row->address, address)) <= 0);
}

/*
 * Returns the row of the line that contains the instruction at @address, or NULL. If several rows
 * have the same address, all but one have size 0; that one is returned.
 */
static const struct wv_row *row_at(const wv_rows *rows, uint32_t file, uint32_t line,
				   uint64_t address)
{
	size_t i = upper_bound(rows, file, line, address);
	uint64_t start = i ? rows->data[i - 1].address : 0;

	for (; i-- && rows->data[i].file == file && rows->data[i].line == line &&
	       rows->data[i].address == start;)
		if (address - start < rows->data[i].size)
			return &rows->data[i];
	return NULL;
}

/*
 * Fills @ret, except for the location, from the instruction at @bytes. Returns false if the
 * instruction has no memory operand of the sort that patterns have.
 */
static bool look_at(const struct search *search, const uint8_t *bytes, size_t room,
		    uint64_t address, struct look *ret)
{
	struct wv_access access;

	if (!wv_decode_access(search->operands->decoder, bytes, room, address, &access) ||
	    access.relative || access.base == WV_NO_REGISTER || access.base == STACK_POINTER ||
	    !(access.reads || access.writes))
		return false;
	ret->effect = !access.writes ? WEFT_EFFECT_LOAD
		      : access.reads ? WEFT_EFFECT_RMW
				     : WEFT_EFFECT_STORE;
	ret->offset = access.displacement;
	ret->size = access.size;
	return true;
}

static int push_pattern(struct search *search, const struct look *look,
			const struct wv_shadow *shadow)
{
	const struct wv_merge *merge = search->merge;
	const struct wv_field *field =
		&merge->fields.data[merge->joinpoints.data[shadow->joinpoint].field];
	struct pattern *pattern = wv_vec_push(&search->patterns);

	if (!pattern)
		return wv_no_memory(search->error);
	*pattern = (struct pattern){ .look = *look, .names = { field->structure, field->member },
				     .joinpoint = shadow->joinpoint, .address = shadow->address };
	return 0;
}

/*
 * Adds a pattern for @column of the access's line. For an access that writes, adds two patterns:
 * one for a store at @column, and one for a read-modify-write at any column.
 */
static int add_at(struct search *search, const struct look *found, uint32_t column,
		  const struct wv_shadow *shadow)
{
	const struct wv_joinpoint *joinpoint = &search->merge->joinpoints.data[shadow->joinpoint];
	struct look look = *found;
	int ret;

	memcpy(look.location, (uint32_t[]){ joinpoint->file, joinpoint->line, column },
	       sizeof(look.location));
	if (joinpoint->kind == WEFT_KIND_GET || joinpoint->kind == WEFT_KIND_CALL)
		return push_pattern(search, &look, shadow);
	look.effect = WEFT_EFFECT_STORE;
	ret = push_pattern(search, &look, shadow);
	/*
	 * GCC may have copied the block that has the access. One copy of the block may do in one
	 * instruction what another copy does with a load, a change and a store, each with its own
	 * column.
	 */
	look.effect = WEFT_EFFECT_RMW;
	look.location[2] = ANY_COLUMN;
	return ret ?: push_pattern(search, &look, shadow);
}

/*
 * Adds the patterns of a labelled instruction. Adds none if the instruction does not really have
 * the label's access effect. One pattern is for the access's column. If the line table gives the
 * instruction another column of the access's line, a second pattern is for that column.
 */
static int add_pattern(struct search *search, const struct wv_shadow *shadow)
{
	const struct wv_joinpoint *joinpoint = &search->merge->joinpoints.data[shadow->joinpoint];
	uint64_t offset = search->operands->offsets.data[joinpoint->field];
	const struct wv_row *row;
	const uint8_t *bytes;
	struct look look;
	size_t room;
	int ret;

	if (shadow->precision != WEFT_PRECISION_EXACT || shadow->chosen != WV_CHOSEN_OWN ||
	    offset == WV_NO_OFFSET || shadow->effect > WEFT_EFFECT_RMW)
		return 0;
	ret = wv_image_text(search->operands->image, shadow->address, &bytes, &room, search->error);
	if (ret || !room || !look_at(search, bytes, room, shadow->address, &look) ||
	    look.effect != shadow->effect)
		return ret;
	/*
	 * The labelled instruction may use a pointer to another part of the struct, so its own
	 * displacement may differ from the member's offset. A duplicate need not use this pointer.
	 * So the pattern has the member's offset in DWARF.
	 */
	look.offset = offset;
	ret = add_at(search, &look, joinpoint->column, shadow);
	row = row_at(search->rows, joinpoint->file, joinpoint->line, shadow->address);
	if (!ret && row && row->column != joinpoint->column)
		ret = add_at(search, &look, row->column, shadow);
	return ret;
}

/*
 * The index after the last of the patterns, from @first on, that belong to the instruction of
 * @first.
 */
static size_t end_of_instruction(const struct search *search, size_t first)
{
	const struct pattern *patterns = search->patterns.data;
	size_t end = first + 1;

	while (end < search->patterns.n &&
	       !compare_looks(&patterns[first].look, &patterns[end].look) &&
	       patterns[end].address == patterns[first].address)
		end++;
	return end;
}

/*
 * Returns whether two instructions are labelled for the same members. @a and @b are the indices of
 * the instructions' first patterns.
 */
static bool same_members(const struct search *search, size_t a, size_t b)
{
	const struct pattern *patterns = search->patterns.data;
	size_t a_end = end_of_instruction(search, a), b_end = end_of_instruction(search, b);

	for (; a < a_end && b < b_end; a++, b++) {
		if (wv_order_numbers(patterns[a].names, patterns[b].names, 2))
			return false;
		/* Skip patterns of further accesses of a member that was just compared. */
		while (a + 1 < a_end &&
		       !wv_order_numbers(patterns[a].names, patterns[a + 1].names, 2))
			a++;
		while (b + 1 < b_end &&
		       !wv_order_numbers(patterns[b].names, patterns[b + 1].names, 2))
			b++;
	}
	return a == a_end && b == b_end;
}

/*
 * Marks patterns as doubtful. A pattern is doubtful if instructions that fit it access different
 * members, as may happen in a macro's expansion, whose code all has one location. A pattern is not
 * doubtful if each of these instructions accesses the same several members, as in `a->inner.member
 * = 1`, which sets both inner and member.
 */
static void find_doubts(struct search *search)
{
	struct pattern *patterns = search->patterns.data;
	size_t n = search->patterns.n, end;

	for (size_t first = 0; first < n; first = end) {
		bool doubtful = false;

		for (end = first;
		     end < n && !compare_looks(&patterns[first].look, &patterns[end].look);
		     end = end_of_instruction(search, end))
			doubtful |= !same_members(search, first, end);
		for (size_t i = first; i < end; i++)
			patterns[i].doubtful = doubtful;
	}
}

static int collect(struct search *search)
{
	size_t kept = 0;

	wv_vec_for_each(shadow, &search->shadows->list) {
		int ret = add_pattern(search, shadow);

		if (ret)
			return ret;
	}
	if (!search->patterns.n)
		return 0;
	qsort(search->patterns.data, search->patterns.n, sizeof(*search->patterns.data),
	      by_instruction);
	find_doubts(search);
	qsort(search->patterns.data, search->patterns.n, sizeof(*search->patterns.data), by_look);
	for (size_t i = 0; i < search->patterns.n; i++)
		if (!search->patterns.data[i].doubtful &&
		    (!kept || by_look(&search->patterns.data[kept - 1], &search->patterns.data[i])))
			search->patterns.data[kept++] = search->patterns.data[i];
	search->patterns.n = kept;
	return 0;
}

/*
 * Returns whether the symbol @symbol is the function @function (a name of @n bytes), or a part or
 * clone of this function.
 */
static bool is_named(const struct wv_symbol *symbol, const char *function, size_t n)
{
	return !strncmp(symbol->name, function, n) && (!symbol->name[n] || symbol->name[n] == '.');
}

/*
 * Returns whether the function of the access at @position is the symbol's function, or was inlined
 * into it.
 */
static bool is_there(const struct search *search, uint32_t position, const struct wv_symbol *symbol)
{
	const struct wv_merge *merge = search->merge;
	const struct wv_inlined_list *inlined = search->inlined;
	const char *function =
		wv_pool_get(&merge->names,
			    merge->functions.data[merge->joinpoints.data[position].function].name);
	uint32_t wanted;
	size_t i;

	if (is_named(symbol, function, strlen(function)))
		return true;
	wanted = inlined->list.n ? wv_pool_find(inlined->names, function) : WV_POOL_FAILED;
	i = wv_vec_partition(&inlined->list, instance,
			     strcmp(wv_pool_get(inlined->names, instance->function), function) < 0);
	for (; i < inlined->list.n && inlined->list.data[i].function == wanted; i++) {
		const char *name = search->symbols->list.data[inlined->list.data[i].symbol].name;

		if (is_named(symbol, name, strcspn(name, ".")))
			return true;
	}
	return false;
}

static bool same_member(const struct wv_merge *merge, uint32_t a, uint32_t b)
{
	const struct wv_field *x = &merge->fields.data[merge->joinpoints.data[a].field];
	const struct wv_field *y = &merge->fields.data[merge->joinpoints.data[b].field];

	return x->structure == y->structure && x->member == y->member;
}

/*
 * Adds the instruction at @address as an unlabelled duplicate of each joinpoint that has a pattern
 * equal to @look. The patterns of the location are those from @first up to @end.
 */
static int add_duplicates(struct search *search, const struct look *look, uint64_t address,
		     const struct pattern *first, const struct pattern *end)
{
	const struct wv_symbol *symbol = wv_symbols_at(search->symbols, address);

	while (first < end && compare_looks(&first->look, look))
		first++;
	while (end > first && compare_looks(&end[-1].look, look))
		end--;
	for (const struct pattern *at = first; at < end; at++) {
		struct duplicate *duplicate;

		if (!symbol || !is_there(search, at->joinpoint, symbol))
			continue;
		duplicate = wv_vec_push(&search->duplicates);
		if (!duplicate)
			return wv_no_memory(search->error);
		*duplicate = (struct duplicate){ .address = address,
						 .joinpoint = at->joinpoint,
						 .effect = look->effect,
						 .symbol = symbol - search->symbols->list.data };
	}
	return 0;
}

/*
 * Returns whether the bytes may contain an instruction that has the displacement of one of the
 * patterns. Returns true for any bytes if a pattern has displacement 0, because an instruction may
 * encode this displacement in no bytes at all.
 */
static bool may_hold(const uint8_t *bytes, size_t n, const struct pattern *first,
		     const struct pattern *end)
{
	for (; first < end; first++) {
		int32_t offset = first->look.offset;
		bool is_byte = offset == (int8_t)offset;

		if (!offset || memmem(bytes, n, &offset, is_byte ? 1 : sizeof(offset)))
			return true;
	}
	return false;
}

static int look_through(struct search *search, const struct wv_row *row,
			const struct pattern *first, const struct pattern *end)
{
	const struct wv_operands *operands = search->operands;
	const uint8_t *bytes;
	size_t room, length;
	int ret = wv_image_text(operands->image, row->address, &bytes, &room, search->error);

	if (ret || room < row->size || !may_hold(bytes, row->size, first, end))
		return ret;
	for (size_t at = 0; at < row->size && !ret; at += length) {
		uint64_t address = row->address + at;
		/* set the location; the other members of the look are filled below */
		struct look look = first->look;

		length = wv_decode_length(operands->decoder, bytes + at, room - at, address);
		if (!length)
			break;
		if (!wv_operands_labelled(operands, address) &&
		    wv_merge_is_labelled(search->merge, address) &&
		    look_at(search, bytes + at, room - at, address, &look))
			ret = add_duplicates(search, &look, address, first, end);
	}
	return ret;
}

static int find(struct search *search)
{
	const struct pattern *end = search->patterns.data + search->patterns.n, *next;

	for (const struct pattern *first = search->patterns.data; first < end; first = next) {
		const uint32_t *location = first->look.location;
		const wv_rows *rows = search->rows;
		int ret = 0;

		for (next = first + 1; next < end && !memcmp(next->look.location, location,
							     sizeof(first->look.location));)
			next++;
		for (size_t i = upper_bound(rows, location[0], location[1], 0); i < rows->n && !ret;
		     i++) {
			const struct wv_row *row = &rows->data[i];

			if (row->file != location[0] || row->line != location[1])
				break;
			if ((location[2] == ANY_COLUMN || row->column == location[2]) && row->size)
				ret = look_through(search, row, first, next);
		}
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Marks as taken the duplicates that already belong to another joinpoint of the same member, by
 * column or operand.
 */
static void leave_taken(struct search *search)
{
	wv_vec_for_each(shadow, &search->shadows->list) {
		size_t i;
		uint32_t kind = search->merge->joinpoints.data[shadow->joinpoint].kind;

		if (shadow->precision != WEFT_PRECISION_COLUMN &&
		    shadow->precision != WEFT_PRECISION_OPERAND)
			continue;
		i = wv_vec_partition(&search->duplicates, duplicate,
				     duplicate->address < shadow->address);
		for (; i < search->duplicates.n &&
		       search->duplicates.data[i].address == shadow->address; i++) {
			struct duplicate *duplicate = &search->duplicates.data[i];

			if (same_member(search->merge, duplicate->joinpoint, shadow->joinpoint) &&
			    wv_effect_fit(kind, duplicate->effect) != WV_FIT_NEVER)
				duplicate->taken = true;
		}
	}
}

/*
 * Marks as taken each duplicate that is the second half of a read-modify-write which was split into
 * a load and a store. If the load is a shadow already, the store would count the same execution
 * twice. The duplicates and the list of shadows are both sorted by joinpoint.
 */
static void leave_split(struct search *search)
{
	const struct duplicate *end = search->duplicates.data + search->duplicates.n;
	struct duplicate *first = search->duplicates.data;

	wv_vec_for_each(shadow, &search->shadows->list) {
		if (shadow->precision != WEFT_PRECISION_EXACT || shadow->chosen != WV_CHOSEN_OWN ||
		    shadow->effect != WEFT_EFFECT_LOAD)
			continue;
		while (first < end && first->joinpoint < shadow->joinpoint)
			first++;
		for (struct duplicate *duplicate = first;
		     duplicate < end && duplicate->joinpoint == shadow->joinpoint; duplicate++)
			if (duplicate->effect == WEFT_EFFECT_STORE &&
			    duplicate->symbol == shadow->symbol)
				duplicate->taken = true;
	}
}

/*
 * Merges the duplicates into the list of shadows. Both are sorted by joinpoint and address. No
 * instruction is in both, because a duplicate has no label.
 */
static int merge_lists(struct search *search)
{
	struct wv_shadows *shadows = search->shadows;
	__typeof__(shadows->list) merged = { 0 };
	size_t next = 0;

	for (size_t i = 0; i <= shadows->list.n; i++) {
		const struct wv_shadow *shadow =
			i < shadows->list.n ? &shadows->list.data[i] : NULL;
		struct wv_shadow *slot;

		for (; next < search->duplicates.n; next++) {
			const struct duplicate *duplicate = &search->duplicates.data[next];

			if (shadow && (wv_order(duplicate->joinpoint, shadow->joinpoint) ?:
				       wv_order(duplicate->address, shadow->address)) > 0)
				break;
			if (duplicate->taken)
				continue;
			slot = wv_vec_push(&merged);
			if (!slot)
				goto no_memory;
			*slot = (struct wv_shadow){
				.address = duplicate->address, .joinpoint = duplicate->joinpoint,
						    .symbol = duplicate->symbol,
						    .precision = WEFT_PRECISION_OPERAND,
						    .chosen = WV_CHOSEN_OWN };
		}
		slot = shadow ? wv_vec_push(&merged) : NULL;
		if (shadow && !slot)
			goto no_memory;
		if (shadow)
			*slot = *shadow;
	}
	wv_vec_deinit(&shadows->list);
	memcpy(&shadows->list, &merged, sizeof(merged));
	return 0;

no_memory:
	wv_vec_deinit(&merged);
	return wv_no_memory(search->error);
}

int wv_unlabelled_add(struct wv_shadows *shadows, const struct wv_merge *merge, const wv_rows *rows,
		 const struct wv_symbols *symbols, const struct wv_operands *operands,
		 const struct wv_inlined_list *inlined, struct wv_error *error)
{
	struct search search = { .shadows = shadows,
				 .merge = merge,
				 .rows = rows,
				 .symbols = symbols,
				 .operands = operands,
				 .inlined = inlined,
				 .error = error };
	int ret = operands->decoder ? collect(&search) : 0;

	if (!ret)
		ret = find(&search);
	if (!ret && search.duplicates.n) {
		qsort(search.duplicates.data, search.duplicates.n, sizeof(*search.duplicates.data),
		      by_address);
		leave_taken(&search);
		qsort(search.duplicates.data, search.duplicates.n, sizeof(*search.duplicates.data),
		      by_joinpoint);
		leave_split(&search);
		ret = merge_lists(&search);
	}
	wv_vec_deinit(&search.patterns);
	wv_vec_deinit(&search.duplicates);
	return ret;
}
