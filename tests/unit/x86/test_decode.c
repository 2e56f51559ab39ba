// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the decoder where Capstone alone is wrong, and what it says of instructions that make an
 * address. `make check-oracle-decode` compares all instructions of a kernel with objdump's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "x86/decode.h"

/*
 * Lengths and names as objdump prints them. A nop follows each instruction and must not be counted.
 */
static const struct {
	uint8_t bytes[12];
	size_t length;
	const char *text;
} samples[] = {
	{ { 0x0f, 0xb9, 0xcc, 0x90 }, 3, "ud1" },
	{ { 0x0f, 0x01, 0xe8, 0x90 }, 3, "serialize" },
	{ { 0x0f, 0x01, 0xee, 0x90 }, 3, "rdpkru" },
	{ { 0x0f, 0x01, 0xef, 0x90 }, 3, "wrpkru" },
	{ { 0x66, 0x0f, 0xae, 0xf1, 0x90 }, 4, "tpause" },
	{ { 0x66, 0x0f, 0x01, 0xcc, 0x90 }, 4, "tdcall" },
	{ { 0x66, 0x0f, 0x01, 0xcf, 0x90 }, 4, "seamcall" },
	{ { 0x0f, 0x01, 0xfe, 0x90 }, 3, "invlpgb" },
	{ { 0xf2, 0x0f, 0x01, 0xfe, 0x90 }, 4, "rmpupdate" },
	{ { 0xf3, 0x0f, 0x01, 0xfe, 0x90 }, 4, "rmpadjust" },
	{ { 0x0f, 0x01, 0xff, 0x90 }, 3, "tlbsync" },
	{ { 0xf2, 0x0f, 0x01, 0xff, 0x90 }, 4, "pvalidate" },
	{ { 0xf3, 0x0f, 0x01, 0xff, 0x90 }, 4, "psmash" },
	{ { 0x66, 0x0f, 0x38, 0xf5, 0x4d, 0x08, 0x90 }, 6, "wrussd" },
	{ { 0x66, 0x48, 0x0f, 0x38, 0xf5, 0x5d, 0x00, 0x90 }, 7, "wrussq" },
	{ { 0xc4, 0xe2, 0x7d, 0x5a, 0x79, 0xf0, 0x90 }, 6, "vbroadcasti128" },
	{ { 0xc4, 0xe3, 0x7d, 0x44, 0xe7, 0x11, 0x90 }, 6, "vpclmulqdq" },
	{ { 0x62, 0xf1, 0x75, 0x08, 0x72, 0xc1, 0x10, 0x90 }, 7, "vprord" },
	{ { 0x62, 0xf1, 0xf5, 0x08, 0x72, 0xc1, 0x10, 0x90 }, 7, "vprorq" },
	{ { 0x62, 0xf1, 0x75, 0x08, 0x72, 0xc9, 0x10, 0x90 }, 7, "vprold" },
	{ { 0x62, 0xf1, 0xf5, 0x08, 0x72, 0xc9, 0x10, 0x90 }, 7, "vprolq" },
	{ { 0x62, 0xf2, 0x75, 0x48, 0x00, 0xce, 0x90 }, 6, "vpshufb" },
	{ { 0x62, 0x72, 0x4d, 0x28, 0x76, 0xcf, 0x90 }, 6, "vpermi2d" },
	{ { 0x62, 0x72, 0xcd, 0x28, 0x76, 0xcf, 0x90 }, 6, "vpermi2q" },
	{ { 0x62, 0xf3, 0xd5, 0x48, 0x25, 0xc4, 0x96, 0x90 }, 7, "vpternlogq" },
	{ { 0x62, 0xf3, 0xdd, 0x48, 0x25, 0x4e, 0x01, 0x96, 0x90 }, 8, "vpternlogq" },
	{ { 0x62, 0xd3, 0x65, 0x08, 0x25, 0xcb, 0x96, 0x90 }, 7, "vpternlogd" },
	{ { 0x62, 0xf3, 0x7d, 0x48, 0x44, 0xe7, 0x11, 0x90 }, 7, "vpclmulqdq" },
	{ { 0x90, 0x90 }, 1, "nop" },
};

/*
 * Bytes that are no instruction, or another one than Capstone says, because of a prefix, of W in
 * it, or of the reg field of ModRM.
 */
static const uint8_t none[][8] = {
	{ 0x62, 0xf3, 0xd4, 0x48, 0x25, 0xc4, 0x96, 0x90 }, /* vpternlogq without 66 */
	{ 0x62, 0xf3, 0x7e, 0x48, 0x44, 0xe7, 0x11, 0x90 }, /* vpclmulqdq with f3 */
	{ 0x62, 0xf1, 0x75, 0x08, 0x72, 0xd9, 0x10, 0x90 }, /* vprord's opcode with /3 */
	{ 0xc4, 0xe2, 0xfd, 0x5a, 0x79, 0xf0, 0x90 },	    /* vbroadcasti128 with W */
	{ 0xf2, 0x66, 0x48, 0x0f, 0x38, 0xf5, 0x5d, 0x00 }, /* wrussq with f2 */
};

