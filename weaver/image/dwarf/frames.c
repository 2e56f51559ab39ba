// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the CFA rule of .debug_frame through libdw; see frames.h. */
#include <dwarf.h>
#include <stdlib.h>

#include "image/dwarf/frames.h"

struct wv_cfa wv_frames_find(const struct wv_dies *dies, uint64_t address)
{
	Dwarf_CFI *frames = dies->dwarf ? dwarf_getcfi(dies->dwarf) : NULL;
	struct wv_cfa ret = { 0 };
	Dwarf_Frame *frame;
	Dwarf_Op *rule;
	size_t n;

	Dwarf_CFI *of_program = NULL;

	/* A kernel has .debug_frame, a program .eh_frame. */
	if (!frames && dies->dwarf)
		frames = of_program = dwarf_getcfi_elf(dwarf_getelf(dies->dwarf));
	if (!frames || dwarf_cfi_addrframe(frames, address, &frame)) {
		dwarf_cfi_end(of_program);
		return ret;
	}
	if (!dwarf_frame_cfa(frame, &rule, &n) && n == 1 && rule->atom == DW_OP_bregx)
		ret = (struct wv_cfa){ .known = true, .reg = rule->number,
				       .offset = rule->number2 };
	free(frame);
	dwarf_cfi_end(of_program);
	return ret;
}
