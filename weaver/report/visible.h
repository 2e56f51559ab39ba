/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that processes of other users have chosen, such as their names or paths of files, may
 * contain control characters: a terminal would obey them, and a line break would begin a line that
 * looks as if weft had written it. Reports as text show '?' for each; JSON and the page have the
 * characters themselves, escaped.
 */
#ifndef WV_VISIBLE_H
#define WV_VISIBLE_H

#include <stddef.h>
#include <stdio.h>

#include "base/str.h"

/*
 * Replaces the control characters in @str from byte @from on by as many '?' as they have bytes: two
 * for those of C1, else one.
 */
void wv_visible_from(struct wv_str *str, size_t from);

/* Prints @n bytes of text. It keeps line breaks and tabs, which an author's format may have. */
void wv_visible_print(FILE *out, const char *text, size_t n);

/* The name of a process, as the kernel has it (comm), for printf. */
enum { WV_COMM_SIZE = 16 };
struct wv_visible_comm {
	char text[WV_COMM_SIZE + 1];
};
struct wv_visible_comm wv_visible_comm(const char comm[WV_COMM_SIZE]);

#endif /* WV_VISIBLE_H */
