// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second file of the test module: it has a static function with the same name as one in one.c,
 * and accesses user memory.
 */
#include <linux/kprobes.h>
#include <linux/uaccess.h>

#include "many.h"

static noinline int namesake(struct thing *thing)
{
	thing->third--;
	return thing->third * 3;
}

static int unprobed(struct thing *thing)
{
	return thing->second;
}
NOKPROBE_SYMBOL(unprobed);

int two_init(struct thing *thing)
{
	return namesake(thing) + unprobed(thing);
}

int two_run(struct thing *thing, const char __user *user)
{
	char byte;

	if (get_user(byte, user))
		return -EFAULT;
	switch (byte) {
	case 0: return add_up(thing);
	case 1: return namesake(thing);
	case 2: return thing->second;
	case 3: return thing->call(thing);
	case 4: return (int)thing->first;
	case 5: return thing->third;
	default: return 0;
	}
}
