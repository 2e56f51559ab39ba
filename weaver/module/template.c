// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes modules of templates; see template.h. */
#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/generate/generate.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "base/replace.h"
#include "module/build-folder.h"
#include "module/template.h"

/*
 * The stand-ins for the names of the aspect, of its file and of its metrics. Each is as long as
 * such a name may be, so that the name fits in the stand-in's place. No other string of a module
 * ends like a stand-in: if one string is the end of another, the linker keeps only the longer one.
 */
static const char aspect_stand_in[] = "weft_template_with_the_name_of_the_aspect_put_in_later_";
static const char file_stand_in[] =
	"weft template, and the name of the file from which the aspect was read is put in later";
static const char metric_stand_in[] =
	"weft template, and a metric's name is put in later: number %04zu";
enum {
	METRICS_MAX = 10000,
	/* bytes of a metric's stand-in with its NUL; the format has one character more */
	METRIC_SIZE = sizeof(metric_stand_in) - 1
};
static_assert(sizeof(aspect_stand_in) == WEFT_NAME_MAX, "an aspect's name fits");
static_assert(METRIC_SIZE == 64, "a metric's name fits");

/* ---- the stand-ins --------------------------------------------------------------------------- */

static char *metric_name(size_t index)
{
	char text[METRIC_SIZE + 16];

	snprintf(text, sizeof(text), metric_stand_in, index);
	return strdup(text);
}

int wv_template_names_init(struct wv_template_names *names, const struct wv_aspect *aspect,
			   struct wv_error *error)
{
	*names = (struct wv_template_names){
		.name = strdup(aspect_stand_in), .path = strdup(file_stand_in),
	};
	for (size_t i = 0; i < aspect->metrics.n; i++) {
		char **name = wv_vec_push(&names->metrics);

		if (!name)
			return wv_no_memory(error);
		*name = metric_name(i);
		if (!*name)
			return wv_no_memory(error);
	}
	return names->name && names->path ? 0 : wv_no_memory(error);
}

static void swap(char **left, char **right)
{
	char *kept = *left;

	*left = *right;
	*right = kept;
}

void wv_template_names_swap(struct wv_template_names *names, struct wv_aspect *aspect)
{
	swap(&names->name, &aspect->name);
	swap(&names->path, &aspect->path);
	for (size_t i = 0; i < names->metrics.n; i++)
		swap(&names->metrics.data[i], &aspect->metrics.data[i]->name);
}

void wv_template_names_deinit(struct wv_template_names *names)
{
	free(names->name);
	free(names->path);
	wv_vec_for_each(name, &names->metrics)
		free(*name);
	wv_vec_deinit(&names->metrics);
}

/* ---- looking for a template ------------------------------------------------------------------ */

/* Returns whether all names fit in the places of their stand-ins. */
static bool names_fit(const struct wv_aspect *aspect)
{
	if (strlen(aspect->name) >= sizeof(aspect_stand_in) ||
	    strlen(wv_base_name(aspect->path)) >= sizeof(file_stand_in) ||
	    aspect->metrics.n > METRICS_MAX)
		return false;
	wv_vec_for_each(metric, &aspect->metrics)
		if (strlen((*metric)->name) >= METRIC_SIZE)
			return false;
	return true;
}

int wv_template_find(struct wv_aspect *aspect, const struct wv_selection *selection,
		     const struct wv_values *values, const char *incomplete,
		     const struct wv_cache_inputs *inputs, struct wv_template *ret,
		     bool *possible_ret, struct wv_error *error)
{
	struct wv_template_names names;
	int failed;

	*ret = (struct wv_template){ 0 };
	/*
	 * The calls and the stack use of the template's code are checked once, when the template is
	 * compiled. So an aspect that changes these checks (<never-sleeps>, another limit of its
	 * stack) gets no template: its changes would hold for other aspects with the same C.
	 */
	*possible_ret = !aspect->awake.n && aspect->stack == WV_STACK_SMALL && names_fit(aspect) &&
			wv_may_be_template(aspect, selection, values);
	if (!*possible_ret)
		return 0;
	failed = wv_tables_make(aspect, selection, &ret->tables, error);
	if (!failed)
		failed = wv_template_names_init(&names, aspect, error);
	if (!failed) {
		wv_template_names_swap(&names, aspect);
		wv_generate_template(aspect, selection, values, incomplete, &ret->tables,
				     &ret->source);
		wv_template_names_swap(&names, aspect);
		wv_template_names_deinit(&names);
		failed = ret->source.failed ? wv_no_memory(error) : 0;
	}
	if (!failed)
		failed = wv_cache_template_path(inputs, &ret->source, ret->path, error);
	if (failed)
		wv_template_deinit(ret);
	return failed;
}

