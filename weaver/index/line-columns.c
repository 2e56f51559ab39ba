// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds shadows by columns and operands; see line-columns.h. */
#include <stdlib.h>
#include <string.h>

#include "index/line-columns.h"

#define THUNK_PREFIX "__x86_indirect_thunk_"

/* The access for which instructions are searched, and the state of the search. */
struct search {
	const struct wv_operands *operands;
	const struct wv_symbols *symbols;
	unsigned int kind;
	uint64_t offset; /* the member's offset in bytes; WV_NO_OFFSET: not in DWARF */
	wv_addresses *found;
	/* .column: the access's column. .call_column: the column of the best call so far. */
	uint32_t column, call_column;
	/*
	 * The next two members are about the present contiguous range of code: its end, and the
	 * number of candidates in it.
	 */
	uint64_t end;
	size_t nr_in_run;
	bool dropped; /* some contiguous range has several candidates, so none can be trusted */
	/*
	 * .nr_alike: number of instructions of the right kind at other offsets. .alike: the address
	 * of the last one.
	 */
	size_t nr_alike;
	uint64_t alike;
	struct wv_error *error;
};

static bool is_thunk(const struct wv_symbols *symbols, uint64_t address)
{
	for (size_t i = wv_symbols_from(symbols, address);
	     i < symbols->list.n && symbols->list.data[i].address == address; i++)
		if (!strncmp(symbols->list.data[i].name, THUNK_PREFIX, strlen(THUNK_PREFIX)))
			return true;
	return false;
}

static bool is_indirect_call(const struct search *search, const struct wv_insn *insn)
{
	if (insn->control != WR_CONTROL_CALL && insn->control != WR_CONTROL_JUMP)
		return false;
	return insn->direct ? is_thunk(search->symbols, insn->target) : !insn->table;
}

/*
 * Returns whether the instruction may be the call through the member. The line table gives a call
 * the column where the call's expression begins, which is left of the access's column. So the best
 * candidates are the indirect calls whose column is nearest to the access's column, from the left.
 * If this instruction is nearer than the candidates so far, removes them from the list.
 */
static bool is_call(struct search *search, const struct wv_row *row, const struct wv_insn *insn)
{
	if (row->column > search->column || row->column < search->call_column ||
	    !is_indirect_call(search, insn))
		return false;
	if (row->column > search->call_column)
		search->found->n = 0;
	search->call_column = row->column;
	return true;
}

static bool is_access(struct search *search, uint64_t address, const struct wv_row *row,
		      const struct wv_insn *insn)
{
	if (row->column != search->column)
		return false;
	if (search->offset != WV_NO_OFFSET && wv_operand_fits(search->kind, search->offset, insn))
		return true;
	if (wv_operand_fits(search->kind, (uint64_t)insn->displacement, insn)) {
		search->nr_alike++;
		search->alike = address;
	}
	return false;
}

static int look_at(struct search *search, uint64_t address, const struct wv_row *row,
		   const struct wv_insn *insn)
{
	uint64_t *slot;

	if (search->kind == WEFT_KIND_CALL ? !is_call(search, row, insn) :
					     !is_access(search, address, row, insn))
		return 0;
	slot = wv_vec_push(search->found);
	if (!slot)
		return wv_fail(search->error, WV_E_NO_MEMORY, "out of memory");
	*slot = address;
	if (++search->nr_in_run > 1)
		search->dropped = true;
	return 0;
}

/*
 * Checks the instructions of one row, except those before *@done, which were checked with another
 * row.
 */
static int look_through(struct search *search, const struct wv_row *row, uint64_t *done)
{
	uint64_t at = row->address > *done ? row->address : *done;
	uint64_t end = row->address + row->size;

	if (at > search->end)
		search->nr_in_run = 0;
	if (end > search->end)
		search->end = end;
	while (at < end) {
		const uint8_t *bytes;
		struct wv_insn insn;
		size_t room;
		int ret = wv_image_text(search->operands->image, at, &bytes, &room, search->error);

		if (ret)
			return ret;
		if (!room || !wv_decode(search->operands->decoder, bytes, room, at, &insn))
			break;
		ret = look_at(search, at, row, &insn);
		if (ret)
			return ret;
		at += insn.length;
	}
	*done = at > *done ? at : *done;
	return 0;
}

int wv_line_columns_find(const struct wv_operands *operands, const struct wv_symbols *symbols,
		    uint32_t position, const struct wv_row *rows, size_t n, wv_addresses *found,
		    struct wv_error *error)
{
	const struct wv_joinpoint *joinpoint = &operands->merge->joinpoints.data[position];
	struct search search = { .operands = operands, .symbols = symbols, .found = found,
				 .kind = joinpoint->kind, .column = joinpoint->column,
				 .error = error };
	uint64_t done = 0, *slot;
	int ret = 0;

	found->n = 0;
	if (!operands->decoder)
		return 0;
	search.offset = operands->offsets.data[joinpoint->field];
	for (size_t i = 0; i < n && !ret; i++)
		if (rows[i].column == joinpoint->column || joinpoint->kind == WEFT_KIND_CALL)
			ret = look_through(&search, &rows[i], &done);
	/*
	 * All code of a macro's expansion has one location, so an instruction with the right
	 * displacement may access another struct.
	 */
	if (joinpoint->macro != WV_NO_MACRO && joinpoint->kind != WEFT_KIND_CALL) {
		found->n = search.dropped ? 0 : found->n;
		return ret;
	}
	if (ret || found->n || search.nr_alike != 1)
		return ret;
	slot = wv_vec_push(found);
	if (!slot)
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	*slot = search.alike;
	return 0;
}
