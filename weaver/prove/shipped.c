// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the targets that the bytes of an image refer to; see shipped.h. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "prove/shipped.h"

static bool is_loaded(const struct wv_section *section)
{
	return section->flags & SHF_ALLOC;
}

int wv_shipped_init(struct wv_shipped *shipped, struct wv_image *image,
		    const struct wv_units *units, const struct wv_paths *paths,
		    struct wv_error *error)
{
	int ret = 0;

	*shipped = (struct wv_shipped){ .image = image, .units = units, .paths = paths };
	wv_vec_for_each(section, wv_image_sections(image))
		if (!ret && is_loaded(section))
			ret = wv_image_load(image, section, error);
	if (!ret && wv_image_is_relocatable(image))
		ret = wv_object_tables_init(&shipped->tables, image, is_loaded, error);
	if (!ret)
		ret = wv_named_symbols_init(&shipped->named, image, error);
	if (ret)
		wv_shipped_deinit(shipped);
	return ret;
}

void wv_shipped_deinit(struct wv_shipped *shipped)
{
	wv_named_symbols_deinit(&shipped->named);
	wv_object_tables_deinit(&shipped->tables);
}

static const struct wv_section *section_at(const struct wv_shipped *shipped, uint64_t address)
{
	wv_vec_for_each(section, wv_image_sections(shipped->image))
		if (is_loaded(section) && address - section->address < section->size)
			return section;
	return NULL;
}

const uint8_t *wv_shipped_bytes(const struct wv_shipped *shipped, uint64_t address,
				size_t *room_ret)
{
	const struct wv_section *section = section_at(shipped, address);

	*room_ret = 0;
	if (!section || !section->data)
		return NULL;
	*room_ret = section->size - (address - section->address);
	return section->data + (address - section->address);
}

/*
 * Returns the relocations of the section that contains @address. Sets *@first_ret to the index of
 * the first relocation at or after @address.
 */
static const wv_relocations *relocations_from(const struct wv_shipped *shipped, uint64_t address,
					      size_t *first_ret)
{
	const struct wv_section *section = section_at(shipped, address);
	const wv_relocations *list;

	if (!section || !shipped->tables.relocations.n)
		return NULL;
	list = &shipped->tables.relocations.data[section - wv_image_sections(shipped->image)->data];
	*first_ret = wv_relocations_from(list, address - section->address);
	return *first_ret < list->n ? list : NULL;
}

const struct wv_relocation *wv_shipped_relocation(const struct wv_shipped *shipped,
						  uint64_t address)
{
	const struct wv_section *section = section_at(shipped, address);
	size_t first;
	const wv_relocations *list = relocations_from(shipped, address, &first);

	return list && list->data[first].offset == address - section->address ? &list->data[first]
									       : NULL;
}

uint64_t wv_shipped_next_relocation(const struct wv_shipped *shipped, uint64_t address)
{
	const struct wv_section *section = section_at(shipped, address);
	size_t first;
	const wv_relocations *list = relocations_from(shipped, address, &first);

	return list ? section->address + list->data[first].offset : UINT64_MAX;
}

static bool of_relocation(const struct wv_shipped *shipped, uint64_t address,
			  const struct wv_relocation *like, struct wv_shipped_target *ret)
{
	const struct wv_relocation *relocation = wv_shipped_relocation(shipped, address);
	const struct wv_elf_entry *symbol;

	if (!relocation || relocation->size != like->size ||
	    relocation->relative != like->relative)
		return false;
	symbol = &shipped->tables.symbols.data[relocation->symbol];
	*ret = (struct wv_shipped_target){ .address = (uint64_t)relocation->addend };
	if (symbol->section == SHN_UNDEF)
		ret->external = symbol->name;
	else
		ret->address += symbol->value;
	if (symbol->section != SHN_UNDEF && symbol->section < SHN_LORESERVE)
		ret->address += wv_image_sections(shipped->image)->data[symbol->section].address;
	return true;
}

bool wv_shipped_reference(const struct wv_shipped *shipped, uint64_t address, const uint8_t *bytes,
			  const struct wv_relocation *like, struct wv_shipped_target *ret)
{
	uint64_t value = 0;
	int32_t word;

	if (wv_image_is_relocatable(shipped->image))
		return of_relocation(shipped, address, like, ret);
	memcpy(&value, bytes, like->size);
	if (like->size == sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		value = (uint64_t)(int64_t)word;
	}
	if (like->relative)
		value += address;
	*ret = (struct wv_shipped_target){ .address = value };
	return true;
}

bool wv_shipped_is_unit(const struct wv_shipped *shipped, uint64_t address, const char *main)
{
	uint32_t file = wv_units_at(shipped->units, address);

	return file == WV_POOL_FAILED || !strcmp(wv_paths_name(shipped->paths, file), main);
}
