// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tests' own reader of joinpoint tables, written from table.h alone and sharing no code with
 * the weaver: it reads one object, applies the relocations of the table's section, checks every
 * index, and prints one line a record and a label:
 *
 *   record N KIND STRUCT.MEMBER PATH FLAGS FUNCTION FILE:LINE:COLUMN [MACRO FILE:LINE:COLUMN]
 *   label SECTION ADDRESS RECORD USE RANGE'S-FUNCTION
 */
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../gcc-plugin/table.h"

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
};

struct object {
	Elf *elf;
	size_t names; /* section of section names */
	uint8_t *table;
	size_t size;
	Elf_Data *relocations; /* of the table, NULL in a linked file */
	bool explicit_addends; /* otherwise they stand in the table */
	Elf_Data *symbols;
};

struct record_line {
	uint64_t field, kind, function, file, column, macro[4];
	int64_t line;
};

static const char *const kinds[WEFT_KIND_COUNT] = {"get", "set", "rmw", "address", "call", "init"};
static const char *const uses[WEFT_USE_COUNT] = {"load", "store", "rmw", "call", "address"};

static const char **strings;
static uint64_t string_count;

static uint8_t byte(struct cursor *c)
{
	if (c->at >= c->end)
		errx(1, "table ends early");
	return *c->at++;
}

static uint64_t uleb(struct cursor *c)
{
	uint64_t value = 0;
	uint8_t b;

	for (unsigned int shift = 0;; shift += 7) {
		b = byte(c);
		value |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return value;
	}
}

static int64_t sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t b;

	do {
		b = byte(c);
		value |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	if (b & 0x40 && shift < 64)
		value |= ~0ULL << shift;
	return (int64_t)value;
}

static uint64_t below(struct cursor *c, uint64_t limit, const char *what)
{
	uint64_t value = uleb(c);

	if (value >= limit)
		errx(1, "%s %llu of %llu", what, (unsigned long long)value,
		     (unsigned long long)limit);
	return value;
}

static const char *string(struct cursor *c)
{
	return strings[below(c, string_count, "string")];
}

static uint64_t number(const uint8_t *at, unsigned int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | at[bytes];
	return value;
}

static const char *section_name(const struct object *o, size_t index)
{
	GElf_Shdr header;

	if (!gelf_getshdr(elf_getscn(o->elf, index), &header))
		return "?";
	return elf_strptr(o->elf, o->names, header.sh_name);
}

/* Where the relocation at an offset of the table points: section and address in it. */
static const char *target(const struct object *o, size_t offset, uint64_t *address_ret)
{
	GElf_Rela relocation = {0};
	GElf_Rel implicit;
	GElf_Sym symbol;

	for (int i = 0; o->relocations; i++) {
		if (o->explicit_addends) {
			if (!gelf_getrela(o->relocations, i, &relocation))
				break;
		} else {
			if (!gelf_getrel(o->relocations, i, &implicit))
				break;
			relocation = (GElf_Rela){implicit.r_offset, implicit.r_info,
						 (int64_t)*address_ret};
		}
		if (relocation.r_offset != offset)
			continue;
		if (!gelf_getsym(o->symbols, GELF_R_SYM(relocation.r_info), &symbol))
			errx(1, "relocation without a symbol");
		*address_ret = symbol.st_value + relocation.r_addend;
		return section_name(o, symbol.st_shndx);
	}
	if (o->relocations)
		errx(1, "a range's base without a relocation");
	return "-";
}

static void read_lists(struct cursor *c, const char *(**fields_ret)[3], uint64_t **flags_ret,
		       const char ***functions_ret, uint64_t counts_ret[2])
{
	string_count = uleb(c);
	strings = calloc(string_count, sizeof(*strings));
	for (uint64_t i = 0; i < string_count; i++) {
		strings[i] = (const char *)c->at;
		while (byte(c))
			;
	}
	const char *directory = string(c);

	printf("unit %s %s\n", directory, string(c));
	counts_ret[0] = uleb(c);
	*fields_ret = calloc(counts_ret[0], sizeof(**fields_ret));
	*flags_ret = calloc(counts_ret[0], sizeof(**flags_ret));
	for (uint64_t i = 0; i < counts_ret[0]; i++) {
		for (int k = 0; k < 3; k++)
			(*fields_ret)[i][k] = string(c);
		(*flags_ret)[i] = uleb(c);
	}
	counts_ret[1] = uleb(c);
	*functions_ret = calloc(counts_ret[1], sizeof(**functions_ret));
	for (uint64_t i = 0; i < counts_ret[1]; i++) {
		(*functions_ret)[i] = string(c);
		below(c, 4, "function flags");
	}
}

static void print_flags(uint64_t flags)
{
	static const char letters[] = "butf";

	putchar(' ');
	for (int i = 0; letters[i]; i++)
		putchar(flags & 1u << i ? letters[i] : '-');
}

