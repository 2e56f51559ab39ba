/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the limits of the time that advice may take: its budget for each hit ("1ms"), and its
 * share of a CPU ("10%"). "0" is parsed to WEFT_BUDGET_NONE or WEFT_SHARE_NONE
 * (runtime/abi-fault.h), which mean "no limit".
 */
#ifndef WV_LIMITS_H
#define WV_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* What a valid budget or share is, for messages such as "'5' is not a budget: write a time ...". */
#define WV_BUDGET_FORM "a time from 100us to 1min, or 0 for none"
#define WV_SHARE_FORM "a percentage from 1% to 100%, or 0 for none"

/*
 * Parse a budget, in nanoseconds, or a share, in percent, into *@ret. Return false if @text is
 * neither.
 */
bool wv_budget_parse(const char *text, uint64_t *ret);
bool wv_share_parse(const char *text, uint32_t *ret);

#endif /* WV_LIMITS_H */
