/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of a header; see inlining.c. */
struct counter {
	int value;
	int limit;
	int unused;
};

static inline void count(struct counter *c)
{
	c->value++; /* EXPECT rmw counter.value rmw */
}

static inline int never_called(struct counter *c)
{
	return c->unused;
}

static inline int limit(struct counter *c)
{
	return c->limit; /* EXPECT get counter.limit load */
}

#ifdef __OPTIMIZE__
static const struct counter never_used = { .value = 1 };
#endif
