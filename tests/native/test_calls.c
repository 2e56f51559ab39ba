// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests advice after a call that is under an `if`. Such advice has two splices: at the call, where
 * it notes the call, and at the instruction after the call, where it looks for the note. The
 * function calls itself, its threads are interrupted by signals, and some of its calls never
 * return, after which another task gets the stack. The advice must run as often as the function
 * itself counts. The table of notes (runtime/call-table.h) is also tested with an interrupt between
 * any two instructions.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <asm/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/call-table.h"
#include "runtime/frame.h"
#include "runtime/trampoline.h"
#include "trap-flag.h"

enum { BITS = 6, ROOM = 4096, ADVICE = 3, THREADS = 4, ROUNDS = 20000 };

/*
 * long under_if(long depth, unsigned long mask) calls called() where bit 0 of @mask is set. In any
 * case it goes on at under_if_next, with the result of called() or -1.
 */
asm(".text\n"
    "under_if:	push %rbx\n"
    "		mov %rdi, %rbx\n"
    "		mov $-1, %rax\n"
    "		test $1, %sil\n"
    "		je 1f\n"
    "under_if_call:	call called\n"
    "1:\n"
    "under_if_next:	lea 0x1000(%rax,%rbx), %rax\n"
    "		pop %rbx\n"
    "		ret\n"
    "under_if_end:\n");
extern uint8_t under_if[], under_if_call[], under_if_next[], under_if_end[];

typedef long (*function)(long depth, unsigned long mask);

/* A thread acts as a CPU that runs one task; %gs leads to its struct cpu. */
static __thread struct cpu {
	int32_t preempt_count;
	int64_t guard;
	uint64_t hits, missed, counted;
	uint64_t ran;	   /* How often the advice ran. */
	uint64_t returned; /* How often called() has returned. */
	uint64_t task;
	bool leaves; /* If set, called() does not return. */
	jmp_buf out;
} cpu;

static struct wr_noted_call slots[WR_CALL_SLOTS(BITS)];
static uint8_t *memory;
static function woven;
static struct wr_call at_call, at_next[2];
static uint32_t start_of_next;

#define IN_TRAMPOLINE __attribute__((force_align_arg_pointer, used))

/* Destroys the registers that C may change. Trampolines must have saved those that are live. */
static inline __attribute__((always_inline)) void clobber(void)
{
	asm volatile("mov $-1, %%rcx; mov %%rcx, %%rdx; mov %%rcx, %%rsi; mov %%rcx, %%rdi;"
		     "mov %%rcx, %%r8; mov %%rcx, %%r9; mov %%rcx, %%r10; mov %%rcx, %%r11; clc" ::
			     : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",
			       "memory");
}

static uint64_t call_id(void)
{
	return wr_call_id((uintptr_t)woven + (under_if_next - under_if), ADVICE);
}

IN_TRAMPOLINE static bool note(unsigned long shadow, unsigned long sp)
{
	bool noted = wr_call_note(slots, BITS, sp, call_id(), cpu.task);

	clobber();
	return noted;
}

IN_TRAMPOLINE static bool take(unsigned long shadow, unsigned long sp)
{
	bool taken = wr_call_take(slots, BITS, sp, call_id(), cpu.task);

	clobber();
	return taken;
}

IN_TRAMPOLINE static void advice(struct weft_frame *frame, unsigned long shadow)
{
	cpu.ran++;
	clobber();
}

/* The assembler of under_if() calls this function. */
long called(long depth, unsigned long mask);

long called(long depth, unsigned long mask)
{
	long below = depth ? woven(depth - 1, mask >> 1) : 7;

	if (!depth && cpu.leaves)
		longjmp(cpu.out, 1);
	cpu.returned++;
	return below * 3 + depth;
}

