/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGTRAP: splices that are int3s are sent to their trampolines; single steps go to whoever asked
 * for them. A trap that nobody expects ends the program.
 */
#ifndef WEFT_TEST_TRAP_H
#define WEFT_TEST_TRAP_H

#include "runtime/frame.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

void trap_init(void);

/*
 * Traps of the calling thread are handled on a stack of their own: below the program's lies what
 * trampolines must not touch.
 */
void trap_thread_init(void);

/*
 * @handle is asked first, at each int3, and lets @context go on where it should. False: it is none
 * of its own. NULL: nobody is asked.
 */
void trap_on_int3(bool (*handle)(ucontext_t *context));

/*
 * Runs the processor one instruction at a time until trap_step_end(), calling @step before each
 * with what it is about to be executed with.
 */
typedef void (*trap_step)(ucontext_t *context);
void trap_step_begin(trap_step step);
void trap_step_end(void);

static inline uint64_t trap_address(const ucontext_t *context)
{
	return context->uc_mcontext.gregs[REG_RIP];
}

/* Registers and flags of @context, without what stepping itself sets. */
void trap_frame(const ucontext_t *context, struct weft_frame *ret);

#endif /* WEFT_TEST_TRAP_H */
