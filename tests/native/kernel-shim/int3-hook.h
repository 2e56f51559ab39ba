/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Treats a SIGTRAP as the int3 that caused it. */
#ifndef SHIM_INT3_HOOK_H
#define SHIM_INT3_HOOK_H

#include <stdbool.h>
#include <ucontext.h>

/*
 * Asks text_poke's handler and then weft.ko's whether the int3 that the thread has met is theirs,
 * in the kernel's order. If so, makes @context go on where they say. Returns false if it is
 * neither's. For the SIGTRAP handler.
 */
bool shim_int3(ucontext_t *context);

#endif /* SHIM_INT3_HOOK_H */
