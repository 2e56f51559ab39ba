// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests a servant whose instruction GCC copies, or executes on some paths only: which copy serves
 * which access? fates.c says how the expected accesses are written. run.sh also looks at the instructions.
 */
struct s {
	int a, b, gap, c;
};

int call(int n);
void call_both(int n, int m);

/* After the test, the store is done on one path only. */
void store_on_one_way(struct s *p)
{
	p->a = call(1); /* EXPECT set s.a store */
	if (p->a < 0) { /* EXPECT get s.a coalesced */
		p->a = 0; /* EXPECT set s.a store */
		p->c = 3; /* EXPECT set s.c store */
	}
	call(2);
}

/* The load is copied to both paths, and its copy serves the get on one of them. */
int copy_of_one_way(struct s *p, int n)
{
	int sum = 0;

	if (n == 3)
		sum = call(1);
	else
		sum = call(2);
	int b = p->b; /* EXPECT get s.b load */

	if (n == 3) {
		sum += b;
		sum *= p->b; /* EXPECT get s.b coalesced@33 */
	} else {
		sum -= b;
	}
	return sum;
}

/* Both copies come before a copy of the get; the copy on the same path serves it. */
int copies_of_both(struct s *p, int n)
{
	int sum = 0;

	if (n == 3)
		sum = call(1);
	else
		sum = call(2);
	int b = p->b; /* EXPECT get s.b load */

	if (b > 7)
		sum += p->b * 3; /* EXPECT get s.b coalesced@53 */
	if (n == 3)
		call_both(b, sum);
	else
		call_both(1, b);
	return sum;
}

/* The loads before the branches have the location of the first get, but are not its instruction. */
void three_ways(struct s *p, int n, int c, int *to)
{
	switch (n) {
	case 1:
		to[1] = p->a; /* EXPECT get s.a load */
		break;
	case 20:
		if (c)
			to[2] = p->a; /* EXPECT get s.a load */
		else
			to[3] = p->a; /* EXPECT get s.a load */
		break;
	case 300:
		if (c)
			to[4] = p->a; /* EXPECT get s.a load */
		else
			to[5] = p->a; /* EXPECT get s.a load */
		break;
	default:
		return;
	}
	call(3);
}
