// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests splice/reaching-load.c: it must find the register from which the pointer of a call was
 * loaded, or that there is none. The functions are made up, each with labelled loads and with a
 * call at its end or near it.
 */
#include "runtime/frame.h"
#include "cmocka-all.h"
#include "splice/reaching-load.h"

#define START 0xffffffff81000000ull
#define THUNK 0x1000 /* The offset of code that jumps to the address in rax. */
#define C_CODE 0x2000
#define ANYTHING 0x3000
#define MAX_MARKS 3
#define NO 0xff

/* Each is an instruction of 4 bytes like mov 0x60(%rdi),%rax. */
#define RAX_FROM_RDI 0x48, 0x8b, 0x47, 0x60
#define RAX_FROM_RSI 0x48, 0x8b, 0x46, 0x60
#define RAX_FROM_RBX 0x48, 0x8b, 0x43, 0x60
#define R12_FROM_RBX 0x4c, 0x8b, 0x63, 0x60
#define RAX_FROM_RAX 0x48, 0x8b, 0x40, 0x60
#define RAX_ELSEWHERE 0x48, 0x8b, 0x47, 0x58 /* mov 0x58(%rdi),%rax */
#define RAX_RELATIVE 0x48, 0x8b, 0x05, 0x00, 0x01, 0x00, 0x00 /* mov 0x100(%rip),%rax */
#define RAX_FROM_R12 0x4c, 0x89, 0xe0 /* mov %r12,%rax */
#define RBX_FROM_RDI 0x48, 0x89, 0xfb /* mov %rdi,%rbx */
#define EBX_FROM_EDI 0x89, 0xfb
#define CLEAR_RDI 0x31, 0xff
#define TEST 0x48, 0x85, 0xc0
#define JE(n) 0x74, n
#define JMP(n) 0xeb, (uint8_t)(n)
#define JMP5(n) 0xe9, (n) & 0xff, (n) >> 8, 0, 0
#define CALL_RAX 0xff, 0xd0
/* A call of five bytes at @at. */
#define CALL(at, to) 0xe8, ((to) - (at) - 5) & 0xff, ((to) - (at) - 5) >> 8, 0, 0
#define NOP5 0x0f, 0x1f, 0x44, 0x00, 0x00
#define RET 0xc3

struct made {
	const char *what; /* What the function shows. */
	uint8_t bytes[40]; /* The function's code. */
	uint8_t size, call; /* The size of the code, and the offset of the call. */
	uint8_t nr_loads, loads[MAX_MARKS]; /* The offsets of the labelled loads. */
	/* The offsets to which branches lead. */
	uint8_t nr_branch_targets, branch_targets[MAX_MARKS];
	/* .address counts from START; .size is 0 if nothing is rewritten. */
	struct wv_rewritten rewritten;
	uint8_t base; /* NO if the register is unknown. */
	int64_t displacement; /* The displacement of the load that must be found. */
};

#define B(...) .bytes = { __VA_ARGS__ }, .size = sizeof((uint8_t[]){ __VA_ARGS__ })
#define LOADS(...) .loads = { __VA_ARGS__ }, .nr_loads = sizeof((uint8_t[]){ __VA_ARGS__ })
#define BRANCH_TARGET(at) .branch_targets = { at }, .nr_branch_targets = 1

