/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares how the SIGTRAP handler passes an int3 to weft.ko's code. */
#ifndef SHIM_INT3_HOOK_H
#define SHIM_INT3_HOOK_H

#include <stdbool.h>
#include <ucontext.h>

/*
 * Asks text_poke's handler and then weft.ko's, in the kernel's order, whether the int3 that the
 * thread has met is theirs. If so, changes @context so that the thread goes on where they say; else
 * returns false. Only the SIGTRAP handler may call it.
 */
bool shim_int3(ucontext_t *context);

#endif /* SHIM_INT3_HOOK_H */
