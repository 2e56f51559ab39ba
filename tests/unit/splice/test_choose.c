// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the choice of splices: each kind, and what makes a better kind impossible; shadows that
 * share displaced ranges; springboard slots and donors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "splice/choose.h"

#define START 0xffffffff81000000ull
#define NR(array) (sizeof(array) / sizeof((array)[0]))

struct setup {
	struct wv_decoder *decoder;
	struct wv_chooser *chooser;
	wv_slots slots;
	bool donors;
};

static enum wv_callee callee(void *context, uint64_t address, unsigned int *register_ret)
{
	return WV_CALLEE_UNKNOWN;
}

static struct wv_function_info function_of(const uint8_t *bytes, size_t size)
{
	return (struct wv_function_info){ .start = START,
					  .bytes = bytes,
					  .size = size,
					  .closed = true,
					  .resolved = true,
					  .callee = callee };
}

static void build(struct setup *setup, const struct wv_function_info *function,
		  const uint64_t *outside, size_t nr_outside)
{
	struct wv_error error = { 0 };

	*setup = (struct setup){ 0 };
	assert_int_equal(wv_decoder_create(&setup->decoder, &error), 0);
	assert_int_equal(wv_chooser_create(function, outside, nr_outside, setup->decoder,
					   &setup->chooser, &error),
			 0);
}

static void drop(struct setup *setup)
{
	wv_vec_deinit(&setup->slots);
	wv_chooser_destroy(setup->chooser);
	wv_decoder_destroy(setup->decoder);
}

static void choose(struct setup *setup, struct wv_choice *choices, size_t n)
{
	const struct wv_slot_source source = { .paddings = wv_chooser_padding(setup->chooser),
					       .slots = &setup->slots,
					       .donors = setup->donors };
	struct wv_error error = { 0 };

	assert_int_equal(wv_choose(setup->chooser, &source, choices, n, &error), 0);
}

static struct wv_choice choose_one(struct setup *setup, size_t offset)
{
	struct wv_choice choice = { .address = START + offset };

	setup->slots.n = 0;
	choose(setup, &choice, 1);
	return choice;
}

static void expect(const struct wv_choice *choice, enum wv_splice splice, unsigned int before,
		   unsigned int displaced, unsigned int instructions)
{
	assert_int_equal(choice->splice, splice);
	assert_int_equal(choice->before, before);
	assert_int_equal(choice->displaced, displaced);
	assert_int_equal(choice->instructions, instructions);
}

static void expect_alone(struct setup *setup, size_t offset, enum wv_splice splice,
			 unsigned int before, unsigned int displaced, unsigned int instructions)
{
	struct wv_choice choice = choose_one(setup, offset);

	expect(&choice, splice, before, displaced, instructions);
}

static const uint8_t plain[] = {
	0x55,			/*  0 push %rbp */
	0x48, 0x89, 0xe5,	/*  1 mov %rsp,%rbp */
	0xb8, 1, 0, 0, 0,	/*  4 mov $1,%eax */
	0xe8, 0, 1, 0, 0,	/*  9 call far away */
	0x89, 0xc3,		/* 14 mov %eax,%ebx */
	0x74, 0x05,		/* 16 je 23 */
	0x5b,			/* 18 pop %rbx */
	0x5d,			/* 19 pop %rbp */
	0xff, 0xd0,		/* 20 call *%rax */
	0x90,			/* 22 nop */
	0x5b,			/* 23 pop %rbx */
	0x5d,			/* 24 pop %rbp */
	0xc3,			/* 25 ret */
};

static void test_order(void **state)
{
	struct wv_function_info function = function_of(plain, sizeof(plain));
	struct setup setup;

	build(&setup, &function, NULL, 0);
	expect_alone(&setup, 9, WV_SPLICE_CALL, 0, 5, 1);
	expect_alone(&setup, 4, WV_SPLICE_JUMP, 0, 5, 1);
	expect_alone(&setup, 0, WV_SPLICE_JUMP, 0, 9, 3);
	/* The range at 14 has a conditional branch in it, and begins right after a call. */
	expect_alone(&setup, 14, WV_SPLICE_JUMP, 0, 5, 3);
	/*
	 * From 18 and 20 on there is too little room, since the call at 20 must be the last
	 * instruction of a range. So the range begins at 16.
	 */
	expect_alone(&setup, 18, WV_SPLICE_JUMP, 2, 6, 4);
	expect_alone(&setup, 20, WV_SPLICE_JUMP, 4, 6, 4);
	/*
	 * A branch leads to 23 and a call returns to 22, so there is room neither before nor after.
	 */
	expect_alone(&setup, 22, WV_SPLICE_TRAP, 0, 1, 1);
	expect_alone(&setup, 24, WV_SPLICE_TRAP, 0, 1, 1);
	drop(&setup);
}

