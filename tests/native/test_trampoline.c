// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests what the trampoline emitter writes. Each case is a small assembler function of this program
 * whose first instructions are relocated into a trampoline; the trampoline is then entered instead
 * of the function. Results, registers, flags, return addresses and what advice saw are compared
 * with a run of the function itself. %gs points at a struct with the variables that are per CPU in
 * a kernel. The program is linked at a low address (-no-pie), since a relocated call pushes a
 * sign-extended 32-bit return address.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <asm/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/frame.h"
#include "runtime/trampoline.h"
#include "trampoline-functions.h"

enum { TRAMPOLINE_ROOM = 4096, FLAG_CARRY = 1, FLAG_DIRECTION = 0x400 };

static uint8_t *trampoline_memory;

/* The per-CPU variables that trampolines read, and those that they count in. */
static struct cpu {
	int32_t preempt_count;
	int64_t guard;
	uint64_t hits, missed, rescheduled;
} cpu;

/* The preemption count in two contexts: in a task, and in an interrupt of that task. */
enum { CONTEXT_MASK = 0xff0000, CONTEXT_INTERRUPT = 0x10000 };

/* ---- the advice that trampolines call -------------------------------------------------------- */

static struct weft_frame seen;
static unsigned long calls_seen[4];
static unsigned int nr_calls_seen;
static bool has_frame, has_link;
static int32_t seen_count;
static int64_t seen_guard;
static void (*in_advice)(void); /* Called in the advice, if not NULL. */
/* The trampoline's rbp, and the two words there: the saved rbp and a return address. */
static uintptr_t link_at, link_seen[2];

/*
 * Trampolines call this function. It destroys every register that C may change, as a compiler is
 * free to do. Kernel code and the trampoline keep the stack 8-byte aligned, but the C of this
 * program needs 16.
 */
__attribute__((force_align_arg_pointer)) static void advice(struct weft_frame *frame,
							    unsigned long shadow)
{
	if (has_frame)
		seen = *frame;
	if (has_link) {
		link_at = *(uintptr_t *)__builtin_frame_address(0);
		memcpy(link_seen, (void *)link_at, sizeof(link_seen));
	}
	seen_count = cpu.preempt_count;
	seen_guard = cpu.guard;
	if (in_advice)
		in_advice();
	if (nr_calls_seen < 4)
		calls_seen[nr_calls_seen++] = shadow;
	asm volatile("xor %%eax, %%eax; mov $-1, %%rcx; mov %%rcx, %%rdx; mov %%rcx, %%rsi; mov "
		     "%%rcx, %%rdi;"
		     "mov %%rcx, %%r8; mov %%rcx, %%r9; mov %%rcx, %%r10; mov %%rcx, %%r11; clc" ::
			     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",
			       "memory");
}

/* ---- functions that make and emit a trampoline ----------------------------------------------- */

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

/* The properties of a trampoline in which the tests differ. */
struct choice {
	unsigned int nr_insns; /* The number of displaced instructions; 0 means one. */
	unsigned int n;	       /* The number of advices. */
	uint32_t needs;
	uint32_t live;
	uint32_t flags, platform_flags;
	unsigned int counters; /* How many of the advices only count. */
	const uint64_t *far;   /* The per-CPU variable to count in; NULL means one in struct cpu. */
};

static const uint32_t all_registers = WR_BIT(WR_NR_REGISTERS) - 1;

static int try_emit(const struct wr_insn *insns, const struct choice *choice, unsigned int size,
		    struct wr_call *calls)
{
	const struct wr_platform platform = {
		.preempt_count = offsetof(struct cpu, preempt_count),
		.guard = offsetof(struct cpu, guard),
		.reschedule = (uintptr_t)reschedule,
		.context_mask = CONTEXT_MASK,
		.flags = WR_PLATFORM_COUNTS | choice->platform_flags,
	};
	const struct wr_trampoline trampoline = {
		.platform = &platform,
		.insns = insns,
		.nr_insns = choice->nr_insns ? choice->nr_insns : 1,
		.flags = choice->flags,
		.calls = calls,
		.nr_calls = choice->n,
	};

