// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads line tables with libdwarf: one unit after the other, each released before the next is read. */
#include <dwarf.h>
#include <elf.h>
#include <libdwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "image/dwarf/lines.h"
#include "image/dwarf/object.h"

struct reader {
	struct wv_image *image;
	Dwarf_Debug dbg;
	struct wv_paths *paths;
	wv_rows *rows;
	WV_VEC(const struct wv_section *) executable;
	size_t last; /* the executable section that held the last row */
	bool open;   /* the last row's size is still to come */
	/* Of the unit being read: */
	WV_VEC(uint32_t) files; /* by the table's index, filled when first used */
	Dwarf_Line_Context context;
	const char *directory;
	uint64_t version;
};

#define NOT_YET WV_POOL_FAILED

/* Releases @dwarf_error, which may be NULL. */
static int fail(const struct reader *reader, const char *what, Dwarf_Error dwarf_error,
		struct wv_error *error)
{
	int ret = wv_fail_at(error, WV_E_FORMAT, wv_image_path(reader->image), 0, 0, "DWARF %s: %s",
			     what, dwarf_error ? dwarf_errmsg(dwarf_error) : "missing");

	if (dwarf_error)
		dwarf_dealloc_error(reader->dbg, dwarf_error);
	return ret;
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

/* The table's folder @index as text, or NULL where it is the compilation directory itself. */
static int folder_name(struct reader *reader, Dwarf_Unsigned index, const char **ret,
		       struct wv_error *error)
{
	Dwarf_Error dwarf_error = NULL;

	*ret = NULL;
	/* Before version 5, folder 0 is the compilation directory and not in the list. */
	if (!index && reader->version < 5)
		return 0;
	if (dwarf_srclines_include_dir_data(reader->context, (Dwarf_Signed)index, ret,
					    &dwarf_error) != DW_DLV_OK)
		return fail(reader, "folder of a line table", dwarf_error, error);
	return 0;
}

static int file_number(struct reader *reader, Dwarf_Unsigned index, uint32_t *ret,
		       struct wv_error *error)
{
	Dwarf_Unsigned folder, ignored;
	Dwarf_Error dwarf_error = NULL;
	const char *name, *folder_text;
	Dwarf_Form_Data16 *md5;
	int failed;

