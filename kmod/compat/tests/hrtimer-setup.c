// SPDX-License-Identifier: GPL-2.0-or-later
/* Does one function set up a timer (6.13)? */
#include <linux/module.h>
#include <linux/hrtimer.h>

void hrtimer_setup_(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *));

void hrtimer_setup_(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))
{
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
}