	for (unsigned int i = 0; i < choice->n; i++) {
		calls[i].entry = i < choice->counters ? 0 : (uintptr_t)advice;
		calls[i].shadow = 0x1111222233334444 + i;
		calls[i].hits = i < choice->counters && choice->far
					? (uintptr_t)choice->far - (uintptr_t)&cpu
					: offsetof(struct cpu, hits);
		calls[i].missed = offsetof(struct cpu, missed);
		calls[i].live = choice->live;
		calls[i].needs = choice->needs;
	}
	return wr_trampoline_emit(trampoline_memory, size, (uintptr_t)trampoline_memory,
				  &trampoline);
}

static function emit_chosen(const struct wr_insn *insns, const struct choice *choice)
{
	struct wr_call calls[4] = { 0 };
	int length;

	nr_calls_seen = 0;
	has_frame = choice->needs & ~WR_BIT(WR_CALLERS);
	has_link =
		choice->needs & WR_BIT(WR_CALLERS) && choice->platform_flags & WR_PLATFORM_FRAMES;
	in_advice = NULL;
	memset(&seen, 0, sizeof(seen));
	memset(&cpu, 0, sizeof(cpu));
	cpu.preempt_count = 0x100000; /* No reschedule is due, since this count never becomes 0. */
	cpu.guard = WR_GUARD_IDLE;
	length = try_emit(insns, choice, TRAMPOLINE_ROOM, calls);
	assert_true(length > 0);
	assert_true((unsigned int)length <=
		    wr_trampoline_bound(choice->nr_insns ? choice->nr_insns : 1, choice->n));
	for (unsigned int i = 0; i < choice->n; i++)
		assert_true(calls[i].end > calls[i].start);
	return (function)trampoline_memory;
}

/* Returns a trampoline with @n advices that need the registers @needs; liveness is unknown. */
static function emit(const struct wr_insn *insn, uint32_t needs, unsigned int n)
{
	const struct choice choice = {
		.n = n, .needs = needs, .live = WEFT_LIVE_UNKNOWN, .flags = WR_TRAMPOLINE_SANITIZE
	};

	return emit_chosen(insn, &choice);
}

static void set_up_target(struct wr_insn *insn, unsigned int disp_offset)
{
	insn->disp_offset = disp_offset;
	insn->target = insn->address + insn->length + read32(insn->bytes + disp_offset);
}

static void expect_same(function woven, const uint8_t *original, long a, long b, void *c)
{
	assert_int_equal(woven(a, b, c), ((function)original)(a, b, c));
	assert_int_equal(nr_calls_seen, 1);
	assert_int_equal(cpu.hits, 1);
	assert_int_equal(cpu.missed, 0);
	assert_int_equal(cpu.guard, WR_GUARD_IDLE);
	assert_int_equal(cpu.preempt_count, 0x100000);
	assert_int_equal(seen_count, 0x100001);
	assert_int_equal(seen_guard, 0x100001);
	assert_int_equal(seen.reg[WR_RDI], a);
	assert_int_equal(seen.reg[WR_RSI], b);
	assert_ptr_equal(seen.reg[WR_RDX], c);
}

/* ---- tests, each of one property of trampolines ---------------------------------------------- */

static void test_plain(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);

	expect_same(emit(&insn, all_registers, 1), case_plain, 3, 4, &seen);
}

static void test_rip(void **state)
{
	struct wr_insn insn = insn_at(case_rip, 7, WR_INSN_RIP);

	set_up_target(&insn, 3);
	assert_int_equal(insn.target, (uintptr_t)&case_rip_data);
	expect_same(emit(&insn, all_registers, 1), case_rip, 10, 0, NULL);
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
	expect_same(emit(&insn, all_registers, 1), case_jump, 1, 2, NULL);
}

