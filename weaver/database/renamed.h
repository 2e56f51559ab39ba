/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds names that the kernel's headers define as another name: `#define rcu_head callback_head`. A
 * user writes rcu_head, but the compiler sees only callback_head, and so neither DWARF nor the
 * joinpoint table shows that the source says rcu_head. (The joinpoint table does have macros such
 * as sk_state, whose body contains the `.` of an access.)
 */
#ifndef WV_RENAMED_H
#define WV_RENAMED_H

#include <stdbool.h>

#include "base/error.h"
#include "database/pointcut.h"

/* Returns the name that the compiler sees for @word. If @word is no such macro, returns @word. */
const char *wv_renamed(const char *word);

/*
 * Makes *@ret a copy of @pointcut, which is of a member, with each name as the compiler sees this
 * name. Sets *@changed_ret to whether a name differs from the one in @pointcut. If no name differs,
 * *@ret is all zero instead.
 */
int wv_pointcut_renamed(const struct wv_pointcut *pointcut, struct wv_pointcut *ret,
			bool *changed_ret, struct wv_error *error);

#endif /* WV_RENAMED_H */
