/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state byte of once-advice at one joinpoint, enum weft_once. Advice changes it from WAITING to
 * HIT at any time, on any CPU; every other change is under wk_mutex.
 */
#ifndef WK_ONCE_STATE_H
#define WK_ONCE_STATE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "runtime/abi.h"

/*
 * Returns the state of a joinpoint. @once: the joinpoint's state byte; NULL: its advice is not
 * once-advice.
 */
static inline enum weft_once wk_once_state(const u8 *once)
{
	return once ? READ_ONCE(*once) : WEFT_ONCE_NOT;
}

/* Changes the state from HIT to OUT; returns whether it was HIT. Under wk_mutex. */
static inline bool wk_once_retire(u8 *once)
{
	if (wk_once_state(once) != WEFT_ONCE_HIT)
		return false;
	WRITE_ONCE(*once, WEFT_ONCE_OUT);
	return true;
}

#endif /* WK_ONCE_STATE_H */