static void test_refused(void **state)
{
	static const uint8_t bytes[] = {
		0xf3, 0x0f, 0x1e, 0xfa,		   /*  0 endbr64 */
		0xe8, 0xf7, 0, 0, 0,		   /*  4 call START + 0x100 */
		0x0f, 0x0b,			   /*  9 ud2 */
		0xfb,				   /* 11 sti */
		0xe9, 0, 0, 0, 0,		   /* 12 jump label */
		0x8a, 0x07,			   /* 17 mov (%rdi),%al */
		0x0f, 0x1f, 0x44, 0x00, 0x00,	   /* 19 nop */
		0x90,				   /* 24 nop */
	};
	static const struct wv_rewritten rewritten[] = {
		{ .address = START + 12,
		  .size = 5,
		  .jumps = true,
		  .target = START + 17,
		  .refusal = WEFT_REFUSAL_JUMP_LABEL },
		{ .address = START + 17, .target = START + 24, .refusal = WEFT_REFUSAL_EXCEPTION },
		{ .address = START + 19, .size = 5 },
	};
	static const struct wv_blacklist blacklisted[] = { { START + 24, START + 25,
							     WEFT_REFUSAL_BLACKLISTED } };
	static const struct {
		size_t offset;
		enum weft_refusal refusal;
	} expected[] = {
		{ 0, WEFT_REFUSAL_ENDBR },
		{ 1, WEFT_REFUSAL_BOUNDARY },
		{ 4, WEFT_REFUSAL_FTRACE },
		{ 9, WEFT_REFUSAL_BREAKPOINT },
		{ 11, WEFT_REFUSAL_UNRELOCATABLE },
		/* The jump label, whose target is at 17. */
		{ 12, WEFT_REFUSAL_JUMP_LABEL },
		{ 17, WEFT_REFUSAL_EXCEPTION },
		{ 24, WEFT_REFUSAL_BLACKLISTED },
		{ 25, WEFT_REFUSAL_BOUNDARY },
	};
	struct wv_function_info function = function_of(bytes, sizeof(bytes));
	struct setup setup;

	function.fentry = START + 0x100;
	function.rewritten = rewritten;
	function.nr_rewritten = NR(rewritten);
	function.blacklist = blacklisted;
	function.nr_blacklist = NR(blacklisted);
	build(&setup, &function, NULL, 0);
	for (size_t i = 0; i < NR(expected); i++) {
		struct wv_choice choice = choose_one(&setup, expected[i].offset);

		assert_int_equal(choice.splice, WV_SPLICE_REFUSED);
		assert_int_equal(choice.refusal, expected[i].refusal);
	}
	/*
	 * The kernel writes these bytes at boot. They count as one instruction, because that is
	 * what the kernel will have written there.
	 */
	expect_alone(&setup, 19, WV_SPLICE_JUMP, 0, 5, 1);
	drop(&setup);
}

static void test_branch_targets(void **state)
{
	static const uint64_t outside[] = { START + 1, START + 6 };
	struct wv_function_info function = function_of(plain, sizeof(plain));
	struct wv_choice choice;
	struct setup setup;

	build(&setup, &function, outside, NR(outside));
	choice = choose_one(&setup, 0);
	expect(&choice, WV_SPLICE_TRAP, 0, 1, 1);
	assert_int_equal(choice.forward.answer, WV_DISPLACE_BRANCH_TARGET);
	assert_int_equal(choice.forward.address, START + 1);
	assert_int_equal(choice.back.answer, WV_DISPLACE_END);
	/*
	 * A branch target may be the first byte of a displaced range, but none may be inside an
	 * instruction of it.
	 */
	choice = choose_one(&setup, 1);
	expect(&choice, WV_SPLICE_TRAP, 0, 3, 1);
	assert_int_equal(choice.forward.answer, WV_DISPLACE_BRANCH_TARGET);
	choice = choose_one(&setup, 4);
	expect(&choice, WV_SPLICE_TRAP, 0, 5, 1);
	expect_alone(&setup, 9, WV_SPLICE_CALL, 0, 5, 1);
	drop(&setup);
}

