// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads joinpoint tables of units that were compiled separately from the image; see parsed.h. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/notation.h"
#include "image/dwarf/units.h"
#include "index/parsed.h"

struct reader {
	struct wv_merge *merge;
	struct wv_image *image;
	struct wv_units units; /* the units of the image */
	/* the image; initialized when the first object with code is found */
	struct wv_shipped shipped;
	struct wv_unit unit, second;
	size_t nr_units; /* all units in the folder, also those that the image does not have */
	struct wv_proof_result *result;
	const char *folder;
	bool plugged; /* every object below .folder was compiled with the plugin */
	struct wv_error *error;
};

static int no_memory(struct wv_error *error)
{
	return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
}

/* ---- collecting the image's units ------------------------------------------------------------ */

/*
 * Collects the names of the main sources in merge->units. The final form of a name depends on the
 * root of the source tree, and the root is known only when the names of all main sources have been
 * added to merge->paths. So all names are added first, and then read back in their final form.
 */
static int find_mains(struct reader *reader)
{
	struct wv_paths *paths = &reader->merge->paths;
	int ret = wv_units_read(reader->image, paths, &reader->units, reader->error);

	if (!ret && !reader->units.files.n)
		ret = wv_fail_at(
			reader->error, WV_E_FORMAT, wv_image_path(reader->image), 0, 0,
			"has no debug information; objects need the image of the debug package");
	for (size_t i = 0; i < reader->units.files.n && !ret; i++) {
		const char *name = wv_paths_name(paths, reader->units.files.data[i]);
		uint32_t number = wv_pool_add(&reader->merge->units, name);

		if (number == WV_POOL_FAILED ||
		    (number == reader->merge->unit_is_known.n &&
		     !wv_vec_push(&reader->merge->unit_is_known)))
			ret = no_memory(reader->error);
	}
	return ret;
}

/* Returns the unit's number in merge->units; WV_POOL_FAILED if the image has no such unit. */
static uint32_t wanted_main(struct reader *reader)
{
	const struct wv_unit *unit = &reader->unit;
	struct wv_paths *paths = &reader->merge->paths;
	uint32_t number = wv_paths_add(paths, unit->strings.data[unit->compilation_directory],
				       unit->strings.data[unit->main_file]);

	return number == WV_POOL_FAILED ? number :
					  wv_pool_find(&reader->merge->units,
						       wv_paths_name(paths, number));
}

/* ---- reading the objects --------------------------------------------------------------------- */

/*
 * Returns whether the file is a 64-bit ELF file. Some .o files of a kernel tree are not: they
 * contain 16-bit boot code, or they are archives.
 */
static bool is_object(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char ident[EI_NIDENT];

	return fd >= 0 && read(fd, ident, sizeof(ident)) == sizeof(ident) &&
	       !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS64;
}

static bool has_code(const struct wv_image *object)
{
	wv_vec_for_each(section, wv_image_sections(object))
		if ((section->flags & SHF_EXECINSTR) && section->size)
			return true;
	return false;
}

/*
 * Adds the unit that was just read to the merge, with those of its labels that are proven. @number
 * is the unit's number in merge->units.
 */
static int add_unit(struct reader *reader, struct wv_image *object, uint32_t number)
{
	const char *main = wv_pool_get(&reader->merge->units, number);
	int ret = 0;

	reader->merge->unit_is_known.data[number] = true;

	if (has_code(object)) {
		if (!reader->shipped.image)
			ret = wv_shipped_init(&reader->shipped, reader->image, &reader->units,
					      &reader->merge->paths, reader->error);
		if (!ret)
			ret = wv_proven_labels(reader->merge, &reader->shipped, object,
					       &reader->unit, main, reader->result,
					       reader->error);
	} else {
		reader->unit.fates.n = 0;
	}
	return ret ?: wv_merge_unit(reader->merge, &reader->unit, reader->error);
}

/*
 * Notes that the unit of an object without a table is known: the plugin has seen the object, and
 * the unit has no accesses.
 */