	/*
	 * A sequence begins with file 1 (DWARF 5, 6.2.2), but libdwarf 20210528 begins version 5 with 0. GCC and gas never
	 * name file 0 in a row, so that a 0 here is always the beginning.
	 */
	if (!index && reader->version >= 5 && reader->files.n > 1)
		index = 1;
	if (index >= reader->files.n)
		return fail(reader, "file number of a line table out of range", NULL, error);
	if (reader->files.data[index] != NOT_YET) {
		*ret = reader->files.data[index];
		return 0;
	}
	if (dwarf_srclines_files_data_b(reader->context, (Dwarf_Signed)index, &name, &folder,
					&ignored, &ignored, &md5, &dwarf_error) != DW_DLV_OK)
		return fail(reader, "file of a line table", dwarf_error, error);
	failed = folder_name(reader, folder, &folder_text, error);
	if (failed)
		return failed;
	*ret = wv_paths_add(reader->paths, reader->directory, folder_text, name);
	if (*ret == WV_POOL_FAILED)
		return wv_no_memory(error);
	reader->files.data[index] = *ret;
	return 0;
}

/* The row that was added last reaches up to @end, where the table goes on. */
static void close_row(struct reader *reader, uint64_t end)
{
	struct wv_row *row = &reader->rows->data[reader->rows->n - 1];

	if (end > row->address && end - row->address <= INT32_MAX)
		row->size = end - row->address;
	reader->open = false;
}

static int add_row(struct reader *reader, Dwarf_Line line, struct wv_error *error)
{
	Dwarf_Unsigned number, column, file_index;
	Dwarf_Error dwarf_error = NULL;
	Dwarf_Bool statement, end;
	struct wv_row *row;
	Dwarf_Addr address;
	uint32_t file;
	int ret;

	if (dwarf_linebeginstatement(line, &statement, &dwarf_error) != DW_DLV_OK ||
	    dwarf_lineendsequence(line, &end, &dwarf_error) != DW_DLV_OK ||
	    dwarf_lineaddr(line, &address, &dwarf_error) != DW_DLV_OK ||
	    dwarf_lineno(line, &number, &dwarf_error) != DW_DLV_OK ||
	    dwarf_lineoff_b(line, &column, &dwarf_error) != DW_DLV_OK ||
	    dwarf_line_srcfileno(line, &file_index, &dwarf_error) != DW_DLV_OK)
		return fail(reader, "row of a line table", dwarf_error, error);
	if (reader->open)
		close_row(reader, address);
	if (end || !number || number > INT32_MAX || column > INT32_MAX ||
	    !in_text(reader, address))
		return 0;
	ret = file_number(reader, file_index, &file, error);
	if (ret)
		return ret;
	row = wv_vec_push(reader->rows);
	if (!row)
		return wv_no_memory(error);
	*row = (struct wv_row){ .address = address, .file = file, .line = number, .column = column,
				.statement = statement };
	reader->open = true;
	return 0;
}

/* Makes room for the unit's files. @end is one more than the greatest index. */
static int reset_files(struct reader *reader, size_t end, struct wv_error *error)
{
	reader->files.n = 0;
	while (reader->files.n < end) {
		uint32_t *file = wv_vec_push(&reader->files);

		if (!file)
			return wv_no_memory(error);
		*file = NOT_YET;
	}
	return 0;
}

static int read_table(struct reader *reader, struct wv_error *error)
{
	Dwarf_Signed base, count, end, n;
	Dwarf_Error dwarf_error = NULL;
	Dwarf_Line *lines;
	int ret;

	if (dwarf_srclines_files_indexes(reader->context, &base, &count, &end, &dwarf_error) !=
	    DW_DLV_OK)
		return fail(reader, "files of a line table", dwarf_error, error);
	if (dwarf_srclines_comp_dir(reader->context, &reader->directory, &dwarf_error) !=
		    DW_DLV_OK || !reader->directory)
		reader->directory = "";
	ret = reset_files(reader, end > 0 ? (size_t)end : 0, error);
	if (ret)
		return ret;
	ret = dwarf_srclines_from_linecontext(reader->context, &lines, &n, &dwarf_error);
	if (ret == DW_DLV_NO_ENTRY)
		return 0;
	if (ret != DW_DLV_OK)
		return fail(reader, "line table", dwarf_error, error);
	reader->open = false;
	for (Dwarf_Signed i = 0; i < n; i++) {
		ret = add_row(reader, lines[i], error);
		if (ret)
			return ret;
	}
	return 0;
}

static int read_unit(struct reader *reader, struct wv_error *error)
{
	Dwarf_Error dwarf_error = NULL;
	Dwarf_Unsigned version;
	Dwarf_Small tables;
	Dwarf_Die die;
	int found, ret;

	found = dwarf_siblingof_b(reader->dbg, NULL, 1, &die, &dwarf_error);
	if (found == DW_DLV_NO_ENTRY)
		return 0;
	if (found != DW_DLV_OK)
		return fail(reader, "unit", dwarf_error, error);
	found = dwarf_srclines_b(die, &version, &tables, &reader->context, &dwarf_error);
	if (found == DW_DLV_NO_ENTRY) {
		ret = 0;
	} else if (found != DW_DLV_OK) {
		ret = fail(reader, "line table", dwarf_error, error);
	} else {
		reader->version = version;
		/* 1 is a plain table; 0 has no rows and 2 is an extension that GCC does not write. */
		ret = tables == 1 ? read_table(reader, error) : 0;
		dwarf_srclines_dealloc_b(reader->context);
	}
	dwarf_dealloc(reader->dbg, die, DW_DLA_DIE);
	return ret;
}

static int read_units(struct reader *reader, struct wv_error *error)
{
	Dwarf_Half version, address_size, offset_size, extension, type;
	Dwarf_Unsigned length, type_offset, next;
	Dwarf_Error dwarf_error = NULL;
	Dwarf_Sig8 signature;
	Dwarf_Off abbreviations;

	for (size_t done = 0;; done++) {
		int ret = dwarf_next_cu_header_d(reader->dbg, 1, &length, &version, &abbreviations,
						 &address_size, &offset_size, &extension, &signature,
						 &type_offset, &next, &type, &dwarf_error);

		if (ret == DW_DLV_NO_ENTRY)
			return 0;
		if (ret != DW_DLV_OK)
			return fail(reader, "unit header", dwarf_error, error);
		wv_progress_count(done, 0);
		ret = read_unit(reader, error);
		if (ret)
			return ret;
	}
}

static int find_executable(struct reader *reader, struct wv_error *error)
{
	wv_vec_for_each(section, wv_image_sections(reader->image)) {
		const struct wv_section **slot;

		if (!(section->flags & SHF_EXECINSTR))
			continue;
		slot = wv_vec_push(&reader->executable);
		if (!slot)
			return wv_no_memory(error);
		*slot = section;
	}
	return 0;
}

int wv_lines_read(struct wv_image *image, struct wv_paths *paths, wv_rows *ret,
		  struct wv_error *error)
{
	struct reader reader = { .image = image, .paths = paths, .rows = ret };
	struct wv_object object;
	int failed = wv_object_open(&object, image, &reader.dbg, error);

	if (!failed && reader.dbg) {
		failed = find_executable(&reader, error);
		if (!failed)
			failed = read_units(&reader, error);
	}
	wv_object_close(reader.dbg);
	wv_vec_deinit(&reader.executable);
	wv_vec_deinit(&reader.files);
	return failed;
}
