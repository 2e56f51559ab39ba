/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes to the author of an aspect about things that are not errors, such as shadows that are left
 * out, with the reason.
 */
#ifndef WV_COMPILE_NOTES_H
#define WV_COMPILE_NOTES_H

#include "module/messages.h"
#include "aspect/resolve/select.h"
#include "aspect/resolve/values.h"

/* Pointcuts that no advice is bound to, and names in them that the kernel does not have. */
void wv_note_unused(struct wv_messages *messages, const struct wv_aspect *aspect, struct wv_db *db);

/* Joinpoints without an instruction. */
void wv_note_optimized_out(struct wv_messages *messages, const struct wv_selection *selection);

/* Inlined instances of functions that a <cflow> names. */
void wv_note_inlined(struct wv_messages *messages, const struct wv_aspect *aspect,
		     struct wv_db *db);

/* Shadows that optional advice is not woven at. */
void wv_note_dropped(struct wv_messages *messages, const struct wv_aspect *aspect,
		     const struct wv_values *values);

/* On a finished selection: shadows in modules, of after-advice, and shared shadows. */
void wv_note_rest(struct wv_messages *messages, const struct wv_selection *selection);

#endif /* WV_COMPILE_NOTES_H */
