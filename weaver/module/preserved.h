/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that an aspect module's code never changes rbx and r12 to r15, which its C is compiled not
 * to use (kbuild-make.c). weft.ko relies on these registers when it ends advice after a fault
 * (kmod/splice/leave.h). An author's asm could change one: even if the asm lists it as clobbered,
 * the compiler does not save it.
 */
#ifndef WV_PRESERVED_H
#define WV_PRESERVED_H

#include "base/error.h"

/*
 * Checks the module's file @path. Returns -WV_E_ASPECT if an instruction changes one of these
 * registers; the message names the register and the location. @aspect: the aspect's path, for the
 * message.
 */
int wv_preserved_check(const char *path, const char *aspect, struct wv_error *error);

#endif /* WV_PRESERVED_H */