static const struct made made[] = {
	{ "straight on", B(RAX_FROM_RDI, TEST, JE(2), CALL_RAX, RET), LOADS(0), .call = 9,
	  .base = WR_RDI, .displacement = 0x60 },
	{ "by a thunk", B(RAX_FROM_RDI, CALL(4, THUNK), RET), LOADS(0), .call = 4, .base = WR_RDI,
	  .displacement = 0x60 },
	{ "no label", B(RAX_FROM_RDI, CALL_RAX, RET), .call = 4, .base = NO },
	{ "another's call", B(RAX_FROM_RDI, CALL(4, C_CODE), RET), LOADS(0), .call = 4,
	  .base = NO },
	{ "the base goes", B(RAX_FROM_RDI, CLEAR_RDI, CALL_RAX, RET), LOADS(0), .call = 6,
	  .base = NO },
	{ "the base goes on elsewhere", B(RAX_FROM_RDI, RBX_FROM_RDI, CLEAR_RDI, CALL_RAX, RET),
	  LOADS(0), .call = 9, .base = WR_RBX, .displacement = 0x60 },
	{ "half of the base goes on", B(RAX_FROM_RDI, EBX_FROM_EDI, CLEAR_RDI, CALL_RAX, RET),
	  LOADS(0), .call = 8, .base = NO },
	{ "the load overwrites its base", B(RAX_FROM_RAX, CALL_RAX, RET), LOADS(0), .call = 4,
	  .base = NO },
	{ "another value is called", B(RAX_FROM_RDI, RAX_ELSEWHERE, CALL_RAX, RET), LOADS(0),
	  .call = 8, .base = NO },
	{ "of two loads the last", B(RAX_FROM_RDI, RAX_FROM_RSI, CALL_RAX, RET), LOADS(0, 4),
	  .call = 8, .base = WR_RSI, .displacement = 0x60 },
	{ "of two loads the first", B(R12_FROM_RBX, RAX_FROM_RSI, RAX_FROM_R12, CALL_RAX, RET),
	  LOADS(0, 4), .call = 11, .base = NO },
	{ "the C calling convention", B(R12_FROM_RBX, CALL(4, C_CODE), RAX_FROM_R12, CALL_RAX, RET),
	  LOADS(0), .call = 12, .base = WR_RBX, .displacement = 0x60 },
	{ "a callee may have the base",
	  B(RAX_FROM_RDI, 0x49, 0x89, 0xc4, CALL(7, C_CODE), RAX_FROM_R12, CALL_RAX, RET), LOADS(0),
	  .call = 15, .base = NO },
	{ "no C", B(R12_FROM_RBX, CALL(4, ANYTHING), RAX_FROM_R12, CALL_RAX, RET), LOADS(0),
	  .call = 12, .base = NO },
	{ "two ways, one base", B(TEST, JE(6), RAX_FROM_RDI, JMP(4), RAX_FROM_RDI, CALL_RAX, RET),
	  LOADS(5, 11), .call = 15, .base = WR_RDI, .displacement = 0x60 },
	{ "two ways, two bases", B(TEST, JE(6), RAX_FROM_RDI, JMP(4), RAX_FROM_RSI, CALL_RAX, RET),
	  LOADS(5, 11), .call = 15, .base = NO },
	{ "two ways, two places",
	  B(TEST, JE(6), RAX_FROM_RDI, JMP(4), RAX_ELSEWHERE, CALL_RAX, RET), LOADS(5, 11),
	  .call = 15, .base = NO },
	{ "one way without", B(TEST, JE(4), RAX_FROM_RDI, CALL_RAX, RET), LOADS(5), .call = 9,
	  .base = NO },
	{ "a loop that changes the base", B(RAX_FROM_RBX, CALL_RAX, RBX_FROM_RDI, JMP(-7), RET),
	  LOADS(0), .call = 4, .base = NO },
	{ "a loop that does not", B(RAX_FROM_RBX, CALL_RAX, TEST, JMP(-11), RET), LOADS(0),
	  .call = 4, .base = WR_RBX, .displacement = 0x60 },
	{ "control comes in after the load", B(RAX_FROM_RDI, TEST, CALL_RAX, RET), LOADS(0),
	  .call = 7, BRANCH_TARGET(4), .base = NO },
	{ "something arrives at the load", B(TEST, RAX_FROM_RDI, CALL_RAX, RET), LOADS(3),
	  .call = 7, BRANCH_TARGET(3), .base = WR_RDI, .displacement = 0x60 },
	{ "something arrives inside the load", B(TEST, RAX_FROM_RDI, CALL_RAX, RET), LOADS(3),
	  .call = 7, BRANCH_TARGET(4), .base = NO },
	{ "rewritten between", B(RAX_FROM_RDI, TEST, CALL_RAX, RET), LOADS(0), .call = 7,
	  .rewritten = { .address = 4, .size = 3 }, .base = NO },
	{ "the load is rewritten", B(TEST, RAX_FROM_RDI, CALL_RAX, RET), LOADS(3), .call = 7,
	  .rewritten = { .address = 3, .size = 4 }, .base = NO },
	{ "a jump label between", B(RAX_FROM_RDI, NOP5, CALL_RAX, RET), LOADS(0), .call = 9,
	  .rewritten = { .address = 4, .size = 5, .jumps = true, .target = START + 11 },
	  .base = WR_RDI, .displacement = 0x60 },
	{ "a jump label that leads away goes on here, too",
	  B(RAX_FROM_RDI, TEST, JE(9), RAX_FROM_RSI, JMP5(0x1000), CALL_RAX, RET), LOADS(0, 9),
	  .call = 18,
	  .rewritten = { .address = 13, .size = 5, .jumps = true, .target = START + 18 + 0x1000 },
	  .base = NO },
	{ "a fixed place", B(RAX_RELATIVE, CLEAR_RDI, CALL_RAX, RET), LOADS(0), .call = 9,
	  .base = WV_NO_REGISTER, .displacement = START + 7 + 0x100 },
};

