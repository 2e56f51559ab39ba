/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hides control characters. Text that processes of other users have chosen, such as their names or
 * paths of files, may contain them. A terminal would obey them, and a line break would begin a line
 * that looks as if weft had written it. Reports as text show '?' in their place. JSON and the page
 * have the characters themselves, escaped.
 */
#ifndef WV_VISIBLE_H
#define WV_VISIBLE_H

#include <stddef.h>
#include <stdio.h>

#include "base/str.h"

/*
 * Replaces each byte of the control characters in @str, from byte @from on, by a '?'. Those from
 * U+0080 to U+009F have two bytes.
 */
void wv_visible_from(struct wv_str *str, size_t from);

/*
 * Prints @n bytes of text, with '?' for control characters other than line breaks and tabs, which
 * an author's format may have.
 */
void wv_visible_print(FILE *out, const char *text, size_t n);

/*
 * Returns the name of a process (comm of the kernel) with '?' for control characters, for printf.
 */
enum { WV_COMM_SIZE = 16 };
struct wv_visible_comm {
	char text[WV_COMM_SIZE + 1];
};
struct wv_visible_comm wv_visible_comm(const char comm[WV_COMM_SIZE]);

#endif /* WV_VISIBLE_H */
