// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads pieces of live text before they are needed; see live-text.h. Merges pieces that adjoin or
 * overlap. One request reads as many pieces as fit into it, and the kernel stores their bytes one
 * after another.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "live/live-text.h"

enum { PIECE_MOST = 4096 };

void wv_text_init(struct wv_text *text, const struct wv_device *device, bool original)
{
	*text = (struct wv_text){ .device = device, .original = original };
}

void wv_text_deinit(struct wv_text *text)
{
	wv_vec_deinit(&text->pieces);
	wv_vec_deinit(&text->starts);
	free(text->bytes);
	text->bytes = NULL;
}

int wv_text_want(struct wv_text *text, uint64_t address, size_t size, struct wv_error *error)
{
	struct weft_piece *piece;

	if (!size || size > PIECE_MOST)
		return 0;
	piece = wv_vec_push(&text->pieces);
	if (!piece)
		return wv_no_memory(error);
	piece->address = address;
	piece->size = size;
	return 0;
}

static int by_address(const void *a_, const void *b_, void *context)
{
	const struct weft_piece *a = a_, *b = b_;

	return wv_order(a->address, b->address);
}

static void join(struct wv_text *text)
{
	size_t kept = 0;

	wv_vec_for_each (piece, &text->pieces) {
		struct weft_piece *last = kept ? &text->pieces.data[kept - 1] : NULL;
		uint64_t end = piece->address + piece->size;

		if (!last || piece->address > last->address + last->size ||
		    end - last->address > PIECE_MOST)
			text->pieces.data[kept++] = *piece;
		else if (end > last->address + last->size)
			last->size = end - last->address;
	}
	text->pieces.n = kept;
}

/* Fills text->starts, and sets *@ret to the number of bytes that all pieces have. */
static int place(struct wv_text *text, size_t *ret, struct wv_error *error)
{
	*ret = 0;
	wv_vec_for_each (piece, &text->pieces) {
		size_t *start = wv_vec_push(&text->starts);

		if (!start)
			return wv_no_memory(error);
		*start = *ret;
		*ret += piece->size;
	}
	return 0;
}

/* Returns how many pieces, from index @first on, fit into one request. */
static size_t count_batch(const struct wv_text *text, size_t first)
{
	size_t n = 0, bytes = 0;

	while (first + n < text->pieces.n && n < WEFT_PIECES_MAX) {
		bytes += text->pieces.data[first + n].size;
		if (bytes > WEFT_TEXT_MAX)
			break;
		n++;
	}
	return n;
}

int wv_text_fetch(struct wv_text *text, struct wv_error *error)
{
	size_t size, n;
	int err;

	if (!text->pieces.n)
		return 0;
	wv_sort(text->pieces.data, text->pieces.n, sizeof(*text->pieces.data), by_address, NULL);
	join(text);
	err = place(text, &size, error);
	if (err)
		return err;
	text->bytes = malloc(size);
	if (!text->bytes)
		return wv_no_memory(error);
	for (size_t i = 0; i < text->pieces.n && !err; i += n) {
		n = count_batch(text, i);
		err = wv_device_pieces(text->device, &text->pieces.data[i], n,
				       text->bytes + text->starts.data[i], text->original, error);
	}
	if (err == -WV_E_REFUSED) {
		/*
		 * One of the pieces is not text, so the kernel has refused the whole request.
		 * Forget what was fetched. Each piece will then be read by a request of its own,
		 * and only the one that is not text fails.
		 */
		wv_text_deinit(text);
		err = 0;
	}
	return err;
}

/* Returns the index of the last piece that begins at or before @address; 0 if none does. */
static size_t find(const struct wv_text *text, uint64_t address)
{
	size_t after = wv_vec_partition(&text->pieces, piece, piece->address <= address);

	return after ? after - 1 : 0;
}

static bool holds(const struct weft_piece *piece, uint64_t address, size_t size)
{
	return address >= piece->address && address - piece->address <= piece->size &&
	       size <= piece->size - (address - piece->address);
}

int wv_text_read(void *text_, uint64_t address, void *buffer, size_t size, struct wv_error *error)
{
	struct wv_text *text = text_;
	const struct weft_piece *pieces = text->pieces.data;

	if (!text->bytes)
		return wv_device_text(text->device, address, buffer, size, text->original, error);
	if (!holds(&pieces[text->last], address, size) &&
	    (text->last + 1 == text->pieces.n || !holds(&pieces[++text->last], address, size)))
		text->last = find(text, address);
	if (!holds(&pieces[text->last], address, size))
		return wv_device_text(text->device, address, buffer, size, text->original, error);
	memcpy(buffer,
	       text->bytes + text->starts.data[text->last] + (address - pieces[text->last].address),
	       size);
	return 0;
}
