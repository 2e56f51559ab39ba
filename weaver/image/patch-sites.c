// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the kernel's tables of patch sites, in the formats of 6.1 and later (asm/alternative.h,
 * asm/paravirt_types.h, linux/jump_label.h, linux/static_call_types.h, asm/extable.h). In a module
 * each table is a section of its own. In a vmlinux the tables of jump labels, static calls and
 * NOKPROBE functions are not sections; each lies between two symbols. A table mostly stores an
 * address as the distance from the place where the address is stored.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "image/cursor.h"
#include "image/patch-sites.h"

/* A contiguous part of a section. */
struct table {
	const struct wv_section *section;
	uint64_t start, end; /* addresses */
};

struct reader {
	struct wv_image *image;
	struct wv_owners *owners;
	struct wv_error *error;
};

static uint64_t relative(struct wv_cursor *cursor, uint64_t at)
{
	return at + (int64_t)(int32_t)wv_cursor_number(cursor, 4);
}

/*
 * The size in bytes of struct alt_instr. It consists of two relative addresses, the CPU feature
 * that chooses the replacement, and two lengths. The feature has two bytes up to 6.2, and four
 * since 6.3.
 */
enum { ALTERNATIVE_6_1 = 4 + 4 + 2 + 1 + 1, ALTERNATIVE_6_3 = 4 + 4 + 4 + 1 + 1 };

struct alternative {
	uint64_t address, replacement; /* link addresses */
	uint8_t size, replacement_size;
};

static struct alternative alternative_at(struct wv_cursor *cursor, uint64_t at, size_t entry)
{
	struct alternative ret = { .address = relative(cursor, at) };

	ret.replacement = relative(cursor, at + 4);
	wv_cursor_skip(cursor, entry - 4 - 4 - 1 - 1);
	ret.size = wv_cursor_number(cursor, 1);
	ret.replacement_size = wv_cursor_number(cursor, 1);
	return ret;
}

static struct wv_owner read_alternative(struct wv_cursor *cursor, uint64_t at, size_t entry)
{
	const struct alternative alternative = alternative_at(cursor, at, entry);

	return (struct wv_owner){ .kind = WV_OWNER_ALTERNATIVE,
				  .address = alternative.address,
				  .size = alternative.size };
}

static struct wv_owner read_paravirt(struct wv_cursor *cursor, uint64_t at, size_t entry)
{
	struct wv_owner ret = { .kind = WV_OWNER_PARAVIRT, .address = wv_cursor_number(cursor, 8) };

	wv_cursor_skip(cursor, 1); /* skip the operation */
	ret.size = wv_cursor_number(cursor, 1);
	return ret;
}

static struct wv_owner read_static_call(struct wv_cursor *cursor, uint64_t at, size_t entry)
{
	return (struct wv_owner){ .kind = WV_OWNER_STATIC_CALL, .address = relative(cursor, at) };
}

static struct wv_owner read_jump_label(struct wv_cursor *cursor, uint64_t at, size_t entry)
{
	struct wv_owner ret = { .kind = WV_OWNER_JUMP_LABEL, .address = relative(cursor, at) };

	ret.target = relative(cursor, at + 4);
	return ret;
}

static struct wv_owner read_exception(struct wv_cursor *cursor, uint64_t at, size_t entry)
{
	struct wv_owner ret = { .kind = WV_OWNER_EXCEPTION, .address = relative(cursor, at) };

	ret.target = relative(cursor, at + 4);
	return ret;
}

static struct wv_owner read_no_probe(struct wv_cursor *cursor, uint64_t at, size_t entry)
{
	return (struct wv_owner){ .kind = WV_OWNER_NO_PROBE,
				  .address = wv_cursor_number(cursor, 8) };
}

static const struct {
	const char *section;
	/* in vmlinux, the symbols at the table's beginning and end; NULL: the table is a section */
	const char *first, *last;
	size_t entry;		  /* bytes of one entry; 0: alternative_entry() finds the size */
	struct wv_owner (*read)(struct wv_cursor *cursor, uint64_t at, size_t entry);
} tables[] = {
	{ ".altinstructions", NULL, NULL, 0, read_alternative },
	{ ".parainstructions", NULL, NULL, 16, read_paravirt },
	{ "__ex_table", NULL, NULL, 12, read_exception },
	{ ".static_call_sites", "__start_static_call_sites", "__stop_static_call_sites", 8,
	  read_static_call },
	{ "__jump_table", "__start___jump_table", "__stop___jump_table", 16, read_jump_label },
	{ "_kprobe_blacklist", "__start_kprobe_blacklist", "__stop_kprobe_blacklist", 8,
	  read_no_probe },
};

enum { NR_TABLES = sizeof(tables) / sizeof(tables[0]) };

static int find_symbols(const struct wv_elf_symbol *symbol, void *context, struct wv_error *error)
{
	struct table *found = context;

	for (size_t i = 0; i < NR_TABLES; i++) {
		if (!tables[i].first)
			continue;
		if (!strcmp(symbol->name, tables[i].first))
			found[i].start = symbol->address;
		else if (!strcmp(symbol->name, tables[i].last))
			found[i].end = symbol->address;
	}
	return 0;
}

