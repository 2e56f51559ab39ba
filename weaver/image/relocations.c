// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads symbols and relocations of relocatable files; see relocations.h. Checks all numbers in the
 * file, so that the users of the tables need not check them.
 */
#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "image/relocations.h"

static int fail(const struct wv_image *image, const char *what, struct wv_error *error)
{
	return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0, "%s", what);
}

static int read_symbols(struct wv_object_tables *tables, struct wv_image *image, size_t index,
			struct wv_error *error)
{
	Elf_Scn *scn = elf_getscn(wv_image_elf(image), index);
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Shdr header;
	GElf_Sym entry;

	if (!data || !gelf_getshdr(scn, &header))
		return fail(image, "its symbol table cannot be read", error);
	for (size_t i = 0; i < data->d_size / sizeof(Elf64_Sym); i++) {
		struct wv_elf_entry *symbol = wv_vec_push(&tables->symbols);

		if (!symbol)
			return wv_no_memory(error);
		if (!gelf_getsym(data, i, &entry))
			return fail(image, "its symbol table cannot be read", error);
		*symbol = (struct wv_elf_entry){
			.name = elf_strptr(wv_image_elf(image), header.sh_link, entry.st_name),
			.value = entry.st_value,
			.size = entry.st_size,
			.section = entry.st_shndx,
			.type = GELF_ST_TYPE(entry.st_info),
			.binding = GELF_ST_BIND(entry.st_info),
		};
		if (!symbol->name)
			return fail(image, "a symbol's name cannot be read", error);
		if (symbol->section < SHN_LORESERVE &&
		    symbol->section >= wv_image_sections(image)->n)
			return fail(image, "a symbol is in a section that there is not", error);
	}
	return 0;
}

/* Sets the members that follow from the relocation's type. */
static void classify(struct wv_relocation *relocation)
{
	switch (relocation->type) {
	case R_X86_64_PC64:
		relocation->relative = true;
		relocation->size = sizeof(uint64_t);
		break;
	case R_X86_64_64:
		relocation->size = sizeof(uint64_t);
		break;
	case R_X86_64_PC32: case R_X86_64_PLT32:
		relocation->relative = true;
		relocation->size = sizeof(uint32_t);
		break;
	case R_X86_64_32: case R_X86_64_32S:
		relocation->size = sizeof(uint32_t);
		break;
	}
}

static int compare(const void *left, const void *right)
{
	const struct wv_relocation *a = left, *b = right;

	return wv_order(a->offset, b->offset) ?: wv_order(a->type, b->type);
}

/* Reads the relocations in section @index, which are for the section @header->sh_info. */
static int read_relocations(struct wv_object_tables *tables, struct wv_image *image, size_t index,
			    const GElf_Shdr *header, struct wv_error *error)
{
	const struct wv_section *section = &wv_image_sections(image)->data[header->sh_info];
	wv_relocations *list = &tables->relocations.data[header->sh_info];
	Elf_Data *data = elf_getdata(elf_getscn(wv_image_elf(image), index), NULL);
	GElf_Rela entry;

	for (int i = 0; data && gelf_getrela(data, i, &entry); i++) {
		struct wv_relocation relocation = {
			.offset = entry.r_offset,
			.addend = entry.r_addend,
			.type = GELF_R_TYPE(entry.r_info),
			.symbol = GELF_R_SYM(entry.r_info),
		};
		struct wv_relocation *slot;

		/* objtool turns relocations that it has removed into this type. */
		if (relocation.type == R_X86_64_NONE)
			continue;
		classify(&relocation);
		if (relocation.symbol >= tables->symbols.n)
			return fail(image, "a relocation has no symbol", error);
		if (relocation.offset > section->size ||
		    section->size - relocation.offset < relocation.size)
			return fail(image, "a relocation lies outside of its section", error);
		slot = wv_vec_push(list);
		if (!slot)
			return wv_no_memory(error);
		*slot = relocation;
	}
	if (list->n)
		qsort(list->data, list->n, sizeof(*list->data), compare);
	return 0;
}

int wv_object_tables_init(struct wv_object_tables *tables, struct wv_image *image,
			  bool (*wanted)(const struct wv_section *section), struct wv_error *error)
{
	const wv_sections *sections = wv_image_sections(image);
	int ret = 0;

	memset(tables, 0, sizeof(*tables));
	for (size_t i = 0; i < sections->n && !ret; i++) {
		if (!wv_vec_push(&tables->relocations))
			ret = wv_no_memory(error);
		else if (sections->data[i].type == SHT_SYMTAB && !tables->symbols.n)
			ret = read_symbols(tables, image, i, error);
	}
	for (size_t i = 0; i < sections->n && !ret; i++) {
		GElf_Shdr header;

		if (sections->data[i].type != SHT_RELA ||
		    !gelf_getshdr(elf_getscn(wv_image_elf(image), i), &header) ||
		    header.sh_info >= sections->n || !wanted(&sections->data[header.sh_info]))
			continue;
		ret = read_relocations(tables, image, i, &header, error);
	}
	if (ret)
		wv_object_tables_deinit(tables);
	return ret;
}

void wv_object_tables_deinit(struct wv_object_tables *tables)
{
	wv_vec_for_each(list, &tables->relocations)
		wv_vec_deinit(list);
	wv_vec_deinit(&tables->relocations);
	wv_vec_deinit(&tables->symbols);
}

size_t wv_relocations_from(const wv_relocations *list, uint64_t offset)
{
	return wv_vec_partition(list, relocation, relocation->offset < offset);
}