static void test_conditional_jump(void **state)
{
	struct wr_insn insn = insn_at(case_cond, 2, WR_INSN_JUMP_COND);
	void *direct = case_cond, *woven;

	insn.condition = insn.bytes[0] & 0xf;
	insn.target = insn.address + 2 + (int8_t)insn.bytes[1];
	woven = emit(&insn, 0, 1);
	for (long a = -1; a <= 1; a++)
		assert_int_equal(((function)case_cond_enter)(a, 0, &woven),
				 ((function)case_cond_enter)(a, 0, &direct));
}

static void test_call_keeps_return_address(void **state)
{
	struct wr_insn insn = insn_at(case_call, 5, WR_INSN_CALL);

	insn.target = (uintptr_t)callee;
	expect_same(emit(&insn, all_registers, 1), case_call, 1, 2, NULL);
	assert_int_equal(((function)trampoline_memory)(1, 2, NULL), 1005);
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
	void *woven = emit(&insn, WR_BIT(WR_FLAGS), 1);

	assert_int_equal(((function)enter_with_carry)(0, 0, &woven), 1);
	assert_true(seen.flags & FLAG_CARRY);
}

/*
 * memmove() copies backwards with the direction flag set. The function must keep the flag, and the
 * advice's frame must have it; the trampoline clears it for the advice itself.
 */
static void test_direction_flag(void **state)
{
	struct wr_insn insn = insn_at(case_ret, 1, WR_INSN_PLAIN);
	void *woven = emit(&insn, WR_BIT(WR_FLAGS), 1);
	long flags = ((function)enter_backwards)(0, 0, &woven);

	assert_true(flags & FLAG_DIRECTION);
	assert_true(seen.flags & FLAG_DIRECTION);
}

static void test_order_and_needs(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	function woven = emit(&insn, 0, 3);
	register long rbx_before asm("rbx") = 0x123456789abcdef;

	asm volatile("" : "+r"(rbx_before));
	assert_int_equal(woven(1, 1, NULL), 3);
	assert_int_equal(nr_calls_seen, 3);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(calls_seen[i], 0x1111222233334444 + i);
}

/* With two advices, the first is skipped when it is switched off. */
static void test_skip(void **state)
{
	const struct choice choice = { .n = 2, .live = WEFT_LIVE_UNKNOWN };
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	function woven = emit_chosen(&insn, &choice);
	struct wr_call calls[2] = { 0 };

	assert_true(try_emit(&insn, &choice, TRAMPOLINE_ROOM, calls) > 0);
	wr_trampoline_skip(trampoline_memory, &calls[0]);
	assert_int_equal(woven(3, 4, NULL), ((function)case_plain)(3, 4, NULL));
	assert_int_equal(calls_seen[0], calls[1].shadow);
}

/* A register costs bytes of the trampoline only if it is live. */
static void test_cost(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	struct wr_call calls[4] = { 0 };
	struct choice choice = { .n = 1, .live = WEFT_LIVE_UNKNOWN };
	int all, none, few;

	all = try_emit(&insn, &choice, TRAMPOLINE_ROOM, calls);
	choice.live = 0;
	none = try_emit(&insn, &choice, TRAMPOLINE_ROOM, calls);
	choice.live = WR_BIT(WR_RDI) | WR_BIT(WR_RBX);
	few = try_emit(&insn, &choice, TRAMPOLINE_ROOM, calls);
	assert_int_equal(few - none, 2); /* A push and a pop of rdi; C preserves rbx. */
	assert_int_equal(all - none, 5 * 2 + 4 * 4 + 2); /* Nine registers, pushfq and popfq. */
}

