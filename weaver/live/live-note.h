/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the ELF notes that the module of a loaded aspect has. */
#ifndef WV_LIVE_NOTE_H
#define WV_LIVE_NOTE_H

#include "base/str.h"

/*
 * Adds to @out a text that says which joinpoints the loaded aspect @aspect may lack
 * (module/incomplete-note.h). Adds nothing if its module is not loaded.
 */
void wv_live_incomplete(const char *aspect, struct wv_str *out);

#endif /* WV_LIVE_NOTE_H */
