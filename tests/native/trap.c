// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Handles SIGTRAP (declared in trap.h). The handler calls no function of a library, since libraries
 * may be woven.
 */
#include <err.h>
#include <signal.h>
#include <sys/mman.h>

#include "cpu.h"
#include "trap.h"
#include "trap-flag.h"
#include "weave.h"

enum { INT3_SIZE = 1, STACK_SIZE = 1 << 16, FLAG_RESUME = 0x10000 };

static trap_step on_step;
static bool (*on_int3)(ucontext_t *context);

static void handle(int signal_number, siginfo_t *info, void *data)
{
	ucontext_t *context = data;
	greg_t *rip = &context->uc_mcontext.gregs[REG_RIP];
	struct trap trap;

	if (info->si_code == TRAP_TRACE && on_step) {
		on_step(context);
		return;
	}
	if (on_int3 && on_int3(context)) {
		this_cpu()->trapped++;
		return;
	}
	trap = weave_trap(*rip - INT3_SIZE);
	if (!trap.trampoline) {
		signal(SIGTRAP, SIG_DFL);
		*rip -= INT3_SIZE;
		return;
	}
	this_cpu()->trapped++;
	if (trap.returns) {
		context->uc_mcontext.gregs[REG_RSP] -= sizeof(trap.returns);
		*(uint64_t *)context->uc_mcontext.gregs[REG_RSP] = trap.returns;
	}
	*rip = trap.trampoline;
	/* The int3 also ended a single step, so the next step begins at the trampoline. */
	if (on_step && context->uc_mcontext.gregs[REG_EFL] & FLAG_TRAP)
		on_step(context);
}

void trap_on_int3(bool (*handle_int3)(ucontext_t *context))
{
	on_int3 = handle_int3;
}

/* The handler blocks all other signals, just as a kernel handles int3s with interrupts off. */
void trap_init(void)
{
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigfillset(&action.sa_mask);
	if (sigaction(SIGTRAP, &action, NULL))
		err(2, "SIGTRAP");
}

void trap_thread_init(void)
{
	stack_t stack = { .ss_size = STACK_SIZE };

	stack.ss_sp =
		mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL))
		err(2, "the traps' stack");
}

void trap_step_begin(trap_step step)
{
	on_step = step;
	trap_flag_set();
}

void trap_step_end(void)
{
	trap_flag_clear();
	on_step = NULL;
}

void trap_frame(const ucontext_t *context, struct weft_frame *ret)
{
	static const int names[WR_NR_REGISTERS] = {
		REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
		REG_R8,	 REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	};

	for (unsigned int reg = 0; reg < WR_NR_REGISTERS; reg++)
		ret->reg[reg] = context->uc_mcontext.gregs[names[reg]];
	ret->flags = context->uc_mcontext.gregs[REG_EFL] & ~(FLAG_TRAP | FLAG_RESUME);
}
