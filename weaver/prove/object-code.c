// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads functions of an object, and the instructions in them that a build may rewrite; see
 * object-code.h. Jump labels are found by __jump_table, which the compiler's asm goto fills.
 * ftrace's calls are found by their relocations. Where objtool has replaced such a call by a nop,
 * it is found by __mcount_loc.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "prove/object-code.h"

enum {
	/* size in bytes of one entry of __jump_table; the entry's target is at JUMP_TARGET_AT */
	JUMP_ENTRY = 16,
	JUMP_TARGET_AT = 4,
	CALL_OPCODE = 0xe8,
};

static bool is_loaded(const struct wv_section *section)
{
	return section->flags & SHF_ALLOC;
}

static int compare_places(struct wv_object_place a, struct wv_object_place b)
{
	return wv_order(a.section, b.section) ?: wv_order(a.offset, b.offset);
}

/* ---- reading symbols ------------------------------------------------------------------------- */

static struct wv_object_place place_of(const struct wv_elf_entry *symbol)
{
	return (struct wv_object_place){ symbol->section, symbol->value };
}

static int by_place(const void *left, const void *right, void *context)
{
	const struct wv_elf_entry *symbols = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return compare_places(place_of(&symbols[a]), place_of(&symbols[b])) ?: wv_order(a, b);
}

static int read_symbols(struct wv_object_code *code, struct wv_error *error)
{
	const wv_sections *sections = wv_image_sections(code->image);

	for (size_t i = 1; i < code->tables.symbols.n; i++) {
		const struct wv_elf_entry *symbol = &code->tables.symbols.data[i];
		uint32_t *slot;

		if (symbol->section == SHN_UNDEF || symbol->section >= SHN_LORESERVE ||
		    !is_loaded(&sections->data[symbol->section]) || !*symbol->name ||
		    symbol->type == STT_SECTION || symbol->type == STT_FILE)
			continue;
		slot = wv_vec_push(&code->symbols);
		if (!slot)
			return wv_no_memory(error);
		*slot = i;
	}
	if (code->symbols.n)
		qsort_r(code->symbols.data, code->symbols.n, sizeof(*code->symbols.data), by_place,
			code->tables.symbols.data);
	return 0;
}

static int read_functions(struct wv_object_code *code, struct wv_error *error)
{
	const wv_sections *sections = wv_image_sections(code->image);
	struct wv_object_function *function = NULL;

	for (size_t i = 0; i < code->symbols.n; i++) {
		const struct wv_elf_entry *symbol =
			&code->tables.symbols.data[code->symbols.data[i]];
		const struct wv_section *section = &sections->data[symbol->section];

		if (symbol->type != STT_FUNC || !symbol->size ||
		    !(section->flags & SHF_EXECINSTR) || symbol->value > section->size ||
		    symbol->size > section->size - symbol->value)
			continue;
		if (function && !compare_places(function->at, place_of(symbol))) {
			function->n = i + 1 - function->first;
			continue;
		}
		function = wv_vec_push(&code->functions);
		if (!function)
			return wv_no_memory(error);
		*function = (struct wv_object_function){ .at = place_of(symbol),
							 .size = symbol->size, .first = i, .n = 1 };
	}
	return 0;
}

void wv_object_symbols_in(const struct wv_object_code *code, uint32_t section, size_t *first_ret,
			  size_t *end_ret)
{
	const struct wv_elf_entry *const symbols = code->tables.symbols.data;

	*first_ret = wv_vec_partition(&code->symbols, i, symbols[*i].section < section);
	*end_ret = wv_vec_partition(&code->symbols, i, symbols[*i].section <= section);
}

/* ---- reading sites --------------------------------------------------------------------------- */

static int compare_sites(const void *left, const void *right)
{
	const struct wv_object_site *a = left, *b = right;

	return compare_places(a->at, b->at) ?: wv_order(a->kind, b->kind);
}

static int add_site(struct wv_object_code *code, const struct wv_object_site *site,
		    struct wv_error *error)
{
	struct wv_object_site *slot;

	if (!(wv_image_sections(code->image)->data[site->at.section].flags & SHF_EXECINSTR))
		return 0;
	slot = wv_vec_push(&code->sites);
	if (!slot)
		return wv_no_memory(error);
	*slot = *site;
	return 0;
}

/*
 * Finds to which place in the object a relocation in a table refers, and sets *@ret to it. Returns
 * false if the place is in no section.
 */
