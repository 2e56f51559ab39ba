/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that the kernel's headers define as another name: `#define rcu_head callback_head`. The
 * compiler sees only callback_head. Where a macro replaces one token by one token, neither DWARF
 * nor the joinpoint table shows the macro. (A macro such as sk_state, whose body has the `.` of an
 * access, is in the table.)
 */
#ifndef WV_RENAMED_H
#define WV_RENAMED_H

#include <stdbool.h>

#include "base/error.h"
#include "database/pointcut.h"

/* Returns the name that the compiler sees for @word: @word itself if it is not such a macro. */
const char *wv_renamed(const char *word);

/*
 * Makes *@ret a copy of @pointcut, which is of a member, with the names that the compiler sees.
 * Sets *@changed_ret to whether a name differs. If none does, *@ret is all zero.
 */
int wv_pointcut_renamed(const struct wv_pointcut *pointcut, struct wv_pointcut *ret,
			bool *changed_ret, struct wv_error *error);

#endif /* WV_RENAMED_H */
