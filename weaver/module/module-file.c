// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads an aspect module's tables from its file; see module-file.h. A file is an aspect's module if
 * it has the four sections that read_tables() reads. Every number in these sections is checked
 * before it is used, because the file is not trusted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "module/incomplete-note.h"
#include "module/module-file.h"
#include "runtime/module-note.h"
#include "base/cleanup.h"
#include "image/image.h"

static void cleanup_module(struct wv_aspect_module **module)
{
	wv_aspect_module_destroy(*module);
}

/* Fails with "corrupt aspect module: @what", where @what says how the file contradicts itself. */
static int corrupt(struct wv_error *error, const char *path, const char *what)
{
	return wv_fail_at(error, WV_E_FORMAT, path, 0, 0, "corrupt aspect module: %s", what);
}

/* Copies the content of section @name to the heap: *@ret, which the caller frees, and its size. */
static int read_section(struct wv_image *image, const char *path, const char *name, void **ret,
			size_t *size_ret, struct wv_error *error)
{
	const struct wv_section *section;
	int failed = wv_image_section(image, name, &section, error);

	if (failed)
		return failed;
	if (!section)
		return wv_fail_at(error, WV_E_FORMAT, path, 0, 0,
				  "not a weft aspect module: it has no section %s", name);
	if (!section->data || !section->size)
		return corrupt(error, path, "an empty section");
	*ret = malloc(section->size);
	if (!*ret)
		return wv_fail_errno(error, ENOMEM, "%s", path);
	memcpy(*ret, section->data, section->size);
	*size_ret = section->size;
	return 0;
}

static int check_header(const struct weft_aspect_header *header, const char *path,
			struct wv_error *error)
{
	if (header->magic != WEFT_ASPECT_MAGIC)
		return wv_fail_at(error, WV_E_FORMAT, path, 0, 0,
				  "not a weft aspect module: its header has another magic number");
	if (header->abi != WEFT_ABI_VERSION)
		return wv_fail_at(error, WV_E_MISMATCH, path, 0, 0,
				  "made for version %u of weft's interface, this weft speaks %u; "
				  "compile the aspect again",
				  header->abi, WEFT_ABI_VERSION);
	if (!header->name[0] || !memchr(header->name, '\0', sizeof(header->name)))
		return corrupt(error, path, "no name");
	return 0;
}

static bool in_order(const struct weft_joinpoint *a, const struct weft_joinpoint *b)
{
	if (a->part != b->part)
		return a->part < b->part;
	if (a->text_offset != b->text_offset)
		return a->text_offset < b->text_offset;
	if (a->advice != b->advice)
		return a->advice < b->advice;
	return a->when < b->when;
}

/*
 * Checks the parts: the strings and build-ids of all, that the kernel itself (part 0) has neither a
 * module's name nor an anchor, and that each other part, a section of a module, has both.
 */
static int check_parts(const struct wv_aspect_module *module, const char *path,
		       struct wv_error *error)
{
	for (size_t i = 0; i < module->header.nr_parts; i++) {
		const struct weft_text_part *part = &module->parts[i];
		const char *strings = module->strings;

		if (part->module >= module->strings_size || part->section >= module->strings_size ||
		    part->anchor >= module->strings_size)
			return corrupt(error, path, "a part's string lies outside the strings");
		if (part->build_id_size > sizeof(part->build_id))
			return corrupt(error, path, "the build-id is too long");
		if (!i != !strings[part->module] ||
		    (!i != !strings[part->anchor] && strings[part->module] != '/'))
			return corrupt(error, path, i ? "a part without a module or an anchor"
						      : "its first part is not the kernel");
		if (i && (!part->build_id_size || part->anchor_offset >= part->size))
			return corrupt(error, path, "a part without a build-id or a size");
	}
	return 0;
}

static int check_joinpoints(const struct wv_aspect_module *module, const char *path,
			    struct wv_error *error)
{
	const struct weft_joinpoint *before = NULL;

