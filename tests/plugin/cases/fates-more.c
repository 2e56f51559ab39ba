// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests fates, as fates.c does, of accesses that several passes together remove. */
typedef struct {
	unsigned value;
} id_t;

struct ids {
	int usage;
	id_t user, group, saved;
};

int call(int);

/* The value of a struct is given to an inlined function, whose loads are loads of the struct's member. */
static inline _Bool same(id_t left, id_t right)
{
	return left.value == right.value; /* EXPECT get id_t.value load, get id_t.value load */
}

_Bool by_value(const struct ids *p, const struct ids *q)
{
	return same(p->user,					/* EXPECT get ids.user load */
		    q->saved) ||				/* EXPECT get ids.saved load */
	       same(p->user,				/* EXPECT get ids.user coalesced@22 */
		    q->user) ||					/* EXPECT get ids.user load */
	       same(p->group,					/* EXPECT get ids.group load */
		    q->saved);				/* EXPECT get ids.saved coalesced@23 */
}

struct limits {
	unsigned low, high, step;
};

/* Both operands of the comparison have just been stored. */
int both_sides(struct limits *p, unsigned n)
{
	p->low = n * 3;						/* EXPECT set limits.low store */
	p->high = n * n;					/* EXPECT set limits.high store */
	if (n > 7)
		p->step = 1;					/* EXPECT set limits.step store */
	return p->low <						/* EXPECT get limits.low coalesced */
	       p->high;						/* EXPECT get limits.high coalesced */
}

struct ranges {
	struct {
		unsigned low, high;
	} range[16];
	long number;
};

/* A pointer walks through the array, so the operand does not show where the array begins. */
int parts_only(struct ranges *p)
{
	int sum = 0;

	for (int i = 0; i < 16; i++)
		sum += call(
			p->range[i].high /* EXPECT get ranges.range coalesced@59, get ranges.range.high load */
		);
	return sum;
}

/* The variable never was in memory, although scalar replacement leaves it alone. */
union parts {
	unsigned handle;
	struct {
		unsigned slab : 16, offset : 10, valid : 1, extra : 5;
	};
};

unsigned in_one_register(unsigned handle)
{
	union parts parts = { handle };			/* EXPECT init parts.handle registers */

	return parts.extra;			/* EXPECT get parts.extra registers */
}

/* No function calls this one, so it has no code. */
static inline int never_called(struct limits *p)
{
	p->step = 1;						/* EXPECT set limits.step dead */
	return p->low;						/* EXPECT get limits.low dead */
}

/* Nothing is left of this function where it is inlined. */
static inline int nothing_left(struct limits *p)
{
	int low = p->low;					/* EXPECT get limits.low dead */

	(void)low;
	return 4;
}

int calls_nothing(struct limits *p)
{
	return nothing_left(p) + p->step;			/* EXPECT get limits.step load */
}

/* The two functions share their code, so accesses of the second are not dead. */
__attribute__((noinline)) static int first_alike(struct limits *p, int n)
{
	for (int i = 0; i < n; i++)
		p->low += p->high; /* EXPECT rmw limits.low rmw, get limits.high load */
	return p->step;						/* EXPECT get limits.step load */
}

__attribute__((noinline)) static int second_alike(struct limits *p, int n)
{
	for (int i = 0; i < n; i++)
		p->low += p->high; /* EXPECT rmw limits.low unknown, get limits.high unknown */
	return p->step;						/* EXPECT get limits.step unknown */
}

int alike(struct limits *p, int n)
{
	return first_alike(p, n) + second_alike(p, n + 1);
}

struct lock {
	int value;
};

struct signals {
	struct lock lock;
	int number;
};

struct task {
	struct signals *signals;
	int state;
};

/* The front end sees that nothing needs these values. */
int evaluates_nothing(struct task *p)
{
	do {
		(void)(&p->signals->lock); /* EXPECT get task.signals dead, address signals.lock any */
	} while (0);
	call(1);
	call(2);
	call(3);
	return p->state;					/* EXPECT get task.state load */
}
