/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stops the build if weft.ko cannot work in the kernel that it is built for. */
#ifndef WK_NEEDS_H
#define WK_NEEDS_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
/*
 * No older kernel was ever tried, and no compile test would find out what weft.ko does wrong there.
 */
#error "weft.ko needs Linux 6.1 or newer"
#endif
#ifndef CONFIG_SMP
/* weft.ko's trampolines address per-CPU variables by %gs, which has no base without SMP. */
#error "weft.ko needs a kernel with CONFIG_SMP"
#endif
#ifndef CONFIG_HAVE_STATIC_CALL
/*
 * Without this option a static call is a call through a pointer, which must not be made here: see
 * base/unexported.h.
 */
#error "weft.ko needs a kernel with CONFIG_HAVE_STATIC_CALL"
#endif
#if defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)
/*
 * In such a kernel the caller passes the callee's type in a register at each indirect call. Advice
 * that runs right before the call may change that register.
 */
#error "weft.ko does not support a kernel with CONFIG_CFI (kCFI, FineIBT)"
#endif

#endif /* WK_NEEDS_H */
