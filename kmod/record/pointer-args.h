/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointer arguments of weft_log(). The kernel's vsprintf.c dereferences the arguments of %s or
 * %pI4, and a bad pointer is an oops. So such arguments are replaced before: each by a pointer to a
 * copy, taken by reads that cannot fault or, if nothing can be read, by a pointer for which
 * vsprintf.c itself prints "(efault)".
 */
#ifndef WK_POINTER_ARGS_H
#define WK_POINTER_ARGS_H

#include <linux/stdarg.h>
#include <linux/types.h>

#include "runtime/log-format.h"

enum { WK_POINTER_ARGS_SIZE = 2048 };

/* The copies for one record. */
struct wk_pointer_args {
	/* as they are to be formatted; what there are fewer is 0 */
	u64 arguments[WR_ARGUMENTS_MAX];
	u32 used;
	u8 copies[WK_POINTER_ARGS_SIZE] __aligned(8);
};

/*
 * Takes the arguments of @format. False where it has what weft_log() has not (struct
 * wr_conversion), or too many: then nothing of it may be formatted. Any context.
 */
bool wk_pointer_args_take(struct wk_pointer_args *pointer_args, const char *format, va_list args);

#endif /* WK_POINTER_ARGS_H */
