// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads functions from the symbol table, and finds the five bytes at a function's start that belong
 * to ftrace. In some kernels they are `call __fentry__`. In others the build has replaced the call
 * by a nop; then the nop's address is in the kernel's own list (__start_mcount_loc).
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "image/symbols.h"

enum {
	FTRACE_SIZE = 5,      /* bytes of `call __fentry__` or of the nop in its place */
	CALL_OPCODE = 0xe8,   /* call rel32 */
	ENDBR_SIZE = 4,
	/* maximum number of inner symbols that wv_symbols_at() skips */
	NESTING_MAX = 16,
};
static const uint8_t endbr64[ENDBR_SIZE] = { 0xf3, 0x0f, 0x1e, 0xfa };

struct collector {
	struct wv_symbols *symbols;
	uint64_t fentry, mcount_start, mcount_end;
	bool has_text;
};

static struct wv_symbol *add(struct collector *collector, const struct wv_elf_symbol *elf)
{
	struct wv_symbol *symbol = wv_vec_push(&collector->symbols->list);

	if (symbol) {
		symbol->name = elf->name;
		symbol->address = elf->address;
		symbol->size = elf->size;
		symbol->label = elf->type != STT_FUNC;
		symbol->global = elf->binding != STB_LOCAL;
	}
	return symbol;
}

static int collect(const struct wv_elf_symbol *elf, void *context, struct wv_error *error)
{
	struct collector *collector = context;

	if (!strcmp(elf->name, "_text")) {
		collector->symbols->text = elf->address;
		collector->has_text = true;
	} else if (!strcmp(elf->name, "__fentry__")) {
		collector->fentry = elf->address;
	} else if (!strcmp(elf->name, "__start_mcount_loc")) {
		collector->mcount_start = elf->address;
	} else if (!strcmp(elf->name, "__stop_mcount_loc")) {
		collector->mcount_end = elf->address;
	}
	if (!elf->executable || !elf->name[0] ||
	    (elf->type != STT_FUNC &&
	     (elf->type != STT_NOTYPE || elf->binding == STB_LOCAL)))
		return 0;
	return add(collector, elf) ? 0 : wv_no_memory(error);
}

static int collect_import(const struct wv_elf_symbol *elf, void *context, struct wv_error *error)
{
	struct collector *collector = context;
	struct wv_symbol *symbol;

	if (!strcmp(elf->name, "__fentry__"))
		collector->fentry = elf->address;
	symbol = add(collector, elf);
	if (!symbol)
		return wv_no_memory(error);
	symbol->label = symbol->import = true;
	return 0;
}

/* Returns whether @name is that of the end of a section, such as __softirqentry_text_end. */
static bool is_end(const char *name)
{
	static const char end[] = "_end";
	size_t n = strlen(name);

	return n >= strlen(end) && !strcmp(name + n - strlen(end), end);
}

/*
 * Sorts symbols by address. Of the symbols at one address, the preferred one comes first:
 * - a function before a label;
 * - then a global symbol before a local one;
 * - then the larger size, but for labels the smaller one (thunk_rax before thunk_array);
 * - then a label by whose name something begins there (thunk_rax before __softirqentry_text_end);
 * - then the shorter name.
 */
static int compare(const void *left, const void *right)
{
	const struct wv_symbol *a = left, *b = right;
	size_t a_length, b_length;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->label != b->label)
		return a->label ? 1 : -1;
	if (a->global != b->global)
		return a->global ? -1 : 1;
	if (a->size != b->size)
		return (a->size > b->size) != a->label ? -1 : 1;
	if (a->label && is_end(a->name) != is_end(b->name))
		return is_end(a->name) ? 1 : -1;
	a_length = strlen(a->name);
	b_length = strlen(b->name);
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int compare_addresses(const void *left, const void *right)
{
	return wv_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

typedef WV_VEC(uint64_t) addresses;

/*
 * Reads the kernel's list of the addresses of ftrace's calls, and sorts it. Leaves *@ret empty if
 * the image has no such list.
 */
static int read_mcount(struct wv_image *image, const struct collector *collector, addresses *ret,
		       struct wv_error *error)
{
	wv_vec_for_each(section, wv_image_sections(image)) {
		uint64_t offset = collector->mcount_start - section->address;
		uint64_t bytes = collector->mcount_end - collector->mcount_start;
		int failed;

		/* In a relocatable image the list is a section of its own. */
		if (wv_image_is_relocatable(image) && !strcmp(section->name, "__mcount_loc")) {
			offset = 0;
			bytes = section->size;
		} else if (!(section->flags & SHF_ALLOC) ||
			   collector->mcount_start < section->address ||
			   collector->mcount_end <= collector->mcount_start ||
			   offset > section->size || bytes > section->size - offset) {
			continue;
		}
		failed = wv_image_load(image, section, error);
		if (failed || !section->data)
			return failed;
		for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t)) {
			uint64_t *address = wv_vec_push(ret);

			if (!address)
				return wv_no_memory(error);
			memcpy(address, section->data + offset, sizeof(*address));
			offset += sizeof(*address);
		}
		qsort(ret->data, ret->n, sizeof(*ret->data), compare_addresses);
		return 0;
	}
	return 0;
}