	for (size_t i = 0; i < module->n; i++) {
		const struct weft_joinpoint *point = &module->joinpoints[i];

		if (point->symbol >= module->strings_size || point->what >= module->strings_size ||
		    point->function >= module->strings_size || point->file >= module->strings_size)
			return corrupt(error, path,
				       "a joinpoint's string lies outside the strings");
		if (point->part >= module->header.nr_parts)
			return corrupt(error, path, "a joinpoint in a part that is not there");
		if (point->part && point->text_offset >= module->parts[point->part].size)
			return corrupt(error, path, "a joinpoint past the end of its part");
		if (point->advice >= module->header.nr_advices)
			return corrupt(error, path, "a joinpoint of an advice that is not there");
		if (point->precision >= WEFT_PRECISION_OPTIMIZED_OUT)
			return corrupt(error, path, "a joinpoint without a shadow");
		if (point->when >= WEFT_WHENS)
			return corrupt(error, path,
				       "a joinpoint whose advice runs neither before nor after it");
		if (before && !in_order(before, point))
			return corrupt(error, path, "the joinpoints are not in order");
		before = point;
	}
	return 0;
}

static int read_tables(struct wv_image *image, const char *path, struct wv_aspect_module *module,
		       struct wv_error *error)
{
	_cleanup_free_ void *header = NULL;
	void *table;
	size_t size;
	int ret;

	ret = read_section(image, path, WEFT_SECTION_ASPECT, &header, &size, error);
	if (ret)
		return ret;
	if (size != sizeof(module->header))
		return corrupt(error, path, "its header has another size");
	memcpy(&module->header, header, size);
	ret = check_header(&module->header, path, error);
	if (ret)
		return ret;
	ret = read_section(image, path, WEFT_SECTION_PARTS, &table, &size, error);
	if (ret)
		return ret;
	module->parts = table;
	if (size / sizeof(*module->parts) != module->header.nr_parts ||
	    size % sizeof(*module->parts))
		return corrupt(error, path, "its number of parts is not its table's");
	ret = read_section(image, path, WEFT_SECTION_JOINPOINTS, &table, &size, error);
	if (ret)
		return ret;
	module->joinpoints = table;
	module->n = size / sizeof(*module->joinpoints);
	if (size % sizeof(*module->joinpoints) || module->n != module->header.nr_joinpoints)
		return corrupt(error, path, "its number of joinpoints is not its table's");
	ret = read_section(image, path, WEFT_SECTION_STRINGS, &table, &module->strings_size, error);
	if (ret)
		return ret;
	module->strings = table;
	if (module->strings[0] || module->strings[module->strings_size - 1])
		return corrupt(error, path, "the strings are not terminated");
	ret = check_parts(module, path, error);
	return ret ? ret : check_joinpoints(module, path, error);
}

static int read_note(struct wv_image *image, struct wv_aspect_module *module,
		     struct wv_error *error)
{
	const struct wv_section *section;
	int ret = wv_image_section(image, WEFT_NOTE_SECTION, &section, error);

	if (!ret && section && section->data)
		wv_incomplete_note_read(section->data, section->size, &module->incomplete);
	return ret;
}

int wv_aspect_module_open(const char *path, struct wv_aspect_module **ret, struct wv_error *error)
{
	_cleanup_(cleanup_module) struct wv_aspect_module *module = NULL;
	_cleanup_image_ struct wv_image *image = NULL;
	int failed;

	failed = wv_image_open(path, &image, error);
	if (failed)
		return failed;
	if (!wv_image_is_relocatable(image))
		return wv_fail_at(error, WV_E_FORMAT, path, 0, 0,
				  "not a weft aspect module: not a module at all");
	module = calloc(1, sizeof(*module));
	if (!module)
		return wv_fail_errno(error, ENOMEM, "%s", path);
	failed = read_tables(image, path, module, error);
	if (!failed)
		failed = read_note(image, module, error);
	if (failed)
		return failed;
	*ret = wv_take(module);
	return 0;
}

void wv_aspect_module_destroy(struct wv_aspect_module *module)
{
	if (!module)
		return;
	free(module->parts);
	free(module->joinpoints);
	free(module->strings);
	wv_str_deinit(&module->incomplete);
	free(module);
}