static void test_counter(void **state)
{
	struct wr_insn insn = insn_at(case_flags, 1, WR_INSN_PLAIN);
	struct choice choice = { .n = 1, .live = WEFT_LIVE_UNKNOWN, .counters = 1 };
	void *woven = emit_chosen(&insn, &choice);

	for (int i = 0; i < 5; i++)
		assert_int_equal(((function)enter_with_carry)(0, 0, &woven), 1);
	assert_int_equal(cpu.hits, 5);
	assert_int_equal(nr_calls_seen, 0);
	/* If the flags are dead, counting takes one instruction. */
	choice.live = 0;
	emit_chosen(&insn, &choice);
	assert_memory_equal(trampoline_memory, "\x65\x48\xff\x04\x25", 5);
	assert_int_equal(trampoline_memory[9], 0x90);
}

/*
 * A counter that a 32-bit displacement does not reach. Every live register must survive, with other
 * advice in the trampoline and without.
 */
static void test_far_counter(void **state)
{
	const uint32_t used = WR_BIT(WR_RDI) | WR_BIT(WR_RSI),
		       few = WR_CALLER_SAVED & ~WR_BIT(WR_R11);
	const uint32_t lives[] = { used, used | WR_BIT(WR_RAX) | WR_BIT(WR_FLAGS), few,
				   WEFT_LIVE_UNKNOWN };
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN),
		       flags = insn_at(case_flags, 1, WR_INSN_PLAIN);
	struct choice choice = { .counters = 1 };
	uint64_t *far = mmap(NULL, sizeof(*far), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		 expected = 0;
	void *woven;

	assert_ptr_not_equal(far, MAP_FAILED);
	assert_true(llabs((intptr_t)far - (intptr_t)&cpu) > INT32_MAX);
	choice.far = far;
	for (size_t i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		choice.live = lives[i];
		for (choice.n = 1; choice.n <= 3; choice.n++) {
			for (choice.platform_flags = 0;
			     choice.platform_flags <= WR_PLATFORM_RED_ZONE;
			     choice.platform_flags += WR_PLATFORM_RED_ZONE) {
				assert_int_equal(emit_chosen(&insn, &choice)(3, 4, NULL), 11);
				assert_int_equal(*far, ++expected);
				assert_int_equal(cpu.hits, choice.n - 1);
				assert_int_equal(nr_calls_seen, choice.n - 1);
			}
		}
	}
	choice.n = 1;
	choice.platform_flags = 0;
	woven = emit_chosen(&flags, &choice);
	assert_int_equal(((function)enter_with_carry)(0, 0, &woven), 1);
	/* If a register is dead, the trampoline uses it for the address and saves nothing. */
	choice.live = few;
	emit_chosen(&insn, &choice);
	assert_memory_equal(trampoline_memory, "\x49\xbb", 2);
	assert_memory_equal(trampoline_memory + 10, "\x65\x49\xff\x03", 4);
	munmap(far, sizeof(*far));
}

/* Live registers must survive, though the trampoline saves no other registers. */
static void test_live_survives(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	struct choice choice = { .n = 1, .live = WR_BIT(WR_RDI) | WR_BIT(WR_RSI) };
	function woven = emit_chosen(&insn, &choice);

	assert_int_equal(woven(3, 4, NULL), 11);
	choice.needs = WR_BIT(WR_RSI); /* Now the advice gets a struct weft_frame. */
	woven = emit_chosen(&insn, &choice);
	assert_int_equal(woven(3, 4, NULL), 11);
	assert_int_equal(seen.reg[WR_RSI], 4);
	choice.platform_flags = WR_PLATFORM_RED_ZONE;
	woven = emit_chosen(&insn, &choice);
	assert_int_equal(woven(3, 4, NULL), 11);
}

static long again_result;
static void run_again(void)
{
	in_advice = NULL;
	again_result = ((function)trampoline_memory)(1, 1, NULL);
}

static void run_again_in_interrupt(void)
{
	cpu.preempt_count += CONTEXT_INTERRUPT;
	run_again();
	cpu.preempt_count -= CONTEXT_INTERRUPT;
}

