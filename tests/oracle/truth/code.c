// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints which functions of a unit have code, by the DWARF of vmlinux. A function has code if it
 * has addresses itself or if an instance of it is inlined. Usage: code VMLINUX [FILE.c...]. For
 * each unit of C, or for those named, it prints
 *
 *   unit NAME
 *   function NAME          once each
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions of the unit that is being read; the strings belong to libdw. */
static const char **names;
static size_t nr_names, room;

static void add(const char *name)
{
	if (nr_names == room) {
		room = room ? 2 * room : 256;
		names = realloc(names, room * sizeof(*names));
		if (!names)
			err(1, "memory");
	}
	names[nr_names++] = name;
}

/* Returns the name of a function. If the entry has none, that of its abstract instance. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

static bool has_code(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_inlined_subroutine || dwarf_hasattr(die, DW_AT_low_pc) ||
	       dwarf_hasattr(die, DW_AT_ranges);
}

static void walk(Dwarf_Die *parent)
{
	Dwarf_Die die;
	int tag;

	if (dwarf_child(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
			const char *name = has_code(&die) ? name_of(&die) : NULL;

			if (name)
				add(name);
			if (has_code(&die))
				walk(&die);
		} else if (tag == DW_TAG_lexical_block) {
			walk(&die);
		}
	} while (!dwarf_siblingof(&die, &die));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns whether the unit is C and one of @files, or just C if there are no @files. */
static bool is_asked(const char *unit, char **files, int n)
{
	size_t length = strlen(unit);

	if (length < 2 || strcmp(unit + length - 2, ".c"))
		return false;
	for (int i = 0; i < n; i++) {
		if (!strcmp(unit, files[i]))
			return true;
	}
	return !n;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	Dwarf_Off at = 0, next;
	size_t header;

	if (!dwarf)
		errx(2, "usage: code VMLINUX [FILE.c...]");
	for (; !dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL); at = next) {
		const char *unit;
		Dwarf_Die die;

		if (!dwarf_offdie(dwarf, at + header, &die))
			continue;
		unit = dwarf_diename(&die);
		if (!unit || !is_asked(unit, argv + 2, argc - 2))
			continue;
		nr_names = 0;
		walk(&die);
		qsort(names, nr_names, sizeof(*names), by_name);
		printf("unit %s\n", unit);
		for (size_t i = 0; i < nr_names; i++) {
			if (!i || strcmp(names[i], names[i - 1]))
				printf("function %s\n", names[i]);
		}
	}
	dwarf_end(dwarf);
	return 0;
}
