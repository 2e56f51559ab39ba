// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares, for every instruction of a kernel, whether and how it may be moved: as the weaver
 * decides it (with Capstone) and as weft.ko does (with the kernel's decoder, kmod/text/insn.c).
 * Usage: agree DB. kmod/text/insn-table.c decodes many instructions without the kernel's decoder;
 * its results are compared with that decoder's too, for each instruction as it is, and with a
 * random byte changed and its end cut off. x86-sweep.c does the same for all opcodes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/function-range.h"
#include "splice/refusal.h"
#include "x86/relocate.h"

/* KNOWN_LEAST: of 100 instructions, at least so many must be decoded by kmod/text/insn-table.c. */
enum { REPORTED_MOST = 20, INT3 = 0xcc, KNOWN_LEAST = 97 };

enum weft_refusal wk_insn_decode(unsigned long address, const uint8_t *bytes, unsigned int size,
				 struct wr_insn *ret);

int parts_agree(const uint8_t *bytes, unsigned int size);

static unsigned long compared, wrong, known, made;

static int compare_parts(const uint8_t *bytes, unsigned int size)
{
	int said = parts_agree(bytes, size);

	if (said >= 0 || ++wrong > REPORTED_MOST)
		return said;
	printf("the tables say otherwise than the kernel's decoder:");
	for (unsigned int i = 0; i < size; i++)
		printf(" %02x", bytes[i]);
	printf("\n");
	return said;
}

/*
 * Compares the decoders on the instruction with one random byte changed and cut off at a random
 * length.
 */
static void compare_damaged(const uint8_t *bytes, unsigned int size)
{
	static uint64_t state = 1;
	uint8_t damaged[WEFT_INSN_MAX];

	state = state * 6364136223846793005u + 1442695040888963407u;
	memcpy(damaged, bytes, size);
	damaged[(state >> 33) % size] = state >> 40;
	compare_parts(damaged, 1 + (state >> 48) % size);
	made++;
}

static void compare(struct wv_decoder *decoder, const uint8_t *bytes, size_t room, uint64_t address)
{
	struct wr_insn ours, theirs;
	unsigned int size = room < WEFT_INSN_MAX ? room : WEFT_INSN_MAX;
	enum weft_refusal our_word = wv_relocate(decoder, bytes, room, address, &ours);
	enum weft_refusal their_word = wk_insn_decode(address, bytes, size, &theirs);
	bool same = our_word == their_word && ours.length == theirs.length;

	if (same && our_word == WEFT_REFUSAL_NONE)
		same = ours.kind == theirs.kind && ours.ends == theirs.ends &&
		       ours.condition == theirs.condition &&
		       ours.modrm_offset == theirs.modrm_offset &&
		       ours.disp_offset == theirs.disp_offset && ours.target == theirs.target;
	compared++;
	known += compare_parts(bytes, size) > 0;
	compare_damaged(bytes, size);
	if (same || ++wrong > REPORTED_MOST)
		return;
	printf("%" PRIx64 ": weaver %s, length %u, kind %u; weft.ko %s, %u, %u:", address,
	       wv_refusal_name(our_word), ours.length, ours.kind, wv_refusal_name(their_word),
	       theirs.length, theirs.kind);
	for (unsigned int i = 0; i < size; i++)
		printf(" %02x", bytes[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_function_ranges_ struct wv_function_ranges *ranges = NULL;
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	const struct wv_image_text *kernel;
	struct wv_error error;
	char text[1200];

	if (argc != 2)
		return 2;
	if (wv_db_open(argv[1], &db, &error) || wv_function_ranges_create(db, &ranges, &error) ||
	    wv_decoder_create(&decoder, &error)) {
		fprintf(stderr, "agree: %s\n", wv_error_text(&error, text, sizeof(text)));
		return 1;
	}
	if (wv_function_ranges_text(ranges, 0, &kernel, &error))
		return 1;
	for (uint64_t at = kernel->areas.data[0].start; at < kernel->areas.data[0].end;) {
		const struct wv_function_range *range;
		const struct wv_displaceable *displaceable;
		uint8_t length;

		if (wv_function_ranges_at(ranges, at, &range, &error) || !range)
			return 1;
		displaceable = wv_chooser_displaceable(range->chooser);
		/*
		 * The text is followed by megabytes of int3, up to the end of its last large page.
		 * These are not compared.
		 */
		for (; (length = wv_displaceable_insn(displaceable, at).length); at += length)
			if (range->bytes[at - range->start] != INT3)
				compare(decoder, range->bytes + (at - range->start),
					range->end - at, at);
		at = range->end;
	}
	printf("%lu compared, of which the tables know %lu; and %lu that nobody wrote\n", compared,
	       known, made);
	if (known * 100 < compared * KNOWN_LEAST)
		wrong++;
	printf("%lu passed, %lu failed, 0 skipped\n", compared ? 1 - !!wrong : 0ul,
	       compared ? !!wrong : 1ul);
	return wrong || !compared;
}
