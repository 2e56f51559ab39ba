// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads line tables through libdw, one unit after the other; see lines.h. */
#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/progress.h"
#include "image/dwarf/dies.h"
#include "image/dwarf/lines.h"

/*
 * libdw caches the rows of all units, at 40 bytes for each row. To save memory, weft drops libdw's
 * cache each time when it has read this many units.
 */
#define UNITS_KEPT 64

/* A contiguous piece of a unit's code. Link addresses; .end is the address after the last byte. */
struct piece {
	uint64_t start, end;
};

struct reader {
	struct wv_image *image;
	struct wv_dies *dies;
	struct wv_paths *paths;
	wv_rows *rows;
	WV_VEC(const struct wv_section *) executable;
	size_t last; /* index of the executable section that contained the last row */
	bool open;   /* the last row's size is not set yet */
	/*
	 * The members from here to .ended are about the unit that is being read. .files has the
	 * number in struct wv_paths of each file of the line table, indexed by the file's number
	 * in the table; NOT_YET until it is first needed.
	 */
	WV_VEC(uint32_t) files;
	Dwarf_Die unit;
	const char *directory;
	WV_VEC(struct piece) pieces; /* sorted by start */
	size_t piece; /* index of the first piece that ends after in_unit()'s last address */
	uint64_t ended;		     /* end address of the last sequence */
	struct wv_error *error;
};

#define NOT_YET WV_POOL_FAILED

static int fail(struct reader *reader)
{
	return wv_fail_at(reader->error, WV_E_FORMAT, wv_image_path(reader->image), 0, 0,
			  "DWARF, line table of the unit at offset %llu of .debug_info: %s",
			  (unsigned long long)dwarf_cuoffset(&reader->unit), dwarf_errmsg(-1));
}

static bool in_text(struct reader *reader, uint64_t address)
{
	for (size_t i = 0; i < reader->executable.n; i++) {
		size_t k = (reader->last + i) % reader->executable.n;
		const struct wv_section *section = reader->executable.data[k];

		if (address - section->address < section->size) {
			reader->last = k;
			return true;
		}
	}
	return false;
}

/*
 * Returns whether @address is in the unit's code. In successive calls @address must not decrease.
 */
static bool in_unit(struct reader *reader, uint64_t address)
{
	size_t n = reader->pieces.n;

	while (reader->piece < n && reader->pieces.data[reader->piece].end <= address)
		reader->piece++;
	if (!n)
		return true; /* the unit has no DW_AT_ranges or DW_AT_low_pc */
	return reader->piece < n && address >= reader->pieces.data[reader->piece].start;
}

/*
 * Finds the number in struct wv_paths of the file of @line. libdw returns the file's name already
 * joined with its folder and with the compilation directory.
 */
static int file_number(struct reader *reader, Dwarf_Line *line, uint32_t *ret)
{
	Dwarf_Files *files;
	const char *name;
	size_t index;

	if (dwarf_line_file(line, &files, &index) || index >= reader->files.n)
		return fail(reader);
	*ret = reader->files.data[index];
	if (*ret != NOT_YET)
		return 0;
	name = dwarf_filesrc(files, index, NULL, NULL);
	if (!name)
		return fail(reader);
	*ret = wv_paths_add_joined(reader->paths, reader->directory, name);
	reader->files.data[index] = *ret;
	return *ret == WV_POOL_FAILED ? wv_no_memory(reader->error) : 0;
}

/* Sets the size of the last row; @end is the address of the next row in the table. */
static void close_row(struct reader *reader, uint64_t end)
{
	struct wv_row *row = &reader->rows->data[reader->rows->n - 1];

	if (end > row->address && end - row->address <= INT32_MAX)
		row->size = end - row->address;
	reader->open = false;
}

