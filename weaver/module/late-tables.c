// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the tables that need the compiled module; see late-tables.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "database/leavable.h"
#include "image/dwarf/code-lines.h"
#include "module/call-graph.h"
#include "module/grow-section.h"
#include "module/late-tables.h"
#include "runtime/code-tables.h"

/* ---- writing the table of source lines ------------------------------------------------------- */

/*
 * The base function of the module. The table of lines has no addresses, only offsets in .text, also
 * that of the base function; and struct weft_aspect has a pointer to the base function. So weft.ko
 * computes where .text is: at the pointer minus the offset. struct weft_aspect points to several
 * functions, and weft.ko takes the first of them (see .rank) as the base function.
 */
struct base {
	const struct wv_section *text;
	/*
	 * place of the pointer to this function in the order in which weft.ko looks for the first
	 * pointer: N for the function weft_entry_N() of an advice, then RANK_AROUND, RANK_START,
	 * RANK_END
	 */
	unsigned long rank;
	uint64_t offset;
};

enum { RANK_AROUND = 1 << 16, RANK_START, RANK_END, RANK_NONE };

static int find_base(const struct wv_elf_symbol *symbol, void *context, struct wv_error *error)
{
	static const char entry[] = "weft_entry_";
	struct base *base = context;
	unsigned long rank = RANK_NONE;
	char *end;

	if (!strncmp(symbol->name, entry, sizeof(entry) - 1)) {
		rank = strtoul(symbol->name + sizeof(entry) - 1, &end, 10);
		if (*end)
			rank = RANK_NONE;
	} else if (!strcmp(symbol->name, "weft_around_0")) {
		rank = RANK_AROUND;
	} else if (!strcmp(symbol->name, "weft_start")) {
		rank = RANK_START;
	} else if (!strcmp(symbol->name, "weft_end")) {
		rank = RANK_END;
	}
	if (rank < base->rank && symbol->address - base->text->address < base->text->size) {
		base->rank = rank;
		base->offset = symbol->address - base->text->address;
	}
	return 0;
}

typedef WV_VEC(struct weft_line) lines;

static int add_line(lines *list, uint64_t offset, uint32_t line, struct wv_error *error)
{
	struct weft_line *added = wv_vec_push(list);

	if (!added)
		return wv_no_memory(error);
	*added = (struct weft_line){ .offset = offset, .line = line };
	return 0;
}

/*
 * Adds the table's elements to @ret:
 * - a header with the offset of the base function;
 * - an element for each offset in .text at which code of another line of the XML begins, or code
 *   that has no line there;
 * - an element for the end of .text.
 */
static int collect_lines(struct wv_image *image, const char *file, lines *ret,
			 struct wv_error *error)
{
	struct base base = { .rank = RANK_NONE };
	wv_code_lines code = { 0 };
	int failed = wv_image_section(image, ".text", &base.text, error);

	if (!failed)
		failed = add_line(ret, 0, 0, error);
	if (failed || !base.text)
		return failed;
	failed = wv_image_each_symbol(image, find_base, &base, error);
	if (failed || base.rank == RANK_NONE)
		return failed;
	failed = wv_code_lines_read(image, file, &code, error);
	for (size_t i = 0; i < code.n && !failed; i++)
		if (code.data[i].address - base.text->address < base.text->size)
			failed = add_line(ret, code.data[i].address - base.text->address,
					  code.data[i].line, error);
	wv_vec_deinit(&code);
	if (!failed)
		failed = add_line(ret, base.text->size, 0, error);
	if (!failed)
		ret->data[0] = (struct weft_line){ .offset = base.offset, .line = ret->n - 1 };
	return failed;
}

static int write_lines(const char *path, const char *file, struct wv_error *error)
{
	_cleanup_image_ struct wv_image *image = NULL;
	lines list = { 0 };
	int failed = wv_image_open(path, &image, error);

	if (!failed)
		failed = collect_lines(image, file, &list, error);
	if (!failed)
		failed = wv_grow_section(path, WEFT_SECTION_LINES, list.data,
					 list.n * sizeof(*list.data), error);
	wv_vec_deinit(&list);
	return failed;
}

/* ---- writing the table of functions in which advice may be ended ----------------------------- */

static int by_offset(const void *left, const void *right)
{
	return wv_order(((const struct weft_leavable *)left)->offset,
			((const struct weft_leavable *)right)->offset);
}

static int collect_leavable(struct wv_db *db, const struct wv_call_graph *graph,
			    wv_leavables *ret, struct wv_error *error)
{
	struct wv_leavable_search *search = NULL;
	struct weft_leavable *first;
	int failed = wv_leavable_search_create(db, &search, error);

	for (size_t i = 0; i < graph->functions.n && !failed; i++) {
		const struct wv_compiled_function *function = &graph->functions.data[i];

		/* GCC writes an asterisk before a name that is an assembler name, not one of C. */
		if (function->external)
			failed = wv_leavable_add(search,
						 function->title + (*function->title == '*'), ret,
						 error);
	}
	wv_leavable_search_destroy(search);
	if (failed)
		return failed;
	if (ret->n)
		qsort(ret->data, ret->n, sizeof(*ret->data), by_offset);
	first = wv_vec_push(ret);
	if (!first)
		return wv_no_memory(error);
	memmove(ret->data + 1, ret->data, (ret->n - 1) * sizeof(*ret->data));
	ret->data[0] = (struct weft_leavable){ .size = ret->n - 1 };
	return 0;
}

static int write_leavable(const char *path, struct wv_db *db, const char *calls,
			  struct wv_error *error)
{
	struct wv_call_graph graph = { 0 };
	wv_leavables list = { 0 };
	int failed = wv_call_graph_parse(&graph, calls) ? 0 : wv_no_memory(error);

	if (!failed)
		failed = collect_leavable(db, &graph, &list, error);
	if (!failed)
		failed = wv_grow_section(path, WEFT_SECTION_LEAVABLE, list.data,
					 list.n * sizeof(*list.data), error);
	wv_call_graph_deinit(&graph);
	wv_vec_deinit(&list);
	return failed;
}

int wv_late_tables_write(const char *path, const char *file, struct wv_db *db, const char *graph,
			 struct wv_error *error)
{
	int failed = write_lines(path, file, error);

	return failed ? failed : write_leavable(path, db, graph, error);
}
