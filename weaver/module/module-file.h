/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an aspect module's file (.ko): the tables that `weft compile` has put into its sections.
 * The file is not trusted: either all returned data are complete and consistent, or the open fails.
 */
#ifndef WV_MODULE_FILE_H
#define WV_MODULE_FILE_H

#include <stddef.h>

#include "runtime/abi.h"
#include "base/error.h"
#include "base/str.h"

struct wv_aspect_module {
	struct weft_aspect_header header;
	/* header.nr_parts elements; the first is the kernel itself */
	struct weft_text_part *parts;
	struct weft_joinpoint *joinpoints; /* sorted as runtime/abi.h requires */
	size_t n;			   /* number of joinpoints; equal to header.nr_joinpoints */
	/* all strings, each with its NUL; every offset in the tables lies inside */
	char *strings;
	size_t strings_size;
	/* text about joinpoints that the aspect may lack (incomplete-note.h) */
	struct wv_str incomplete;
};

/*
 * Reads @path. -WV_E_FORMAT: not a weft aspect module, or a corrupt one; -WV_E_MISMATCH: another
 * ABI version.
 */
int wv_aspect_module_open(const char *path, struct wv_aspect_module **ret, struct wv_error *error);
void wv_aspect_module_destroy(struct wv_aspect_module *module);

/* Returns the string at @offset, which is one of the offsets in @module's tables. */
static inline const char *wv_aspect_module_string(const struct wv_aspect_module *module,
						  unsigned int offset)
{
	return module->strings + offset;
}

#endif /* WV_MODULE_FILE_H */
