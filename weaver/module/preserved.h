/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that an aspect module's code never changes the registers that it is compiled not to use
 * (kbuild.c). weft.ko relies on that where it leaves advice after a fault (kmod/splice/leave.h).
 * The compiler keeps to it, but an author's asm need not: even if asm lists such a register as
 * clobbered, the compiler does not save it.
 */
#ifndef WV_PRESERVED_H
#define WV_PRESERVED_H

#include "base/error.h"

/*
 * Checks the module's file @path. -WV_E_ASPECT: an instruction changes such a register; the message
 * names the register and the location.
 */
int wv_preserved_check(const char *path, const char *aspect, struct wv_error *error);

#endif /* WV_PRESERVED_H */
