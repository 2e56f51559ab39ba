// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The decoder where Capstone alone is wrong; `make check-oracle-decode` compares a whole kernel
 * with objdump.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "x86/decode.h"

/* Lengths and names as objdump has them; a nop behind each, which must not be counted. */
static const struct {
	uint8_t bytes[6];
	size_t length;
	const char *text;
} samples[] = {
	{ { 0x0f, 0xb9, 0xcc, 0x90 }, 3, "ud1" },
	{ { 0x0f, 0x01, 0xe8, 0x90 }, 3, "serialize" },
	{ { 0x0f, 0x01, 0xee, 0x90 }, 3, "rdpkru" },
	{ { 0x0f, 0x01, 0xef, 0x90 }, 3, "wrpkru" },
	{ { 0x66, 0x0f, 0xae, 0xf1, 0x90 }, 4, "tpause" },
	{ { 0x90, 0x90 }, 1, "nop" },
};

static void test_unknown_to_capstone(void **state)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct wv_error error = { 0 };

	assert_int_equal(wv_decoder_create(&decoder, &error), 0);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const uint8_t *bytes = samples[i].bytes;
		struct wv_insn insn;
		char text[32];

		assert_int_equal(wv_decode_length(decoder, bytes, 6, 0), samples[i].length);
		assert_int_equal(wv_decode(decoder, bytes, 6, 0, &insn), samples[i].length);
		assert_int_equal(insn.kills, 0);
		assert_int_equal(insn.flow, i ? WR_FLOW_NEXT : WR_FLOW_TRAP);
		assert_int_equal(
			wv_decode_text(decoder, bytes, 6, 0, NULL, NULL, text, sizeof(text)),
			samples[i].length);
		assert_string_equal(text, samples[i].text);
	}
	/* Not whole. */
	assert_int_equal(wv_decode_length(decoder, samples[1].bytes, 2, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_unknown_to_capstone) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