/* A hit inside advice is a miss, unless it is in an interrupt on top of that advice. */
static void test_guard(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	function woven = emit(&insn, all_registers, 1);

	cpu.preempt_count = 1;
	in_advice = run_again;
	assert_int_equal(woven(3, 4, NULL), 11);
	assert_int_equal(again_result, 3);
	assert_int_equal(cpu.hits, 1);
	assert_int_equal(cpu.missed, 1);
	assert_int_equal(nr_calls_seen, 1);

	in_advice = run_again_in_interrupt;
	again_result = 0;
	assert_int_equal(woven(3, 4, NULL), 11);
	assert_int_equal(again_result, 3);
	assert_int_equal(cpu.hits, 3);
	assert_int_equal(cpu.missed, 1);

	/* Hits of an NMI within an NMI are missed, however deep. */
	cpu.guard = 0x110000;
	cpu.preempt_count = 0xf20001;
	woven(3, 4, NULL);
	assert_int_equal(cpu.missed, 2);
	assert_int_equal(cpu.preempt_count, 0xf20001);
}

static void test_reschedule(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	function woven = emit(&insn, 0, 1);

	cpu.preempt_count = 0;
	assert_int_equal(woven(3, 4, NULL), 11);
	assert_int_equal(cpu.rescheduled, 1);
	assert_int_equal(cpu.preempt_count, 0);
}

/*
 * Each instruction of a displaced range has advice before it. One of them is a jl that leaves the
 * range.
 */
static void test_displaced(void **state)
{
	struct wr_insn insns[4] = {
		insn_at(case_displaced, 1, WR_INSN_PLAIN),
		insn_at(case_displaced + 1, 2, WR_INSN_PLAIN),
		insn_at(case_displaced + 3, 2, WR_INSN_PLAIN),
		insn_at(case_displaced + 5, 2, WR_INSN_JUMP_COND),
	};
	struct choice choice = {
		.nr_insns = 4, .n = 4, .live = WEFT_LIVE_UNKNOWN, .needs = all_registers
	};
	struct wr_call calls[4] = { 0 };
	function woven;

	insns[3].condition = insns[3].bytes[0] & 0xf;
	insns[3].target = insns[3].address + 2 + (int8_t)insns[3].bytes[1];
	woven = emit_chosen(insns, &choice);
	for (unsigned int i = 0; i < 4; i++)
		calls[i].at = i;
	assert_true(try_emit(insns, &choice, TRAMPOLINE_ROOM, calls) > 0);
	for (long a = -1; a <= 1; a++)
		assert_int_equal(woven(a, 0, NULL), ((function)case_displaced)(a, 0, NULL));
	assert_int_equal(cpu.hits, 3 * 4);
	assert_int_equal(seen.reg[WR_RBX], 1);
}

/* Advice after the last instruction must see its results, and must keep what is live after it. */
static void test_after(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	struct choice choice = { .n = 3,
				 .live = WR_BIT(WR_RAX) | WR_BIT(WR_RDI) | WR_BIT(WR_RSI),
				 .needs = all_registers };
	struct wr_call calls[4] = { 0 };
	function woven = emit_chosen(&insn, &choice);

	calls[1].at = calls[2].at = 1;
	assert_true(try_emit(&insn, &choice, TRAMPOLINE_ROOM, calls) > 0);
	assert_true(calls[0].end < calls[1].start && calls[1].end <= calls[2].start);
	assert_int_equal(woven(30, 4, NULL), 38);
	assert_int_equal(nr_calls_seen, 3);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(calls_seen[i], 0x1111222233334444 + i);
	assert_int_equal(seen.reg[WR_RAX], 38);
	assert_int_equal(seen.reg[WR_RSI], 4);
	assert_int_equal(cpu.hits, 3);
}