static void note_without_accesses(struct reader *reader, const char *path)
{
	const char *name = path + strlen(reader->folder) + 1;
	_cleanup_free_ char *main = reader->plugged ? strdup(name) : NULL;
	uint32_t number;

	if (!main)
		return;
	main[strlen(main) - 1] = 'c';
	number = wv_pool_find(&reader->merge->units, main);
	if (number != WV_POOL_FAILED)
		reader->merge->unit_is_known.data[number] = true;
}

/*
 * Reads an object that has one unit. Ignores an object that has several: it was linked from other
 * objects (ld -r), and these are in the folder as well.
 */
static int read_object(struct reader *reader, const char *path)
{
	_cleanup_image_ struct wv_image *object = NULL;
	const struct wv_section *section;
	struct wv_table table;
	bool more, second = false;
	uint32_t number;
	int ret;

	if (!is_object(path))
		return 0;
	ret = wv_image_open(path, &object, reader->error);
	if (!ret)
		ret = wv_image_section(object, WEFT_TABLE_SECTION, &section, reader->error);
	if (!ret && (!section || !section->data))
		note_without_accesses(reader, path);
	if (ret || !section || !section->data)
		return ret;
	wv_table_init(&table, path, section->data, section->size);
	ret = wv_table_next(&table, &reader->unit, &more, reader->error);
	if (!ret && more)
		ret = wv_table_next(&table, &reader->second, &second, reader->error);
	if (ret || !more || second)
		return ret;
	reader->nr_units++;
	number = wanted_main(reader);
	return number == WV_POOL_FAILED ? 0 : add_unit(reader, object, number);
}

static int read_folder(struct reader *reader, const char *folder)
{
	char *roots[] = { (char *)folder, NULL };
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int ret = 0;

	if (!walk)
		return wv_fail_errno(reader->error, errno, "%s", folder);
	while (!ret && (entry = fts_read(walk))) {
		if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_DNR)
			ret = wv_fail_errno(reader->error, entry->fts_errno, "%s", entry->fts_path);
		else if (entry->fts_info == FTS_F && entry->fts_namelen > 2 &&
			 !strcmp(entry->fts_name + entry->fts_namelen - 2, ".o"))
			ret = read_object(reader, entry->fts_path);
	}
	fts_close(walk);
	return ret;
}

/*
 * Reads the objects of a module's units. Their paths are made from the names of the units, so the
 * rest of the folder is not read. (For a vmlinux the whole folder is read: most of the folder's
 * units belong to it, and its objects may have been made with other paths.)
 */
static int read_mains(struct reader *reader, const char *folder)
{
	int ret = 0;

	for (uint32_t i = 0; i < reader->merge->units.strings.n && !ret; i++) {
		const char *main = wv_pool_get(&reader->merge->units, i);
		const char *dot = strrchr(main, '.');
		_cleanup_free_ char *path = NULL;

		if (!dot)
			continue;
		if (asprintf(&path, "%s/%.*s.o", folder, (int)(dot - main), main) < 0)
			return no_memory(reader->error);
		ret = read_object(reader, path);
	}
	return ret;
}

int wv_parsed_read(struct wv_merge *merge, struct wv_image *image, const char *folder,
		   bool plugged, struct wv_proof_result *result, struct wv_error *error)
{
	struct reader reader = { .merge = merge, .image = image, .result = result,
				 .folder = folder, .plugged = plugged, .error = error };
	const bool module = wv_image_is_relocatable(image);
	int ret = find_mains(&reader);

	merge->partial = true;
	if (!ret)
		ret = module ? read_mains(&reader, folder) : read_folder(&reader, folder);
	/*
	 * If every object was compiled with the plugin for this kernel, the folder may have objects
	 * of modules only.
	 */
	if (!ret && !merge->nr_units && !module && !plugged)
		ret = wv_fail_at(error, reader.nr_units ? WV_E_MISMATCH : WV_E_FORMAT, folder, 0, 0,
				 "none of its %s is in %s",
				 wv_count_text(reader.nr_units, "unit").text, wv_image_path(image));
	wv_shipped_deinit(&reader.shipped);
	wv_unit_deinit(&reader.unit);
	wv_unit_deinit(&reader.second);
	wv_units_deinit(&reader.units);
	return ret;
}

