// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks liveness against the processor. A child runs the samples one instruction at a time. Before
 * each instruction, every register that liveness calls dead there gets rubbish, and so do the flags
 * if they are dead. The result must be that of an undisturbed run. To show that the test can fail,
 * liveness is made to forget a register.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/frame.h"
#include "image/dwarf/debug.h"
#include "image/symbols.h"
#include "samples.h"
#include "splice/liveness.h"

enum { ARITHMETIC_FLAGS = 0x8d5 }; /* OF, SF, ZF, AF, PF and CF. */

struct watched {
	struct wv_image *image; /* The program's own file. */
	struct wv_symbols symbols; /* The symbols of the program. */
	struct wv_debug debug; /* The program's debug information. */
	struct wv_decoder *decoder; /* Decodes its instructions. */
	/* The liveness of each function of the samples, in the order of the symbols. */
	struct wv_liveness **liveness;
	/* Dead registers that got rubbish, and instructions that ran. */
	unsigned long disturbed, steps;
	unsigned long steps_max; /* A run with more steps is taken for endless, and so for wrong. */
};

static enum wv_callee callee(void *context, uint64_t address, unsigned int *ret)
{
	const struct watched *watched = context;
	const struct wv_compiled_entry *compiled = wv_debug_compiled(&watched->debug, address);
	const struct wv_symbol *symbol = wv_symbols_at(&watched->symbols, address);

	if (!compiled)
		return WV_CALLEE_UNKNOWN;
	*ret = symbol && strchr(symbol->name, '.') ? WV_ARGUMENTS_MAX : compiled->given;
	return WV_CALLEE_COMPILED;
}

static void analyse(struct watched *watched, size_t i)
{
	const struct wv_symbol *symbol = &watched->symbols.list.data[i];
	struct wv_function_info function = { .start = symbol->address, .size = symbol->size,
					.callee = callee, .context = watched };
	struct wv_error error;
	size_t room;

	assert_int_equal(
		wv_image_text(watched->image, symbol->address, &function.bytes, &room, &error), 0);
	function.compiled = wv_debug_compiled(&watched->debug, symbol->address);
	assert_int_equal(
		wv_liveness_create(&function, watched->decoder, &watched->liveness[i], &error), 0);
}

static int setup(void **state)
{
	struct watched *watched = calloc(1, sizeof(*watched));
	struct wv_error error;

	assert_non_null(watched);
	assert_int_equal(wv_image_open("/proc/self/exe", &watched->image, &error), 0);
	assert_int_equal(wv_symbols_init(&watched->symbols, watched->image, &error), 0);
	assert_int_equal(wv_debug_init(&watched->debug, watched->image, true, &error), 0);
	assert_int_equal(wv_decoder_create(&watched->decoder, &error), 0);
	watched->liveness = calloc(watched->symbols.list.n, sizeof(*watched->liveness));
	for (size_t i = 0; i < watched->symbols.list.n; i++)
		if (!watched->symbols.list.data[i].label && !watched->symbols.list.data[i].alias &&
		    wv_debug_compiled(&watched->debug, watched->symbols.list.data[i].address))
			analyse(watched, i);
	*state = watched;
	return 0;
}

static int teardown(void **state)
{
	struct watched *watched = *state;

	for (size_t i = 0; i < watched->symbols.list.n; i++)
		wv_liveness_destroy(watched->liveness[i]);
	free(watched->liveness);
	wv_decoder_destroy(watched->decoder);
	wv_debug_deinit(&watched->debug);
	wv_symbols_deinit(&watched->symbols);
	wv_image_close(watched->image);
	free(watched);
	return 0;
}

static uint32_t live_at(const struct watched *watched, uint64_t address)
{
	const struct wv_symbol *symbol = wv_symbols_at(&watched->symbols, address);
	const struct wv_liveness *liveness =
		symbol ? watched->liveness[symbol - watched->symbols.list.data] : NULL;

	return liveness ? wv_liveness_at(liveness, address) : WEFT_LIVE_UNKNOWN;
}

static unsigned long long *slot_of(struct user_regs_struct *regs, unsigned int reg)
{
	unsigned long long *const slots[WR_NR_REGISTERS] = {
		&regs->rax, &regs->rcx, &regs->rdx, &regs->rbx, &regs->rsp, &regs->rbp, &regs->rsi,
		&regs->rdi, &regs->r8,	&regs->r9,  &regs->r10, &regs->r11, &regs->r12, &regs->r13,
		&regs->r14, &regs->r15,
	};

	return slots[reg];
}