void wv_template_deinit(struct wv_template *template)
{
	wv_str_deinit(&template->source);
	wv_tables_deinit(&template->tables);
}

/* ---- filling a template ---------------------------------------------------------------------- */

/*
 * Replaces each @stand_in in the file by @name. The rest of the stand-in's string moves forward, up
 * to its NUL, and zeros fill the bytes that become free. Returns the number of replacements.
 */
static size_t put_name(struct wv_str *file, const char *stand_in, const char *name)
{
	const size_t n = strlen(stand_in), new_n = strlen(name);
	char *end = file->data + file->n, *at = file->data;
	size_t count = 0;

	while ((at = memmem(at, end - at, stand_in, n))) {
		const size_t after = strnlen(at + n, end - at - n);

		memcpy(at, name, new_n);
		memmove(at + new_n, at + n, after);
		memset(at + new_n + after, 0, n - new_n);
		at += n;
		count++;
	}
	return count;
}

/* Returns the header of section @name; NULL: the file has none, or it is damaged. */
static Elf64_Shdr *find_section(const struct wv_str *file, const char *name)
{
	const Elf64_Ehdr *header = (const void *)file->data;
	const Elf64_Shdr *names;
	Elf64_Shdr *sections;

	if (file->n < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_shentsize != sizeof(*sections) || header->e_shoff % sizeof(uint64_t) ||
	    header->e_shstrndx >= header->e_shnum || header->e_shoff > file->n ||
	    header->e_shnum > (file->n - header->e_shoff) / sizeof(*sections))
		return NULL;
	sections = (void *)(file->data + header->e_shoff);
	names = &sections[header->e_shstrndx];
	if (names->sh_offset > file->n || names->sh_size > file->n - names->sh_offset)
		return NULL;
	for (size_t i = 1; i < header->e_shnum; i++) {
		const size_t room = names->sh_size;
		const size_t at = sections[i].sh_name;

		if (at < room && room - at > strlen(name) &&
		    !strcmp(file->data + names->sh_offset + at, name))
			return &sections[i];
	}
	return NULL;
}

/* Appends @data to the file, as the content of section @name. */
static bool put_section(struct wv_str *file, const char *name, const void *data, size_t size)
{
	static const char padding[16];
	size_t offset;
	Elf64_Shdr *section;

	wv_str_add_n(file, padding, -file->n % sizeof(padding));
	offset = file->n;
	wv_str_add_n(file, data, size);
	section = file->failed ? NULL : find_section(file, name);
	if (!section || section->sh_type != SHT_PROGBITS)
		return false;
	section->sh_offset = offset;
	section->sh_size = size;
	return true;
}

/*
 * Changes the build-id: the linker has computed it for the template, and two modules must not have
 * the same build-id. @content: the hash of what the module is made of.
 */
static void change_build_id(struct wv_str *file, uint64_t content)
{
	enum { AT = sizeof(Elf64_Nhdr) + sizeof("GNU") };
	const Elf64_Shdr *section = find_section(file, ".note.gnu.build-id");

	if (!section || section->sh_size < AT + sizeof(content) || section->sh_offset > file->n ||
	    section->sh_size > file->n - section->sh_offset)
		return;
	for (size_t i = 0; i < sizeof(content); i++)
		file->data[section->sh_offset + AT + i] ^= content >> 8 * i;
}

/* Continues a hash (FNV-1a) with @n bytes. @start: the hash of the bytes before. */
static uint64_t hash(uint64_t start, const void *bytes, size_t n)
{
	for (const uint8_t *byte = bytes; n--; byte++)
		start = (start ^ *byte) * 0x100000001b3;
	return start;
}

/*
 * Returns a hash of all that the module is made of. @header: the module's header, with .content 0.
 */
