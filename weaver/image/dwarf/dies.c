// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads .debug_info of DWARF 4 and 5, an entry at a time; no cursor leaves its unit. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "image/cursor.h"
#include "image/dwarf/dies-reader.h"
#include "image/dwarf/dies.h"

static int fail(const struct wv_dies *dies, uint64_t offset, const char *what,
		struct wv_error *error)
{
	return wv_fail_at(error, WV_E_FORMAT, wv_image_path(dies->image), 0, 0,
			  "DWARF, .debug_info offset %llu: %s", (unsigned long long)offset, what);
}

/* The string at @offset of a section; NULL when it is not there or has no end. */
static const char *string_at(const struct wv_section *section, uint64_t offset)
{
	struct wv_cursor cursor = wv_cursor_at(section, offset);

	return wv_cursor_string(&cursor);
}

/* A block of @n bytes: its size is the value, its bytes are the text. */
static uint64_t get_block(struct wv_cursor *cursor, uint64_t n, const char **text)
{
	*text = (const char *)cursor->at;
	wv_cursor_skip(cursor, n);
	return n;
}

/* One attribute's value: a number, or a string. References become offsets of the section. */
static uint64_t get_form(struct wv_dies *dies, struct wv_cursor *cursor,
			 const struct wv_attribute *attribute, const char **text)
{
	uint32_t form = attribute->form;

	if (form == DW_FORM_indirect)
		form = wv_cursor_uleb(cursor);
	switch (form) {
	case DW_FORM_addr:
		return wv_cursor_number(cursor, dies->address_size);
	case DW_FORM_data1: case DW_FORM_flag: case DW_FORM_strx1: case DW_FORM_addrx1:
		return wv_cursor_number(cursor, 1);
	case DW_FORM_data2: case DW_FORM_strx2: case DW_FORM_addrx2:
		return wv_cursor_number(cursor, 2);
	case DW_FORM_strx3: case DW_FORM_addrx3:
		return wv_cursor_number(cursor, 3);
	case DW_FORM_data4: case DW_FORM_strx4: case DW_FORM_addrx4:
		return wv_cursor_number(cursor, 4);
	case DW_FORM_data8: case DW_FORM_ref_sig8:
		return wv_cursor_number(cursor, 8);
	case DW_FORM_data16:
		return wv_cursor_number(cursor, 16);
	case DW_FORM_sdata:
		return wv_cursor_sleb(cursor);
	case DW_FORM_udata: case DW_FORM_strx: case DW_FORM_addrx: case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		return wv_cursor_uleb(cursor);
	case DW_FORM_ref1:
		return dies->start + wv_cursor_number(cursor, 1);
	case DW_FORM_ref2:
		return dies->start + wv_cursor_number(cursor, 2);
	case DW_FORM_ref4:
		return dies->start + wv_cursor_number(cursor, 4);
	case DW_FORM_ref8:
		return dies->start + wv_cursor_number(cursor, 8);
	case DW_FORM_ref_udata:
		return dies->start + wv_cursor_uleb(cursor);
	case DW_FORM_ref_addr: case DW_FORM_sec_offset:
		return wv_cursor_number(cursor, dies->offset_size);
	case DW_FORM_strp:
		*text = string_at(dies->str, wv_cursor_number(cursor, dies->offset_size));
		return 0;
	case DW_FORM_line_strp:
		*text = string_at(dies->line_str, wv_cursor_number(cursor, dies->offset_size));
		return 0;
	case DW_FORM_string:
		*text = wv_cursor_string(cursor);
		return 0;
	case DW_FORM_flag_present:
		return 1;
	case DW_FORM_implicit_const:
		return attribute->constant;
	case DW_FORM_exprloc: case DW_FORM_block:
		return get_block(cursor, wv_cursor_uleb(cursor), text);
	case DW_FORM_block1:
		return get_block(cursor, wv_cursor_number(cursor, 1), text);
	case DW_FORM_block2:
		return get_block(cursor, wv_cursor_number(cursor, 2), text);
	case DW_FORM_block4:
		return get_block(cursor, wv_cursor_number(cursor, 4), text);
	}
	cursor->wrong = true;
	return 0;
}

static bool is_block(uint32_t form)
{
	return form == DW_FORM_exprloc || form == DW_FORM_block || form == DW_FORM_block1 ||
	       form == DW_FORM_block2 || form == DW_FORM_block4;
}

