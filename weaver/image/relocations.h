/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the symbol table and the relocations of an object file, unchanged: the symbols by number,
 * including undefined ones, and the relocations of each section. Does not apply the relocations.
 */
#ifndef WV_RELOCATIONS_H
#define WV_RELOCATIONS_H

#include "image/image.h"

struct wv_elf_entry {
	const char *name; /* "" where the symbol has none */
	/* .value counts, in a relocatable file, from the beginning of the section. */
	uint64_t value, size;
	uint32_t section; /* number of a section, SHN_UNDEF, or a reserved number (SHN_ABS, ...) */
	uint8_t type, binding; /* STT_* and STB_* */
};

struct wv_relocation {
	uint64_t offset; /* from the beginning of the section */
	int64_t addend;
	uint32_t type;	 /* R_X86_64_* */
	uint32_t symbol; /* index in wv_object_tables.symbols, always valid */
	/* bytes that the relocation changes, all inside the section; 0: the type is not known */
	uint32_t size;
	bool relative;	 /* the value is relative to the address of these bytes */
};

typedef WV_VEC(struct wv_relocation) wv_relocations;

struct wv_object_tables {
	/* indexed by number; empty if the file has no symbol table */
	WV_VEC(struct wv_elf_entry) symbols;
	/* the relocations of each section, sorted by offset; indexed by the section's number */
	WV_VEC(wv_relocations) relocations;
};

/*
 * Reads the symbols of a relocatable @image, and the relocations of those of its sections for which
 * @wanted returns true. @image must stay open as long as the tables are used. Returns -WV_E_FORMAT
 * if a relocation has no symbol, or lies outside of its section.
 */
int wv_object_tables_init(struct wv_object_tables *tables, struct wv_image *image,
			  bool (*wanted)(const struct wv_section *section), struct wv_error *error);
void wv_object_tables_deinit(struct wv_object_tables *tables);

/* The index of the first relocation at or after @offset; list->n if there is none. */
size_t wv_relocations_from(const wv_relocations *list, uint64_t offset);

#endif /* WV_RELOCATIONS_H */
