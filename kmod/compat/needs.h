/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every kernel must have that weft.ko is built for. Without it the build stops here. */
#ifndef WK_NEEDS_H
#define WK_NEEDS_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
/* No older one was ever tried, and no compile test tells what it would do wrong. */
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