static void test_limits(void **state)
{
	/*
	 * Ten pushes and a ret. A range that goes back from one of the last two instructions has
	 * only as many instructions as a jump needs.
	 */
	static const uint8_t many[] = { 0x50, 0x50, 0x50, 0x50, 0x50, 0x50,
					0x50, 0x50, 0x50, 0x50, 0xc3 };
	/*
	 * The instructions have 1, 13 and 12 bytes. A jump at the first displaces all of the
	 * second, so the range is much longer than the jump.
	 */
	static const uint8_t length[] = {
		/* lock addw at %fs */
		0x50, 0x64, 0x67, 0x66, 0xf0, 0x81, 0x84, 0x24, 1, 2, 3, 4, 5, 6,
		0x48, 0x81, 0x84, 0x24, 1, 2, 3, 4, 5, 6, 7, 8,
	};
	struct wv_function_info function = function_of(many, sizeof(many));
	struct setup setup;

	build(&setup, &function, NULL, 0);
	expect_alone(&setup, 0, WV_SPLICE_JUMP, 0, 5, 5);
	expect_alone(&setup, 9, WV_SPLICE_JUMP, 3, 5, 5);
	expect_alone(&setup, 10, WV_SPLICE_JUMP, 4, 5, 5);
	drop(&setup);
	function = function_of(length, sizeof(length));
	build(&setup, &function, NULL, 0);
	expect_alone(&setup, 0, WV_SPLICE_JUMP, 0, 14, 2);
	drop(&setup);
}

/* Shadows of one aspect must share displaced ranges, or the ranges must not overlap. */
static void test_together(void **state)
{
	static const uint8_t pushes[] = {
		0x50, 0x51, 0x52, 0x53, 0x55, 0x56, 0x57, /* 0 to 6: push */
		0xc3,					  /* 7 ret */
	};
	struct wv_function_info function = function_of(pushes, sizeof(pushes));
	struct wv_choice all[] = { { .address = START },     { .address = START + 1 },
				   { .address = START + 4 }, { .address = START + 5 },
				   { .address = START + 5 }, { .address = START + 7 } };
	struct wv_choice late[] = { { .address = START + 2 }, { .address = START + 7 } };
	struct setup setup;

	build(&setup, &function, NULL, 0);
	choose(&setup, all, NR(all));
	/*
	 * After the first displaced range there is too little room for another one, so the first is
	 * made longer.
	 */
	for (size_t i = 0; i < NR(all); i++)
		expect(&all[i], WV_SPLICE_JUMP, all[i].address - START, 8, 8);
	/*
	 * From 2 on there is room for a range of five bytes, which is extended to the shadow at 7.
	 */
	choose(&setup, late, NR(late));
	expect(&late[0], WV_SPLICE_JUMP, 0, 6, 6);
	expect(&late[1], WV_SPLICE_JUMP, 5, 6, 6);
	drop(&setup);
}

/* A refused shadow between others must be in no displaced range. */
static void test_refused_among_others(void **state)
{
	static const uint8_t bytes[] = { 0x50, 0x51, 0xfb, 0x52, 0x53, 0xb8, 1, 0, 0, 0, 0xc3 };
	struct wv_function_info function = function_of(bytes, sizeof(bytes));
	struct wv_choice choices[] = { { .address = START + 1 },
				       { .address = START + 2 },
				       { .address = START + 3 },
				       { .address = START + 4 },
				       { .address = START + 5 } };
	struct setup setup;

	build(&setup, &function, NULL, 0);
	choose(&setup, choices, NR(choices));
	expect(&choices[0], WV_SPLICE_TRAP, 0, 1, 1);
	assert_int_equal(choices[0].forward.answer, WV_DISPLACE_FIXED);
	/* The range before the sti ends right at the sti. */
	expect(&choices[1], WV_SPLICE_TRAP, 1, 1, 1);
	assert_true(choices[1].attaches_before);
	assert_int_equal(choices[1].refusal, WEFT_REFUSAL_UNRELOCATABLE);
	expect(&choices[2], WV_SPLICE_JUMP, 0, 7, 3);
	expect(&choices[3], WV_SPLICE_JUMP, 1, 7, 3);
	expect(&choices[4], WV_SPLICE_JUMP, 2, 7, 3);
	drop(&setup);
}

