/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces the content of a section of a relocatable file (.ko) by another of any size. The section
 * must have no relocations, and other code may refer only to its first byte.
 */
#ifndef WV_GROW_SECTION_H
#define WV_GROW_SECTION_H

#include <stddef.h>

#include "base/error.h"

/*
 * Replaces the content of section @name in the file @path by @size bytes at @data, which are
 * appended to the file. -WV_E_FORMAT: the file is no relocatable ELF file, or has no such section.
 */
int wv_grow_section(const char *path, const char *name, const void *data, size_t size,
		    struct wv_error *error);

#endif /* WV_GROW_SECTION_H */