static void fill_location(struct wv_die_location *location, uint32_t form, uint64_t value,
			  const char *text)
{
	if (is_block(form))
		*location = (struct wv_die_location){ .bytes = (const uint8_t *)text, .size = value };
	else if (form == DW_FORM_sec_offset)
		*location = (struct wv_die_location){ .list = value, .has_list = true };
}

static void fill(struct wv_die *die, const struct wv_attribute *attribute, uint64_t value,
		 const char *text)
{
	switch (attribute->name) {
	case DW_AT_name:
		die->name = text;
		break;
	case DW_AT_producer:
		die->producer = text;
		break;
	case DW_AT_comp_dir:
		die->directory = text;
		break;
	case DW_AT_type:
		die->type = value;
		break;
	case DW_AT_abstract_origin: case DW_AT_specification:
		die->origin = value;
		break;
	case DW_AT_sibling:
		die->sibling = value;
		break;
	case DW_AT_low_pc:
		die->low_pc = value;
		die->flags |= WV_DIE_HAS_LOW_PC;
		break;
	case DW_AT_high_pc:
		die->high_pc = value;
		break;
	case DW_AT_entry_pc:
		die->entry_pc = value;
		if (attribute->form == DW_FORM_addr)
			die->flags |= WV_DIE_HAS_ENTRY_PC;
		break;
	case DW_AT_ranges:
		die->ranges = value;
		if (attribute->form == DW_FORM_sec_offset)
			die->flags |= WV_DIE_HAS_RANGES;
		break;
	case DW_AT_data_member_location:
		/* A location expression says nothing that a number does not say; C has none. */
		if (is_block(attribute->form))
			break;
		die->member_offset = value;
		die->flags |= WV_DIE_HAS_MEMBER_OFFSET;
		break;
	case DW_AT_data_bit_offset:
		die->bit_offset = value;
		die->flags |= WV_DIE_HAS_BIT_OFFSET;
		break;
	case DW_AT_byte_size:
		die->byte_size = value;
		break;
	case DW_AT_location:
		fill_location(&die->location, attribute->form, value, text);
		break;
	case DW_AT_frame_base:
		fill_location(&die->frame_base, attribute->form, value, text);
		break;
	case DW_AT_const_value:
		die->constant = value;
		/* A string's or a block's is of no use to anybody here. */
		if (!text && !is_block(attribute->form))
			die->flags |= WV_DIE_HAS_CONSTANT;
		break;
	case DW_AT_encoding:
		die->encoding = value;
		break;
	case DW_AT_bit_size:
		die->bit_size = value;
		break;
	case DW_AT_decl_line:
		die->line = value;
		break;
	case DW_AT_prototyped:
		die->flags |= value ? WV_DIE_PROTOTYPED : 0;
		break;
	case DW_AT_declaration:
		die->flags |= value ? WV_DIE_DECLARATION : 0;
		break;
	}
}

int wv_dies_read(struct wv_dies *dies, uint64_t offset, struct wv_die *ret, struct wv_error *error)
{
	const uint8_t *data = dies->info->data;
	struct wv_cursor cursor = { .at = data + offset, .end = data + dies->end };
	const struct wv_abbreviation *abbreviation;
	uint64_t code;

	memset(ret, 0, sizeof(*ret));
	ret->offset = offset;
	if (offset <= dies->start || offset >= dies->end)
		return fail(dies, offset, "an entry outside its unit", error);
	code = wv_cursor_uleb(&cursor);
	ret->next = cursor.at - data;
	if (!code && !cursor.wrong)
		return 0;
	abbreviation = wv_abbreviation_of(&dies->abbreviations, code);
	if (!abbreviation)
		return fail(dies, offset, "an entry of unknown abbreviation", error);
	ret->tag = abbreviation->tag;
	ret->flags = abbreviation->children ? WV_DIE_CHILDREN : 0;
	for (uint32_t i = 0; i < abbreviation->n; i++) {
		const struct wv_attribute *attribute =
			&dies->abbreviations.attributes.data[abbreviation->first + i];
		const char *text = NULL;
		uint64_t value = get_form(dies, &cursor, attribute, &text);

		fill(ret, attribute, value, text);
	}
	ret->next = cursor.at - data;
	if (cursor.wrong)
		return fail(dies, offset, "an entry that is cut off or of unknown form", error);
	return 0;
}

