/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The advice of aspects that come and go. Each thread counts it in its struct cpu, in these
 * elements:
 * - LIVE_CALLED + aspect: trampolines count the advice that they call; .ran is how often
 *   live_advice() or live_advice_frame() was entered;
 * - LIVE_COUNTED + aspect: hits of advice that only counts;
 * - LIVE_WRONG, for all aspects: .ran counts calls with a shadow that is no longer the aspect's, or
 *   with a frame that is not on the woven code's stack.
 */
#ifndef WEFT_TEST_LIVE_ADVICE_H
#define WEFT_TEST_LIVE_ADVICE_H

#include "live.h"

enum { LIVE_CALLED, LIVE_COUNTED = LIVE_ASPECTS, LIVE_WRONG = 2 * LIVE_ASPECTS };

/*
 * Entry points that trampolines call; C must not call them. live_advice_frame() also checks its
 * frame.
 */
void live_advice(void);
void live_advice_frame(void);

#endif /* WEFT_TEST_LIVE_ADVICE_H */
