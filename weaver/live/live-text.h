/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Live text in many small pieces: who knows beforehand what will be read says so, and has it
 * brought by a few requests instead of one for each piece. Addresses are live ones.
 */
#ifndef WV_LIVE_TEXT_H
#define WV_LIVE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "live/requests.h"

struct wv_text {
	const struct wv_device *device;
	bool original; /* without weft's own splices */
	/* ascending, none touches another, once they were fetched */
	WV_VEC(struct weft_piece) pieces;
	WV_VEC(size_t) starts;		  /* of each piece, in bytes */
	size_t last;			  /* the piece that was read last */
	uint8_t *bytes;			  /* NULL: nothing was fetched */
};

void wv_text_init(struct wv_text *text, const struct wv_device *device, bool original);
void wv_text_deinit(struct wv_text *text);

/* @size bytes at @address will be read. What is not in the kernel's text is forgotten. */
int wv_text_want(struct wv_text *text, uint64_t address, size_t size, struct wv_error *error);

/* Reads all that is wanted, once. */
int wv_text_fetch(struct wv_text *text, struct wv_error *error);

/*
 * From what was fetched, else from the kernel: -WV_E_REFUSED where it is not text. A
 * wv_text_reader's; @text_ is a struct wv_text.
 */
int wv_text_read(void *text_, uint64_t address, void *buffer, size_t size, struct wv_error *error);

#endif /* WV_LIVE_TEXT_H */