static bool table_place(const struct wv_object_code *code, const struct wv_relocation *relocation,
			struct wv_object_place *ret)
{
	const struct wv_elf_entry *symbol = &code->tables.symbols.data[relocation->symbol];

	if (symbol->section == SHN_UNDEF || symbol->section >= SHN_LORESERVE)
		return false;
	*ret = (struct wv_object_place){ symbol->section,
					 symbol->value + (uint64_t)relocation->addend };
	return true;
}

static int read_jump_labels(struct wv_object_code *code, const wv_relocations *list,
			    struct wv_error *error)
{
	struct wv_object_site site = { .kind = WV_SITE_JUMP_LABEL };
	int ret = 0;

	for (size_t i = 0; i + 1 < list->n && !ret; i++) {
		const struct wv_relocation *at = &list->data[i], *target = &list->data[i + 1];

		if (!(at->offset % JUMP_ENTRY) && target->offset == at->offset + JUMP_TARGET_AT &&
		    table_place(code, at, &site.at) && table_place(code, target, &site.target))
			ret = add_site(code, &site, error);
	}
	return ret;
}

static int read_mcount(struct wv_object_code *code, const wv_relocations *list,
		       struct wv_error *error)
{
	struct wv_object_site site = { .kind = WV_SITE_FTRACE };
	int ret = 0;

	for (size_t i = 0; i < list->n && !ret; i++)
		if (table_place(code, &list->data[i], &site.at))
			ret = add_site(code, &site, error);
	return ret;
}

static int read_calls(struct wv_object_code *code, uint32_t section, const wv_relocations *list,
		      struct wv_error *error)
{
	const uint8_t *bytes = wv_image_sections(code->image)->data[section].data;
	int ret = 0;

	for (size_t i = 0; i < list->n && bytes && !ret; i++) {
		const struct wv_relocation *relocation = &list->data[i];
		struct wv_object_site site = { .kind = WV_SITE_FTRACE,
						  .at = { section, relocation->offset - 1 } };

		if (relocation->offset && bytes[relocation->offset - 1] == CALL_OPCODE &&
		    !strcmp(code->tables.symbols.data[relocation->symbol].name, "__fentry__"))
			ret = add_site(code, &site, error);
	}
	return ret;
}

static int read_sites(struct wv_object_code *code, struct wv_error *error)
{
	const wv_sections *sections = wv_image_sections(code->image);
	int ret = 0;

	for (size_t i = 0; i < sections->n && !ret; i++) {
		const wv_relocations *list = &code->tables.relocations.data[i];

		if (!strcmp(sections->data[i].name, "__jump_table"))
			ret = read_jump_labels(code, list, error);
		else if (!strcmp(sections->data[i].name, "__mcount_loc"))
			ret = read_mcount(code, list, error);
		else if (sections->data[i].flags & SHF_EXECINSTR)
			ret = read_calls(code, i, list, error);
	}
	if (code->sites.n)
		qsort(code->sites.data, code->sites.n, sizeof(*code->sites.data), compare_sites);
	return ret;
}

size_t wv_object_sites_from(const struct wv_object_code *code, struct wv_object_place place)
{
	return wv_vec_partition(&code->sites, site, compare_places(site->at, place) < 0);
}

/* ---- reading a whole object ------------------------------------------------------------------ */

int wv_object_code_init(struct wv_object_code *code, struct wv_image *object,
			struct wv_error *error)
{
	int ret = 0;

	memset(code, 0, sizeof(*code));
	code->image = object;
	if (!wv_image_is_relocatable(object))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(object), 0, 0,
				  "linked already; objects are compared");
	wv_vec_for_each(section, wv_image_sections(object))
		if (!ret && is_loaded(section))
			ret = wv_image_load(object, section, error);
	for (size_t i = 0; i < wv_image_sections(object)->n && !ret; i++)
		if (!wv_vec_push(&code->places))
			ret = wv_no_memory(error);
	if (!ret)
		ret = wv_object_tables_init(&code->tables, object, is_loaded, error);
	if (!ret)
		ret = read_symbols(code, error);
	if (!ret)
		ret = read_functions(code, error);
	if (!ret)
		ret = read_sites(code, error);
	if (ret)
		wv_object_code_deinit(code);
	return ret;
}

void wv_object_code_deinit(struct wv_object_code *code)
{
	wv_object_tables_deinit(&code->tables);
	wv_vec_deinit(&code->symbols);
	wv_vec_deinit(&code->functions);
	wv_vec_deinit(&code->sites);
	wv_vec_deinit(&code->places);
}
