// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the functions and branch targets of a library (declared in library.h). libdw finds the
 * entries of .eh_frame, which have the functions and where their exception tables are. This file
 * then reads the entries and the exception tables (.gcc_except_table) from the loaded library,
 * where relative addresses come out right. At the end it decodes all of .text, function by function
 * and what lies between them, and collects branch targets. An indirect jump goes to an address that
 * was made by a relocation, by an instruction, or by adding a distance in a switch's table to the
 * table's address. All three are collected, so the control flow of every function is known.
 */
#include <elf.h>
#include <elfutils/libdw.h>
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"

/*
 * How addresses are written in .eh_frame and .gcc_except_table (DW_EH_PE_* in the specification).
 */
enum {
	EH_ULEB = 0x01,
	EH_UDATA4 = 0x03,
	EH_SDATA4 = 0x0b,
	EH_SDATA8 = 0x0c,
	EH_FORMAT = 0x0f,
	EH_RELATIVE = 0x10,
	EH_OMIT = 0xff
};

static void add_target(struct library *library, uint64_t address)
{
	uint64_t *branch_target;

	if (address - library->text >= library->text_size)
		return;
	branch_target = wv_vec_push(&library->branch_targets);
	if (!branch_target)
		err(2, "branch targets");
	*branch_target = address;
}

/* ---- the library's sections and relocations -------------------------------------------------- */

struct wanted {
	const char *name;
	uint64_t base;
	char path[512];
};

static int match_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct wanted *wanted = data;
	size_t length = strlen(info->dlpi_name), end = strlen(wanted->name);

	if (length < end || strcmp(info->dlpi_name + length - end, wanted->name) ||
	    length >= sizeof(wanted->path))
		return 0;
	wanted->base = info->dlpi_addr;
	memcpy(wanted->path, info->dlpi_name, length + 1);
	return 1;
}

static void read_relocations(struct library *library, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Rela rela;

	for (int i = 0; data && gelf_getrela(data, i, &rela); i++)
		add_target(library, library->base + rela.r_addend);
}

static void read_symbols(struct library *library, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
		add_target(library, library->base + symbol.st_value);
}

static void find_section(const char *name, const GElf_Shdr *header, uint64_t base,
			 const char *wanted, uint64_t *ret, uint64_t *size_ret)
{
	if (strcmp(name, wanted))
		return;
	*ret = base + header->sh_addr;
	*size_ret = header->sh_size;
}

static void read_sections(struct library *library, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		errx(2, "%s: %s", library->name, elf_errmsg(-1));
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		find_section(name, &header, library->base, ".text", &library->text,
			     &library->text_size);
		find_section(name, &header, library->base, ".rodata", &library->constants,
			     &library->constants_size);
	}
	if (!library->text_size)
		errx(2, "%s has no .text", library->name);
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_RELA)
			read_relocations(library, section);
		if (header.sh_type == SHT_DYNSYM)
			read_symbols(library, section);
	}
}

/* ---- landing pads are read from exception tables --------------------------------------------- */

static uint64_t read_uleb(const uint8_t **at)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	do
		value |= (uint64_t)(**at & 0x7f) << shift;
	while (shift += 7, *(*at)++ & 0x80);
	return value;
}

/*
 * Reads an encoded address, and moves *@at past it. *@at points into the loaded library, so a
 * relative value is added to its own address.
 */
static uint64_t read_encoded(const uint8_t **at, uint8_t encoding)
{
	uint64_t here = (uintptr_t)*at, value;
	int32_t word;

	memcpy(&word, *at, sizeof(word));
	switch (encoding & EH_FORMAT) {
	case EH_ULEB:
		value = read_uleb(at);
		break;
	case EH_UDATA4:
		value = (uint32_t)word;
		*at += 4;
		break;
	case EH_SDATA4:
		value = (int64_t)word;
		*at += 4;
		break;
	case EH_SDATA8:
		memcpy(&value, *at, sizeof(value));
		*at += 8;
		break;
	default:
		errx(2, "exception table with encoding %#x", encoding);
	}
	return encoding & EH_RELATIVE && value ? here + value : value;
}

