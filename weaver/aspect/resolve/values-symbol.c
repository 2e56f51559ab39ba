// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds $sym(name): symbols of the kernel; see values-symbol.h. */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "aspect/resolve/values-symbol.h"
#include "image/symbols.h"

static int visit_symbol(const struct wv_elf_symbol *symbol, void *context, struct wv_error *error)
{
	struct wv_finder *finder = context;
	bool global = symbol->binding != STB_LOCAL;

	if (symbol->type == STT_FILE || symbol->type == STT_SECTION)
		return 0;
	wv_vec_for_each(wanted, &finder->symbols) {
		if (strcmp(wanted->name, symbol->name) ||
		    (wanted->address == symbol->address && wanted->nr_local + wanted->nr_global))
			continue;
		if (global || !wanted->nr_global)
			wanted->address = symbol->address;
		if (global)
			wanted->nr_global++;
		else
			wanted->nr_local++;
	}
	return 0;
}

int wv_find_symbols(struct wv_finder *finder, const struct wv_aspect *aspect)
{
	wv_vec_for_each(advice, &aspect->advices) {
		wv_vec_for_each(named, &advice->code.named) {
			struct wv_value_symbol *slot;

			if (named->kind != WV_REFERENCE_SYMBOL)
				continue;
			slot = wv_vec_push(&finder->symbols);
			if (!slot)
				return wv_fail(finder->error, WV_E_NO_MEMORY, "out of memory");
			slot->name = named->name;
		}
	}
	if (!finder->symbols.n)
		return 0;
	return wv_image_each_symbol(finder->kernel, visit_symbol, finder, finder->error);
}

int wv_find_symbol(struct wv_finder *finder, const char *name, struct wv_finding *ret)
{
	ret->type = (struct wv_type){ .kind = WV_TYPE_POINTER, .text = "void *",
				      .size = sizeof(uint64_t) };
	wv_vec_for_each(symbol, &finder->symbols) {
		if (strcmp(symbol->name, name))
			continue;
		if (!symbol->nr_local && !symbol->nr_global) {
			ret->found.why = "the kernel has no such symbol";
			ret->unknown = true;
			return 0;
		}
		if (symbol->nr_global != 1 && symbol->nr_local + symbol->nr_global > 1) {
			ret->found.why = "the kernel has several symbols of this name";
			return 0;
		}
		ret->found.kind = WV_FOUND_VALUE;
		/*
		 * An address below the text is an offset in per-CPU memory, which KASLR does not
		 * change.
		 */
		snprintf(ret->found.text, sizeof(ret->found.text),
			 symbol->address < finder->text ? "0x%" PRIx64 "UL" :
							  "wr_live(weft, 0x%" PRIx64 ")",
			 symbol->address < finder->text ? symbol->address :
							  symbol->address - finder->text);
		return 0;
	}
	return 0;
}
