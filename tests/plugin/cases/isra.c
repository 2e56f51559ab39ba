// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests loads that IPA-SRA moves out of the part that fnsplit has split off a function: into callers of
 * the part, and into functions that the part is inlined into. kinds.c says how the expected accesses are written.
 */
struct link {
	struct link *next, *prev;
};

struct item {
	int a, low;
	struct link one, two;
	long high;
};

_Bool is_valid(const void *p);
void use(long n);
void fill(struct item *p);

/* The part is inlined everywhere, and its statements copy what the callers load. */
static inline void join(struct link *prev, struct link *next)
{
	next->prev = prev; /* EXPECT set link.prev store */
	*(struct link *volatile *)&prev->next = next; /* EXPECT set link.next store */
}

static inline __attribute__((gnu_inline, unused)) void take_out(struct link *at)
{
	if (!is_valid(at))
		return;
	join(at->prev, at->next); /* EXPECT get link.prev load, get link.next load */
}

void take_one(struct item *p)
{
	take_out(&p->one); /* EXPECT address item.one address+argument0 */
	use(3);
}

void take_two(struct item *p)
{
	if (p->a) /* EXPECT get item.a load */
		take_out(&p->two); /* EXPECT address item.two address+argument0 */
}

/* Both loads are of one variable; only their two offsets together show which load is which. */
void take_variable(void)
{
	struct item it;

	fill(&it);
	take_out(&it.two); /* EXPECT address item.two argument0 */
	use(3);
}

/* The part remains a function of its own. */
static void all_between(struct item *p)
{
	if (!is_valid(p))
		return;
	long low = p->low, high = p->high; /* EXPECT get item.low load, get item.high load */

	for (; low < high; low++)
		use(low);
	use(low * high);
	use(low - high);
	use(low ^ high);
	use(low & high);
}

void between_of_two(struct item *p)
{
	all_between(p + 1);
	all_between(p);
}

void between(struct item *p)
{
	all_between(p + 3);
	p->a = 3; /* EXPECT set item.a store */
}

/* What is loaded is assigned to a variable of another type of pointer. */
struct owner {
	long before;
	void *data;
};

static void use_data(struct owner *p)
{
	struct item *it = p->data; /* EXPECT get owner.data load */

	use(it->low); /* EXPECT get item.low load */
	use(it->high); /* EXPECT get item.high load */
}

void use_second(struct owner *p)
{
	use(p->before); /* EXPECT get owner.before load */
	use_data(p + 1);
}
