// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the trampolines of around-advice of calls, which runs instead of the function that a call
 * or a tail call leads to, and may call that function. The calls are direct, through registers and
 * through memory. The advice calls the function not at all, once and twice. Two advices nest, which
 * want the call's target in different registers. The result, the stack pointer and the registers
 * that a function must preserve are checked. Also tests around-advice of a function that begins
 * with a call.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <asm/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/frame.h"
#include "runtime/trampoline.h"
#include "call-with-marks.h"

enum { ROOM = 4096 };

/*
 * Each case_NAME is long NAME(long a, long b): it calls callee(a + 1, b) and adds 3 to the result,
 * or ends in a tail call. The trampoline is entered at NAME_splice. `enter` has its address, for
 * the cases whose splice is a call.
 */
asm(".text\n"
    "callee:		imul $10, %rdi, %rax\n"
    "			add %rsi, %rax\n"
    "			incl runs(%rip)\n"
    "			mov $-1, %rcx; mov %rcx, %rdx; mov %rcx, %rdi; mov %rcx, %rsi\n"
    "			mov %rcx, %r8; mov %rcx, %r9; mov %rcx, %r10; mov %rcx, %r11\n"
    "			ret\n"
    "case_called:	push %rbp\n"
    "			lea 1(%rdi), %rdi\n"
    "			call *enter(%rip)\n"
    "			add $3, %rax\n"
    "			pop %rbp\n"
    "			ret\n"
    "case_direct:	lea 1(%rdi), %rdi\n"
    "			jmp *enter(%rip)\n"
    "direct_splice:	call callee\n"
    "			add $3, %rax\n"
    "			ret\n"
    "case_rax:		lea 1(%rdi), %rdi\n"
    "			mov $callee, %eax\n"
    "			jmp *enter(%rip)\n"
    "rax_splice:	call *%rax\n"
    "			add $3, %rax\n"
    "			ret\n"
    "case_rbx:		lea 1(%rdi), %rdi\n"
    "			push %rbx\n"
    "			mov $callee, %ebx\n"
    "			jmp *enter(%rip)\n"
    "rbx_splice:	call *%rbx\n"
    "			add $3, %rax\n"
    "			cmp $callee, %rbx\n"
    "			pop %rbx\n"
    "			je 1f\n"
    "			mov $-2, %rax\n"
    "1:			ret\n"
    "case_r9:		lea 1(%rdi), %rdi\n"
    "			mov $callee, %r9d\n"
    "			jmp *enter(%rip)\n"
    "r9_splice:		call *%r9\n"
    "			add $3, %rax\n"
    "			ret\n"
    "case_memory:	lea 1(%rdi), %rdi\n"
    "			push %r13\n"
    "			mov $table, %r13d\n"
    "			mov $2, %r11d\n"
    "			jmp *enter(%rip)\n"
    "memory_splice:	call *-8(%r13,%r11,8)\n"
    "			pop %r13\n"
    "			add $3, %rax\n"
    "			ret\n"
    "case_absolute:	lea 1(%rdi), %rdi\n"
    "			jmp *enter(%rip)\n"
    "absolute_splice:	call *table+8(%rip)\n"
    "			add $3, %rax\n"
    "			ret\n"
    "case_tail:		lea 1(%rdi), %rdi\n"
    "			jmp *enter(%rip)\n"
    "tail_splice:	jmp callee\n"
    "case_tail_rdx:	lea 1(%rdi), %rdi\n"
    "			mov $table, %edx\n"
    "			jmp *enter(%rip)\n"
    "tail_rdx_splice:	jmp *8(%rdx)\n"
    /* long begins(long a, long b): a function that begins with a call of callee() */
    "begins:		.byte 0x40\n" /* so that the call has the end of a direct call */
    "			call *enter(%rip)\n"
    "begins_end:	add $5, %rax\n"
    "			ret\n");
extern uint8_t callee[], case_called[], case_direct[], direct_splice[], case_rax[], rax_splice[],
	case_rbx[], rbx_splice[], case_r9[], r9_splice[], case_memory[], memory_splice[],
	case_absolute[], absolute_splice[], case_tail[], tail_splice[], case_tail_rdx[],
	tail_rdx_splice[], begins[], begins_end[];

