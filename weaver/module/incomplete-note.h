/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an ELF note in an aspect's module, about joinpoints that the aspect may lack: it was
 * compiled from the database of a kernel of which not all units were prepared. The note has one
 * sentence per line, each with its location in the aspect's file (runtime/module-note.h). The
 * kernel shows the notes of loaded modules in /sys/module/NAME/notes.
 */
#ifndef WV_INCOMPLETE_NOTE_H
#define WV_INCOMPLETE_NOTE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Adds the text to @out if the @n bytes, the content of a section of ELF notes, have weft's note
 * about missing joinpoints. Removes control characters, except newlines. Adds nothing if the bytes
 * are malformed.
 */
void wv_incomplete_note_read(const uint8_t *bytes, size_t n, struct wv_str *out);

/* Calls @each with each line of @text, which wv_incomplete_note_read() has returned. */
void wv_incomplete_lines(const struct wv_str *text, void (*each)(void *context, const char *line),
			 void *context);

#endif /* WV_INCOMPLETE_NOTE_H */