/*
 * Reads the landing pads of a function from its language-specific data: a header, and for each
 * range of calls the landing pad, as a distance from the function's start.
 */
static void read_landing_pads(struct library *library, struct function *function, const uint8_t *at)
{
	uint64_t pads = function->start;
	uint8_t encoding = *at++;
	const uint8_t *end;

	if (encoding != EH_OMIT)
		pads = read_encoded(&at, encoding);
	encoding = *at++;
	if (encoding != EH_OMIT)
		read_uleb(&at);
	encoding = *at++;
	end = at; /* The length does not include its own bytes. */
	{
		uint64_t length = read_uleb(&at);

		end = at + length;
	}
	while (at < end) {
		uint64_t pad;

		read_encoded(&at, encoding);
		read_encoded(&at, encoding);
		pad = read_encoded(&at, encoding);
		read_uleb(&at);
		if (!pad)
			continue;
		function->pads = true;
		add_target(library, pads + pad);
	}
}

/* ---- functions are read from .eh_frame ------------------------------------------------------- */

/*
 * Finds how the entries of a CIE encode addresses and pointers to exception tables. The
 * augmentation string says so: a 'z', then any of 'P', 'L' and 'R', in any order.
 */
static void read_encodings(const Dwarf_CIE *cie, uint8_t *addresses, uint8_t *tables)
{
	const uint8_t *data = cie->augmentation_data;

	*addresses = EH_SDATA8;
	*tables = EH_OMIT;
	for (const char *letter = cie->augmentation; *letter; letter++) {
		if (*letter == 'R')
			*addresses = *data++;
		else if (*letter == 'L')
			*tables = *data++;
		else if (*letter == 'P')
			data += (*data & EH_FORMAT) == EH_SDATA8 || !(*data & EH_FORMAT) ? 9 : 5;
	}
}

/*
 * Reads an entry of .eh_frame, which begins at @at in the loaded library. Adds the function that it
 * describes, if that is in .text, and the function's landing pads.
 */
static void read_function(struct library *library, const Dwarf_CIE *cie, const uint8_t *at)
{
	uint64_t start, size, length, table;
	uint8_t addresses, tables;
	struct function *function;

	read_encodings(cie, &addresses, &tables);
	start = read_encoded(&at, addresses);
	size = read_encoded(&at, addresses & EH_FORMAT);
	if (!size || start - library->text >= library->text_size)
		return;
	function = wv_vec_push(&library->functions);
	if (!function)
		err(2, "functions");
	*function = (struct function){ .start = start, .size = size };
	length = cie->augmentation[0] == 'z' ? read_uleb(&at) : 0;
	table = tables == EH_OMIT || !length ? 0 : read_encoded(&at, tables);
	if (table)
		read_landing_pads(library, function, (const uint8_t *)(uintptr_t)table);
}

static int ascending_functions(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static Elf_Scn *find_frames(Elf *elf, GElf_Shdr *ret)
{
	Elf_Scn *section = NULL;
	size_t names;

	elf_getshdrstrndx(elf, &names);
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, ret) &&
		    !strcmp(elf_strptr(elf, names, ret->sh_name), ".eh_frame"))
			return section;
	return NULL;
}

static void read_functions(struct library *library, Elf *elf, const char *path)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
	Dwarf_CFI_Entry entry, common;
	Dwarf_Off next, ignored;
	GElf_Shdr header;
	Elf_Scn *section = find_frames(elf, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	int end = data ? 0 : -1;

	for (Dwarf_Off offset = 0; !end; offset = next) {
		uint64_t at = library->base + header.sh_addr;

		end = dwarf_next_cfi(ident, data, true, offset, &next, &entry);
		if (end || dwarf_cfi_cie_p(&entry))
			continue;
		end = dwarf_next_cfi(ident, data, true, entry.fde.CIE_pointer, &ignored, &common);
		at += entry.fde.start - (const uint8_t *)data->d_buf;
		if (!end)
			read_function(library, &common.cie, (const uint8_t *)(uintptr_t)at);
	}
	if (end < 0)
		errx(2, "%s: no .eh_frame that can be read: %s", path, dwarf_errmsg(-1));
	qsort(library->functions.data, library->functions.n, sizeof(struct function),
	      ascending_functions);
}

