// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests accesses in functions of a header: they are kept if the function was inlined somewhere, and left out otherwise. kinds.c says how the expected accesses are written. */
#include "header.h"

struct holder {
	int other;
	struct counter counter;
};

int both(struct counter *c)
{
	count(c);
	return limit(c);
}

int looping(struct counter *c, int n)
{
	return loops(c, n);
}

void member_of(struct holder *h)
{
	count(&h->counter); /* EXPECT address holder.counter any */
}

/* Accesses in the main file's functions are kept whether the functions are emitted or not. */
static inline int not_called(struct counter *c)
{
	return c->unused; /* EXPECT get counter.unused none */
}