/* Returns what under_if() returns without being woven. */
static long expected(long depth, unsigned long mask)
{
	long result = -1;

	if (mask & 1)
		result = (depth ? expected(depth - 1, mask >> 1) : 7) * 3 + depth;
	return result + depth + 0x1000;
}

/* ---- functions that make the woven copy of under_if() ---------------------------------------- */

static const struct wr_platform platform = {
	.preempt_count = offsetof(struct cpu, preempt_count),
	.guard = offsetof(struct cpu, guard),
	.context_mask = 0xff0000,
	.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_RED_ZONE,
};

static uint8_t *emit(uint8_t *to, const struct wr_insn *insn, uint32_t flags,
		     struct wr_call *calls, unsigned int n)
{
	const struct wr_trampoline trampoline = { .platform = &platform, .insns = insn,
						  .nr_insns = 1, .flags = flags, .calls = calls,
						  .nr_calls = n };
	int length = wr_trampoline_emit(to, ROOM / 4, (uintptr_t)to, &trampoline);

	assert_true(length > 0 && (unsigned int)length <= wr_trampoline_bound(1, n));
	return to + length;
}

static void splice(uint8_t *at, uint8_t opcode, const uint8_t *to)
{
	int32_t distance = to - (at + 5);

	*at = opcode;
	memcpy(at + 1, &distance, sizeof(distance));
}

/*
 * Weaves a copy of under_if(). Splices are written over its call, by a call or a jump, and over the
 * instruction after the call, by a jump.
 */
static void weave(bool by_call)
{
	const ptrdiff_t call = under_if_call - under_if, next = under_if_next - under_if;
	uint8_t *first = memory + ROOM / 4, *second = memory + 2 * (ROOM / 4);
	struct wr_insn insn = { .length = 5, .kind = WR_INSN_CALL, .ends = 1,
				.address = (uintptr_t)memory + call, .target = (uintptr_t)called };

	memcpy(memory, under_if, under_if_end - under_if);
	woven = (function)memory;
	at_call = (struct wr_call){ .asks = (uintptr_t)note, .notes = 1, .live = WEFT_LIVE_UNKNOWN,
				    .missed = offsetof(struct cpu, missed) };
	emit(first, &insn, by_call ? WR_TRAMPOLINE_CALLED : 0, &at_call, 1);
	splice(memory + call, by_call ? 0xe8 : 0xe9, first);
	insn = (struct wr_insn){ .length = 8, .address = (uintptr_t)memory + next };
	memcpy(insn.bytes, under_if_next, insn.length);
	/*
	 * Two advices ask for the note of the call. The first one that asks takes the note away, so
	 * the second must not count the same call once more.
	 */
	for (unsigned int i = 0; i < 2; i++)
		at_next[i] = (struct wr_call){
			.asks = (uintptr_t)take, .entry = i ? 0 : (uintptr_t)advice,
			.live = WEFT_LIVE_UNKNOWN, .needs = WR_BIT(WR_RSP),
			.hits = i ? offsetof(struct cpu, counted) : offsetof(struct cpu, hits),
			.missed = offsetof(struct cpu, missed),
		};
	emit(second, &insn, 0, at_next, 2);
	start_of_next = second - memory;
	splice(memory + next, 0xe9, second);
	memset(slots, 0, sizeof(slots));
}

static unsigned int noted(void)
{
	unsigned int n = 0;

	for (size_t i = 0; i < WR_CALL_SLOTS(BITS); i++)
		n += slots[i].sp != 0;
	return n;
}

/* The calling thread becomes a CPU that runs a new task. */
static void begin(void)
{
	memset(&cpu, 0, sizeof(cpu));
	cpu.preempt_count = 0x100000;
	cpu.guard = WR_GUARD_IDLE;
	cpu.task = (uintptr_t)&cpu;
	assert_int_equal(syscall(SYS_arch_prctl, ARCH_SET_GS, &cpu), 0);
}