uint8_t *enter; /* the trampoline */
int runs;	/* of callee() */
uint8_t *table[2] = { NULL, callee };

static __thread struct cpu {
	int32_t preempt_count;
	int32_t unused;
	int64_t guard;
	uint64_t hits, noted;
} cpu;

static uint8_t *memory;
static void *original[2]; /* what the advices call */
static int entered[2];	  /* how often they ran */
static void *seen[2];	  /* the targets that they were given */
static int times;	  /* how often the outer one calls on */

typedef long (*two)(long a, long b);
typedef long (*three)(long a, long b, void *target);
typedef long (*four)(long a, long b, long c, void *target);

/*
 * The outer advice calls the function `times` times and returns the sum of the results plus 1. If
 * `times` is 0, it returns 42.
 */
static long outer(long a, long b, void *target)
{
	long sum = 0;

	entered[0]++;
	seen[0] = target;
	if (!times)
		return 42;
	for (int i = 0; i < times; i++)
		sum += ((three)original[0])(a + i, b, target);
	return sum + 1;
}

static long inner(long a, long b, long c, void *target)
{
	entered[1]++;
	seen[1] = target;
	return ((four)original[1])(a, b + 1, c, target);
}

static struct wr_platform platform = {
	.preempt_count = offsetof(struct cpu, preempt_count),
	.guard = offsetof(struct cpu, guard),
	.context_mask = 0xff0000,
};

#define REGISTER(reg) { .kind = WR_TARGET_REGISTER, .base = reg, .index = WR_NONE }
#define FIXED { .kind = WR_TARGET_FIXED, .value = 1, .base = WR_NONE, .index = WR_NONE }

/* The cases. Where .after is set, the call returns to the case; else it is a tail call. */
static const struct example {
	const char *name;
	uint8_t *function, *splice;
	uint8_t length, kind, modrm_offset, disp_offset;
	struct wr_target target;
	uint32_t flags;
	bool after;
} examples[] = {
	{ "called", case_called, direct_splice, 5, WR_INSN_CALL, .target = FIXED,
	  .flags = WR_TRAMPOLINE_CALLED, .after = true },
	{ "direct", case_direct, direct_splice, 5, WR_INSN_CALL, .target = FIXED, .after = true },
	{ "rax", case_rax, rax_splice, 2, WR_INSN_CALL_INDIRECT, 1, .target = REGISTER(WR_RAX),
	  .after = true },
	{ "rbx", case_rbx, rbx_splice, 2, WR_INSN_CALL_INDIRECT, 1, .target = REGISTER(WR_RBX),
	  .after = true },
	{ "r9", case_r9, r9_splice, 3, WR_INSN_CALL_INDIRECT, 2, .target = REGISTER(WR_R9),
	  .after = true },
	{ "memory", case_memory, memory_splice, 5, WR_INSN_CALL_INDIRECT, 2,
	  .target = { WR_TARGET_MEMORY, WR_R13, WR_R11, 8, -8 }, .after = true },
	{ "absolute", case_absolute, absolute_splice, 6, WR_INSN_CALL_INDIRECT, 1, 2,
	  .target = { WR_TARGET_MEMORY, WR_NONE, WR_NONE, 0, 0 }, .after = true },
	{ "tail", case_tail, tail_splice, 5, WR_INSN_JUMP, .target = FIXED },
	{ "tail through memory", case_tail_rdx, tail_rdx_splice, 3, WR_INSN_PLAIN,
	  .target = { WR_TARGET_MEMORY, WR_RDX, WR_NONE, 1, 8 } },
};

static struct wr_call calls[4];
static struct wr_target target; /* of the example */

static int emit(const struct wr_insn *insn, uint32_t flags, unsigned int n)
{
	const struct wr_trampoline trampoline = { .platform = &platform, .insns = insn,
						  .nr_insns = 1, .calls = calls, .nr_calls = n,
						  .flags = flags };
	int length = wr_trampoline_emit(memory, ROOM, (uintptr_t)memory, &trampoline);

	assert_true(length > 0 && (unsigned int)length <= wr_trampoline_bound(1, n));
	for (unsigned int i = 0, at = 0; i < n; i++)
		if (calls[i].around)
			original[at++] = memory + calls[i].original;
	enter = memory;
	return length;
}

