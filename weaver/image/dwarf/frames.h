/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the frame of a function at one of its instructions: the canonical frame address (CFA) of
 * .debug_frame. The locations of variables on the stack are relative to this address.
 */
#ifndef WV_FRAMES_H
#define WV_FRAMES_H

#include "image/dwarf/dies.h"

struct wv_cfa {
	bool known;
	unsigned int reg; /* DWARF's register number */
	int64_t offset;
};

/*
 * Returns the CFA at @address. .known is false if DWARF has no CFA there, or one that is not the
 * sum of a register and an offset.
 */
struct wv_cfa wv_frames_find(const struct wv_dies *dies, uint64_t address);

#endif /* WV_FRAMES_H */
