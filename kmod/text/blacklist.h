/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blacklisted text: text that must not be spliced for weft's own reasons. It is the text that the
 * trap and the trampolines themselves execute, text that other writers of text copy or overwrite
 * without checking, and text that runs where no trap can be taken.
 */
#ifndef WK_BLACKLIST_H
#define WK_BLACKLIST_H

#include <linux/types.h>

#include "runtime/abi.h"

/*
 * Finds the blacklisted ranges. @hooked: int3s come directly from the entry code (int3-hook.h) and
 * not through die notifiers; in the other case the notifiers' functions are blacklisted, too. A
 * function that this kernel lacks is skipped. Of the two symbols that bound a range, both or
 * neither must exist; otherwise the init fails and weft.ko is not loaded. Returns 0; -ENOENT or
 * -E2BIG, with a line in the log.
 */
int wk_blacklist_init(bool hooked);

/*
 * Is the function at @start (live address) called while user memory is open, although it does not
 * open it itself? Then its trampolines sanitize.
 */
bool wk_text_needs_sanitize(unsigned long start);

/* Returns NONE, or why @address (live) is blacklisted. Any context. */
enum weft_refusal wk_blacklist(unsigned long address);

#endif /* WK_BLACKLIST_H */