static int add_row(struct reader *reader, Dwarf_Line *line)
{
	struct wv_row row = { 0 }, *slot;
	int number, column, failed;
	Dwarf_Addr address;
	bool end;

	if (dwarf_lineaddr(line, &address) || dwarf_lineno(line, &number) ||
	    dwarf_linecol(line, &column) || dwarf_linebeginstatement(line, &row.statement) ||
	    dwarf_lineendsequence(line, &end))
		return fail(reader);
	if (reader->open)
		close_row(reader, address);
	if (end)
		reader->ended = address;
	/*
	 * A sequence of rows may have a row at the address where it ends, where there is no
	 * instruction. libdw sorts rows by address and puts this row after the end, as if another
	 * sequence began there. So skip a row at such an address, unless the unit has code there.
	 */
	if (end || number <= 0 || !in_text(reader, address) ||
	    (address == reader->ended && !in_unit(reader, address)))
		return 0;
	row.address = address;
	row.line = number;
	row.column = column;
	failed = file_number(reader, line, &row.file);
	if (failed)
		return failed;
	slot = wv_vec_push(reader->rows);
	if (!slot)
		return wv_no_memory(reader->error);
	*slot = row;
	reader->open = true;
	return 0;
}

/* Makes reader->files as long as the unit's list of files, with no number known yet. */
static int reset_files(struct reader *reader)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(&reader->unit, &files, &n))
		return fail(reader);
	reader->files.n = 0;
	while (reader->files.n < n) {
		uint32_t *file = wv_vec_push(&reader->files);

		if (!file)
			return wv_no_memory(reader->error);
		*file = NOT_YET;
	}
	return 0;
}

static int compare_pieces(const void *left, const void *right)
{
	return wv_order(((const struct piece *)left)->start, ((const struct piece *)right)->start);
}

static int reset_pieces(struct reader *reader)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	reader->piece = reader->pieces.n = 0;
	while ((next = dwarf_ranges(&reader->unit, next, &base, &start, &end)) > 0) {
		struct piece *slot = wv_vec_push(&reader->pieces);

		if (!slot)
			return wv_no_memory(reader->error);
		*slot = (struct piece){ start, end };
	}
	if (reader->pieces.n)
		qsort(reader->pieces.data, reader->pieces.n, sizeof(struct piece), compare_pieces);
	return 0;
}

static int read_unit(struct reader *reader)
{
	const char *directory = wv_die_text(reader->dies, &reader->unit, DW_AT_comp_dir);
	Dwarf_Lines *lines;
	int failed;
	size_t n;

	if (!dwarf_hasattr(&reader->unit, DW_AT_stmt_list))
		return 0;
	if (!directory && dwarf_hasattr(&reader->unit, DW_AT_comp_dir))
		return wv_dies_fail(reader->dies, dwarf_dieoffset(&reader->unit),
				    "a folder's name without an end", reader->error);
	if (dwarf_getsrclines(&reader->unit, &lines, &n))
		return fail(reader);
	reader->directory = directory ? directory : "";
	reader->open = false;
	reader->ended = 0;
	failed = reset_files(reader);
	if (!failed)
		failed = reset_pieces(reader);
	for (size_t i = 0; i < n && !failed; i++)
		failed = add_row(reader, dwarf_onesrcline(lines, i));
	return failed;
}

static int read_units(struct reader *reader)
{
	for (size_t done = 0;; done++) {
		bool more;
		int failed = wv_dies_next_unit(reader->dies, &more, &reader->unit, reader->error);

		if (failed || !more)
			return failed;
		wv_progress_count(done, 0);
		failed = read_unit(reader);
		if (!failed && done % UNITS_KEPT == UNITS_KEPT - 1)
			failed = wv_dies_forget(reader->dies, reader->error);
		if (failed)
			return failed;
	}
}

static int find_executable(struct reader *reader)
{
	wv_vec_for_each(section, wv_image_sections(reader->image)) {
		const struct wv_section **slot;

		if (!(section->flags & SHF_EXECINSTR))
			continue;
		slot = wv_vec_push(&reader->executable);
		if (!slot)
			return wv_no_memory(reader->error);
		*slot = section;
	}
	return 0;
}

int wv_lines_read(struct wv_image *image, struct wv_paths *paths, wv_rows *ret,
		  struct wv_error *error)
{
	struct reader reader = { .image = image, .paths = paths, .rows = ret, .error = error };
	int failed = wv_dies_create(image, &reader.dies, error);

	if (!failed)
		failed = find_executable(&reader);
	if (!failed)
		failed = read_units(&reader);
	wv_dies_destroy(reader.dies);
	wv_vec_deinit(&reader.executable);
	wv_vec_deinit(&reader.files);
	wv_vec_deinit(&reader.pieces);
	return failed;
}
