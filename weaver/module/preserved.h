/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that the code of an aspect's module never changes rbx and r12 to r15. When weft.ko ends
 * advice after a fault, these registers must be as they were at the hit (kmod/splice/leave.h).
 * kbuild-make.c makes the compiler not use them. But asm of the author could change one, and the
 * compiler would not save it even if the asm lists it as clobbered.
 */
#ifndef WV_PRESERVED_H
#define WV_PRESERVED_H

#include "base/error.h"

/*
 * Checks the module's file @path. Returns -WV_E_ASPECT if an instruction changes one of these
 * registers; the message names the register and the location. @aspect: the aspect's name, for the
 * message.
 */
int wv_preserved_check(const char *path, const char *aspect, struct wv_error *error);

#endif /* WV_PRESERVED_H */
