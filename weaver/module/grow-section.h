/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives a section of a relocatable file (.ko) another content, of any size. Sections that nothing
 * is relocated in, and that are read by their first byte's address only, need no more than that.
 */
#ifndef WV_GROW_SECTION_H
#define WV_GROW_SECTION_H

#include <stddef.h>

#include "base/error.h"

/*
 * The content, @size bytes at @data, is appended to the file. -WV_E_FORMAT: the file is not such a
 * file, or has no section @name.
 */
int wv_grow_section(const char *path, const char *name, const void *data, size_t size,
		    struct wv_error *error);

#endif /* WV_GROW_SECTION_H */