/* Makes the trampoline of @example, with @n of the calls. */
static int weave(const struct example *example, unsigned int n, uint32_t flags)
{
	struct wr_insn insn = {
		.address = (uintptr_t)example->splice, .length = example->length,
		.kind = example->kind, .modrm_offset = example->modrm_offset,
		.disp_offset = example->disp_offset, .ends = 1, .target = (uintptr_t)callee,
	};

	memcpy(insn.bytes, example->splice, example->length);
	target = example->target;
	if (target.kind == WR_TARGET_FIXED)
		target.value = (uintptr_t)callee;
	if (example->disp_offset)
		insn.target = target.value = (uintptr_t)&table[1];
	platform.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_RED_ZONE | flags;
	return emit(&insn, example->flags, n);
}

static struct wr_call around_by(void *advice, unsigned int through)
{
	return (struct wr_call){ .around = (uintptr_t)advice, .live = WEFT_LIVE_UNKNOWN,
				 .of_call = 1, .through = through, .target = &target };
}

static struct wr_call counter(uint64_t *hits)
{
	return (struct wr_call){ .live = WEFT_LIVE_UNKNOWN,
				 .hits = (uintptr_t)hits - (uintptr_t)&cpu };
}

static long run(const struct example *example)
{
	static const long arguments[6] = { 3, 50 };

	runs = entered[0] = entered[1] = 0;
	seen[0] = seen[1] = NULL;
	cpu.hits = 0;
	return call_with_marks(example->function, arguments);
}

#define FOR_EACH_EXAMPLE(name) \
	for (const struct example *name = examples; \
	     name < examples + sizeof(examples) / sizeof(*examples); name++)

static void test_one(void **state)
{
	static const uint32_t flags[] = { 0, WR_PLATFORM_ENDBR, WR_PLATFORM_HIGH,
					  WR_PLATFORM_UPPER_HALF };

	FOR_EACH_EXAMPLE(example) {
		const long after = example->after ? 3 : 0, once = (3 + 1) * 10 + 50;

		for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
			print_message("%s\n", example->name);
			calls[0] = around_by(outer, WR_RDX);
			weave(example, 1, flags[i]);
			times = 0;
			assert_int_equal(run(example), 42 + after);
			assert_int_equal(runs, 0);
			times = 1;
			assert_int_equal(run(example), once + 1 + after);
			assert_int_equal(runs, 1);
			assert_ptr_equal(seen[0], callee);
			times = 2;
			assert_int_equal(run(example), once + once + 10 + 1 + after);
			assert_int_equal(runs, 2);
			assert_int_equal(entered[0], 1);
			wr_trampoline_skip(memory, &calls[0]);
			assert_int_equal(run(example), once + after);
			assert_int_equal(entered[0], 0);
		}
	}
}

/* Advice of a direct call must work without the call's target as an argument. */
static void test_without_target(void **state)
{
	FOR_EACH_EXAMPLE(example) {
		if (example->target.kind != WR_TARGET_FIXED)
			continue;
		calls[0] = around_by(outer, WR_NONE);
		weave(example, 1, 0);
		times = 1;
		assert_int_equal(run(example), 90 + 1 + (example->after ? 3 : 0));
		calls[1] = around_by(inner, WR_RCX);
		weave(example, 2, 0);
		assert_int_equal(run(example), 91 + 1 + (example->after ? 3 : 0));
		assert_ptr_equal(seen[1], callee);
	}
}

/* Nests two advices, after a counter. Then skips each of the two advices alone, and both. */
static void test_nested(void **state)
{
	FOR_EACH_EXAMPLE(example) {
		const long after = example->after ? 3 : 0, plain = (3 + 1) * 10 + 50;

		for (unsigned int skip = 0; skip < 4; skip++) {
			print_message("%s without %u\n", example->name, skip);
			calls[0] = counter(&cpu.hits);
			calls[1] = around_by(outer, WR_RDX);
			calls[2] = around_by(inner, WR_RCX);
			weave(example, 3, 0);
			times = 1;
			for (unsigned int i = 0; i < 2; i++)
				if (skip & 1 << i)
					wr_trampoline_skip(memory, &calls[1 + i]);
			assert_int_equal(run(example),
					 plain + !(skip & 1) + !(skip & 2) + after);
			assert_int_equal(runs, 1);
			assert_int_equal(cpu.hits, 1);
			assert_int_equal(entered[0], !(skip & 1));
			assert_int_equal(entered[1], !(skip & 2));
			assert_ptr_equal(seen[0], skip & 1 ? NULL : callee);
			assert_ptr_equal(seen[1], skip & 2 ? NULL : callee);
		}
	}
}

