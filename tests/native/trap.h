/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles SIGTRAP: after an int3 of a splice the thread goes on at the trampoline, and a single
 * step goes to the function that wanted it. Any other trap ends the program.
 */
#ifndef WEFT_TEST_TRAP_H
#define WEFT_TEST_TRAP_H

#include "runtime/frame.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

void trap_init(void);

/*
 * Gives the calling thread a separate stack for its traps, since neither trampolines nor the
 * handler may touch the bytes right below the program's stack pointer.
 */
void trap_thread_init(void);

/*
 * @handle is asked first at each int3, unless it is NULL. It makes @context go on where it should,
 * or returns false if the int3 is not its own.
 */
void trap_on_int3(bool (*handle)(ucontext_t *context));

/*
 * Runs the processor one instruction at a time until trap_step_end(). Before each instruction,
 * calls @step with the registers that the instruction is about to be executed with.
 */
typedef void (*trap_step)(ucontext_t *context);
void trap_step_begin(trap_step step);
void trap_step_end(void);

static inline uint64_t trap_address(const ucontext_t *context)
{
	return context->uc_mcontext.gregs[REG_RIP];
}

/* Copies registers and flags of @context, without the trap flag that stepping has set. */
void trap_frame(const ucontext_t *context, struct weft_frame *ret);

#endif /* WEFT_TEST_TRAP_H */