static void test_unknown_to_capstone(void **state)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct wv_error error = { 0 };

	assert_int_equal(wv_decoder_create(&decoder, &error), 0);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const uint8_t *bytes = samples[i].bytes;
		const size_t n = sizeof(samples[i].bytes);
		struct wv_insn insn;
		char text[32];

		assert_int_equal(wv_decode_length(decoder, bytes, n, 0), samples[i].length);
		assert_int_equal(wv_decode(decoder, bytes, n, 0, &insn), samples[i].length);
		assert_int_equal(insn.kills, 0);
		assert_int_equal(insn.control, i ? WR_CONTROL_NEXT : WR_CONTROL_TRAP);
		assert_int_equal(
			wv_decode_text(decoder, bytes, n, 0, NULL, NULL, text, sizeof(text)),
			samples[i].length);
		assert_string_equal(text, samples[i].text);
	}
	/* An instruction that is cut off must count as none. */
	assert_int_equal(wv_decode_length(decoder, samples[1].bytes, 2, 0), 0);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_int_equal(wv_decode_length(decoder, none[i], sizeof(none[i]), 0), 0);
}

/* Instructions that make an address, and how the decoder must understand them. */
static const struct {
	uint8_t bytes[10]; /* The bytes of the instruction. */
	struct wv_made_address made; /* .address holds if the instruction is at 0x1000. */
} made_by[] = {
	/* lea 0x210(%rbx), %rax */
	{ { 0x48, 0x8d, 0x83, 0x10, 0x02, 0x00, 0x00 },
	  { .base = 3, .index = WV_NO_REGISTER, .scale = 1, .displacement = 0x210, .made = 0 } },
	/* lea 0x10(%rdi,%rsi,4), %r13 */
	{ { 0x4c, 0x8d, 0x6c, 0xb7, 0x10 },
	  { .base = 7, .index = 6, .scale = 4, .displacement = 0x10, .made = 13 } },
	/* lea 0x100(%rip), %rdi */
	{ { 0x48, 0x8d, 0x3d, 0x00, 0x01, 0x00, 0x00 },
	  { .base = WV_NO_REGISTER, .index = WV_NO_REGISTER, .scale = 1, .displacement = 0x100,
	    .relative = true, .address = 0x1107, .made = 7 } },
	/* add $0x170, %rdi */
	{ { 0x48, 0x81, 0xc7, 0x70, 0x01, 0x00, 0x00 },
	  { .base = 7, .index = WV_NO_REGISTER, .displacement = 0x170, .made = 7 } },
	/* sub $-0x80, %rdi: shorter than the add of 0x80 */
	{ { 0x48, 0x83, 0xef, 0x80 },
	  { .base = 7, .index = WV_NO_REGISTER, .displacement = 0x80, .made = 7 } },
	/* mov $0xffffffff82000010, %rsi */
	{ { 0x48, 0xc7, 0xc6, 0x10, 0x00, 0x00, 0x82 },
	  { .base = WV_NO_REGISTER, .index = WV_NO_REGISTER, .relative = true,
	    .address = 0xffffffff82000010, .made = 6 } },
};

static const uint8_t makes_none[][8] = {
	{ 0x83, 0xc7, 0x10 },		  /* add $0x10, %edi */
	{ 0x48, 0x8b, 0x47, 0x10 },	  /* mov 0x10(%rdi), %rax */
	{ 0x48, 0x83, 0x47, 0x10, 0x01 }, /* addq $1, 0x10(%rdi) */
	{ 0x48, 0x01, 0xf7 },		  /* add %rsi, %rdi */
	{ 0xc3 },			  /* ret */
};

static void test_made_address(void **state)
{
	struct wv_decoder *decoder;
	struct wv_error error;

	assert_int_equal(wv_decoder_create(&decoder, &error), 0);
	for (size_t i = 0; i < sizeof(made_by) / sizeof(*made_by); i++) {
		const struct wv_made_address *want = &made_by[i].made;
		struct wv_made_address made;

		assert_true(wv_decode_made_address(decoder, made_by[i].bytes,
						   sizeof(made_by[i].bytes), 0x1000, &made));
		assert_int_equal(made.base, want->base);
		assert_int_equal(made.index, want->index);
		assert_int_equal(made.displacement, want->displacement);
		assert_int_equal(made.relative, want->relative);
		assert_int_equal(made.address, want->relative ? want->address : made.address);
		assert_int_equal(made.made, want->made);
	}
	for (size_t i = 0; i < sizeof(makes_none) / sizeof(*makes_none); i++) {
		struct wv_made_address made;

		assert_false(wv_decode_made_address(decoder, makes_none[i], sizeof(makes_none[i]),
						    0x1000, &made));
	}
	wv_decoder_destroy(decoder);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_unknown_to_capstone),
					     cmocka_unit_test(test_made_address) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