static bool ftrace_owns(const struct collector *collector, const addresses *mcount,
			uint64_t address, const uint8_t *code, size_t room)
{
	int32_t displacement;

	if (room < FTRACE_SIZE)
		return false;
	if (mcount->n && bsearch(&address, mcount->data, mcount->n, sizeof(address),
				 compare_addresses))
		return true;
	if (code[0] != CALL_OPCODE || !collector->fentry)
		return false;
	memcpy(&displacement, code + 1, sizeof(displacement));
	return address + FTRACE_SIZE + (int64_t)displacement == collector->fentry;
}

static int find_entries(struct wv_image *image, const struct collector *collector,
			const addresses *mcount, struct wv_error *error)
{
	const struct wv_section *section = NULL;

	wv_vec_for_each(symbol, &collector->symbols->list) {
		const uint8_t *code;
		uint64_t room;

		if (symbol->label)
			continue;
		if (!section || symbol->address - section->address >= section->size) {
			section = NULL;
			wv_vec_for_each(candidate, wv_image_sections(image))
				if ((candidate->flags & SHF_EXECINSTR) &&
				    symbol->address - candidate->address < candidate->size)
					section = candidate;
			if (!section)
				continue;
			if (wv_image_load(image, section, error))
				return -error->code;
		}
		if (!section->data)
			continue;
		code = section->data + (symbol->address - section->address);
		room = section->size - (symbol->address - section->address);
		if (room >= ENDBR_SIZE && !memcmp(code, endbr64, ENDBR_SIZE))
			symbol->entry = ENDBR_SIZE;
		if (ftrace_owns(collector, mcount, symbol->address + symbol->entry,
				code + symbol->entry, room - symbol->entry))
			symbol->entry += FTRACE_SIZE;
	}
	return 0;
}

static void find_aliases(struct wv_symbols *symbols)
{
	for (size_t i = 1; i < symbols->list.n; i++) {
		struct wv_symbol *symbol = &symbols->list.data[i];

		symbol->alias = !symbol->label && symbol->address == symbol[-1].address;
	}
}

int wv_symbols_init(struct wv_symbols *symbols, struct wv_image *image, struct wv_error *error)
{
	struct collector collector = { .symbols = symbols };
	addresses mcount = { 0 };
	int ret;

	memset(symbols, 0, sizeof(*symbols));
	ret = wv_image_each_symbol(image, collect, &collector, error);
	if (!ret)
		ret = wv_image_each_import(image, collect_import, &collector, error);
	if (!ret)
		ret = read_mcount(image, &collector, &mcount, error);
	if (!ret && symbols->list.n) {
		qsort(symbols->list.data, symbols->list.n, sizeof(*symbols->list.data), compare);
		find_aliases(symbols);
		ret = find_entries(image, &collector, &mcount, error);
	}
	wv_vec_deinit(&mcount);
	if (wv_image_is_relocatable(image))
		symbols->text = WV_LAYOUT_START;
	else if (!ret && !collector.has_text)
		wv_vec_for_each(section, wv_image_sections(image))
			if ((section->flags & SHF_EXECINSTR) &&
			    (!symbols->text || section->address < symbols->text))
				symbols->text = section->address;
	if (ret)
		wv_symbols_deinit(symbols);
	return ret;
}

void wv_symbols_deinit(struct wv_symbols *symbols)
{
	wv_vec_deinit(&symbols->list);
}

size_t wv_symbols_from(const struct wv_symbols *symbols, uint64_t address)
{
	return wv_vec_partition(&symbols->list, symbol, symbol->address < address);
}

const struct wv_symbol *wv_symbols_at(const struct wv_symbols *symbols, uint64_t address)
{
	size_t low = wv_symbols_from(symbols, address + 1);

	/*
	 * Assembler code has functions inside functions: skip an inner one that ended before
	 * @address.
	 */
	for (size_t step = 0; low && step < NESTING_MAX; low--) {
		const struct wv_symbol *symbol = &symbols->list.data[low - 1];

		if (symbol->label || symbol->alias)
			continue;
		if (!symbol->size || address - symbol->address < symbol->size)
			return symbol;
		step++;
	}
	return NULL;
}