static const uint8_t owned[] = {
	0x50,			      /*  0 push %rax */
	0x89, 0xc3,		      /*  1 mov %eax,%ebx */
	0x74, 0x0b,		      /*  3 je 16 */
	0x0f, 0x1f, 0x44, 0x00, 0x00, /*  5 jump label */
	0x53,			      /* 10 push %rbx */
	0x0f, 0x0b,		      /* 11 ud2 */
	0x0f, 0x0b,		      /* 13 ud2 */
	0x51,			      /* 15 push %rcx */
	0x0f, 0x0b,		      /* 16 ud2 */
	0xe8, 0x00, 0x01, 0x00, 0x00, /* 18 call far away */
	0x0f, 0x0b,		      /* 23 ud2 */
};
static const struct wv_rewritten owned_label[] = {
	{ .address = START + 5,
	  .size = 5,
	  .jumps = true,
	  .target = START + 16,
	  .refusal = WEFT_REFUSAL_JUMP_LABEL },
};

static struct wv_function_info function_with_owned(void)
{
	struct wv_function_info function = function_of(owned, sizeof(owned));

	function.rewritten = owned_label;
	function.nr_rewritten = 1;
	return function;
}

static void expect_refused(struct setup *setup, size_t offset, enum weft_refusal refusal)
{
	struct wv_choice choice = choose_one(setup, offset);

	assert_int_equal(choice.splice, WV_SPLICE_REFUSED);
	assert_int_equal(choice.refusal, refusal);
	assert_false(choice.attaches_before);
}

/*
 * If a shadow's own instruction cannot be displaced, its advice is attached before it: a displaced
 * range ends right before the shadow. Control must reach the shadow only from that range.
 */
static void test_attach_before(void **state)
{
	struct wv_function_info function = function_with_owned();
	const uint64_t branch_target = START + 5;
	struct wv_choice choice;
	struct setup setup;

	build(&setup, &function, NULL, 0);
	choice = choose_one(&setup, 5);
	expect(&choice, WV_SPLICE_JUMP, 5, 5, 3);
	assert_true(choice.attaches_before);
	assert_int_equal(choice.refusal, WEFT_REFUSAL_JUMP_LABEL);
	/*
	 * At 11, advice is attached before by a trap, since a longer range would have to include
	 * the jump label. The others are refused: the instruction before 13 cannot be moved, a
	 * branch leads to 16, and a call returns to 23.
	 */
	expect_alone(&setup, 11, WV_SPLICE_TRAP, 1, 1, 1);
	expect_refused(&setup, 13, WEFT_REFUSAL_BREAKPOINT);
	expect_refused(&setup, 16, WEFT_REFUSAL_BREAKPOINT);
	expect_refused(&setup, 23, WEFT_REFUSAL_BREAKPOINT);
	drop(&setup);
	build(&setup, &function, &branch_target, 1);
	expect_refused(&setup, 5, WEFT_REFUSAL_JUMP_LABEL);
	drop(&setup);
	/*
	 * If it is unknown where the function's branches lead, one of them may lead to the shadow.
	 */
	function.assembler = true;
	function.closed = false;
	build(&setup, &function, NULL, 0);
	expect_refused(&setup, 5, WEFT_REFUSAL_JUMP_LABEL);
	drop(&setup);
}

/*
 * Chooses splices for several shadows, of which one has its advice attached before it. The
 * displaced range of that advice ends at the shadow. Ranges of the shadows in front of it must be
 * the same range, extended up to there if necessary.
 */