/* ---- branch targets are collected ------------------------------------------------------------ */

/*
 * Reads a switch's table: distances of 32 bits from the table to the cases. Nothing marks such a
 * table but that code takes its address, so there may be one at any address in .rodata, @table,
 * that code takes. The table ends at the latest where a distance would lead out of the text. If
 * another table follows directly, its distances are read too. That does no harm: at worst it adds
 * addresses to the branch targets that no branch goes to.
 */
static void read_table(struct library *library, uint64_t table)
{
	for (uint64_t at = table;
	     at - library->constants + sizeof(int32_t) <= library->constants_size;
	     at += sizeof(int32_t)) {
		int32_t distance;

		memcpy(&distance, (void *)(uintptr_t)at, sizeof(distance));
		if (table + distance - library->text >= library->text_size)
			return;
		add_target(library, table + distance);
	}
}

/*
 * Notes an address that an instruction or a relocation makes. An address in the middle of a
 * function is either that of data between the function's instructions, or that of a label, which
 * control may reach through memory. The function is not woven in either case.
 */
static void take_address(struct library *library, uint64_t address)
{
	struct function *function = (struct function *)library_function(library, address);

	add_target(library, address);
	read_table(library, address);
	if (function && function->start != address)
		function->excluded = true;
}

static void sweep(struct library *library, struct wv_decoder *decoder, uint64_t start, uint64_t end)
{
	while (start < end) {
		struct wv_insn insn;

		if (!wv_decode(decoder, (const uint8_t *)(uintptr_t)start, end - start, start,
			       &insn)) {
			start++;
			continue;
		}
		if (insn.direct)
			add_target(library, insn.target);
		if (insn.relative)
			take_address(library, insn.operand);
		start += insn.length;
	}
}

static void drop_doubles(struct library *library)
{
	uint64_t *data = library->branch_targets.data;
	size_t n = 0;

	qsort(data, library->branch_targets.n, sizeof(*data), ascending);
	for (size_t i = 0; i < library->branch_targets.n; i++)
		if (!n || data[n - 1] != data[i])
			data[n++] = data[i];
	library->branch_targets.n = n;
}

void library_init(struct library *library, const char *name, struct wv_decoder *decoder)
{
	struct wanted wanted = { .name = name };
	uint64_t at;
	int fd;
	Elf *elf;

	*library = (struct library){ .name = name };
	if (!dl_iterate_phdr(match_object, &wanted))
		errx(2, "%s is not loaded", name);
	library->base = wanted.base;
	elf_version(EV_CURRENT);
	fd = open(wanted.path, O_RDONLY);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		err(2, "%s", wanted.path);
	read_sections(library, elf);
	read_functions(library, elf, wanted.path);
	elf_end(elf);
	close(fd);
	at = library->text;
	wv_vec_for_each(function, &library->functions) {
		sweep(library, decoder, at, function->start);
		sweep(library, decoder, function->start, function->start + function->size);
		at = function->start + function->size;
	}
	sweep(library, decoder, at, library->text + library->text_size);
	drop_doubles(library);
}

void library_deinit(struct library *library)
{
	wv_vec_deinit(&library->functions);
	wv_vec_deinit(&library->branch_targets);
}

const uint64_t *library_branch_targets(const struct library *library, uint64_t start, uint64_t size,
				       size_t *n_ret)
{
	const uint64_t *data = library->branch_targets.data;
	size_t low = 0, high = library->branch_targets.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (data[middle] < start)
			low = middle + 1;
		else
			high = middle;
	}
	for (*n_ret = 0;
	     low + *n_ret < library->branch_targets.n && data[low + *n_ret] < start + size;)
		++*n_ret;
	return data + low;
}

const struct function *library_function(const struct library *library, uint64_t address)
{
	size_t low = 0, high = library->functions.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct function *function = &library->functions.data[middle];

		if (address < function->start)
			high = middle;
		else if (address >= function->start + function->size)
			low = middle + 1;
		else
			return function;
	}
	return NULL;
}
