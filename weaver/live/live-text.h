/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads many small pieces of live text. A caller that knows in advance what it will read announces
 * each piece. A few requests then fetch all of them, instead of one request for each. Addresses are
 * live ones.
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
	bool original; /* read the text as it is without weft's own splices */
	/* after the fetch: ascending, and no two pieces touch */
	WV_VEC(struct weft_piece) pieces;
	WV_VEC(size_t) starts;		  /* offset of each piece in .bytes */
	size_t last;			  /* index of the piece that was read last */
	uint8_t *bytes;			  /* NULL: nothing was fetched */
};

void wv_text_init(struct wv_text *text, const struct wv_device *device, bool original);
void wv_text_deinit(struct wv_text *text);

/*
 * Announces that @size bytes at @address will be read. If any announced bytes are not text, nothing
 * is fetched, and each read is a request of its own. So is the read of a piece that is too large
 * for a request of several pieces.
 */
int wv_text_want(struct wv_text *text, uint64_t address, size_t size, struct wv_error *error);

/* Fetches everything that was announced. Call it once. */
int wv_text_fetch(struct wv_text *text, struct wv_error *error);

/*
 * Reads from the fetched bytes, else from the kernel. -WV_E_REFUSED if the bytes are not text of
 * the kernel or a module. Fits .read of struct wv_text_reader; @text_ is a struct wv_text.
 */
int wv_text_read(void *text_, uint64_t address, void *buffer, size_t size, struct wv_error *error);

#endif /* WV_LIVE_TEXT_H */