static void expect(uint64_t returned)
{
	assert_int_equal(cpu.returned, returned);
	assert_int_equal(cpu.ran, returned);
	assert_int_equal(cpu.hits, returned);
	assert_int_equal(cpu.counted, 0);
	assert_int_equal(cpu.missed, 0);
}

/* ---- tests of the number of runs of the advice ----------------------------------------------- */

static void advice_follows_the_call_alone(void **state)
{
	for (int by_call = 0; by_call < 2; by_call++) {
		uint64_t calls = 0;

		begin();
		weave(by_call);
		for (unsigned long mask = 0; mask < 256; mask++) {
			assert_int_equal(woven(7, mask), expected(7, mask));
			/* A call for each 1 bit of mask, from bit 0 up to the lowest 0 bit. */
			calls += __builtin_ctzl(~mask);
			expect(calls);
		}
		assert_int_equal(noted(), 0);
	}
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static _Atomic int wrong;
static volatile bool stop;

/* Acts as an interrupt: a signal handler that runs the same code on the same stack. */
static void on_interrupt(int signal)
{
	static __thread uint64_t random = 88172645463325252u;
	unsigned long mask = next_random(&random);

	wrong += woven(2, mask) != expected(2, mask);
}

static void *run(void *seed)
{
	uint64_t random = (uintptr_t)seed;
	sigset_t interrupts;

	begin();
	sigemptyset(&interrupts);
	sigaddset(&interrupts, SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &interrupts, NULL);
	for (int i = 0; i < ROUNDS || !stop; i++) {
		unsigned long mask = next_random(&random) | next_random(&random);

		wrong += woven(5, mask) != expected(5, mask);
	}
	pthread_sigmask(SIG_BLOCK, &interrupts, NULL);
	wrong += cpu.ran + cpu.missed != cpu.returned || cpu.hits != cpu.ran || cpu.counted;
	wrong += cpu.returned < ROUNDS;
	return NULL;
}

static void *interrupt_all(void *threads)
{
	while (!stop)
		for (int i = 0; i < THREADS; i++) {
			pthread_kill(((pthread_t *)threads)[i], SIGUSR1);
			usleep(50);
		}
	return NULL;
}

static void threads_and_interrupts_keep_theirs(void **state)
{
	const struct sigaction action = { .sa_handler = on_interrupt };
	pthread_t threads[THREADS], other;
	sigset_t interrupts;

	begin();
	weave(true);
	sigaction(SIGUSR1, &action, NULL);
	/* A signal must not come before the thread has a struct cpu. */
	sigemptyset(&interrupts);
	sigaddset(&interrupts, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &interrupts, NULL);
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run, (void *)(i + 1)), 0);
	stop = false;
	assert_int_equal(pthread_create(&other, NULL, interrupt_all, threads), 0);
	usleep(300000);
	stop = true;
	pthread_join(other, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(wrong, 0);
	assert_int_equal(noted(), 0);
}

/*
 * Calls the woven function with the stack pointer at the same address each time. Returns -1 if the
 * task has ended within a call.
 */
static __attribute__((noinline)) long enter(long depth, unsigned long mask)
{
	return setjmp(cpu.out) ? -1 : woven(depth, mask);
}

static void of_a_task_that_ends_in_a_call_nothing_is_left(void **state)
{
	begin();
	weave(true);
	cpu.leaves = true;
	assert_int_equal(enter(4, ~0ul), -1);
	assert_int_equal(noted(), 5);
	/*
	 * Another task has the stack now, and comes to the instruction after the call without the
	 * call.
	 */
	cpu.leaves = false;
	cpu.task++;
	for (unsigned long mask = 0; mask < 32; mask = mask * 2 + 1) {
		cpu.returned = cpu.ran = cpu.hits = 0;
		assert_int_equal(enter(4, mask), expected(4, mask));
		expect(__builtin_ctzl(~mask));
	}
	/* The note of the call that never returned is forgotten. */
	assert_int_equal(noted(), 0);
}

