// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fates of accesses that have no instruction. EXPECT's last word is the fate: "coalesced@N" is
 * coalesced with a servant in line N, "coalesced" alone names no servant.
 */
struct s {
	int a, b, c[4];
	struct s *next;
};

int call(int);
void escape(struct s *);

int loaded_before(struct s *p)
{
	if (p->a > 3)						/* EXPECT get s.a load */
		call(0);
	int b = p->b;						/* EXPECT get s.b load */
	return b + p->b;					/* EXPECT get s.b coalesced@18 */
}

int stored_before(struct s *p)
{
	p->a = call(1);						/* EXPECT set s.a store */
	return p->a;						/* EXPECT get s.a coalesced@24 */
}

/* Each pointer is read only once, so both accesses are to the same object. */
int through_pointer(struct s *p)
{
	int a = p->next->a;		/* EXPECT get s.next load, get s.a load */
	return a * p->next->a;		/* EXPECT get s.next coalesced@31, get s.a coalesced@31 */
}

/* A member of another object is never a servant, even if its value is the same. */
int other_object(struct s *p, struct s *q)
{
	int a = p->a;						/* EXPECT get s.a load */

	q->a = a;						/* EXPECT set s.a store */
	return q->a;						/* EXPECT get s.a coalesced@40 */
}

/* The servant of the third access is the first one, since the second has no instruction. */
int servant_of_servant(struct s *p)
{
	int a = p->a;						/* EXPECT get s.a load */
	int b = p->a;						/* EXPECT get s.a coalesced@47 */
	return call(a) + call(b) + a * b;
}

int unused(struct s *p)
{
	int a = p->a;						/* EXPECT get s.a dead */

	(void)a;
	return 0;
}

void overwritten(struct s *p)
{
	p->a = 1;						/* EXPECT set s.a dead */
	p->a = 2;						/* EXPECT set s.a store */
}

void stored_again(struct s *p)
{
	p->a = 7;						/* EXPECT set s.a store */
	p->a = 7;						/* EXPECT set s.a coalesced@68 */
}

int known(struct s *p, int n)
{
	if (__builtin_constant_p(n))
		return p->b;					/* EXPECT get s.b dead */
	return n;
}

int in_registers(int n)
{
	struct s v;

	v.a = n;						/* EXPECT set s.a registers */
	v.b = n + 1;						/* EXPECT set s.b registers */
	for (int i = 0; i < n; i++)
		v.a += call(v.b);	/* EXPECT rmw s.a registers, get s.b registers */
	return v.a;						/* EXPECT get s.a registers */
}

/* The variable is in memory, since its address escapes. */
int escaped(int n)
{
	struct s v;

	v.a = n;						/* EXPECT set s.a store */
	escape(&v);
	return v.a;						/* EXPECT get s.a load */
}

int in_loop(struct s *p, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += p->b * i;				/* EXPECT get s.b load */
	return sum;
}

static inline int inlined(struct s *p)
{
	return p->a;						/* EXPECT get s.a load */
}

/* In one inlined instance the access before it is the servant; another instance of the function has the instruction. */
int inlined_twice(struct s *p, struct s *q)
{
	return inlined(p) + call(2) + inlined(q);
}

static inline int served(struct s *p)
{
	return p->b + 1;			/* EXPECT get s.b coalesced@127+dead+coalesced@137 */
}

int serves(struct s *p)
{
	int b = p->b;						/* EXPECT get s.b load */

	return b * served(p);
}

int does_not_use(struct s *p)
{
	int b = served(p);

	(void)b;
	p->b = 3;						/* EXPECT set s.b store */
	return call(served(p));
}

/* The value that is read is the one that was stored, not the one from before. */
int after_change(struct s *p)
{
	p->a *= 3;						/* EXPECT rmw s.a load+store */
	return p->a;						/* EXPECT get s.a coalesced@144(store) */
}