static uint64_t hash_all(const struct wv_template *template, const struct wv_aspect *aspect,
			 const struct weft_aspect_header *header)
{
	const char *file = wv_base_name(aspect->path);
	const struct wv_tables *tables = &template->tables;
	uint64_t ret = hash(0xcbf29ce484222325, header, sizeof(*header));

	ret = hash(ret, file, strlen(file) + 1);
	wv_vec_for_each(metric, &aspect->metrics)
		ret = hash(ret, (*metric)->name, strlen((*metric)->name) + 1);
	ret = hash(ret, template->source.data, template->source.n);
	ret = hash(ret, tables->parts.data, tables->parts.n * sizeof(*tables->parts.data));
	ret = hash(ret, tables->joinpoints.data,
		   tables->joinpoints.n * sizeof(*tables->joinpoints.data));
	return hash(ret, tables->strings.data, tables->strings.n);
}

static struct weft_aspect_header make_header(const struct wv_template *template,
					     const struct wv_aspect *aspect)
{
	struct weft_aspect_header header = {
		.magic = WEFT_ASPECT_MAGIC,
		.abi = WEFT_ABI_VERSION,
		.nr_joinpoints = template->tables.joinpoints.n,
		.nr_advices = aspect->advices.n,
		.nr_parts = template->tables.parts.n,
		.flags = (aspect->filtered ? WEFT_ASPECT_FILTERED : 0) |
			 (aspect->pending ? WEFT_ASPECT_PENDING : 0),
		.share = aspect->share,
		.budget = aspect->budget,
	};

	memcpy(header.name, aspect->name, strlen(aspect->name));
	header.content = hash_all(template, aspect, &header);
	return header;
}

/*
 * Returns whether the template was compiled with runtime headers of the same ABI version as this
 * weft.
 */
static bool has_our_abi(const struct wv_str *file)
{
	const Elf64_Shdr *section = find_section(file, WEFT_SECTION_ASPECT);
	struct weft_aspect_header header;

	if (!section || section->sh_size != sizeof(header) || section->sh_offset > file->n ||
	    section->sh_size > file->n - section->sh_offset)
		return false;
	memcpy(&header, file->data + section->sh_offset, sizeof(header));
	return header.abi == WEFT_ABI_VERSION;
}

static bool put_all(const struct wv_template *template, const struct wv_aspect *aspect,
		    const char *room, struct wv_str *file)
{
	const struct weft_aspect_header header = make_header(template, aspect);
	const struct wv_tables *tables = &template->tables;
	bool ok = put_name(file, aspect_stand_in, aspect->name) &&
		  put_name(file, file_stand_in, wv_base_name(aspect->path));

	wv_vec_for_each(metric, &aspect->metrics) {
		_cleanup_free_ char *stand_in = metric_name((*metric)->index);

		ok &= stand_in && put_name(file, stand_in, (*metric)->name);
	}
	ok = ok && has_our_abi(file);
	change_build_id(file, header.content);
	return ok && put_section(file, WEFT_SECTION_ASPECT, &header, sizeof(header)) &&
	       put_section(file, WEFT_SECTION_PARTS, tables->parts.data,
			   tables->parts.n * sizeof(*tables->parts.data)) &&
	       put_section(file, WEFT_SECTION_JOINPOINTS, tables->joinpoints.data,
			   tables->joinpoints.n * sizeof(*tables->joinpoints.data)) &&
	       put_section(file, WEFT_SECTION_STRINGS, room, wv_tables_room(tables));
}

int wv_template_fill(const struct wv_template *template, const struct wv_aspect *aspect,
		     const char *output, struct wv_error *error)
{
	_cleanup_free_ char *room = calloc(1, wv_tables_room(&template->tables));
	_cleanup_str_ struct wv_str file = { 0 };

	if (!room)
		return wv_no_memory(error);
	memcpy(room, template->tables.strings.data, template->tables.strings.n);
	wv_build_file_read(template->path, &file);
	if (!file.n || !put_all(template, aspect, room, &file) || file.failed)
		return wv_fail_at(error, WV_E_FORMAT, template->path, 0, 0,
				  "not a template of this version of weft");
	return wv_replace_file(output, (const unsigned char *)file.data, file.n, error);
}
