// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What may move, and how, by the weaver (Capstone, weaver/splice/relocate.c) and by weft.ko (the kernel's decoder, kmod/insn.c), for every
 * instruction of a kernel: agree DB.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joinpoint/extent.h"
#include "splice/refusal.h"
#include "splice/relocate.h"

enum { COMPLAINTS = 20, INT3 = 0xcc };

enum weft_refusal wk_insn_decode(unsigned long address, const uint8_t *bytes, unsigned int size, struct wr_insn *ret);

static unsigned long compared, wrong;

static void compare(struct wv_decoder *decoder, const uint8_t *bytes, size_t room, uint64_t address)
{
	struct wr_insn ours, theirs;
	unsigned int size = room < WEFT_INSN_MAX ? room : WEFT_INSN_MAX;
	enum weft_refusal our_word = wv_relocate(decoder, bytes, room, address, &ours);
	enum weft_refusal their_word = wk_insn_decode(address, bytes, size, &theirs);
	bool same = our_word == their_word && ours.length == theirs.length;

	if (same && our_word == WEFT_REFUSAL_NONE)
		same = ours.kind == theirs.kind && ours.ends == theirs.ends && ours.condition == theirs.condition &&
		       ours.modrm_offset == theirs.modrm_offset && ours.disp_offset == theirs.disp_offset &&
		       ours.target == theirs.target;
	compared++;
	if (same || ++wrong > COMPLAINTS)
		return;
	printf("%" PRIx64 ": weaver %s, length %u, kind %u; weft.ko %s, %u, %u:", address, wv_refusal_name(our_word), ours.length,
	       ours.kind, wv_refusal_name(their_word), theirs.length, theirs.kind);
	for (unsigned int i = 0; i < size; i++)
		printf(" %02x", bytes[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_extents_ struct wv_extents *extents = NULL;
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct wv_error error;
	char text[1200];

	if (argc != 2)
		return 2;
	if (wv_db_open(argv[1], &db, &error) || wv_extents_create(db, &extents, &error) || wv_decoder_create(&decoder, &error)) {
		fprintf(stderr, "agree: %s\n", wv_error_text(&error, text, sizeof(text)));
		return 1;
	}
	for (uint64_t at = wv_extents_start(extents); at < wv_extents_end(extents);) {
		const struct wv_extent *extent;
		const struct wv_windows *windows;
		uint8_t length;

		if (wv_extents_at(extents, at, &extent, &error) || !extent)
			return 1;
		windows = wv_chooser_windows(extent->chooser);
		/* Megabytes of int3 fill the room up to large pages. */
		for (; (length = wv_windows_spot(windows, at).length); at += length)
			if (extent->bytes[at - extent->start] != INT3)
				compare(decoder, extent->bytes + (at - extent->start), extent->end - at,
					at);
		at = extent->end;
	}
	printf("%lu compared\n%lu passed, %lu failed, 0 skipped\n", compared, compared ? 1 - !!wrong : 0ul, compared ? !!wrong : 1ul);
	return wrong || !compared;
}