static void disturb(struct watched *watched, pid_t child, struct user_regs_struct *regs,
		    uint32_t live)
{
	if (!(~live & (WR_BIT(WR_FLAGS + 1) - 1)))
		return;
	for (unsigned int reg = 0; reg < WR_NR_REGISTERS; reg++) {
		if (live & WR_BIT(reg) || reg == WR_RSP)
			continue;
		*slot_of(regs, reg) = 0xdeadbeefdeadbeef * (watched->steps + reg);
		watched->disturbed++;
	}
	if (!(live & WR_BIT(WR_FLAGS)))
		regs->eflags ^= ARITHMETIC_FLAGS;
	ptrace(PTRACE_SETREGS, child, NULL, regs);
}

/*
 * Returns the result that the child writes to the pipe, or 0 if it wrote none. Liveness is made to
 * forget the registers in @forget.
 */
static unsigned long run_watched(struct watched *watched, unsigned int seed, int n, uint32_t forget)
{
	unsigned long result = 0, last = watched->steps + watched->steps_max;
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		result = sample_run(seed, n);
		_exit(write(ends[1], &result, sizeof(result)) != sizeof(result));
	}
	close(ends[1]);
	waitpid(child, &status, 0);
	while (!ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) &&
	       waitpid(child, &status, 0) == child && WIFSTOPPED(status) &&
	       WSTOPSIG(status) == SIGTRAP && watched->steps < last) {
		struct user_regs_struct regs;
		uint32_t live;

		ptrace(PTRACE_GETREGS, child, NULL, &regs);
		watched->steps++;
		live = live_at(watched, regs.rip);
		if (live != WEFT_LIVE_UNKNOWN)
			disturb(watched, child, &regs, live & ~forget);
	}
	if (WIFSTOPPED(status)) {
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
	}
	if (read(ends[0], &result, sizeof(result)) != sizeof(result))
		result = 0;
	close(ends[0]);
	return result;
}

static void test_rubbish_in_dead_registers(void **state)
{
	struct watched *watched = *state;

	watched->steps_max = 1000000;
	for (unsigned int seed = 1; seed <= 2; seed++)
		assert_int_equal(run_watched(watched, seed, SAMPLES_MAX / 2, 0),
				 sample_run(seed, SAMPLES_MAX / 2));
	print_message("%lu instructions, %lu dead registers disturbed\n", watched->steps,
		      watched->disturbed);
	assert_true(watched->steps > 20000);
	assert_true(watched->disturbed > watched->steps);
}

/* If liveness forgets any single register, or the flags, the test must notice. */
static void test_forgotten_register(void **state)
{
	struct watched *watched = *state;

	watched->steps = 0;
	assert_int_equal(run_watched(watched, 1, 3, 0), sample_run(1, 3));
	watched->steps_max = 2 * watched->steps;
	for (unsigned int reg = 0; reg <= WR_FLAGS; reg++) {
		if (reg == WR_RSP || reg == WR_R10 || reg == WR_R11)
			continue; /* rsp is never saved, and the samples use neither r10 nor r11. */
		assert_int_not_equal(run_watched(watched, 1, 3, WR_BIT(reg)), sample_run(1, 3));
	}
}

/*
 * The number of registers in which a call may pass arguments is taken from its prototype. It is 6
 * if the prototype is not simple.
 */
static void test_prototypes(void **state)
{
	static const struct {
		const char *name;
		unsigned int given;
	} wanted[] = {
		{ "given_nothing", 0 }, { "given_two", 2 },  { "given_unused", 3 },
		{ "given_small", 2 },	{ "given_pair", 6 }, { "given_large", 6 },
		{ "gives_large", 6 },	{ "given_wide", 6 }, { "given_seven", 6 },
		{ "given_any", 6 },	{ "sample_run", 2 },
	};
	const struct watched *watched = *state;

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct wv_compiled_entry *compiled = NULL;

		wv_vec_for_each (symbol, &watched->symbols.list)
			if (!strcmp(symbol->name, wanted[i].name))
				compiled = wv_debug_compiled(&watched->debug, symbol->address);
		if (!compiled || compiled->given != wanted[i].given)
			fail_msg("%s: %d", wanted[i].name, compiled ? (int)compiled->given : -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rubbish_in_dead_registers),
		cmocka_unit_test(test_forgotten_register),
		cmocka_unit_test(test_prototypes),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
