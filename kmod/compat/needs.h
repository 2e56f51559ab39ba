/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kernel must have if weft.ko is to be built for it. Without that the build stops here. */
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
/* Its trampolines address per-CPU variables by %gs, which has no base in such a kernel. */
#error "weft.ko needs a kernel with CONFIG_SMP"
#endif
#ifndef CONFIG_HAVE_STATIC_CALL
/* Without it static calls are calls through pointers; see base/unexported.h. */
#error "weft.ko needs a kernel with CONFIG_HAVE_STATIC_CALL"
#endif
#if defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)
/* Its indirect calls pass a type in a register, which advice before them may change. */
#error "weft.ko does not support a kernel with CONFIG_CFI (kCFI, FineIBT)"
#endif

#endif /* WK_NEEDS_H */
