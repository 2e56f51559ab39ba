/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a record of a recording, as weft.ko would have made it with the kernel's vsprintf.c.
 * Two things only the recorded kernel knows: which symbol an address is in, which the recording has
 * for those that it needs, and the number that stands for a pointer in %p. Instead of that one the
 * text has the pointer, as %px does.
 */
#ifndef WV_TRACE_RENDER_H
#define WV_TRACE_RENDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/abi.h"
#include "trace/fields.h"

enum {
	WV_RENDER_TEXT = 1024, /* with its NUL: longer texts are truncated, as in weft.ko */
	WV_RENDER_VALUES = 32,
};

/* A function of the recorded kernel. */
struct wv_trace_symbol {
	uint64_t begin, end;
	const char *name, *module; /* module "": the kernel proper */
};

/* Finds the function that has @address; NULL: it is not known. */
struct wv_symbol_finder {
	const struct wv_trace_symbol *(*find)(const void *context, uint64_t address);
	const void *context;
};

struct wv_rendered {
	char text[WV_RENDER_TEXT];
	uint32_t size; /* of the text, without its NUL */
	struct weft_value values[WV_RENDER_VALUES];
	uint32_t nr_values;
};

/*
 * Renders the @n bytes of arguments at @words, which begin eight-byte aligned in their record.
 * -WV_E_FORMAT: they are not those of this format.
 */
int wv_render(const char *format, const struct wv_argument_fields *fields,
	      const struct wv_symbol_finder *symbols, const void *words, size_t n,
	      struct wv_rendered *ret, struct wv_error *error);

#endif /* WV_TRACE_RENDER_H */
