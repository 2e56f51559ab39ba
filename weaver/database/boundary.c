// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks whether offsets are first bytes of instructions; see boundary.h. Since instructions have
 * different lengths, this needs decoding from the function's start.
 */
#include "x86/decode.h"
#include "base/notation.h"
#include "database/boundary.h"
#include "database/db.h"
#include "database/db-handle.h"

/*
 * The two instructions around an offset, each as its distance from the function's start in bytes.
 * .at: the last instruction that begins at or before the offset.
 * .next: the instruction that follows .at.
 */
struct around {
	uint64_t at, next;
};

static struct around find(struct wv_db *db, struct wv_decoder *decoder,
			  const struct wv_match *match)
{
	uint64_t start = match->address - db->text_address - match->symbol_offset;
	struct around around = { 0 };

	for (;;) {
		uint8_t bytes[WEFT_INSN_MAX];
		size_t n = wv_db_bytes(db, start + around.at, bytes, sizeof(bytes));
		size_t length = wv_decode_length(decoder, bytes, n, 0);

		/* If no instruction begins at a byte, skip this byte only, as disassemblers do. */
		around.next = around.at + (length ? length : 1);
		if (!n || around.next > match->symbol_offset)
			return around;
		around.at = around.next;
	}
}

int wv_db_check_boundaries(struct wv_db *db, struct wv_matches *matches, struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	int ret = wv_decoder_create(&decoder, error);
	size_t kept = 0;

	for (size_t i = 0; i < matches->list.n && !ret; i++) {
		const struct wv_match *match = &matches->list.data[i];
		struct around around = find(db, decoder, match);

		if (around.at == match->symbol_offset)
			matches->list.data[kept++] = *match;
		else if (!kept && i + 1 == matches->list.n)
			ret = wv_fail(error, WV_E_NO_MATCH,
				      "%s is inside an instruction; the nearest are %s and %s",
				      wv_symbol_text(match->symbol, match->symbol_offset).text,
				      wv_symbol_text(match->symbol, around.at).text,
				      wv_symbol_text(match->symbol, around.next).text);
	}
	if (!ret)
		matches->list.n = kept;
	return ret;
}