/* Finds the section that contains @table, whose .start and .end are the two symbols' addresses. */
static int find_section(struct reader *reader, struct table *table)
{
	wv_vec_for_each(section, wv_image_sections(reader->image)) {
		if (!section->address || table->start < section->address ||
		    table->end > section->address + section->size)
			continue;
		table->section = section;
		return wv_image_load(reader->image, section, reader->error);
	}
	return 0;
}

/* Returns whether all @size bytes from @address on are text. */
static bool is_text(const struct reader *reader, uint64_t address, uint64_t size)
{
	wv_vec_for_each(section, wv_image_sections(reader->image))
		if ((section->flags & SHF_EXECINSTR) && address >= section->address &&
		    address - section->address <= section->size &&
		    size <= section->size - (address - section->address))
			return true;
	return false;
}

/*
 * Returns whether all alternatives of @table make sense on the assumption that an entry has @entry
 * bytes. An alternative makes sense if it covers text, and if its replacement is text of at most
 * the same size. With a wrong entry size the reader mixes pieces of several addresses, and such
 * addresses are not in text.
 */
static bool alternatives_fit(const struct reader *reader, const struct table *table, size_t entry)
{
	struct wv_cursor cursor =
		wv_cursor_at(table->section, table->start - table->section->address);

	if ((table->end - table->start) % entry)
		return false;
	for (uint64_t at = table->start; at < table->end; at += entry) {
		const struct alternative found = alternative_at(&cursor, at, entry);

		if (cursor.wrong || found.replacement_size > found.size ||
		    !is_text(reader, found.address, found.size) ||
		    !is_text(reader, found.replacement, found.replacement_size))
			return false;
	}
	return true;
}

/*
 * Finds the size of an entry of @table. No image stores it, so both known sizes are tried. The size
 * is the one with which all entries make sense. Returns -WV_E_FORMAT if the entries make sense with
 * both sizes, or with neither.
 */
static int alternative_entry(const struct reader *reader, const struct table *table, size_t *ret)
{
	const bool old = alternatives_fit(reader, table, ALTERNATIVE_6_1);
	const bool new = alternatives_fit(reader, table, ALTERNATIVE_6_3);

	*ret = old ? ALTERNATIVE_6_1 : ALTERNATIVE_6_3;
	if (old != new || table->start == table->end)
		return 0;
	return wv_fail_at(reader->error, WV_E_FORMAT, wv_image_path(reader->image), 0, 0,
			  "the entries of %s make sense %s with %d bytes %s with %d",
			  table->section->name, old ? "both" : "neither", ALTERNATIVE_6_1,
			  old ? "and" : "nor", ALTERNATIVE_6_3);
}

static int read_table(struct reader *reader, size_t i, const struct table *table)
{
	struct wv_cursor cursor =
		wv_cursor_at(table->section, table->start - table->section->address);
	size_t size = tables[i].entry;
	int err = size ? 0 : alternative_entry(reader, table, &size);

	if (err)
		return err;
	if ((table->end - table->start) % size)
		return wv_fail_at(reader->error, WV_E_FORMAT, wv_image_path(reader->image), 0, 0,
				  "%s is not a whole number of entries", tables[i].section);
	for (uint64_t at = table->start; at < table->end; at += size) {
		struct wv_cursor entry = { .at = cursor.at, .end = cursor.end };
		struct wv_owner *owner = wv_vec_push(&reader->owners->list);

		if (!owner)
			return wv_no_memory(reader->error);
		*owner = tables[i].read(&entry, at, size);
		wv_cursor_skip(&cursor, size);
	}
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct wv_owner *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	return a->size < b->size ? -1 : a->size > b->size;
}

static void sort(struct wv_owners *owners)
{
	size_t n = 0;

	if (!owners->list.n)
		return;
	qsort(owners->list.data, owners->list.n, sizeof(*owners->list.data), compare);
	for (size_t i = 0; i < owners->list.n; i++)
		if (!n || compare(&owners->list.data[n - 1], &owners->list.data[i]))
			owners->list.data[n++] = owners->list.data[i];
	owners->list.n = n;
}

int wv_owners_init(struct wv_owners *owners, struct wv_image *image, struct wv_error *error)
{
	struct reader reader = { .image = image, .owners = owners, .error = error };
	const bool module = wv_image_is_relocatable(image);
	struct table found[NR_TABLES] = { 0 };
	int ret;

	memset(owners, 0, sizeof(*owners));
	ret = module ? 0 : wv_image_each_symbol(image, find_symbols, found, error);
	for (size_t i = 0; i < NR_TABLES && !ret; i++) {
		struct table *table = &found[i];

		if (tables[i].first && !module) {
			ret = table->end > table->start ? find_section(&reader, table) : 0;
		} else {
			ret = wv_image_section(image, tables[i].section, &table->section, error);
			if (!ret && table->section) {
				table->start = table->section->address;
				table->end = table->start + table->section->size;
			}
		}
		if (!ret && table->section && table->section->data)
			ret = read_table(&reader, i, table);
	}
	if (ret)
		wv_owners_deinit(owners);
	else
		sort(owners);
	return ret;
}

void wv_owners_deinit(struct wv_owners *owners)
{
	wv_vec_deinit(&owners->list);
}