/* Tests a splice that is a call: the trampoline begins with a return address on the stack. */
static void test_called(void **state)
{
	struct wr_insn insn = insn_at(case_called, 5, WR_INSN_CALL);
	struct choice choice = {
		.n = 1,
		.live = WEFT_LIVE_UNKNOWN,
		.needs = WR_BIT(WR_RSP) | WR_BIT(WR_RDI),
		.flags = WR_TRAMPOLINE_CALLED,
	};
	int32_t original, turned;

	insn.target = (uintptr_t)callee_sum;
	emit_chosen(&insn, &choice);
	assert_int_equal(mprotect((void *)((uintptr_t)case_called & -4096ul), 8192,
				  PROT_READ | PROT_WRITE | PROT_EXEC),
			 0);
	turned = (uintptr_t)trampoline_memory - (uintptr_t)(case_called + 5);
	memcpy(&original, case_called + 1, 4);
	memcpy(case_called + 1, &turned, 4);
	assert_int_equal(((function)case_called)(30, 4, NULL), 5034);
	assert_int_equal(cpu.hits, 1);
	assert_int_equal(seen.reg[WR_RDI], 30);
	/*
	 * The frame's rsp is that before the call, where the stack has case_called's return address
	 * into this function.
	 */
	assert_true(*(uintptr_t *)seen.reg[WR_RSP] - (uintptr_t)test_called < 4096);
	memcpy(case_called + 1, &original, 4);
	assert_int_equal(((function)case_called)(30, 4, NULL), 5034);
	assert_int_equal(cpu.hits, 1);
}

/* A stack walk from the frame pointer of the trampoline must find the shadow as its caller. */
static void test_callers(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	struct choice choice = { .n = 1,
				 .live = WEFT_LIVE_UNKNOWN,
				 .needs = all_registers | WR_BIT(WR_CALLERS) };
	struct wr_call call = { .at = 1 };

	for (unsigned int i = 0; i < 4; i++) {
		choice.flags = i & 1 ? WR_TRAMPOLINE_SANITIZE : 0;
		choice.platform_flags = WR_PLATFORM_FRAMES | (i & 2 ? WR_PLATFORM_HIGH : 0);
		expect_same(emit_chosen(&insn, &choice), case_plain, 3, 4, &seen);
		assert_int_equal(link_seen[0], seen.reg[WR_RBP]);
		assert_int_equal(link_seen[1], insn.address + 1);
		assert_int_equal(seen.reg[WR_RSP], link_at + 16);
	}
	/* The same with advice after the instruction, which gets no struct weft_frame. */
	choice.needs = WR_BIT(WR_CALLERS);
	choice.live = WR_BIT(WR_RAX) | WR_BIT(WR_RSI);
	emit_chosen(&insn, &choice);
	assert_true(try_emit(&insn, &choice, TRAMPOLINE_ROOM, &call) > 0);
	assert_int_equal(((function)trampoline_memory)(30, 4, NULL), 38);
	assert_int_equal(link_seen[1], insn.address + insn.length + 1);
}

/*
 * If the splice is a call, its return address is on the stack, and link_at must be right below it.
 */
static void test_callers_of_called(void **state)
{
	struct wr_insn insn = insn_at(case_called, 5, WR_INSN_CALL);
	struct choice choice = { .n = 1,
				 .live = WEFT_LIVE_UNKNOWN,
				 .needs = WR_BIT(WR_RSP) | WR_BIT(WR_CALLERS),
				 .flags = WR_TRAMPOLINE_CALLED,
				 .platform_flags = WR_PLATFORM_FRAMES };
	void *woven;

	insn.target = (uintptr_t)callee_sum;
	woven = emit_chosen(&insn, &choice);
	assert_int_equal(((function)enter_called)(30, 4, &woven), 34);
	assert_int_equal(link_seen[1], (uintptr_t)enter_called + 2);
	assert_int_equal(seen.reg[WR_RSP], link_at + 16);
}