/* ---- checking that accesses lie in their functions' lines ------------------------------------ */

/* maximum number of lines that a function's name and parameters take */
#define DECLARATION_LINES 8

/*
 * A function with code. .first is the line where it begins, and .next the line where the next
 * function with code begins in the same file; UINT32_MAX: it is the last one.
 */
struct body {
	uint32_t file, first, next;
	const char *name;
};

typedef WV_VEC(struct body) bodies;

static int compare_bodies(const void *left, const void *right)
{
	const struct body *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static int compare_names(const void *left, const void *right)
{
	const struct body *a = left, *b = right;

	return a->file != b->file ? (a->file < b->file ? -1 : 1) : strcmp(a->name, b->name);
}

static const struct wv_opening *opening_at(const struct wv_debug *debug, uint64_t address)
{
	size_t first = wv_vec_partition(&debug->openings, opening, opening->address < address);

	return first < debug->openings.n && debug->openings.data[first].address == address ?
		       &debug->openings.data[first] : NULL;
}

/*
 * Finds the lines where functions begin. For the first byte of a function, the line table may have
 * several rows: one with the line where the function begins, one with a line of its body, one with
 * the end of the function before it. Only rows with the line where the function begins are used.
 */
static int find_bodies(const struct wv_symbols *symbols, const struct wv_debug *debug,
		       const wv_rows *rows, bodies *list, struct wv_error *error)
{
	wv_vec_for_each(row, rows) {
		const struct wv_opening *opening = opening_at(debug, row->address);
		const struct wv_symbol *symbol;
		struct body *slot;

		/*
		 * DWARF gives the line of the name; the row of the opening may be at the opening
		 * brace, some lines later.
		 */
		if (!opening || row->line < opening->line ||
		    row->line - opening->line > DECLARATION_LINES)
			continue;
		symbol = wv_symbols_at(symbols, row->address);
		/* Skip parts and clones: they may begin at any line of their function. */
		if (!symbol || symbol->address != row->address || strchr(symbol->name, '.'))
			continue;
		slot = wv_vec_push(list);
		if (!slot)
			return no_memory(error);
		*slot = (struct body){ row->file, opening->line, UINT32_MAX, symbol->name };
	}
	if (list->n)
		qsort(list->data, list->n, sizeof(*list->data), compare_bodies);
	for (size_t i = list->n; i-- > 1;) {
		struct body *before = &list->data[i - 1], *at = &list->data[i];

		if (before->file == at->file)
			before->next = at->first > before->first ? at->first : at->next;
	}
	if (list->n)
		qsort(list->data, list->n, sizeof(*list->data), compare_names);
	return 0;
}

int wv_parsed_check(const struct wv_merge *merge, const struct wv_symbols *symbols,
		     const struct wv_debug *debug, const wv_rows *rows, const char *folder,
		     struct wv_error *error)
{
	bodies list = { 0 };
	int ret = find_bodies(symbols, debug, rows, &list, error);

	for (size_t i = 0; i < merge->joinpoints.n && !ret; i++) {
		const struct wv_joinpoint *joinpoint = &merge->joinpoints.data[i];
		uint32_t name = merge->functions.data[joinpoint->function].name;
		struct body key = { .file = joinpoint->file,
				    .name = wv_pool_get(&merge->names, name) };
		const struct body *found;

		if (joinpoint->macro != WV_NO_MACRO || !*key.name || !list.n)
			continue;
		found = bsearch(&key, list.data, list.n, sizeof(*list.data), compare_names);
		if (!found || (joinpoint->line >= found->first && joinpoint->line < found->next))
			continue;
		ret = wv_fail_at(
			error, WV_E_MISMATCH, folder, 0, 0,
			"the objects are of another source than the image: %s, line %u, is in %s "
			"for the objects, which begins at line %u in the image: take the source "
			"that the image was built from",
			merge->files.data[joinpoint->file], joinpoint->line, key.name,
			found->first);
	}
	wv_vec_deinit(&list);
	return ret;
}
