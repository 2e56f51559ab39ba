// SPDX-License-Identifier: GPL-2.0-or-later
/* An image as libdwarf's "object"; see object.h. */
#include <dwarf.h>
#include <string.h>

#include "image/dwarf/object.h"

static int get_section_info(void *context, Dwarf_Half index, Dwarf_Obj_Access_Section *ret, int *code)
{
	const struct wv_object *object = context;

	memset(ret, 0, sizeof(*ret));
	ret->name = "";
	if (index >= WV_OBJECT_SECTIONS)
		return DW_DLV_NO_ENTRY;
	if (object->sections[index]) {
		ret->name = object->sections[index]->name;
		ret->type = object->sections[index]->type;
		ret->size = object->sections[index]->size;
	}
	return DW_DLV_OK;
}

static Dwarf_Endianness get_byte_order(void *context)
{
	return DW_OBJECT_LSB;
}

static Dwarf_Small get_size(void *context)
{
	return sizeof(uint64_t);
}

static Dwarf_Unsigned get_section_count(void *context)
{
	return WV_OBJECT_SECTIONS;
}

static int load_section(void *context, Dwarf_Half index, Dwarf_Small **ret, int *code)
{
	const struct wv_object *object = context;

	if (index >= WV_OBJECT_SECTIONS || !object->sections[index])
		return DW_DLV_NO_ENTRY;
	/* libdwarf only reads through it. */
	*ret = (Dwarf_Small *)object->sections[index]->data;
	return DW_DLV_OK;
}

static const Dwarf_Obj_Access_Methods methods = {
	.get_section_info = get_section_info,
	.get_byte_order = get_byte_order,
	.get_length_size = get_size,
	.get_pointer_size = get_size,
	.get_section_count = get_section_count,
	.load_section = load_section,
};

int wv_object_open(struct wv_object *object, struct wv_image *image, Dwarf_Debug *ret,
		   struct wv_error *error)
{
	static const char *const names[WV_OBJECT_SECTIONS] = {
		NULL, ".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_line_str",
	};
	Dwarf_Error dwarf_error = NULL;
	int found;

	*ret = NULL;
	memset(object, 0, sizeof(*object));
	object->interface = (Dwarf_Obj_Access_Interface){ .object = object, .methods = &methods };
	for (size_t i = 1; i < WV_OBJECT_SECTIONS; i++) {
		int failed = wv_image_section(image, names[i], &object->sections[i], error);

		if (failed)
			return failed;
		if (object->sections[i] && !object->sections[i]->data)
			object->sections[i] = NULL;
	}
	if (!object->sections[1] || !object->sections[2])
		return 0;
	/*
	 * libdwarf's own list of allocations costs more than all the reading; everything that is allocated through it is
	 * released by hand.
	 */
	dwarf_set_de_alloc_flag(0);
	found = dwarf_object_init_b(&object->interface, NULL, NULL, DW_GROUPNUMBER_ANY, ret,
				    &dwarf_error);
	if (found != DW_DLV_ERROR)
		return 0;
	*ret = NULL;
	return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0, "DWARF cannot be read: %s",
			  dwarf_errmsg(dwarf_error));
}

void wv_object_close(Dwarf_Debug dbg)
{
	Dwarf_Error dwarf_error = NULL;

	if (dbg)
		dwarf_object_finish(dbg, &dwarf_error);
}
