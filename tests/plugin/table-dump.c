// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads joinpoint tables for the tests. It is written from runtime/joinpoint-table.h alone and
 * shares no code with the weaver. It reads one object, applies the relocations of the table's
 * section, checks every index, and prints a line for each unit, access, label and fate:
 *
 *   unit DIRECTORY MAIN-FILE
 *   access N KIND STRUCT.MEMBER PATH FLAGS FUNCTION FILE:LINE:COLUMN [MACRO FILE:LINE:COLUMN]
 *   label SECTION ADDRESS ACCESS EFFECT RANGE'S-FUNCTION
 *   fate ACCESS FATE FUNCTION [SECTION ADDRESS SERVANT'S-ACCESS]
 */
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "runtime/joinpoint-table.h"

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
};

struct object {
	Elf *elf; /* The open object file. */
	size_t names; /* The index of the section that has the section names. */
	uint8_t *table; /* The bytes of the joinpoint table. */
	size_t size; /* The number of bytes. */
	Elf_Data *relocations; /* The relocations of the table, or NULL if the file is linked. */
	/* True if the relocations have the addends, false if the table has them. */
	bool explicit_addends;
	Elf_Data *symbols; /* The symbol table. */
};

static const char *const kinds[WEFT_KIND_COUNT] = {
	"get", "set", "rmw", "address", "call", "init"
};
static const char *const uses[WEFT_EFFECT_COUNT] = {
	"load", "store", "rmw", "call", "address",
	"argument0", "argument1", "argument2", "argument3", "argument4", "argument5",
};

static const char *const fates[WEFT_FATE_COUNT] = { "coalesced", "dead", "registers", "copied",
						    "constant" };

/*
 * An access. Strings, functions and fields are numbers here; the lists of them follow in the table.
 */
struct access {
	uint64_t function, file, kind, line, column, field, spelling;
	uint64_t macro, spelling_file, spelling_line, spelling_column;
};

struct entry {
	uint64_t access, flags, function;
	const char *section;
	uint64_t address;
};

struct fate {
	uint64_t access, flags, function, servant;
};

struct field {
	uint64_t path_kind, up, structure, member, flags;
};

struct unit {
	uint64_t strings, functions, fields; /* How many of each have been mentioned so far. */
	uint64_t directory, main_file; /* The number of the string that names each. */
	struct access *accesses; /* The accesses. */
	uint64_t nr_accesses; /* The number of accesses. */
	struct entry *entries; /* The labels. */
	uint64_t nr_entries; /* The number of labels. */
	struct fate *fates; /* The fates. */
	uint64_t nr_fates; /* The number of fates. */
	uint64_t *per_section; /* The number of entries in each section. */
	uint64_t nr_sections; /* The number of sections. */
	uint64_t (*function)[2]; /* The name and the flags of each function. */
	struct field *field; /* The fields. */
	const char **string; /* The strings. */
};

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

/*
 * Reads a mention of an item: 0 is a new item, any other number counts back from the last new one.
 */
static uint64_t mention(struct cursor *c, uint64_t *mentioned)
{
	uint64_t back = uleb(c);

	if (back > *mentioned)
		errx(1, "mention of what was not mentioned");
	return back ? *mentioned - back : (*mentioned)++;
}

