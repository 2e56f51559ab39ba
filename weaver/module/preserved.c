// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks for instructions that change reserved registers; see preserved.h. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/notation.h"
#include "image/image.h"
#include "module/preserved.h"
#include "x86/preserved-change.h"

struct symbol {
	/*
	 * set by the caller: an address; the other members are about the function that contains it
	 */
	uint64_t address;
	char name[128];
	uint64_t offset;
};

static int find_symbol(const struct wv_elf_symbol *symbol, void *context, struct wv_error *error)
{
	struct symbol *ret = context;

	if (symbol->type != STT_FUNC || ret->address < symbol->address ||
	    ret->address >= symbol->address + symbol->size)
		return 0;
	snprintf(ret->name, sizeof(ret->name), "%s", symbol->name);
	ret->offset = ret->address - symbol->address;
	return 0;
}

static int refuse(struct wv_image *image, uint64_t address, const char *reg, const char *aspect,
		  struct wv_error *error)
{
	struct symbol symbol = { .address = address, .name = "the module's code" };
	int err = wv_image_each_symbol(image, find_symbol, &symbol, error);

	if (err)
		return err;
	return wv_fail(error, WV_E_ASPECT,
		       "%s: asm changes %%%s, at %s: advice must leave rbx and r12 to r15 alone, "
		       "so that a fault in it can be left",
		       aspect, reg, wv_symbol_text(symbol.name, symbol.offset).text);
}

static int check_section(struct wv_decoder *decoder, struct wv_image *image,
			 const struct wv_section *section, const char *aspect,
			 struct wv_error *error)
{
	uint64_t at = 0;

	while (at < section->size) {
		const uint8_t *bytes = section->data + at;
		uint64_t address = section->address + at;
		size_t n = section->size - at;
		struct wv_insn insn;
		size_t length = wv_decode(decoder, bytes, n, address, &insn);
		const char *reg = NULL;

		if (length)
			reg = wv_preserved_change(decoder, bytes, n, address, &insn);
		if (reg)
			return refuse(image, address, reg, aspect, error);
		at += length ? length : 1;
	}
	return 0;
}

int wv_preserved_check(const char *path, const char *aspect, struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	_cleanup_image_ struct wv_image *image = NULL;
	int err = wv_image_open(path, &image, error);

	if (!err)
		err = wv_decoder_create(&decoder, error);
	if (err)
		return err;
	wv_vec_for_each(section, wv_image_sections(image)) {
		if (!(section->flags & SHF_EXECINSTR) || !section->size)
			continue;
		err = wv_image_load(image, section, error);
		if (!err)
			err = check_section(decoder, image, section, aspect, error);
		if (err)
			return err;
	}
	return 0;
}