/* The header of the unit at @dies->next_unit; *@entry_ret is where its first entry begins. */
static int read_header(struct wv_dies *dies, uint64_t *entry_ret, struct wv_error *error)
{
	const uint8_t *data = dies->info->data;
	struct wv_cursor cursor = { .at = data + dies->next_unit, .end = data + dies->info->size };
	uint64_t length = wv_cursor_number(&cursor, 4), abbrev;
	uint8_t type = DW_UT_compile;
	bool whole;
	int ret;

	dies->start = dies->next_unit;
	dies->offset_size = 4;
	if (length == UINT32_MAX) {
		length = wv_cursor_number(&cursor, 8);
		dies->offset_size = 8;
	}
	if (cursor.wrong || length > (uint64_t)(cursor.end - cursor.at))
		return fail(dies, dies->start, "a unit that is longer than the section", error);
	cursor.end = cursor.at + length;
	dies->end = dies->next_unit = cursor.end - data;
	dies->version = wv_cursor_number(&cursor, 2);
	if (dies->version >= 5) {
		type = wv_cursor_number(&cursor, 1);
		dies->address_size = wv_cursor_number(&cursor, 1);
		abbrev = wv_cursor_number(&cursor, dies->offset_size);
	} else {
		abbrev = wv_cursor_number(&cursor, dies->offset_size);
		dies->address_size = wv_cursor_number(&cursor, 1);
	}
	*entry_ret = cursor.at - data;
	if (cursor.wrong || dies->version < 2 || dies->version > 5 || dies->address_size != 8)
		return fail(dies, dies->start, "a unit of unknown version or address size", error);
	/* Type units and split units: GCC writes none for a kernel. */
	if (type != DW_UT_compile && type != DW_UT_partial)
		*entry_ret = 0;
	if (!*entry_ret)
		return 0;
	ret = wv_abbreviations_read(&dies->abbreviations, dies->abbrev, abbrev, &whole, error);
	return ret || whole ? ret : fail(dies, dies->start, "no abbreviations, or damaged ones", error);
}

int wv_dies_next_unit(struct wv_dies *dies, bool *more_ret, struct wv_die *ret,
		      struct wv_error *error)
{
	*more_ret = false;
	if (!dies->info || !dies->info->data)
		return 0;
	while (dies->next_unit < dies->info->size) {
		uint64_t entry = 0;
		int failed = read_header(dies, &entry, error);

		if (failed)
			return failed;
		if (!entry || entry >= dies->end)
			continue;
		failed = wv_dies_read(dies, entry, ret, error);
		if (failed)
			return failed;
		dies->base = ret->low_pc;
		*more_ret = true;
		return 0;
	}
	return 0;
}

int wv_dies_unit_at(struct wv_dies *dies, uint64_t offset, struct wv_die *ret,
		    struct wv_error *error)
{
	bool more = false;
	int failed;

	dies->next_unit = offset;
	failed = wv_dies_next_unit(dies, &more, ret, error);
	if (!failed && (!more || dies->start != offset))
		return fail(dies, offset, "no unit where .debug_aranges has one", error);
	return failed;
}

uint64_t wv_dies_unit_start(const struct wv_dies *dies)
{
	return dies->start;
}

uint64_t wv_dies_unit_end(const struct wv_dies *dies)
{
	return dies->end;
}

static int find_sections(struct wv_dies *dies, struct wv_error *error)
{
	const struct {
		const char *name;
		const struct wv_section **section_ret;
	} sections[] = {
		{ ".debug_info", &dies->info },		{ ".debug_abbrev", &dies->abbrev },
		{ ".debug_str", &dies->str },		{ ".debug_line_str", &dies->line_str },
		{ ".debug_rnglists", &dies->rnglists }, { ".debug_ranges", &dies->ranges },
		{ ".debug_loclists", &dies->loclists }, { ".debug_loc", &dies->loc },
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) && !ret; i++)
		ret = wv_image_section(dies->image, sections[i].name, sections[i].section_ret, error);
	return ret;
}

int wv_dies_create(struct wv_image *image, struct wv_dies **ret, struct wv_error *error)
{
	struct wv_dies *dies = calloc(1, sizeof(*dies));
	int failed;

	*ret = NULL;
	if (!dies)
		return wv_no_memory(error);
	dies->image = image;
	failed = find_sections(dies, error);
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
	wv_abbreviations_deinit(&dies->abbreviations);
	free(dies);
}
