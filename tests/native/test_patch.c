// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The patch emitter, run for real: each case is a small assembler function of this program whose
 * first instruction is relocated into a patch; the patch is then entered instead of the function.
 * Results, registers, flags, return addresses and what advice saw are compared with the unpatched
 * run. Linked at a low address (-no-pie), since a relocated call pushes a sign-extended 32-bit
 * return address, as it does in the kernel's top 2 GiB.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "runtime/frame.h"
#include "runtime/patch.h"

enum { PATCH_ROOM = 4096, FLAG_CARRY = 1, FLAG_DIRECTION = 0x400 };

static uint8_t *patch_memory;

/* ---- the functions: long f(long a, long b, long *c) ------------------------------------------ */

asm(".text\n"
    "case_plain:	lea (%rdi,%rsi,2), %rax\n"
    "		ret\n"
    "case_rip:	mov case_rip_data(%rip), %rax\n"
    "		add %rdi, %rax\n"
    "		ret\n"
    "case_rip_imm:	cmpl $77, case_rip_data(%rip)\n" /* an immediate follows the displacement */
    "		sete %al\n"
    "		movzbl %al, %eax\n"
    "		ret\n"
    "case_jump:	jmp 1f\n"
    "		mov $-1, %rax\n"
    "		ret\n"
    "1:		mov $5, %rax\n"
    "		ret\n"
    "case_cond_enter:	cmp %rsi, %rdi\n"
    "		jmp *(%rdx)\n" /* into the patch, with the flags of the compare */
    "case_cond:	jl 1f\n"
    "		mov $1, %rax\n"
    "		ret\n"
    "1:		mov $2, %rax\n"
    "		ret\n"
    "case_call:	call callee\n"
    "		add $1000, %rax\n"
    "		ret\n"
    "callee:		mov (%rsp), %rax\n" /* its return address: the original's */
    "		sub $case_call, %rax\n"
    "		ret\n"
    "case_call_register:	call *%rdx\n"
    "		add $2000, %rax\n"
    "		ret\n"
    "case_call_memory:	call *8(%rdx)\n"
    "		add $3000, %rax\n"
    "		ret\n"
    "case_call_rip:	call *case_pointer(%rip)\n"
    "		add $4000, %rax\n"
    "		ret\n"
    "callee_sum:	lea (%rdi,%rsi), %rax\n"
    "		ret\n"
    "case_ret:	ret\n"
    "		int3\n"
    "case_flags:	nop\n" /* carry in, carry out */
    "		setc %al\n"
    "		movzbl %al, %eax\n"
    "		ret\n"
    "enter_with_carry:	stc\n"
    "		jmp *(%rdx)\n"
    "enter_backwards:	std\n"
    "		call *(%rdx)\n"
    "		pushfq\n"
    "		pop %rax\n"
    "		cld\n"
    "		ret\n"
    ".data\n"
    ".balign 8\n"
    "case_rip_data:	.quad 77\n"
    "case_pointer:	.quad callee_sum\n"
    ".text\n");

extern uint8_t case_plain[], case_rip[], case_rip_imm[], case_jump[], case_cond_enter[], case_cond[],
	case_call[], case_call_register[], case_call_memory[], case_call_rip[], callee[],
	callee_sum[], case_ret[], case_flags[], enter_with_carry[], enter_backwards[];
extern long case_rip_data, case_pointer;

typedef long (*function)(long a, long b, void *c);

/* ---- advice ---------------------------------------------------------------------------------- */

static struct weft_frame seen;
static unsigned long seen_sp, calls_seen[4];
static unsigned int nr_calls_seen;

/*
 * What the patch calls. It destroys every register that C may, as a compiler is free to. The kernel
 * keeps its stack 8-byte aligned and so does the patch; this program's C wants 16.
 */
