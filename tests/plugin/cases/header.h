/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions in a header, which inlining.c includes. */
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

/* The front end drops the first loop with its body before it knows whether this function is called. */
static inline int loops(struct counter *c, int n)
{
	do {
		(void)(&c->limit); /* EXPECT address counter.limit none */
	} while (0);
	if (n)
		do
			(void)(&c->unused); /* EXPECT address counter.unused none */
		while (0);
	while (n--) {
		for (int i = 0; i < c->limit; i++) /* EXPECT get counter.limit any */
			c->value += n; /* EXPECT rmw counter.value any */
	}
	return ({ int v = c->value; v; }); /* EXPECT get counter.value any */
}

#ifdef __OPTIMIZE__
static const struct counter never_used = { .value = 1 };
#endif
