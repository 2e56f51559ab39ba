/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One x86-64 instruction from its bytes, by Capstone. Knows no files and no kernels. */
#ifndef WEFT_SPLICE_DECODE_H
#define WEFT_SPLICE_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct wv_decoder;

int wv_decoder_create(struct wv_decoder **ret, struct wv_error *error);
void wv_decoder_destroy(struct wv_decoder *decoder);

/* The length of the instruction in @bytes, or 0 where there is none. */
size_t wv_decode_length(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
			uint64_t address);

/* The same; writes it in AT&T syntax, as kernel people read it, to @text. */
size_t wv_decode_text(struct wv_decoder *decoder, const uint8_t *bytes, size_t n, uint64_t address,
		      char *text, size_t size);

#endif /* WEFT_SPLICE_DECODE_H */
