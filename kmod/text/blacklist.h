/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that must not be spliced although nobody else says so: what the trap and the trampolines run
 * through themselves, what other patchers copy or overwrite without looking, and what runs where no
 * trap can be taken.
 */
#ifndef WK_BLACKLIST_H
#define WK_BLACKLIST_H

#include <linux/types.h>

#include "runtime/abi.h"

/*
 * Finds the ranges. @hooked: an int3 comes to weft by the short way (int3-hook.h), and not through
 * the die notifiers, whose functions are forbidden otherwise. What this kernel lacks forbids
 * nothing; of what stands between two symbols it must have both or none, else weft.ko is not
 * loaded: -ENOENT, -E2BIG, and a line in the log.
 */
int wk_blacklist_init(bool hooked);

/* Is the function at @start called while user memory is open, although it does not open it? */
bool wk_text_needs_sanitize(unsigned long start);

/* NONE, or why @address (live) is forbidden. Any context. */
enum weft_refusal wk_blacklist(unsigned long address);

#endif /* WK_BLACKLIST_H */
