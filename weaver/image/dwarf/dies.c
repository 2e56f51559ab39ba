// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads .debug_info through libdw; see dies.h. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "image/debug-file.h"
#include "image/dwarf/dies.h"

static int open_dwarf(struct wv_dies *dies, struct wv_error *error)
{
	dies->dwarf = dwarf_begin_elf(wv_image_elf(dies->image), DWARF_C_READ, NULL);
	if (dies->dwarf)
		return 0;
	return wv_fail_at(error, WV_E_FORMAT, wv_image_path(dies->image), 0, 0,
			  "DWARF cannot be read: %s", dwarf_errmsg(-1));
}

/*
 * Checks that the last string of a section is terminated, which libdw before elfutils 0.189
 * assumes.
 */
static int check_strings(const struct wv_image *image, const struct wv_section *section,
			 struct wv_error *error)
{
	if (!section || !section->data || !section->size || !section->data[section->size - 1])
		return 0;
	return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
			  "DWARF, section %s: its last string has no end", section->name);
}

/*
 * Makes image.c decompress and relocate the sections that libdw will read. Sets *@found_ret to
 * whether the image has a .debug_info.
 */
static int load_sections(struct wv_dies *dies, bool *found_ret, struct wv_error *error)
{
	static const char *const names[] = {
		".debug_abbrev", ".debug_addr",	    ".debug_aranges", ".debug_frame",
		".debug_line",	 ".debug_loc",	    ".debug_loclists", ".debug_ranges",
		".debug_rnglists", ".debug_str_offsets",
	};
	static const char *const strings[] = { ".debug_str", ".debug_line_str" };
	const struct wv_section *section;
	int ret = wv_image_section(dies->image, ".debug_info", &dies->info, error);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !ret; i++)
		ret = wv_image_section(dies->image, names[i], &section, error);
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]) && !ret; i++) {
		ret = wv_image_section(dies->image, strings[i], &section, error);
		if (!ret)
			ret = check_strings(dies->image, section, error);
	}
	*found_ret = !ret && dies->info && dies->info->data;
	return ret;
}

int wv_dies_create(struct wv_image *image, struct wv_dies **ret, struct wv_error *error)
{
	struct wv_dies *dies = calloc(1, sizeof(*dies));
	bool found;
	int failed;

	*ret = NULL;
	if (!dies)
		return wv_no_memory(error);
	failed = wv_debug_file_find(image, &dies->image, error);
	if (!failed && !dies->image)
		dies->image = image;
	if (!failed)
		failed = load_sections(dies, &found, error);
	if (!failed && found)
		failed = open_dwarf(dies, error);
	if (failed)
		wv_dies_destroy(dies);
	else
		*ret = dies;
	return failed;
}

void wv_dies_destroy(struct wv_dies *dies)
{
	if (!dies)
		return;
	dwarf_end(dies->dwarf);
	free(dies);
}

int wv_dies_forget(struct wv_dies *dies, struct wv_error *error)
{
	dwarf_end(dies->dwarf);
	return open_dwarf(dies, error);
}

int wv_dies_fail(const struct wv_dies *dies, Dwarf_Off offset, const char *what,
		 struct wv_error *error)
{
	return wv_fail_at(error, WV_E_FORMAT, wv_image_path(dies->image), 0, 0,
			  "DWARF, .debug_info offset %llu: %s", (unsigned long long)offset,
			  what ? what : dwarf_errmsg(-1));
}

/*
 * Returns whether libdw reads the bytes that image.c has relocated. If it read the bytes of the
 * file instead, names and addresses would be wrong, and no error would show it.
 */
static bool reads_relocated(const struct wv_dies *dies, const Dwarf_Die *die)
{
	const uint8_t *at = die->addr, *first = dies->info->data;

	return !wv_image_is_relocatable(dies->image) ||
	       (at >= first && at < first + dies->info->size);
}

int wv_dies_next_unit(struct wv_dies *dies, bool *more_ret, Dwarf_Die *ret, struct wv_error *error)
{
	*more_ret = false;
	while (dies->dwarf) {
		Dwarf_Off start = dies->next_unit, next;
		size_t header;
		uint8_t type;
		int end = dwarf_nextcu(dies->dwarf, start, &next, &header, NULL, NULL, NULL);

		if (end > 0)
			return 0;
		if (end < 0 || next <= start || !dwarf_offdie(dies->dwarf, start + header, ret) ||
		    dwarf_cu_info(ret->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL))
			return wv_dies_fail(dies, start, NULL, error);
		if (!reads_relocated(dies, ret))
			return wv_dies_fail(dies, start, "this libdw reads what is not relocated",
					    error);
		dies->next_unit = next;
		/* Skip type units and split units; GCC writes none for a kernel. */
		if (type != DW_UT_compile && type != DW_UT_partial)
			continue;
		*more_ret = true;
		return 0;
	}
	return 0;
}

