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
 * Finds the blacklisted ranges. @hooked: the entry code gives int3s directly to weft.ko
 * (int3-hook.h). Otherwise they come through die notifiers, and the functions on that way are
 * blacklisted, too. A function that this kernel lacks is skipped. But of the two symbols that bound
 * a range, both or neither must exist; otherwise weft.ko is not loaded. Returns 0, or one of these,
 * with a line in the log:
 * -ENOENT: this kernel has only one of two such symbols
 * -E2BIG: there are more ranges than the list has room for
 */
int wk_blacklist_init(bool hooked);

/*
 * Returns whether the function at @start (live address) may be called while user memory is open
 * (between stac and clac) although it does not open it itself. Trampolines in such a function must
 * close user memory before they call advice.
 */
bool wk_text_needs_sanitize(unsigned long start);

/* Returns NONE, or why @address (live) is blacklisted. Any context. */
enum weft_refusal wk_blacklist(unsigned long address);

#endif /* WK_BLACKLIST_H */
