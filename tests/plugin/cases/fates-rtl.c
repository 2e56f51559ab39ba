// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fates of accesses that GCC's RTL passes remove, of loads that a load in another block serves, and
 * of those whose servant is gone. EXPECT's last word is the fate; see fates.c.
 */
struct list {
	long kind, count;
	union {
		long *words;
		char *bytes;
	};
	long rest;
};

#define barrier() __asm__ volatile("" : : : "memory")

void call(void);

/* Both branches are the same, so nothing needs the value that the condition tests. */
void same_branches(struct list *p)
{
	p->count = 1;						/* EXPECT set list.count store */
	if (p->kind)						/* EXPECT get list.kind dead */
		barrier();
	else
		barrier();
	p->count = 2;						/* EXPECT set list.count store */
}

/* The ends of the branches are merged to one piece of code, which gets no label. */
void same_ends(struct list *p, long n)
{
	if (n & 1) {
		barrier();
		p->words = (long *)n;				/* EXPECT set list.words coalesced */
		call();
	} else {
		barrier();
		p->bytes = (char *)n;				/* EXPECT set list.bytes coalesced */
		call();
	}
}

/* The first access always runs before the second. */
long dominated(struct list *p, long n)
{
	if (p->words[n] > 5)					/* EXPECT get list.words load */
		return 3;
	return p->words[n] * 2;					/* EXPECT get list.words coalesced@47 */
}

/* Neither access always runs before the other. */
long beside(struct list *p, long n)
{
	if (n > 5)
		return p->words[n] * 3;				/* EXPECT get list.words load */
	return p->words[n] * 2;					/* EXPECT get list.words load */
}

/* The copy of the whole struct has loaded the member. */
__attribute__((target("general-regs-only"))) long copied(struct list *p, struct list *q)
{
	*q = *p;
	return q->count;					/* EXPECT get list.count coalesced */
}

/* Nothing needs the first load, which is the servant of the second. */
long servant_is_dead(struct list *p)
{
	long a = p->kind;					/* EXPECT get list.kind dead */
	long b = p->kind;					/* EXPECT get list.kind dead */
	return a - b;
}

/* The store is dead, but the value that it stores is used. */
void servant_is_overwritten(struct list *p, long n)
{
	p->count = n;						/* EXPECT set list.count dead */
	p->count = p->count * 3; /* EXPECT set list.count store, get list.count coalesced */
}