static void test_attach_before_together(void **state)
{
	struct wv_function_info function = function_with_owned();
	struct wv_choice all[] = { { .address = START },
				   { .address = START + 3 },
				   { .address = START + 5 },
				   { .address = START + 5 } };
	struct wv_choice late[] = { { .address = START + 1 }, { .address = START + 5 } };
	struct wv_choice between[] = { { .address = START + 10 }, { .address = START + 11 } };
	struct setup setup;

	build(&setup, &function, NULL, 0);
	choose(&setup, all, NR(all));
	for (size_t i = 0; i < NR(all); i++) {
		expect(&all[i], WV_SPLICE_JUMP, all[i].address - START, 5, 3);
		assert_int_equal(all[i].attaches_before, i > 1);
	}
	choose(&setup, late, NR(late));
	expect(&late[0], WV_SPLICE_JUMP, 1, 5, 3);
	expect(&late[1], WV_SPLICE_JUMP, 5, 5, 3);
	choose(&setup, between, NR(between));
	expect(&between[0], WV_SPLICE_TRAP, 0, 1, 1);
	expect(&between[1], WV_SPLICE_TRAP, 1, 1, 1);
	drop(&setup);
}

enum { FAR = 200 };

/*
 * Makes a long function: at 0 push %rax and a jmp to 3; at 3 push %rax and a jmp to 6; from there
 * two-byte moves up to FAR; then ret and 16 bytes of padding, which are @filling.
 */
static size_t make_far(uint8_t *bytes, uint8_t filling)
{
	static const uint8_t head[] = { 0x50, 0xeb, 0x00, 0x50, 0xeb, 0x00 };
	size_t n = sizeof(head);

	memcpy(bytes, head, n);
	while (n < FAR) {
		bytes[n++] = 0x89; /* mov %eax,%ebx */
		bytes[n++] = 0xc3;
	}
	bytes[n++] = 0xc3;
	memset(bytes + n, filling, 16);
	return n + 16;
}

static void test_springboard(void **state)
{
	uint8_t bytes[FAR + 32];
	struct wv_function_info function = function_of(bytes, make_far(bytes, 0x90));
	uint64_t branch_targets[FAR / 2];
	struct wv_choice choices[3];
	const wv_padding_list *paddings;
	struct setup setup;

	/* Every move is a branch target, so no displaced range can have more than two bytes. */
	for (size_t i = 0; i < NR(branch_targets); i++)
		branch_targets[i] = START + 6 + 2 * i;
	build(&setup, &function, branch_targets, (FAR - 6) / 2 + 1);
	paddings = wv_chooser_padding(setup.chooser);
	assert_int_equal(paddings->n, 1);
	assert_int_equal(paddings->data[0].start, START + FAR + 1);
	assert_int_equal(paddings->data[0].end, START + FAR + 17);
	/* The slot is at FAR + 1, and a springboard reaches 127 bytes from its end. */
	expect_alone(&setup, FAR + 1 - 127 - 2, WV_SPLICE_SPRINGBOARD, 0, 2, 1);
	expect_alone(&setup, FAR + 1 - 127 - 2 - 2, WV_SPLICE_TRAP, 0, 2, 1);
	/* Sixteen bytes have room for three slots of five bytes. */
	for (size_t i = 0; i < 3; i++)
		choices[i] = (struct wv_choice){ .address = START + FAR - 20 + 2 * i };
	setup.slots.n = 0;
	choose(&setup, choices, 3);
	for (size_t i = 0; i < 3; i++) {
		expect(&choices[i], WV_SPLICE_SPRINGBOARD, 0, 2, 1);
		assert_int_equal(choices[i].slot, START + FAR + 1 + 5 * i);
		assert_int_equal(wv_choice_slot(&choices[i]),
				 choices[i].slot - choices[i].address - 2);
		assert_int_equal(choices[i].donor, 0);
	}
	/* The fourth shadow, which is chosen in a later call, gets no slot. */
	choices[0] = (struct wv_choice){ .address = START + FAR - 2 };
	choose(&setup, choices, 1);
	expect(&choices[0], WV_SPLICE_TRAP, 0, 2, 1);
	assert_true(choices[0].no_slot);
	drop(&setup);
}

