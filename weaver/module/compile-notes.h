/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes to the author of an aspect, about things that are no errors but may be surprising, such as
 * shadows that are left out and why.
 */
#ifndef WV_COMPILE_NOTES_H
#define WV_COMPILE_NOTES_H

#include "module/messages.h"
#include "aspect/resolve/select.h"
#include "aspect/resolve/values.h"

/*
 * Adds notes for pointcuts without advice, and for names in these pointcuts that the kernel does
 * not have.
 */
void wv_note_unused(struct wv_messages *messages, const struct wv_aspect *aspect, struct wv_db *db);

/*
 * Adds a note for each pointcut that may have joinpoints in units that were not prepared. Adds the
 * same texts to @incomplete, one per line. There the texts name files without their folders,
 * because they become a part of the module, which must not depend on the folder in which weft runs.
 */
int wv_note_unprepared(struct wv_messages *messages, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_str *incomplete, struct wv_error *error);

/* Adds notes for joinpoints that were optimized out. */
void wv_note_optimized_out(struct wv_messages *messages, const struct wv_selection *selection);

/*
 * Adds notes about inlined instances of functions: a <cflow> does not follow the instances of the
 * function that it names, and the `until` of a <tag> does not see the instances of its functions.
 */
void wv_note_inlined(struct wv_messages *messages, const struct wv_aspect *aspect,
		     struct wv_db *db);

/* Adds notes for shadows that were left out because optional advice lacks a variable there. */
void wv_note_dropped(struct wv_messages *messages, const struct wv_aspect *aspect,
		     const struct wv_values *values);

/*
 * Adds notes for shadows in modules' init text, for shadows of after-advice and around-advice that
 * are refused, for exits that are tail calls, for joinpoints that share a shadow and for shadows
 * that are not exact. @selection must be finished.
 */
void wv_note_rest(struct wv_messages *messages, const struct wv_selection *selection);

#endif /* WV_COMPILE_NOTES_H */
