/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that the kernel's headers define as another word: `#define rcu_head callback_head`. The
 * compiler sees only the other word. Where a single token is replaced by a single token, neither
 * DWARF nor the joinpoint table shows that there was a macro. (A macro such as sk_state, whose body
 * has the `.` of an access, is in the table.)
 */
#ifndef WV_RENAMED_H
#define WV_RENAMED_H

#include <stdbool.h>

#include "base/error.h"
#include "database/pointcut.h"

/* Returns the word that the compiler sees for @word; @word itself if it is no such macro. */
const char *wv_renamed(const char *word);

/*
 * Translates @pointcut, of a member: *@ret gets the words of its struct and path as the compiler
 * sees them. *@changed_ret: is any of the words different? If not, @ret is all zero.
 */
int wv_pointcut_renamed(const struct wv_pointcut *pointcut, struct wv_pointcut *ret,
			bool *changed_ret, struct wv_error *error);

#endif /* WV_RENAMED_H */