/*
 * By the return address of the advice's call weft.ko finds the shadow at which advice has faulted.
 */
static void test_shadow_of_call(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	struct choice choice = { .n = 1, .live = WEFT_LIVE_UNKNOWN };
	unsigned int found[2] = { 0 };
	struct wr_call call = { 0 };
	int n = try_emit(&insn, &choice, TRAMPOLINE_ROOM, &call);

	for (int at = WR_TRAMPOLINE_CALL; at <= n; at++) {
		__u64 shadow = wr_trampoline_shadow(trampoline_memory + at);

		found[0] += shadow == call.shadow;
		found[1] += shadow && shadow != call.shadow;
	}
	assert_int_equal(found[0], 2); /* The usual call and the nested one. */
	assert_int_equal(found[1], 0);
}

static void test_errors(void **state)
{
	struct wr_insn insn = insn_at(case_plain, 4, WR_INSN_PLAIN);
	struct choice choice = { .n = 1,
				 .live = WEFT_LIVE_UNKNOWN,
				 .flags = WR_TRAMPOLINE_SANITIZE };
	struct wr_call call = { 0 };
	struct wr_platform platform = { .preempt_count = 0x80000000u };
	struct wr_trampoline trampoline = {
		.platform = &platform, .insns = &insn, .nr_insns = 1, .calls = &call, .nr_calls = 1
	};

	for (unsigned int size = 0; size < 60; size++)
		assert_int_equal(try_emit(&insn, &choice, size, &call), -WR_TRAMPOLINE_ROOM);
	/* Refused: a per-CPU variable, or advice, that 32 bits do not reach. */
	assert_int_equal(wr_trampoline_emit(trampoline_memory, TRAMPOLINE_ROOM,
					    (uintptr_t)trampoline_memory, &trampoline),
			 -WR_TRAMPOLINE_RANGE);
	platform.preempt_count = 0;
	assert_true(wr_trampoline_emit(trampoline_memory, TRAMPOLINE_ROOM,
				       (uintptr_t)trampoline_memory, &trampoline) > 0);
	call.entry = 0x7f0000000000;
	assert_int_equal(wr_trampoline_emit(trampoline_memory, TRAMPOLINE_ROOM,
					    (uintptr_t)trampoline_memory, &trampoline),
			 -WR_TRAMPOLINE_RANGE);
	/* A return address that cannot be pushed as 32 bits with sign extension is refused. */
	insn = insn_at(case_call, 5, WR_INSN_CALL);
	insn.address = insn.target = 0x90000000;
	trampoline.nr_calls = 0;
	assert_int_equal(
		wr_trampoline_emit(trampoline_memory, TRAMPOLINE_ROOM, insn.address, &trampoline),
		-WR_TRAMPOLINE_RANGE);
}

static int set_up(void **state)
{
	trampoline_memory = mmap(NULL, TRAMPOLINE_ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	return trampoline_memory == MAP_FAILED || syscall(SYS_arch_prctl, ARCH_SET_GS, &cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_shadow_of_call),
		cmocka_unit_test(test_rip),
		cmocka_unit_test(test_rip_with_immediate),
		cmocka_unit_test(test_jump),
		cmocka_unit_test(test_conditional_jump),
		cmocka_unit_test(test_call_keeps_return_address),
		cmocka_unit_test(test_indirect_calls),
		cmocka_unit_test(test_flags_survive),
		cmocka_unit_test(test_direction_flag),
		cmocka_unit_test(test_order_and_needs),
		cmocka_unit_test(test_skip),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_counter),
		cmocka_unit_test(test_far_counter),
		cmocka_unit_test(test_live_survives),
		cmocka_unit_test(test_guard),
		cmocka_unit_test(test_reschedule),
		cmocka_unit_test(test_displaced),
		cmocka_unit_test(test_after),
		cmocka_unit_test(test_called),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_callers_of_called),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
