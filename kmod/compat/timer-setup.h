/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets up a timer with its function. */
#ifndef WK_TIMER_SETUP_H
#define WK_TIMER_SETUP_H

#include <linux/hrtimer.h>

/*
 * Initializes @timer and sets the function that it calls. Since 6.13 one function of the kernel
 * does both; later kernels have no other.
 */
static inline void wk_timer_setup(struct hrtimer *timer,
				  enum hrtimer_restart (*function)(struct hrtimer *timer),
				  clockid_t clock, enum hrtimer_mode mode)
{
#ifdef WK_HAS_HRTIMER_SETUP
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

#endif /* WK_TIMER_SETUP_H */