int wv_dies_child(const struct wv_dies *dies, Dwarf_Die *die, bool *more_ret, Dwarf_Die *ret,
		  struct wv_error *error)
{
	int end = dwarf_child(die, ret);

	*more_ret = !end;
	return end < 0 ? wv_dies_fail(dies, dwarf_dieoffset(die), NULL, error) : 0;
}

int wv_dies_next(const struct wv_dies *dies, Dwarf_Die *die, bool *more_ret, struct wv_error *error)
{
	Dwarf_Off before = dwarf_dieoffset(die);
	int end = dwarf_siblingof(die, die);

	*more_ret = !end;
	if (end < 0)
		return wv_dies_fail(dies, before, NULL, error);
	if (!end && dwarf_dieoffset(die) <= before)
		return wv_dies_fail(dies, before, "its sibling stands before it", error);
	return 0;
}

void wv_walk_start(struct wv_walk *walk, const struct wv_dies *dies, const Dwarf_Die *unit)
{
	walk->dies = dies;
	walk->path[0] = *unit;
	walk->depth = 0;
	walk->last = 0;
}

int wv_walk_next(struct wv_walk *walk, bool inside, Dwarf_Die **ret, struct wv_error *error)
{
	Dwarf_Die *die = &walk->path[walk->depth];
	bool more = false;
	int failed = 0;

	*ret = NULL;
	if (inside && dwarf_haschildren(die)) {
		if (walk->depth == WV_WALK_DEPTH - 1)
			return wv_dies_fail(walk->dies, dwarf_dieoffset(die),
					    "entries nested too deep", error);
		failed = wv_dies_child(walk->dies, die, &more, die + 1, error);
		walk->depth += more;
	}
	while (!failed && !more && walk->depth) {
		failed = wv_dies_next(walk->dies, &walk->path[walk->depth], &more, error);
		walk->depth -= !more;
	}
	if (failed || !more)
		return failed;
	*ret = &walk->path[walk->depth];
	/*
	 * The offsets of the entries must increase. In damaged input, sibling references may lead
	 * to children of other entries, and without this check the walk would visit these again and
	 * again.
	 */
	if (dwarf_dieoffset(*ret) <= walk->last)
		return wv_dies_fail(walk->dies, walk->last, "entries overlap", error);
	walk->last = dwarf_dieoffset(*ret);
	return 0;
}

bool wv_die_at(const struct wv_dies *dies, Dwarf_Off offset, Dwarf_Die *ret)
{
	return dwarf_offdie(dies->dwarf, offset, ret);
}

uint64_t wv_die_number(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute found;
	Dwarf_Word value;

	return dwarf_attr(die, attribute, &found) && !dwarf_formudata(&found, &value) ? value : 0;
}

/*
 * Returns the text of an attribute, or NULL if the text is not terminated. libdw does not check
 * this for a string that lies inside the entry itself (DW_FORM_string).
 */
static const char *text_of(const struct wv_dies *dies, Dwarf_Attribute *attribute)
{
	const char *text = attribute ? dwarf_formstring(attribute) : NULL;
	const char *end = (const char *)dies->info->data + dies->info->size;

	if (text && dwarf_whatform(attribute) == DW_FORM_string && !memchr(text, '\0', end - text))
		return NULL;
	return text;
}

const char *wv_die_text(const struct wv_dies *dies, Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute found;

	return text_of(dies, dwarf_attr(die, attribute, &found));
}

const char *wv_die_name(const struct wv_dies *dies, Dwarf_Die *die)
{
	Dwarf_Attribute found;

	return text_of(dies, dwarf_attr_integrate(die, DW_AT_name, &found));
}

bool wv_die_reference(Dwarf_Die *die, unsigned int attribute, Dwarf_Die *ret)
{
	Dwarf_Attribute found;
	Dwarf_Die target;

	if (!dwarf_attr(die, attribute, &found) || !dwarf_formref_die(&found, &target))
		return false;
	*ret = target;
	return true;
}

bool wv_die_is_struct(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

bool wv_die_origin(Dwarf_Die *die, Dwarf_Die *ret)
{
	return wv_die_reference(die, DW_AT_abstract_origin, ret) ||
	       wv_die_reference(die, DW_AT_specification, ret);
}

size_t wv_die_pieces(Dwarf_Die *die, uint64_t *ret, size_t most)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;
	size_t n = 0;

	while (n < most && (next = dwarf_ranges(die, next, &base, &start, &end)) > 0)
		if (start < end)
			ret[n++] = start;
	return n;
}

bool wv_die_entry(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute entry;
	Dwarf_Addr address;

	if (!wv_die_pieces(die, ret, 1))
		return false;
	if (dwarf_attr(die, DW_AT_entry_pc, &entry) && !dwarf_formaddr(&entry, &address))
		*ret = address;
	return true;
}
