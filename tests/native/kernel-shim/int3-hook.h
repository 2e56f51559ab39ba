/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SIGTRAP as the int3 that it is. */
#ifndef SHIM_INT3_HOOK_H
#define SHIM_INT3_HOOK_H

#include <stdbool.h>
#include <ucontext.h>

/*
 * Asks, in the kernel's order, who has the int3 that the thread has met, and lets @context go on
 * where they say. False: nobody has it. For the handler of the signal.
 */
bool shim_int3(ucontext_t *context);

#endif /* SHIM_INT3_HOOK_H */
