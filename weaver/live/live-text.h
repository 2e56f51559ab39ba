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
	bool original; /* read the text as it would be without weft's splices */
	/* what was announced; after the fetch: by address, without pieces that touch */
	WV_VEC(struct weft_piece) pieces;
	WV_VEC(size_t) starts;		  /* offset of each piece in .bytes */
	size_t last;			  /* index of the piece that was read last */
	uint8_t *bytes;			  /* the fetched text; NULL: nothing was fetched */
};

void wv_text_init(struct wv_text *text, const struct wv_device *device, bool original);
void wv_text_deinit(struct wv_text *text);

/*
 * Announces that @size bytes at @address will be read. If any announced bytes are not text,
 * wv_text_fetch() fetches nothing, and each read is a request of its own. A read of more bytes than
 * a request for several pieces may have is always a request of its own.
 */
int wv_text_want(struct wv_text *text, uint64_t address, size_t size, struct wv_error *error);

/* Fetches everything that was announced. Call it once. */
int wv_text_fetch(struct wv_text *text, struct wv_error *error);

/*
 * Copies @size bytes of text at @address to @buffer: from the fetched bytes or, if these do not
 * have them, from the kernel. Returns -WV_E_REFUSED if they are not text of the kernel or of a
 * module. The function has the type of .read in struct wv_text_reader; @text_ is a struct wv_text.
 */
int wv_text_read(void *text_, uint64_t address, void *buffer, size_t size, struct wv_error *error);

#endif /* WV_LIVE_TEXT_H */
