/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * May several instructions of a function be replaced by one jump? Only where control comes to none of them but the first from
 * elsewhere. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_WINDOW_H
#define WK_WINDOW_H

#include "../runtime/abi.h"

struct wk_function;

/* NONE, or WINDOW: the @length bytes from @address, of whole instructions, may be entered behind the first. */
enum weft_refusal wk_window_check(struct wk_function *function, unsigned long address, unsigned int length);

#endif /* WK_WINDOW_H */
