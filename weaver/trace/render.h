/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats the text of a record of a recording as weft.ko would, that is, as the kernel's vsprintf.c
 * does. Two conversions depend on the kernel that was recorded:
 * - %ps and %pS print the name of a function. The recording has the names that its records need.
 * - %p and %pK print a hash of the pointer, which only that kernel can compute. Here the text has
 *   the pointer itself, as with %px.
 */
#ifndef WV_TRACE_RENDER_H
#define WV_TRACE_RENDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/abi.h"
#include "runtime/value-marks.h"
#include "trace/fields.h"

enum {
	/* size of a text with its NUL; longer texts are truncated, as in weft.ko */
	WV_RENDER_TEXT = 1024,
	WV_RENDER_VALUES = WR_VALUES_MAX,
};

/* A function of the recorded kernel. */
struct wv_trace_symbol {
	uint64_t begin, end;
	/* .module is "" for a function of vmlinux. */
	const char *name, *module;
};

/* Finds the function that contains @address. Returns NULL if it is not known. */
struct wv_symbol_finder {
	const struct wv_trace_symbol *(*find)(const void *context, uint64_t address);
	const void *context;
};

struct wv_rendered {
	char text[WV_RENDER_TEXT];
	uint32_t size; /* length of .text, without its NUL */
	struct weft_value values[WV_RENDER_VALUES];
	uint32_t nr_values;
};

/*
 * Formats a record of the statement with @format; wv_fields_of_format() has made @fields of it.
 * @words has the @n bytes of the record's arguments, which begin at a multiple of eight bytes in
 * the record. Returns -WV_E_FORMAT if there are fewer bytes than @format needs.
 */
int wv_render(const char *format, const struct wv_argument_fields *fields,
	      const struct wv_symbol_finder *symbols, const void *words, size_t n,
	      struct wv_rendered *ret, struct wv_error *error);

#endif /* WV_TRACE_RENDER_H */
