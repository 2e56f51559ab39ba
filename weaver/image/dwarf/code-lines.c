// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the lines of code; see code-lines.h. The line table has the source line of each row of
 * code. If code was inlined from another file, its row has a line of that file. The line of the
 * call that was inlined is in .debug_info. So all code is cut into pieces, at every start and end
 * of a row or of an inlined instance. If the row of a piece has a line of the wanted file, this is
 * the piece's line. Otherwise the inlined calls around the piece are considered, and the line of
 * the innermost one that is in the wanted file is the piece's line.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "image/dwarf/code-lines.h"
#include "image/dwarf/dies.h"
#include "image/dwarf/lines.h"

/*
 * A contiguous range of code: a row of the line table, or an inlined instance. .start and .end are
 * link addresses; .end is the address after the last byte.
 */
struct stretch {
	uint64_t start, end;
	uint32_t line;	/* line in the file; 0: another file */
	uint32_t depth; /* nesting of an inlined instance; 0: a row of the line table */
	/*
	 * for rows: position in the line table; of several rows at one address, the last one counts
	 */
	size_t order;
};

struct reader {
	const char *file;
	WV_VEC(struct stretch) stretches;
	WV_VEC(uint64_t) cuts;
	WV_VEC(const struct stretch *) active; /* the stretches that contain the current piece */
	struct wv_error *error;
};

static bool is_file(const struct reader *reader, const char *name)
{
	const char *slash = name ? strrchr(name, '/') : NULL;

	return name && !strcmp(slash ? slash + 1 : name, reader->file);
}

static int add_cut(struct reader *reader, uint64_t address)
{
	uint64_t *cut = wv_vec_push(&reader->cuts);

	if (!cut)
		return wv_no_memory(reader->error);
	*cut = address;
	return 0;
}

static int add(struct reader *reader, uint64_t start, uint64_t end, uint32_t line, uint32_t depth)
{
	struct stretch *stretch;
	int failed;

	if (start >= end)
		return 0;
	stretch = wv_vec_push(&reader->stretches);
	if (!stretch)
		return wv_no_memory(reader->error);
	*stretch = (struct stretch){ start, end, line, depth, reader->stretches.n };
	failed = add_cut(reader, start);
	return failed ? failed : add_cut(reader, end);
}

static int read_rows(struct reader *reader, struct wv_image *image)
{
	struct wv_paths paths = { 0 };
	wv_rows rows = { 0 };
	int failed = wv_lines_read(image, &paths, &rows, reader->error);

	for (size_t i = 0; i < rows.n && !failed; i++) {
		const struct wv_row *row = &rows.data[i];
		bool own = is_file(reader, wv_paths_name(&paths, row->file));

		failed = add(reader, row->address, row->address + row->size, own ? row->line : 0,
			     0);
	}
	wv_vec_deinit(&rows);
	wv_paths_deinit(&paths);
	return failed;
}

static int read_instance(struct reader *reader, Dwarf_Die *unit, Dwarf_Die *die, uint32_t depth)
{
	uint64_t number = wv_die_number(die, DW_AT_call_file);
	Dwarf_Addr base, start, end;
	Dwarf_Files *files;
	ptrdiff_t next = 0;
	uint32_t line = 0;
	int failed = 0;
	size_t n;

	if (!dwarf_getsrcfiles(unit, &files, &n) && number < n &&
	    is_file(reader, dwarf_filesrc(files, number, NULL, NULL)))
		line = wv_die_number(die, DW_AT_call_line);
	while (!failed && (next = dwarf_ranges(die, next, &base, &start, &end)) > 0)
		failed = add(reader, start, end, line, depth);
	return failed;
}

static int read_instances(struct reader *reader, const struct wv_dies *dies, Dwarf_Die *unit)
{
	struct wv_walk walk;
	Dwarf_Die *die;
	int failed;

	wv_walk_start(&walk, dies, unit);
	do {
		failed = wv_walk_next(&walk, true, &die, reader->error);
		if (!failed && die && dwarf_tag(die) == DW_TAG_inlined_subroutine)
			failed = read_instance(reader, unit, die, walk.depth);
	} while (!failed && die);
	return failed;
}

static int read_units(struct reader *reader, struct wv_image *image)
{
	_cleanup_dies_ struct wv_dies *dies = NULL;
	int failed = wv_dies_create(image, &dies, reader->error);
	bool more = true;

	while (!failed && more) {
		Dwarf_Die unit;

		failed = wv_dies_next_unit(dies, &more, &unit, reader->error);
		if (!failed && more)
			failed = read_instances(reader, dies, &unit);
	}
	return failed;
}

static int by_start(const void *left, const void *right)
{
	return wv_order(((const struct stretch *)left)->start,
			((const struct stretch *)right)->start);
}

static int by_value(const void *left, const void *right)
{
	return wv_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

/*
 * Returns the line of the piece that all stretches in reader->active contain; 0: the piece is not
 * of the file.
 */
static uint32_t ask(const struct reader *reader)
{
	const struct stretch *row = NULL, *call = NULL;

	wv_vec_for_each(active, &reader->active) {
		const struct stretch *stretch = *active;

		if (!stretch->depth && (!row || stretch->order > row->order))
			row = stretch;
		if (stretch->depth && stretch->line && (!call || stretch->depth > call->depth))
			call = stretch;
	}
	if (!row)
		return 0;
	return row->line ? row->line : call ? call->line : 0;
}

/*
 * Moves to @address: removes the stretches that have ended from reader->active, and adds the
 * stretches that begin at @address. *@next is the index of the first stretch that was not added
 * yet.
 */
static int go_to(struct reader *reader, uint64_t address, size_t *next)
{
	size_t kept = 0;

	wv_vec_for_each(active, &reader->active)
		if ((*active)->end > address)
			reader->active.data[kept++] = *active;
	reader->active.n = kept;
	for (; *next < reader->stretches.n && reader->stretches.data[*next].start == address;
	     ++*next) {
		const struct stretch **added = wv_vec_push(&reader->active);

		if (!added)
			return wv_no_memory(reader->error);
		*added = &reader->stretches.data[*next];
	}
	return 0;
}

static int write_lines(struct reader *reader, wv_code_lines *ret)
{
	uint32_t last = 0;
	size_t next = 0;
	int failed = 0;

	if (!reader->cuts.n)
		return 0;
	qsort(reader->stretches.data, reader->stretches.n, sizeof(struct stretch), by_start);
	qsort(reader->cuts.data, reader->cuts.n, sizeof(uint64_t), by_value);
	wv_vec_for_each(cut, &reader->cuts) {
		struct wv_code_line *added;
		uint32_t line;

		if (cut > reader->cuts.data && *cut == cut[-1])
			continue;
		failed = go_to(reader, *cut, &next);
		if (failed)
			return failed;
		line = ask(reader);
		if (line == last)
			continue;
		added = wv_vec_push(ret);
		if (!added)
			return wv_no_memory(reader->error);
		*added = (struct wv_code_line){ *cut, line };
		last = line;
	}
	return 0;
}

int wv_code_lines_read(struct wv_image *image, const char *file, wv_code_lines *ret,
		       struct wv_error *error)
{
	struct reader reader = { .file = file, .error = error };
	int failed = read_rows(&reader, image);

	if (!failed)
		failed = read_units(&reader, image);
	if (!failed)
		failed = write_lines(&reader, ret);
	wv_vec_deinit(&reader.stretches);
	wv_vec_deinit(&reader.cuts);
	wv_vec_deinit(&reader.active);
	return failed;
}
