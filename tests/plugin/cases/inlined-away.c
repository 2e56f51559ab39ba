// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests accesses that inlining removes or moves, and values that are in registers from the start.
 * kinds.c says how the expected accesses are written.
 */
struct pair {
	unsigned long value, mask;
};

void use(unsigned long n);
void fill(void *p);

/* The struct is passed in two registers. */
unsigned long in_registers(struct pair a)
{
	return a.value ^		/* EXPECT get pair.value registers */
	       a.mask;			/* EXPECT get pair.mask registers */
}

/* It has no room in registers, and is passed on the stack. */
struct triple {
	unsigned long first, second, third;
};

unsigned long on_the_stack(struct triple a)
{
	return a.first ^		/* EXPECT get triple.first load */
	       a.third;			/* EXPECT get triple.third load */
}

/*
 * One register is left, so the struct that would fit into two is passed on the stack, although
 * scalar replacement takes it apart.
 */
unsigned long no_room(long a, long b, long c, long d, long e, struct pair p)
{
	unsigned long sum = 0;

	for (long i = 0; i < a; i++)
		sum += p.mask * i; /* EXPECT get pair.mask unknown */
	return sum + b + c + d + e;
}

/* The only test of the bit has the location of the call. */
struct attributes {
	long number;
	unsigned disabled : 1, comm : 1, task : 1;
};

struct event {
	long count;
	struct attributes attributes;
	long flags;
};

static int is_comm(struct event *p)
{
	return p->attributes.comm; /* EXPECT get event.attributes load, get event.attributes.comm load */
}

void if_comm(struct event *p)
{
	if (!is_comm(p))
		return;
	use(1);
	use(2);
}

/* One load serves both tests. */
void both_bits(struct event *p)
{
	unsigned long flags = 0;

	if (!p->attributes.disabled) /* EXPECT get event.attributes load, get event.attributes.disabled load */
		flags |= 4;
	if (!p->attributes.task) /* EXPECT get event.attributes coalesced@74, get event.attributes.task coalesced */
		flags |= 8;
	use(flags);
}

/* The bit-field of a variable that is reached by a pointer until the function is inlined. */
static inline __attribute__((always_inline)) void change_bits(struct attributes *p, int n)
{
	p->comm = n;			/* EXPECT set attributes.comm load+store */
}

void change_variable(int n)
{
	struct event it;

	fill(&it);
	change_bits(&it.attributes, n);		/* EXPECT address event.attributes none */
	use(it.flags);				/* EXPECT get event.flags load */
	fill(&it);
}

/* Only one of the cases is left where the function is inlined. */
static unsigned long one_case(struct triple *p, int version)
{
	switch (version) {
	case 1:
		use(p->first);		/* EXPECT get triple.first load */
		return 1;
	case 2:
		use(2);
		use(p->second);		/* EXPECT get triple.second dead */
		use(3);
		use(p->third);		/* EXPECT get triple.third dead */
		return 2;
	}
	return 0;
}

unsigned long first_case(struct triple *p)
{
	use(p->third);			/* EXPECT get triple.third load */
	return one_case(p, 1);
}

/*
 * GCC gives the two arguments the location of the call, so the two accesses are not told apart
 * where the function is inlined. Neither may be called dead.
 */
struct named {
	const char *name;
};

int strcmp(const char *, const char *);

static _Bool is_equal(struct named *p, struct named *q)
{
	if (p == q)
		return 1;
	if (strcmp(p->name, q->name) != 0) /* EXPECT get named.name unknown, get named.name unknown */
		return 0;
	return 1;
}

int compare_next(struct named **p)
{
	return is_equal(p[0], p[1]) ? 3 : 4;
}

/* An inlined function that does not look at the struct that it gets. */

static inline int is_soft(struct pair pte)
{
	return 0;
}

struct holder {
	long before;
	struct pair pair;
};

int not_looked_at(struct holder *p)
{
	return is_soft(p->pair) ?		/* EXPECT get holder.pair dead */
	       4 : (int)p->before;		/* EXPECT get holder.before load */
}
