/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the two files of the test module share. */
#ifndef MANY_H
#define MANY_H

struct thing {
	long first;
	int second;
	unsigned short third;
	int (*call)(struct thing *thing);
};

int two_init(struct thing *thing);
int two_run(struct thing *thing, const char __user *user);

static inline int add_up(struct thing *thing)
{
	thing->second += thing->third;
	return thing->second;
}

#endif /* MANY_H */
