// SPDX-License-Identifier: GPL-2.0-or-later
/* Is there hrtimer_setup(), which sets up a timer together with its function (6.13)? */
#include <linux/module.h>
#include <linux/hrtimer.h>

void hrtimer_setup_(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *));

void hrtimer_setup_(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))
{
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
}
