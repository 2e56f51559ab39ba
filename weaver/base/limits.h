/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What advice may take of the processor, as people write it: budget="1ms", share="10%". The numbers
 * are those of runtime/abi-fault.h. 0 is never one of them: WEFT_BUDGET_NONE and WEFT_SHARE_NONE
 * stand for "no limit".
 */
#ifndef WV_LIMITS_H
#define WV_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* For messages: "'%s' is not a budget: write " ... */
#define WV_BUDGET_FORM "a time from 100us to 1min, or 0 for none"
#define WV_SHARE_FORM "a percentage from 1% to 100%, or 0 for none"

/* Parse a budget (*@ret: nanoseconds) or a share (*@ret: percent). False: @text is not one. */
bool wv_budget_parse(const char *text, uint64_t *ret);
bool wv_share_parse(const char *text, uint32_t *ret);

#endif /* WV_LIMITS_H */
