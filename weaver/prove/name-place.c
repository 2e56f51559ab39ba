// SPDX-License-Identifier: GPL-2.0-or-later
/* Names what relocated bytes refer to, for messages; see name-place.h. */
#include <elf.h>

#include "prove/name-place.h"

/*
 * The distances in bytes from a relative reference to the end of its instruction. The relocation of
 * the reference counts from the reference itself, but the processor counts from the next
 * instruction. An immediate operand may lie between the two, so there are several possible
 * distances.
 */
static const int64_t biases[] = { 4, 5, 6, 8 };
#define NR_BIASES (sizeof(biases) / sizeof(biases[0]))

/*
 * Names a place in an object: the symbol at or before @offset of section @number or, if there is
 * none, the section.
 */
static struct wv_place_name name_place(const struct wv_object_code *code, uint32_t number,
				       uint64_t offset)
{
	const struct wv_elf_entry *nearest = NULL;
	size_t first, end;

	wv_object_symbols_in(code, number, &first, &end);
	for (size_t i = first; i < end; i++)
		if (code->tables.symbols.data[code->symbols.data[i]].value <= offset)
			nearest = &code->tables.symbols.data[code->symbols.data[i]];
	if (!nearest)
		return (struct wv_place_name){ wv_image_sections(code->image)->data[number].name,
					       (int64_t)offset };
	return (struct wv_place_name){ nearest->name, (int64_t)(offset - nearest->value) };
}

struct wv_place_name wv_name_wanted(const struct wv_object_code *code,
				    const struct wv_relocation *relocation)
{
	const struct wv_elf_entry *symbol = &code->tables.symbols.data[relocation->symbol];
	uint64_t offset = symbol->value + (uint64_t)relocation->addend;
	struct wv_place_name ret = { symbol->name, relocation->addend };

	if (symbol->type != STT_SECTION || symbol->section >= code->places.n) {
		ret.distance += relocation->relative ? biases[0] : 0;
		return ret;
	}
	if (!relocation->relative)
		return name_place(code, symbol->section, offset);
	for (size_t i = 0; i < NR_BIASES; i++) {
		ret = name_place(code, symbol->section, offset + (uint64_t)biases[i]);
		if (!ret.distance)
			return ret;
	}
	return name_place(code, symbol->section, offset + (uint64_t)biases[0]);
}

struct wv_place_name wv_name_found(const struct wv_shipped *shipped,
				   const struct wv_relocation *relocation,
				   const struct wv_shipped_target *found)
{
	uint64_t address = found->address + (relocation->relative ? (uint64_t)biases[0] : 0);
	const struct wv_named *named;

	if (found->external)
		return (struct wv_place_name){ found->external, (int64_t)address };
	for (size_t i = 0; i < NR_BIASES && relocation->relative; i++) {
		named = wv_named_at(&shipped->named,
				    found->address + (uint64_t)biases[i]);
		if (named && named->address == found->address + (uint64_t)biases[i])
			return (struct wv_place_name){ named->name, 0 };
	}
	named = wv_named_at(&shipped->named, address);
	if (!named)
		return (struct wv_place_name){ "address ", (int64_t)address };
	return (struct wv_place_name){ named->name, (int64_t)(address - named->address) };
}