static void calls_without_room_are_missed(void **state)
{
	uint64_t hidden;

	begin();
	weave(true);
	for (size_t i = 0; i < WR_CALL_SLOTS(BITS); i++)
		slots[i].sp = 1;
	hidden = cpu.returned;
	assert_int_equal(woven(3, 7), expected(3, 7));
	assert_int_equal(cpu.returned - hidden, 3);
	assert_int_equal(cpu.missed, 3);
	assert_int_equal(cpu.ran, 0);
}

static void skipped_it_asks_nothing(void **state)
{
	begin();
	weave(true);
	wr_trampoline_skip(memory + ROOM / 4, &at_call);
	assert_int_equal(woven(3, 7), expected(3, 7));
	assert_int_equal(cpu.ran + noted(), 0);
	weave(true);
	for (unsigned int i = 0; i < 2; i++)
		wr_trampoline_skip(memory + start_of_next, &at_next[i]);
	assert_int_equal(woven(3, 7), expected(3, 7));
	assert_int_equal(cpu.ran, 0);
	assert_int_equal(noted(), 3);
}

/* ---- tests of the table of calls alone ------------------------------------------------------- */

static volatile unsigned int steps, interrupt_at;
static unsigned int bad;

/*
 * Returns the @nr-th of some stack pointers whose calls all go into the same bucket of the table,
 * where they compete for the slots.
 */
static uint64_t stack_of(unsigned int nr)
{
	uint64_t sp = 0xffffc90000004000;

	for (unsigned int n = 0;; sp += 8)
		if (wr_call_bucket(slots, BITS, sp) == slots && n++ == nr)
			return sp;
}

static void on_step(int signal)
{
	static uint64_t lower, other;

	if (!lower) {
		lower = stack_of(1);
		other = stack_of(2);
	}
	if (++steps != interrupt_at)
		return;
	/*
	 * Acts as an interrupt, which notes a call at stack pointer `lower` and takes it, and as
	 * another CPU, which notes a call at `other` and leaves it in the table.
	 */
	bad += !wr_call_note(slots, BITS, other, 1, 2);
	bad += !wr_call_note(slots, BITS, lower, 1, 1);
	bad += wr_call_take(slots, BITS, lower, 2, 1);
	bad += !wr_call_take(slots, BITS, lower, 1, 1);
}

static bool interrupted(unsigned int at)
{
	const uint64_t sp = stack_of(0);
	bool first, taken, again;

	memset(slots, 0, sizeof(slots));
	stack_of(2);
	steps = 0;
	interrupt_at = at;
	trap_flag_set();
	first = wr_call_note(slots, BITS, sp, 1, 1);
	taken = wr_call_take(slots, BITS, sp, 1, 1);
	again = wr_call_take(slots, BITS, sp, 1, 1);
	trap_flag_clear();
	assert_true(first && taken && !again);
	assert_int_equal(bad, 0);
	assert_int_equal(noted(), steps >= at);
	return steps >= at;
}

static void interrupts_take_other_slots(void **state)
{
	const struct sigaction action = { .sa_handler = on_step };
	unsigned int at = 1;

	sigaction(SIGTRAP, &action, NULL);
	on_step(SIGTRAP); /* Tries the interrupt once without stepping. */
	while (interrupted(at))
		at++;
	assert_true(at > 20);
	signal(SIGTRAP, SIG_DFL);
}

static int set_up(void **state)
{
	memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	return memory == MAP_FAILED;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(advice_follows_the_call_alone),
		cmocka_unit_test(threads_and_interrupts_keep_theirs),
		cmocka_unit_test(of_a_task_that_ends_in_a_call_nothing_is_left),
		cmocka_unit_test(calls_without_room_are_missed),
		cmocka_unit_test(skipped_it_asks_nothing),
		cmocka_unit_test(interrupts_take_other_slots),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
