/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the module of an aspect in the running kernel says of itself. */
#ifndef WV_LIVE_NOTE_H
#define WV_LIVE_NOTE_H

#include "base/str.h"

/* Adds what the aspect may lack (module/incomplete-note.h); nothing if it is not loaded. */
void wv_live_incomplete(const char *aspect, struct wv_str *out);

#endif /* WV_LIVE_NOTE_H */
