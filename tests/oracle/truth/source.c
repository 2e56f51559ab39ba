// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the lines and inlined calls of one unit (declared in source.h). */
#include <dwarf.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

/* The code of an inlined function, and the location of the call that it replaces. */
struct inlined {
	unsigned long long from, to, furthest; /* .furthest is the highest .to so far. */
	const char *place;		       /* FILE:LINE of the call. */
};

static struct inlined *calls; /* Ascending by .from. */
static size_t nr_calls, calls_room;
static Dwarf_Lines *rows;
static size_t nr_rows;
static const char *root; /* The folder that the unit was compiled in. */

/*
 * Returns the name of a file as the syntax trees write it, without FOLDER/../. The name is valid
 * until the next call.
 */
static const char *plain(const char *name)
{
	size_t length = strlen(root);
	static char copy[512];
	char *up;

	if (!strncmp(name, root, length) && name[length] == '/')
		name += length + 1;
	if (!strncmp(name, "./", 2))
		name += 2;
	if (!strstr(name, "/../"))
		return name;
	snprintf(copy, sizeof(copy), "%s", name);
	while ((up = strstr(copy, "/../"))) {
		char *folder = up;

		while (folder > copy && folder[-1] != '/')
			folder--;
		memmove(folder, up + 4, strlen(up + 4) + 1);
	}
	return copy;
}

/* Gets FILE:LINE of the last row at or before an address. */
void tr_source_place(unsigned long long address, char *ret, size_t size)
{
	size_t low = 0, high = nr_rows;
	Dwarf_Line *row;
	Dwarf_Addr at;
	int line = 0;

	while (low < high) {
		size_t middle = (low + high) / 2;

		dwarf_lineaddr(dwarf_onesrcline(rows, middle), &at);
		if (at <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*ret = 0;
	if (!low)
		return;
	row = dwarf_onesrcline(rows, low - 1);
	dwarf_lineno(row, &line);
	snprintf(ret, size, "%s:%d", plain(dwarf_linesrc(row, NULL, NULL)), line);
}

static void add_call(Dwarf_Die *die, Dwarf_Files *files)
{
	Dwarf_Word file = 0, line = 0;
	Dwarf_Addr base, from, to;
	Dwarf_Attribute attribute;
	ptrdiff_t at = 0;
	const char *name;
	char place[512];
	char *copy;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line))
		return;
	name = dwarf_filesrc(files, file, NULL, NULL);
	snprintf(place, sizeof(place), "%s:%llu", name ? plain(name) : "-",
		 (unsigned long long)line);
	copy = strdup(place);
	while ((at = dwarf_ranges(die, at, &base, &from, &to)) > 0) {
		if (nr_calls == calls_room) {
			calls_room = calls_room ? 2 * calls_room : 4096;
			calls = realloc(calls, calls_room * sizeof(*calls));
			if (!calls)
				err(1, "memory");
		}
		calls[nr_calls++] = (struct inlined){ from, to, 0, copy };
	}
}

static void find_calls(Dwarf_Die *parent, Dwarf_Files *files)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_inlined_subroutine)
			add_call(&die, files);
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram ||
		    tag == DW_TAG_lexical_block)
			find_calls(&die, files);
	} while (!dwarf_siblingof(&die, &die));
}

static int by_beginning(const void *a, const void *b)
{
	const struct inlined *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

bool tr_source_read(Dwarf_Die *unit)
{
	unsigned long long furthest = 0;
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	size_t n;

	root = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	if (!root)
		root = "";
	nr_calls = 0;
	if (dwarf_getsrclines(unit, &rows, &nr_rows) || dwarf_getsrcfiles(unit, &files, &n))
		return false;
	find_calls(unit, files);
	qsort(calls, nr_calls, sizeof(*calls), by_beginning);
	for (size_t i = 0; i < nr_calls; i++) {
		if (calls[i].to > furthest)
			furthest = calls[i].to;
		calls[i].furthest = furthest;
	}
	return true;
}

void tr_source_calls(unsigned long long address, void (*one)(const char *place, void *data),
		     void *data)
{
	size_t low = 0, high = nr_calls;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (calls[middle].from <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- && calls[low].furthest > address) {
		if (calls[low].to > address)
			one(calls[low].place, data);
	}
}