static enum wv_callee callee(void *context, uint64_t address, unsigned int *ret)
{
	*ret = WR_RAX;
	return address == START + THUNK	   ? WV_CALLEE_THUNK
	       : address == START + C_CODE ? WV_CALLEE_COMPILED
					   : WV_CALLEE_UNKNOWN;
}

static void check(struct wv_decoder *decoder, const struct made *one)
{
	struct wv_rewritten rewritten = one->rewritten;
	struct wv_function_info function = { .start = START,
					     .bytes = one->bytes,
					     .size = one->size,
					     .compiled = true,
					     .callee = callee,
					     .rewritten = &rewritten,
					     .nr_rewritten = !!rewritten.size };
	struct wv_load loads[MAX_MARKS], found;
	uint64_t branch_targets[MAX_MARKS];
	struct wv_reaching_load_input input = { .loads = loads,
						.nr_loads = one->nr_loads,
						.branch_targets = branch_targets,
						.nr_branch_targets = one->nr_branch_targets,
						.call = START + one->call };
	struct wv_graph graph;
	struct wv_error error;
	bool is_found;

	rewritten.address += START;
	for (size_t i = 0; i < one->nr_loads; i++) {
		uint64_t at = START + one->loads[i];
		struct wv_access access;

		assert_true(wv_decode_access(decoder, one->bytes + one->loads[i],
					     one->size - one->loads[i], at, &access));
		loads[i] =
			(struct wv_load){ .address = at,
					  .to = access.loaded,
					  .base = access.base,
					  .displacement = access.relative ? (int64_t)access.address
									  : access.displacement };
	}
	for (size_t i = 0; i < one->nr_branch_targets; i++)
		branch_targets[i] = START + one->branch_targets[i];
	assert_int_equal(wv_graph_init(&graph, &function, decoder, &error), 0);
	input.graph = &graph;
	assert_int_equal(wv_reaching_load_find(&input, &is_found, &found, &error), 0);
	wv_graph_deinit(&graph);
	/* NO is found also for an address without a base register. */
	if (is_found != (one->base != NO || one->displacement))
		fail_msg("%s: %s", one->what, is_found ? "found" : "not found");
	if (is_found && (found.base != one->base || found.displacement != one->displacement))
		fail_msg("%s: %#llx of register %u", one->what,
			 (unsigned long long)found.displacement, found.base);
}

static void reaching_loads(void **state)
{
	struct wv_decoder *decoder;
	struct wv_error error;

	assert_int_equal(wv_decoder_create(&decoder, &error), 0);
	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		check(decoder, &made[i]);
	wv_decoder_destroy(decoder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reaching_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