/* Where indirect branches go through thunks, so does the jump to the target. */
void *volatile thunk_target; /* where the last one has led */
volatile int thunks;
__attribute__((naked)) static void thunk(void)
{
	asm("incl thunks(%rip); mov %rdx, thunk_target(%rip); jmp *%rdx");
}

static void test_thunk(void **state)
{
	FOR_EACH_EXAMPLE(example) {
		const bool through = example->target.kind != WR_TARGET_FIXED;

		calls[0] = around_by(outer, WR_RDX);
		calls[0].thunk = (uintptr_t)thunk;
		weave(example, 1, 0);
		times = 1;
		thunks = 0;
		assert_int_equal(run(example), 90 + 1 + (example->after ? 3 : 0));
		assert_int_equal(thunks, through);
		if (through)
			assert_ptr_equal(thunk_target, callee);
	}
}

/* Tests the code that replaces a trampoline when the text is restored while a task is inside. */
static void test_exit(void **state)
{
	struct wr_call call = around_by(outer, WR_RDX);

	for (uint32_t flags = 0; flags <= WR_PLATFORM_UPPER_HALF; flags += WR_PLATFORM_UPPER_HALF) {
		int length;

		platform.flags = flags;
		target = (struct wr_target)REGISTER(WR_R12);
		length = wr_trampoline_exit_call(memory, ROOM, (uintptr_t)memory, &platform, &call);
		assert_true(length > 0 && length <= WR_TRAMPOLINE_EXIT);
		assert_int_equal(((three)memory)(4, 50, callee), 90);
		target = (struct wr_target)FIXED;
		target.value = (uintptr_t)callee;
		length = wr_trampoline_exit_call(memory, ROOM, (uintptr_t)memory, &platform, &call);
		assert_true(length > 0 && length <= WR_TRAMPOLINE_EXIT);
		assert_int_equal(((two)memory)(4, 50), 90);
	}
}

/*
 * A function that begins with a call has around-advice, while the call's splice is a call. Then the
 * return address of that call must not be taken for that of the function.
 */
static void test_function(void **state)
{
	static const struct example function = { .function = begins };
	const struct wr_insn insn = {
		.address = (uintptr_t)begins_end - 5, .length = 5, .kind = WR_INSN_CALL,
		.ends = 1, .target = (uintptr_t)callee,
	};

	target = (struct wr_target)FIXED;
	target.value = (uintptr_t)callee;
	for (uint32_t high = 0; high <= WR_PLATFORM_HIGH; high += WR_PLATFORM_HIGH) {
		platform.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_RED_ZONE | high;
		calls[0] = counter(&cpu.hits);
		calls[1] = around_by(outer, WR_NONE);
		calls[1].of_call = 0;
		calls[2] = around_by(inner, WR_NONE);
		emit(&insn, WR_TRAMPOLINE_CALLED, 3);
		for (times = 0; times < 3; times++) {
			assert_int_equal(run(&function),
					 times ? 86 * times + (times == 2 ? 10 : 0) + 1 : 42);
			assert_int_equal(runs, times);
			assert_int_equal(entered[1], times);
			assert_int_equal(cpu.hits, 1);
		}
		times = 1;
		wr_trampoline_skip(memory, &calls[1]);
		assert_int_equal(run(&function), 86);
		wr_trampoline_skip(memory, &calls[2]);
		assert_int_equal(run(&function), 85);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),    cmocka_unit_test(test_without_target),
		cmocka_unit_test(test_nested), cmocka_unit_test(test_thunk),
		cmocka_unit_test(test_exit),   cmocka_unit_test(test_function),
	};

	memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (memory == MAP_FAILED || syscall(SYS_arch_prctl, ARCH_SET_GS, &cpu))
		return 1;
	cpu.guard = WR_GUARD_IDLE;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