static void *array(uint64_t n, size_t size)
{
	void *a = calloc(n + 1, size);

	if (!a)
		err(1, "memory");
	return a;
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

/*
 * Returns the section that the relocation at an offset of the table refers to, and the address in
 * it.
 */
static const char *target(const struct object *o, size_t offset, uint64_t *address_ret)
{
	GElf_Rela relocation = { 0 };
	GElf_Rel implicit;
	GElf_Sym symbol;

	for (int i = 0; o->relocations; i++) {
		if (o->explicit_addends) {
			if (!gelf_getrela(o->relocations, i, &relocation))
				break;
		} else {
			if (!gelf_getrel(o->relocations, i, &implicit))
				break;
			relocation = (GElf_Rela){ implicit.r_offset, implicit.r_info,
						  (int64_t)*address_ret };
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

static void read_macros(struct unit *u, struct cursor *c)
{
	struct access **last = array(u->fields, sizeof(*last));
	uint64_t file = ~0ULL, line = 0;

	for (uint64_t i = 0; i < u->nr_accesses; i++)
		if (u->accesses[i].kind & WEFT_ACCESS_MACRO)
			u->accesses[i].spelling = uleb(c);
	for (uint64_t i = 0; i < u->nr_accesses; i++)
		if (u->accesses[i].kind & WEFT_ACCESS_MACRO &&
		    u->accesses[i].spelling != WEFT_SPELLING_LAST)
			u->accesses[i].macro = mention(c, &u->strings);
	for (uint64_t i = 0; i < u->nr_accesses; i++) {
		struct access *r = &u->accesses[i];

		if (!(r->kind & WEFT_ACCESS_MACRO))
			continue;
		if (r->spelling == WEFT_SPELLING_LAST) {
			if (!last[r->field])
				errx(1, "access %llu: no such macro before", (unsigned long long)i);
			r->macro = last[r->field]->macro;
			r->spelling_file = last[r->field]->spelling_file;
			r->spelling_line = last[r->field]->spelling_line;
			r->spelling_column = last[r->field]->spelling_column;
		} else if (r->spelling == WEFT_SPELLING_NEAR) {
			r->spelling_file = r->file;
			r->spelling_line = r->line + sleb(c);
			r->spelling_column = r->column + sleb(c);
		} else {
			r->spelling_file = mention(c, &u->strings);
			line = r->spelling_line = (r->spelling_file == file ? line : 0) + sleb(c);
			file = r->spelling_file;
			r->spelling_column = uleb(c);
			last[r->field] = r;
		}
	}
	free(last);
}

static void read_accesses(struct unit *u, struct cursor *c)
{
	struct access *r;

	u->nr_accesses = uleb(c);
	if (u->nr_accesses > (uint64_t)(c->end - c->at))
		errx(1, "too many accesses");
	r = u->accesses = array(u->nr_accesses, sizeof(*r));
	for (uint64_t i = 0; i < u->nr_accesses; i++)
		r[i].function = mention(c, &u->functions);
	for (uint64_t i = 0; i < u->nr_accesses; i++)
		r[i].file = mention(c, &u->strings);
	for (uint64_t i = 0; i < u->nr_accesses; i++) {
		r[i].kind = uleb(c);
		if ((r[i].kind & WEFT_ACCESS_KIND_MASK) >= WEFT_KIND_COUNT || r[i].kind & ~0xfULL)
			errx(1, "kind %llu", (unsigned long long)r[i].kind);
	}
	for (uint64_t i = 0; i < u->nr_accesses; i++)
		r[i].line = sleb(c) + (i && r[i - 1].file == r[i].file ? r[i - 1].line : 0);
	for (uint64_t i = 0; i < u->nr_accesses; i++)
		r[i].column = uleb(c);
	for (uint64_t i = 0; i < u->nr_accesses; i++)
		r[i].field = mention(c, &u->fields);
	read_macros(u, c);
}

static void read_ranges(struct unit *u, struct cursor *c)
{
	uint64_t last = 0, functions, n;

	u->nr_sections = uleb(c);
	u->per_section = array(u->nr_sections, sizeof(*u->per_section));
	u->entries = array(c->end - c->at, sizeof(*u->entries));
	for (uint64_t i = 0; i < u->nr_sections; i++) {
		for (uint64_t ranges = uleb(c); ranges; ranges--) {
			functions = mention(c, &u->functions);
			n = uleb(c);
			if (!n || n > (uint64_t)(c->end - c->at) - u->nr_entries)
				errx(1, "a range of %llu labels", (unsigned long long)n);
			u->per_section[i] += n;
			while (n--)
				u->entries[u->nr_entries++].function = functions;
		}
	}
	for (uint64_t i = 0; i < u->nr_entries; i++) {
		last = u->entries[i].access = last + sleb(c);
		if (last >= u->nr_accesses)
			errx(1, "label of access %llu", (unsigned long long)last);
	}
	for (uint64_t i = 0; i < u->nr_entries; i++)
		u->entries[i].flags = uleb(c);
}

static void read_fates(struct unit *u, struct cursor *c)
{
	uint64_t last = 0, function, n, functions = uleb(c);

	u->fates = array(c->end - c->at, sizeof(*u->fates));
	while (functions--) {
		function = mention(c, &u->functions);
		n = uleb(c);
		if (!n || n > (uint64_t)(c->end - c->at) - u->nr_fates)
			errx(1, "a function of %llu fates", (unsigned long long)n);
		while (n--)
			u->fates[u->nr_fates++].function = function;
	}
	for (uint64_t i = 0; i < u->nr_fates; i++) {
		last = u->fates[i].access = last + sleb(c);
		if (last >= u->nr_accesses)
			errx(1, "fate of access %llu", (unsigned long long)last);
	}
	for (uint64_t i = 0; i < u->nr_fates; i++) {
		struct fate *f = &u->fates[i];

		f->flags = uleb(c);
		if ((f->flags & WEFT_FATE_MASK) >= WEFT_FATE_COUNT || f->flags & ~0xfULL ||
		    (f->flags & WEFT_FATE_HAS_SERVANT && f->flags & WEFT_FATE_MASK))
			errx(1, "fate %llu", (unsigned long long)f->flags);
	}
	last = 0;
	for (uint64_t i = 0; i < u->nr_fates; i++) {
		if (!(u->fates[i].flags & WEFT_FATE_HAS_SERVANT))
			continue;
		last = u->fates[i].servant = last + sleb(c);
		if (last >= u->nr_entries)
			errx(1, "servant %llu", (unsigned long long)last);
	}
}

static void read_names(struct unit *u, struct cursor *c)
{
	u->function = array(u->functions, sizeof(*u->function));
	for (uint64_t i = 0; i < u->functions; i++)
		u->function[i][0] = mention(c, &u->strings);
	for (uint64_t i = 0; i < u->functions; i++)
		if ((u->function[i][1] = uleb(c)) >= 4)
			errx(1, "function flags");
	u->field = array(c->end - c->at, sizeof(*u->field));
	for (uint64_t i = 0; i < u->fields; i++) {
		u->field[i].path_kind = uleb(c);
		if (u->field[i].path_kind == WEFT_PATH_PREFIX)
			u->field[i].up = mention(c, &u->strings);
		else if (u->field[i].path_kind == WEFT_PATH_PARENT)
			u->field[i].up = mention(c, &u->fields);
	}
	for (uint64_t i = 0; i < u->fields; i++)
		u->field[i].structure = mention(c, &u->strings);
	for (uint64_t i = 0; i < u->fields; i++)
		u->field[i].member = mention(c, &u->strings);
	for (uint64_t i = 0; i < u->fields; i++)
		u->field[i].flags = uleb(c);
	u->string = array(u->strings, sizeof(*u->string));
	for (uint64_t i = 0; i < u->strings; i++) {
		u->string[i] = (const char *)c->at;
		while (byte(c))
			;
	}
	if (c->at != c->end)
		errx(1, "%zd bytes left in the lists", (size_t)(c->end - c->at));
}

static void print_whole(const struct unit *u, uint64_t field)
{
	const struct field *f = &u->field[field];

	if (f->path_kind == WEFT_PATH_PARENT)
		print_whole(u, f->up);
	else
		printf("%s", u->string[f->path_kind == WEFT_PATH_PREFIX ? f->up : f->structure]);
	if (f->path_kind || *u->string[f->structure])
		putchar('.');
	printf("%s", u->string[f->member]);
}

static void print_access(const struct unit *u, uint64_t i)
{
	static const char letters[] = "butf";
	const struct access *r = &u->accesses[i];
	const struct field *f = &u->field[r->field];
	const char *function = u->string[u->function[r->function][0]];

	printf("access %llu %s %s.%s ", (unsigned long long)i,
	       kinds[r->kind & WEFT_ACCESS_KIND_MASK], u->string[f->structure],
	       u->string[f->member]);
	if (f->path_kind)
		print_whole(u, r->field);
	else
		putchar('-');
	putchar(' ');
	for (int k = 0; letters[k]; k++)
		putchar(f->flags & 1u << k ? letters[k] : '-');
	printf(" %s %s:%llu:%llu", *function ? function : "-", u->string[r->file],
	       (unsigned long long)r->line, (unsigned long long)r->column);
	if (r->kind & WEFT_ACCESS_MACRO)
		printf(" %s %s:%llu:%llu", u->string[r->macro], u->string[r->spelling_file],
		       (unsigned long long)r->spelling_line,
		       (unsigned long long)r->spelling_column);
	putchar('\n');
}

static void print_labels(const struct object *o, const struct unit *u, struct cursor *c,
			 unsigned int address_size)
{
	static const unsigned int suggested[] = WEFT_EFFECT_OF_KIND;
	struct entry *e = u->entries;

	for (uint64_t i = 0; i < u->nr_sections; i++) {
		uint64_t address = number(c->at, address_size);
		const char *section = target(o, c->at - o->table, &address);

		c->at += address_size;
		for (uint64_t k = 0; k < u->per_section[i]; k++, e++) {
			uint64_t code = e->flags >> WEFT_ENTRY_EFFECT_SHIFT;
			unsigned int kind = u->accesses[e->access].kind & WEFT_ACCESS_KIND_MASK;

			if (k && !(e->flags & WEFT_ENTRY_SAME))
				address += uleb(c);
			if (code > WEFT_EFFECT_COUNT)
				errx(1, "use of label %llu", (unsigned long long)code);
			e->section = section;
			e->address = address;
			printf("label %s %llx %llu %s %s\n", section, (unsigned long long)address,
			       (unsigned long long)e->access,
			       uses[code ? code - 1 : suggested[kind]],
			       u->string[u->function[e->function][0]]);
		}
	}
	if (c->at != c->end)
		errx(1, "%zd bytes left in the unit", (size_t)(c->end - c->at));
}

static void print_fates(const struct unit *u)
{
	for (uint64_t i = 0; i < u->nr_fates; i++) {
		const struct fate *f = &u->fates[i];
		const struct entry *e = &u->entries[f->servant];

		printf("fate %llu %s %s", (unsigned long long)f->access,
		       fates[f->flags & WEFT_FATE_MASK], u->string[u->function[f->function][0]]);
		if (f->flags & WEFT_FATE_HAS_SERVANT)
			printf(" %s %llx %llu", e->section, (unsigned long long)e->address,
			       (unsigned long long)e->access);
		putchar('\n');
	}
}

static void read_unit(const struct object *o, struct cursor *c, unsigned int address_size)
{
	uLongf size = uleb(c);
	uint64_t packed = uleb(c), stored = packed ? packed : size;
	uint8_t *lists = array(size, 1);
	struct cursor l = { lists, lists + size };
	struct unit u = { 0 };

	if (stored > (uint64_t)(c->end - c->at))
		errx(1, "lists longer than the unit");
	if (!packed)
		memcpy(lists, c->at, size);
	else if (uncompress(lists, &size, c->at, packed) != Z_OK || lists + size != l.end)
		errx(1, "lists that cannot be unpacked");
	c->at += stored;
	u.directory = mention(&l, &u.strings);
	u.main_file = mention(&l, &u.strings);
	read_accesses(&u, &l);
	read_ranges(&u, &l);
	read_fates(&u, &l);
	read_names(&u, &l);
	printf("unit %s %s\n", u.string[u.directory], u.string[u.main_file]);
	for (uint64_t i = 0; i < u.nr_accesses; i++)
		print_access(&u, i);
	print_labels(o, &u, c, address_size);
	print_fates(&u);
	free(u.accesses);
	free(u.entries);
	free(u.fates);
	free(u.per_section);
	free(u.function);
	free(u.field);
	free(u.string);
	free(lists);
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
	struct object o = { 0 };

	if (argc != 2)
		errx(2, "usage: table-dump OBJECT");
	elf_version(EV_CURRENT);
	o.elf = elf_begin(open(argv[1], O_RDONLY), ELF_C_READ, NULL);
	if (!o.elf || elf_getshdrstrndx(o.elf, &o.names))
		errx(1, "%s: %s", argv[1], elf_errmsg(-1));
	find_sections(&o);
	struct cursor c = { o.table, o.table + o.size };

	while (c.at < c.end) {
		if (c.end - c.at < 12 || memcmp(c.at, WEFT_TABLE_MAGIC, 4) ||
		    c.at[4] != WEFT_TABLE_VERSION)
			errx(1, "no unit at offset %zd of the table", (size_t)(c.at - o.table));
		unsigned int address_size = c.at[5];
		uint64_t length = number(c.at + 8, 4);

		c.at += 12;
		if (length > (uint64_t)(c.end - c.at))
			errx(1, "unit longer than the table");
		struct cursor body = { c.at, c.at + length };

		read_unit(&o, &body, address_size);
		c.at = body.end;
	}
	return 0;
}