__attribute__((force_align_arg_pointer)) static void advice(struct weft_frame *frame, unsigned long shadow)
{
	seen = *frame;
	seen_sp = weft_frame_sp(frame);
	if (nr_calls_seen < 4)
		calls_seen[nr_calls_seen++] = shadow;
	asm volatile("xor %%eax, %%eax; mov $-1, %%rcx; mov %%rcx, %%rdx; mov %%rcx, %%rsi; mov %%rcx, %%rdi;"
		     "mov %%rcx, %%r8; mov %%rcx, %%r9; mov %%rcx, %%r10; mov %%rcx, %%r11; clc"
		     ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory");
}

/* ---- helpers --------------------------------------------------------------------------------- */

static struct wr_insn insn_at(const uint8_t *at, unsigned int length, enum wr_insn_kind kind)
{
	struct wr_insn insn = { .length = length, .kind = kind, .address = (uintptr_t)at };

	memcpy(insn.bytes, at, length);
	return insn;
}

static int32_t read32(const uint8_t *at)
{
	int32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Emits with @n advice calls; returns the patch as a function. */
static function emit(const struct wr_insn *insn, uint32_t needs, unsigned int n)
{
	struct wr_call calls[4] = { 0 };
	int length;

	for (unsigned int i = 0; i < n; i++) {
		calls[i].entry = (uintptr_t)advice;
		calls[i].shadow = 0x1111222233334444 + i;
	}
	nr_calls_seen = 0;
	memset(&seen, 0, sizeof(seen));
	length = wr_patch_emit(patch_memory, PATCH_ROOM, (uintptr_t)patch_memory, insn, needs, 0, calls, n);
	assert_true(length > 0);
	assert_true((unsigned int)length <= wr_patch_bound(n));
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(patch_memory[calls[i].offset], 0xe8);
	return (function)patch_memory;
}

static void set_up_target(struct wr_insn *insn, unsigned int disp_offset)
{
	insn->disp_offset = disp_offset;
	insn->target = insn->address + insn->length + read32(insn->bytes + disp_offset);
}

static void expect_same(function patched, const uint8_t *original, long a, long b, void *c)
{
	assert_int_equal(patched(a, b, c), ((function)original)(a, b, c));
	assert_int_equal(nr_calls_seen, 1);
	assert_int_equal(seen.reg[WR_RDI], a);
	assert_int_equal(seen.reg[WR_RSI], b);
	assert_ptr_equal(seen.reg[WR_RDX], c);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_plain(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);

	expect_same(emit(&insn, 0, 1), case_plain, 3, 4, &seen_sp);
}

static void test_rip(void **state)
{
	struct wr_insn insn = insn_at(case_rip, 7, WR_INSN_RIP);

	set_up_target(&insn, 3);
	assert_int_equal(insn.target, (uintptr_t)&case_rip_data);
	expect_same(emit(&insn, 0, 1), case_rip, 10, 0, NULL);
}

static void test_rip_with_immediate(void **state)
{
	struct wr_insn insn = insn_at(case_rip_imm, 7, WR_INSN_RIP);

	set_up_target(&insn, 2);
	assert_int_equal(insn.target, (uintptr_t)&case_rip_data);
	assert_int_equal(emit(&insn, 0, 1)(0, 0, NULL), 1);
}

static void test_jump(void **state)
{
	struct wr_insn insn = insn_at(case_jump, 2, WR_INSN_JUMP);

	insn.target = insn.address + 2 + (int8_t)insn.bytes[1];
	expect_same(emit(&insn, 0, 1), case_jump, 1, 2, NULL);
}

static void test_conditional_jump(void **state)
{
	struct wr_insn insn = insn_at(case_cond, 2, WR_INSN_JUMP_COND);
	void *direct = case_cond, *patched;

	insn.condition = insn.bytes[0] & 0xf;
	insn.target = insn.address + 2 + (int8_t)insn.bytes[1];
	patched = emit(&insn, 0, 1);
	for (long a = -1; a <= 1; a++)
		assert_int_equal(((function)case_cond_enter)(a, 0, &patched),
				 ((function)case_cond_enter)(a, 0, &direct));
}

static void test_call_keeps_return_address(void **state)
{
	struct wr_insn insn = insn_at(case_call, 5, WR_INSN_CALL);

	insn.target = (uintptr_t)callee;
	expect_same(emit(&insn, 0, 1), case_call, 1, 2, NULL);
	assert_int_equal(((function)patch_memory)(1, 2, NULL), 1005);
}

static void test_indirect_calls(void **state)
{
	struct wr_insn insn = insn_at(case_call_register, 2, WR_INSN_CALL_INDIRECT);
	void *table[2] = { NULL, callee_sum };

	insn.modrm_offset = 1;
	assert_int_equal(emit(&insn, 0, 1)(30, 4, callee_sum), 2034);
	insn = insn_at(case_call_memory, 3, WR_INSN_CALL_INDIRECT);
	insn.modrm_offset = 1;
	assert_int_equal(emit(&insn, 0, 1)(30, 5, table), 3035);
	insn = insn_at(case_call_rip, 6, WR_INSN_CALL_INDIRECT);
	insn.modrm_offset = 1;
	set_up_target(&insn, 2);
	assert_int_equal(insn.target, (uintptr_t)&case_pointer);
	assert_int_equal(emit(&insn, 0, 1)(30, 6, NULL), 4036);
}

static void test_flags_survive(void **state)
{
	struct wr_insn insn = insn_at(case_flags, 1, WR_INSN_PLAIN);
	void *patched = emit(&insn, 0, 1);

	assert_int_equal(((function)enter_with_carry)(0, 0, &patched), 1);
	assert_true(seen.flags & FLAG_CARRY);
}

/*
 * memmove copies backwards with the direction flag set: advice must not see it, the function must.
 */
static void test_direction_flag(void **state)
{
	struct wr_insn insn = insn_at(case_ret, 1, WR_INSN_PLAIN);
	void *patched = emit(&insn, 0, 1);
	long flags = ((function)enter_backwards)(0, 0, &patched);

	assert_true(flags & FLAG_DIRECTION);
	assert_true(seen.flags & FLAG_DIRECTION);
}

static void test_order_and_needs(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	function patched = emit(&insn, 0, 3);
	register long rbx_before asm("rbx") = 0x123456789abcdef;

	asm volatile("" : "+r"(rbx_before));
	assert_int_equal(patched(1, 1, NULL), 3);
	assert_int_equal(nr_calls_seen, 3);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(calls_seen[i], 0x1111222233334444 + i);
}

/* A register that is named is stored; one that is not named costs nothing. */
static void test_needs_cost(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	struct wr_call call = { .entry = (uintptr_t)advice };
	int without, with;

	without = wr_patch_emit(patch_memory, PATCH_ROOM, (uintptr_t)patch_memory, &insn, 0, 0, &call, 1);
	with = wr_patch_emit(patch_memory, PATCH_ROOM, (uintptr_t)patch_memory, &insn,
			     WR_BIT(WR_RBX) | WR_BIT(WR_R15), 0, &call, 1);
	assert_int_equal(with - without, 2 * 5);
	with = wr_patch_emit(patch_memory, PATCH_ROOM, (uintptr_t)patch_memory, &insn,
			     WR_BIT(WR_RAX) | WR_BIT(WR_RSP), 0, &call, 1);
	assert_int_equal(with, without);
}

static void test_errors(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	struct wr_call call = { .entry = (uintptr_t)advice };

	for (unsigned int size = 0; size < 60; size++)
		assert_int_equal(wr_patch_emit(patch_memory, size, (uintptr_t)patch_memory, &insn, 0, 0,
					       &call, 1), -WR_PATCH_ROOM);
	call.entry = 0x7f0000000000;
	assert_int_equal(wr_patch_emit(patch_memory, PATCH_ROOM, (uintptr_t)patch_memory, &insn, 0, 0,
				       &call, 1), -WR_PATCH_RANGE);
	/* A return address that a push cannot sign-extend. */
	insn = insn_at(case_call, 5, WR_INSN_CALL);
	insn.address = insn.target = 0x90000000;
	assert_int_equal(wr_patch_emit(patch_memory, PATCH_ROOM, insn.address, &insn, 0, 0, NULL, 0),
			 -WR_PATCH_RANGE);
}

static int set_up(void **state)
{
	patch_memory = mmap(NULL, PATCH_ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	return patch_memory == MAP_FAILED;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_rip),
		cmocka_unit_test(test_rip_with_immediate),
		cmocka_unit_test(test_jump),
		cmocka_unit_test(test_conditional_jump),
		cmocka_unit_test(test_call_keeps_return_address),
		cmocka_unit_test(test_indirect_calls),
		cmocka_unit_test(test_flags_survive),
		cmocka_unit_test(test_direction_flag),
		cmocka_unit_test(test_order_and_needs),
		cmocka_unit_test(test_needs_cost),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
