/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes to the author of an aspect. They are about what is no error but may be a surprise, such as
 * shadows that are left out and why.
 */
#ifndef WV_COMPILE_NOTES_H
#define WV_COMPILE_NOTES_H

#include "module/messages.h"
#include "aspect/resolve/select.h"
#include "aspect/resolve/values.h"

/* Notes pointcuts that no advice is bound to, and names in them that the kernel does not have. */
void wv_note_unused(struct wv_messages *messages, const struct wv_aspect *aspect, struct wv_db *db);

/*
 * Notes pointcuts that may have joinpoints in units that were not prepared. Adds the same to
 * @incomplete, a line each, which is the same in any folder.
 */
int wv_note_unprepared(struct wv_messages *messages, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_str *incomplete, struct wv_error *error);

/* Notes joinpoints that the compiler left no instruction of. */
void wv_note_optimized_out(struct wv_messages *messages, const struct wv_selection *selection);

/* Notes inlined instances of functions that a <cflow> names: the flow does not follow them. */
void wv_note_inlined(struct wv_messages *messages, const struct wv_aspect *aspect,
		     struct wv_db *db);

/* Notes shadows that were left out since optional advice lacks a variable there. */
void wv_note_dropped(struct wv_messages *messages, const struct wv_aspect *aspect,
		     const struct wv_values *values);

/*
 * Notes shadows in modules' init text, refused after-advice, and joinpoints that share a shadow.
 * @selection must be finished.
 */
void wv_note_rest(struct wv_messages *messages, const struct wv_selection *selection);

#endif /* WV_COMPILE_NOTES_H */
