// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rows of .debug_frame, run up to one address; see frames.h. Only the rule for the CFA is kept: where registers were
 * saved is nobody's question here. Damaged bytes end the search.
 */
#include <dwarf.h>

#include "image/cursor.h"
#include "image/dwarf/frames.h"

#define STATES_MAX 16 /* DW_CFA_remember_state inside each other */

struct unwinding {
	struct wv_cfa cfa, states[STATES_MAX];
	size_t depth;
	uint64_t at; /* address that the rules so far hold from */
	uint64_t code_factor;
	int64_t data_factor;
};

/* The instructions that do more than save registers. False: a kind that is not known. */
static bool run_other(struct unwinding *unwinding, struct wv_cursor *cursor, uint8_t op)
{
	struct wv_cfa *cfa = &unwinding->cfa;

	switch (op) {
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
		cfa->known = true;
		cfa->reg = wv_cursor_uleb(cursor);
		cfa->offset = op == DW_CFA_def_cfa ?
				      (int64_t)wv_cursor_uleb(cursor) :
				      wv_cursor_sleb(cursor) * unwinding->data_factor;
		return true;
	case DW_CFA_def_cfa_register:
		cfa->reg = wv_cursor_uleb(cursor);
		return true;
	case DW_CFA_def_cfa_offset:
		cfa->offset = wv_cursor_uleb(cursor);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		cfa->offset = wv_cursor_sleb(cursor) * unwinding->data_factor;
		return true;
	case DW_CFA_def_cfa_expression:
		cfa->known = false;
		wv_cursor_skip(cursor, wv_cursor_uleb(cursor));
		return true;
	case DW_CFA_remember_state:
		if (unwinding->depth == STATES_MAX)
			return false;
		unwinding->states[unwinding->depth++] = *cfa;
		return true;
	case DW_CFA_restore_state:
		if (!unwinding->depth)
			return false;
		*cfa = unwinding->states[--unwinding->depth];
		return true;
	case DW_CFA_nop:
		return true;
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_restore_extended:
	case DW_CFA_GNU_args_size:
		wv_cursor_uleb(cursor);
		return true;
	case DW_CFA_offset_extended:
	case DW_CFA_register:
	case DW_CFA_val_offset:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset_sf:
		wv_cursor_uleb(cursor);
		wv_cursor_uleb(cursor); /* a signed one is as long */
		return true;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		wv_cursor_uleb(cursor);
		wv_cursor_skip(cursor, wv_cursor_uleb(cursor));
		return true;
	}
	return false;
}

/* Runs instructions until they speak of what is behind @address. */
static bool run(struct unwinding *unwinding, struct wv_cursor *cursor, uint64_t address)
{
	while (cursor->at < cursor->end && !cursor->wrong) {
		uint8_t op = wv_cursor_number(cursor, 1), low = op & 0x3f;
		uint64_t step = 0;

		switch (op & 0xc0) {
		case DW_CFA_advance_loc:
			step = low;
			break;
		case DW_CFA_offset:
			wv_cursor_uleb(cursor);
			continue;
		case DW_CFA_restore:
			continue;
		default:
			if (op == DW_CFA_set_loc)
				unwinding->at = wv_cursor_number(cursor, 8);
			else if (op == DW_CFA_advance_loc1)
				step = wv_cursor_number(cursor, 1);
			else if (op == DW_CFA_advance_loc2)
				step = wv_cursor_number(cursor, 2);
			else if (op == DW_CFA_advance_loc4)
				step = wv_cursor_number(cursor, 4);
			else if (run_other(unwinding, cursor, op))
				continue;
			else
				return false;
		}
		unwinding->at += step * unwinding->code_factor;
		if (unwinding->at > address)
			return true;
	}
	return !cursor->wrong;
}

/* The common part at @offset: factors and first instructions. Augmentations are the unwinder's, not .debug_frame's. */
static bool run_common(const struct wv_section *section, uint64_t offset, struct unwinding *unwinding)
{
	struct wv_cursor cursor = { .at = section->data + offset, .end = section->data + section->size };
	uint64_t length;
	uint8_t version;

	if (offset >= section->size)
		return false;
	length = wv_cursor_number(&cursor, 4);
	if (length == UINT32_MAX || length > (uint64_t)(cursor.end - cursor.at))
		return false;
	cursor.end = cursor.at + length;
	wv_cursor_number(&cursor, 4);
	version = wv_cursor_number(&cursor, 1);
	if (wv_cursor_number(&cursor, 1)) /* the augmentation's first letter */
		return false;
	if (version >= 4)
		wv_cursor_number(&cursor, 2); /* sizes of addresses and segments */
	unwinding->code_factor = wv_cursor_uleb(&cursor);
	unwinding->data_factor = wv_cursor_sleb(&cursor);
	if (version == 1)
		wv_cursor_number(&cursor, 1);
	else
		wv_cursor_uleb(&cursor);
	return run(unwinding, &cursor, UINT64_MAX);
}

int wv_frames_find(struct wv_image *image, uint64_t address, struct wv_cfa *ret,
		   struct wv_error *error)
{
	const struct wv_section *section;
	struct wv_cursor cursor;
	int failed = wv_image_section(image, ".debug_frame", &section, error);

	*ret = (struct wv_cfa){ 0 };
	if (failed || !section || !section->data)
		return failed;
	cursor = (struct wv_cursor){ .at = section->data, .end = section->data + section->size };
	while (cursor.at < cursor.end && !cursor.wrong) {
		struct unwinding unwinding = { 0 };
		struct wv_cursor entry = cursor;
		uint64_t length = wv_cursor_number(&cursor, 4), common, start, size;

		wv_cursor_skip(&cursor, length);
		entry.at += 4;
		entry.end = cursor.at;
		common = wv_cursor_number(&entry, 4);
		if (length == UINT32_MAX || cursor.wrong || entry.wrong)
			return 0;
		if (common == UINT32_MAX)
			continue;
		start = wv_cursor_number(&entry, 8);
		size = wv_cursor_number(&entry, 8);
		if (address < start || address - start >= size)
			continue;
		unwinding.at = start;
		if (!run_common(section, common, &unwinding))
			return 0;
		unwinding.at = start;
		if (run(&unwinding, &entry, address))
			*ret = unwinding.cfa;
		return 0;
	}
	return 0;
}
