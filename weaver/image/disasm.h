/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions as text, through Capstone, in the syntax that kernel people read (AT&T). */
#ifndef WEFT_IMAGE_DISASM_H
#define WEFT_IMAGE_DISASM_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct wv_disasm;

int wv_disasm_create(struct wv_disasm **ret, struct wv_error *error);
void wv_disasm_destroy(struct wv_disasm *disasm);

/* Names an address, or returns NULL; *@offset_ret is the distance from the name. */
typedef const char *(*wv_disasm_name)(void *context, uint64_t address, uint64_t *offset_ret);

/*
 * Writes the instruction that begins at @bytes, @n bytes of text at @address, to @buffer; the target of a direct
 * branch or call is written as @name gives it. Returns its length, or 0 with "" in @buffer when it is none.
 */
size_t wv_disasm_text(struct wv_disasm *disasm, const uint8_t *bytes, size_t n, uint64_t address,
		      wv_disasm_name name, void *context, char *buffer, size_t size);

/* The length of the instruction that begins at @bytes, or 0 when there is none. */
size_t wv_disasm_length(struct wv_disasm *disasm, const uint8_t *bytes, size_t n, uint64_t address);

static inline void wv_cleanup_disasm(struct wv_disasm **disasm)
{
	wv_disasm_destroy(*disasm);
}
#define _cleanup_disasm_ __attribute__((cleanup(wv_cleanup_disasm)))

#endif /* WEFT_IMAGE_DISASM_H */
