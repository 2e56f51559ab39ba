/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The advice of aspects that come and go. struct cpu's counts have these for it, indexed by the
 * aspect's number:
 * - LIVE_CALLED + aspect: what trampolines count of advice that they call; .ran: the calls that
 *   arrived in live_advice() or live_advice_frame();
 * - LIVE_COUNTED + aspect: hits of advice that only counts;
 * - LIVE_WRONG, one for all: .ran counts calls with a shadow that is no longer the aspect's.
 */
#ifndef WEFT_TEST_LIVE_ADVICE_H
#define WEFT_TEST_LIVE_ADVICE_H

#include "live.h"

enum { LIVE_CALLED, LIVE_COUNTED = LIVE_ASPECTS, LIVE_WRONG = 2 * LIVE_ASPECTS };

/*
 * Entry points, called by trampolines; not to be called from C. live_advice_frame() checks its
 * frame.
 */
void live_advice(void);
void live_advice_frame(void);

#endif /* WEFT_TEST_LIVE_ADVICE_H */
