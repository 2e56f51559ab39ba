/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The advice of aspects that come and go. The per-CPU memory has three arrays of struct counts for
 * it, by the aspect's number: what a trampoline counts of advice that it calls, with .ran for the
 * calls that came; hits of advice that only counts; and in .ran, calls with a shadow that is not
 * the aspect's any more.
 */
#ifndef WEFT_TEST_LIVE_ADVICE_H
#define WEFT_TEST_LIVE_ADVICE_H

#include "live.h"

enum { LIVE_CALLED, LIVE_COUNTED = LIVE_ASPECTS, LIVE_WRONG = 2 * LIVE_ASPECTS };

/* Entries for trampolines; not to be called from C. The second one looks at its frame. */
void live_advice(void);
void live_advice_frame(void);

#endif /* WEFT_TEST_LIVE_ADVICE_H */
