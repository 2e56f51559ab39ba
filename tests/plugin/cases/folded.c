// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests of neighbours, which the front end merges into one test of a word, at the place of their operator. Each member
 * has the place where the source names it. For the form see kinds.c.
 */
struct flags {
	int before;
	unsigned char a, b, c, d;
	unsigned x : 1, y : 1, z : 2, w : 12;
	struct { unsigned char g, h; } in;
	int len;
};

#define BOTH(p) ((p)->x && (p)->z == 2)
#define likely(x) __builtin_expect(!!(x), 1)

int lines(struct flags *p)
{
	if (!p->x && /* EXPECT get flags.x load */
	    !p->y && /* EXPECT get flags.y load */
	    p->z == 2) /* EXPECT get flags.z load */
		return 3;
	return p->a || /* EXPECT get flags.a load */
	       p->b /* EXPECT get flags.b load */
	       || p->c; /* EXPECT get flags.c load */
}

/* Each load is that of its own object. */
int objects(struct flags *p, struct flags *q)
{
	return p->a == q->a && /* EXPECT get flags.a load, get flags.a load */
	       p->b == q->b; /* EXPECT get flags.b load, get flags.b load */
}

int objects_apart(struct flags *p, struct flags *q)
{
	return p->c == /* EXPECT get flags.c load */
		       q->c && /* EXPECT get flags.c load */
	       p->d == /* EXPECT get flags.d load */
		       q->d; /* EXPECT get flags.d load */
}

/* Comments, strings and other members of the name are no places of the folded one. */
int text(struct flags *p, const char *s)
{
	int len = 1;

	return p->x && /* not p->y; EXPECT get flags.x load */
	       s != "p->y" && len - p->len && /* EXPECT get flags.len load */
	       !p->y && /* EXPECT get flags.y any */
	       !p->z; /* EXPECT get flags.z any */
}

int macro(struct flags *p)
{
	return likely(p->x == 0 && /* EXPECT get flags.x load, get flags.y load */
		      p->y == 1);
}

int whole_in_macro(struct flags *p)
{
	return BOTH(p); /* EXPECT get flags.x load, get flags.z load */
}

int inside(struct flags *p)
{
	return p->in.g == 1 && /* EXPECT get flags.in load, get flags.in.g load */
	       p->in.h == 2; /* EXPECT get flags.in any, get flags.in.h load */
}

/* One read does for all tests of one member, and each of them is an access. */
int range(struct flags *p)
{
	return p->len == 3 || /* EXPECT get flags.len load */
	       p->len == 4 || /* EXPECT get flags.len load */
	       p->len == 5; /* EXPECT get flags.len load */
}

#define EIGHT 8
#define NINE 9

int constants_of_macros(struct flags *p)
{
	return p->len == EIGHT || /* EXPECT get flags.len load */
	       p->len == NINE; /* EXPECT get flags.len load */
}

int not_in_range(struct flags *p, int c)
{
	if (p->in.g != 2 && /* EXPECT get flags.in load, get flags.in.g load */
	    p->in.g != 3 && /* EXPECT get flags.in load, get flags.in.g load */
	    c)
		return 1;
	return p->before > 2 && c; /* EXPECT get flags.before load */
}

/* GCC reads len once for both comparisons, and combines them by `|`. */
int two_ranges(struct flags *p)
{
	return p->len <= 15 || /* EXPECT get flags.len load */
	       (p->len >= 32 && /* EXPECT get flags.len load */
		p->len <= 95); /* EXPECT get flags.len load */
}

int two_bits(struct flags *p)
{
	return p->len & 1 || /* EXPECT get flags.len load */
	       p->len & 4; /* EXPECT get flags.len load */
}

/* Of the members of a union, the one is meant that the text names. */
union both {
	unsigned long whole;
	struct { unsigned long first : 5, second : 5; };
};

int unions(union both *p)
{
	return !(p->first || /* EXPECT get both.first load */
		 p->second); /* EXPECT get both.second load */
}

/* The truth of one bit has the place of the operator, too. */
int truth(struct flags *p, int c)
{
	if (c &&
	    p->x && /* EXPECT get flags.x load */
	    *(volatile int *)&p->len) /* EXPECT get flags.len load */
		return 1;
	return 0;
}

/* Addresses: the front end compares p and q, and makes a cast of the address of a variable. */
struct list {
	struct list *next, *prev;
};

struct entry {
	int value;
	struct list list;
	struct { int first; struct list inner; } part;
};

struct mask {
	unsigned long bits[2];
	int rest;
	unsigned long more[2];
};

extern struct mask mask, one_mask[1];
extern void use(const unsigned long *);

#define MASK ((const struct mask *)&mask)
#define INIT(entry) ((entry)->next = 0)
#define INIT_PART(part) INIT(&(part)->inner)

int same(struct entry *p, struct entry *q)
{
	return &p->list == /* EXPECT address entry.list any */
	       &q->list; /* EXPECT address entry.list any */
}

#define IS_HEAD(p, head) (&(p)->list == (head))
#define IS_NO_HEAD(p, head) !IS_HEAD(p, head)

int nested(struct entry *p, struct entry *q)
{
	return IS_NO_HEAD(p, &(q)->list); /* EXPECT address entry.list any, address entry.list any */
}

int pointers(struct entry *p, struct entry *q, struct list *list)
{
	return p == q && p->list.next == list; /* EXPECT get entry.list load, get entry.list.next load */
}

void constants(void)
{
	use(MASK->bits); /* EXPECT address mask.bits any */
	use(one_mask->bits); /* EXPECT address mask.bits any */
	use(MASK->more); /* EXPECT address mask.more any */
	use((const unsigned long *)&mask);
	use(mask.more); /* EXPECT address mask.more any */
}

/* The second operator is not the place of the member before it. */
void second(struct entry *p)
{
	(&p->part.inner) /* EXPECT set entry.part store, set entry.part.inner store */
		->next = 0; /* EXPECT set entry.part.inner.next store */
	struct entry e;

	INIT(&e.list); /* EXPECT set entry.list any, set entry.list.next any */
	INIT(&p->list); /* EXPECT set entry.list store, set entry.list.next store */
	INIT_PART(&p->part); /* EXPECT set entry.part any, set entry.part.inner any, set entry.part.inner.next any */
}
