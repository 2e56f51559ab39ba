/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointer arguments of weft_log(). The kernel's vsprintf.c dereferences the arguments of
 * conversions such as %s and %pI4, and a bad pointer there is an oops. So each such argument is
 * replaced before formatting: by a pointer to a copy, which is made with reads that cannot fault,
 * or, if the memory cannot be read, by a pointer for which vsprintf.c prints "(efault)".
 */
#ifndef WK_POINTER_ARGS_H
#define WK_POINTER_ARGS_H

#include <linux/types.h>

#include "runtime/log-format.h"

enum { WK_POINTER_ARGS_SIZE = 2048 };

/* The arguments of one record, and the copies that they point to. */
struct wk_pointer_args {
	/* the arguments as they are passed to vsprintf.c; unused ones are 0 */
	u64 arguments[WR_ARGUMENTS_MAX];
	u32 used;
	u8 copies[WK_POINTER_ARGS_SIZE] __aligned(8);
};

/*
 * Takes the arguments of @format, which are @passed, and copies what they point to. Returns false
 * if @format has a conversion that weft_log() does not support (struct wr_conversion) or too many
 * arguments; then @format must not be formatted. Any context.
 */
bool wk_pointer_args_take(struct wk_pointer_args *pointer_args, const char *format,
			  const u64 *passed);

#endif /* WK_POINTER_ARGS_H */