static void read_unit(const struct object *o, struct cursor *c, unsigned int address_size)
{
	const char *(*fields)[3];
	const char **functions;
	uint64_t *flags, counts[2];

	read_lists(c, &fields, &flags, &functions, counts);

	uint64_t records = uleb(c);
	int64_t line = 0;

	for (uint64_t i = 0; i < records; i++) {
		uint64_t field = below(c, counts[0], "field");
		uint64_t kind = uleb(c);
		const char *function = functions[below(c, counts[1], "function")];
		const char *file = string(c);

		line += sleb(c);
		if ((kind & WEFT_RECORD_KIND_MASK) >= WEFT_KIND_COUNT || kind & ~0xfULL)
			errx(1, "kind %llu", (unsigned long long)kind);
		printf("record %llu %s %s.%s %s", (unsigned long long)i,
		       kinds[kind & WEFT_RECORD_KIND_MASK], fields[field][0], fields[field][1],
		       *fields[field][2] ? fields[field][2] : "-");
		print_flags(flags[field]);
		printf(" %s %s:%lld:%llu", *function ? function : "-", file, (long long)line,
		       (unsigned long long)uleb(c));
		if (kind & WEFT_RECORD_MACRO) {
			const char *macro = string(c);

			file = string(c);
			uint64_t spelling_line = uleb(c);

			printf(" %s %s:%llu:%llu", macro, file, (unsigned long long)spelling_line,
			       (unsigned long long)uleb(c));
		}
		putchar('\n');
	}
	uint64_t ranges = uleb(c);

	for (uint64_t i = 0; i < ranges; i++) {
		const char *function = functions[below(c, counts[1], "function")];
		uint64_t entries = uleb(c);
		uint64_t address = number(c->at, address_size);
		const char *section = target(o, c->at - o->table, &address);

		c->at += address_size;
		for (uint64_t k = 0; k < entries; k++) {
			address += uleb(c);
			uint64_t use = uleb(c);

			if (use >> WEFT_USE_BITS >= records ||
			    (use & ((1 << WEFT_USE_BITS) - 1)) >= WEFT_USE_COUNT)
				errx(1, "label of record %llu", (unsigned long long)use);
			printf("label %s %llx %llu %s %s\n", section, (unsigned long long)address,
			       (unsigned long long)(use >> WEFT_USE_BITS),
			       uses[use & ((1 << WEFT_USE_BITS) - 1)], function);
		}
	}
	if (c->at != c->end)
		errx(1, "%zd bytes left in the unit", (size_t)(c->end - c->at));
	free(fields);
	free(functions);
	free(flags);
	free(strings);
}

static void find_sections(struct object *o)
{
	Elf_Scn *section = NULL;
	size_t table = 0;
	GElf_Shdr header;

	while ((section = elf_nextscn(o->elf, section))) {
		gelf_getshdr(section, &header);
		const char *name = elf_strptr(o->elf, o->names, header.sh_name);

		if (!strcmp(name, WEFT_TABLE_SECTION)) {
			if (header.sh_flags & SHF_ALLOC)
				errx(1, "the table's section would be loaded");
			Elf_Data *data = elf_getdata(section, NULL);

			o->table = data->d_buf;
			o->size = data->d_size;
			table = elf_ndxscn(section);
		}
	}
	section = NULL;
	while ((section = elf_nextscn(o->elf, section))) {
		gelf_getshdr(section, &header);
		if (header.sh_type == SHT_SYMTAB)
			o->symbols = elf_getdata(section, NULL);
		if ((header.sh_type == SHT_RELA || header.sh_type == SHT_REL) && table &&
		    header.sh_info == table) {
			o->relocations = elf_getdata(section, NULL);
			o->explicit_addends = header.sh_type == SHT_RELA;
		}
	}
}

int main(int argc, char **argv)
{
	struct object o = {0};

	if (argc != 2)
		errx(2, "usage: table-dump OBJECT");
	elf_version(EV_CURRENT);
	o.elf = elf_begin(open(argv[1], O_RDONLY), ELF_C_READ, NULL);
	if (!o.elf || elf_getshdrstrndx(o.elf, &o.names))
		errx(1, "%s: %s", argv[1], elf_errmsg(-1));
	find_sections(&o);
	struct cursor c = {o.table, o.table + o.size};

	while (c.at < c.end) {
		if (c.end - c.at < 12 || memcmp(c.at, WEFT_TABLE_MAGIC, 4) ||
		    c.at[4] != WEFT_TABLE_VERSION)
			errx(1, "no unit at offset %zd of the table", (size_t)(c.at - o.table));
		unsigned int address_size = c.at[5];
		uint64_t length = number(c.at + 8, 4);

		c.at += 12;
		if (length > (uint64_t)(c.end - c.at))
			errx(1, "unit longer than the table");
		struct cursor body = {c.at, c.at + length};

		read_unit(&o, &body, address_size);
		c.at = body.end;
	}
	return 0;
}