/* The first int3 after a return must stay, and bytes that are a branch target are no padding. */
static void test_padding(void **state)
{
	uint8_t bytes[FAR + 32];
	struct wv_function_info function = function_of(bytes, make_far(bytes, 0xcc));
	const uint64_t branch_target = START + FAR + 8;
	const wv_padding_list *paddings;
	struct setup setup;

	build(&setup, &function, &branch_target, 1);
	paddings = wv_chooser_padding(setup.chooser);
	assert_int_equal(paddings->n, 1);
	assert_int_equal(paddings->data[0].start, START + FAR + 2);
	assert_int_equal(paddings->data[0].end, START + FAR + 8);
	drop(&setup);
}

/* What follows a jump is padding, unless the jump is a jump label that may become a nop. */
static void test_label_padding(void **state)
{
	/* A jmp over five nops, and a ret. */
	static const uint8_t bytes[] = { 0xeb, 0x05, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3 };
	struct wv_function_info function = function_of(bytes, sizeof(bytes));
	const struct wv_rewritten label = { .address = START,
					    .size = 2,
					    .refusal = WEFT_REFUSAL_JUMP_LABEL };
	struct setup setup;

	build(&setup, &function, NULL, 0);
	assert_int_equal(wv_chooser_padding(setup.chooser)->n, 1);
	assert_int_equal(wv_chooser_padding(setup.chooser)->data[0].start, START + 2);
	assert_int_equal(wv_chooser_padding(setup.chooser)->data[0].end, START + 7);
	drop(&setup);
	function.rewritten = &label;
	function.nr_rewritten = 1;
	build(&setup, &function, NULL, 0);
	assert_int_equal(wv_chooser_padding(setup.chooser)->n, 0);
	drop(&setup);
}

static void test_donors(void **state)
{
	uint8_t bytes[FAR + 32];
	struct wv_function_info function = function_of(bytes, make_far(bytes, 0xcc));
	struct wv_choice choices[] = { { .address = START + 1 },
				       { .address = START + 8 },
				       { .address = START + 40 } };
	const uint64_t branch_targets[] = { START + 1, START + 3, START + 6, START + 7 };
	struct setup setup;

	build(&setup, &function, branch_targets, NR(branch_targets));
	/* The padding is out of reach. */
	expect_alone(&setup, 1, WV_SPLICE_TRAP, 0, 2, 1);
	setup.donors = true;
	setup.slots.n = 0;
	choose(&setup, choices, NR(choices));
	expect(&choices[0], WV_SPLICE_SPRINGBOARD, 0, 2, 1);
	/*
	 * The slot is in the donor's ten displaced bytes, after the donor's jump. A shadow among
	 * these bytes has its advice in the donor's trampoline.
	 */
	assert_int_equal(choices[0].slot, START + 8 + 5);
	assert_int_equal(choices[0].donor, 10);
	expect(&choices[1], WV_SPLICE_JUMP, 0, 10, 5);
	expect(&choices[2], WV_SPLICE_JUMP, 0, 6, 3);
	drop(&setup);
}

/*
 * The function has a jump whose targets are unknown, so each displaced range may have one
 * instruction only.
 */
static void test_unknown(void **state)
{
	static const uint8_t bytes[] = { 0x50, 0xb8, 1, 0, 0, 0, 0xff, 0xe0 };
	struct wv_function_info function = function_of(bytes, sizeof(bytes));
	struct wv_choice choice;
	struct setup setup;

	build(&setup, &function, NULL, 0);
	expect_alone(&setup, 0, WV_SPLICE_JUMP, 0, 6, 2);
	drop(&setup);
	function.assembler = true;
	function.resolved = false;
	build(&setup, &function, NULL, 0);
	choice = choose_one(&setup, 0);
	expect(&choice, WV_SPLICE_TRAP, 0, 1, 1);
	assert_int_equal(choice.forward.answer, WV_DISPLACE_UNKNOWN);
	expect_alone(&setup, 1, WV_SPLICE_JUMP, 0, 5, 1);
	drop(&setup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_branch_targets),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_refused_among_others),
		cmocka_unit_test(test_springboard),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_label_padding),
		cmocka_unit_test(test_donors),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_attach_before),
		cmocka_unit_test(test_attach_before_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
