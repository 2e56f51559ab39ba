// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests accesses that GCC rewrites so that their member cannot be seen any more: each kind of
 * rewriting once. kinds.c says how the expected accesses are written; "elsewhere" as in bitfields.c.
 */
struct s {
	int x, y;
	long z;
	void *p;
	struct s *next;
	int w, v;
};

struct flags {
	unsigned int a : 1, b : 1, c : 1, d : 1, e : 1, f : 1;
};

struct table {
	void *owner;
	int protocol, type;
	void *work;
	int flags;
};

struct pair {
	unsigned char first, second;
};

struct tables {
	int n;
	struct table at[8];
};

struct note {
	unsigned char family, first;
	unsigned short second;
	int n;
	unsigned short state;
	unsigned char flags, type;
};

struct words {
	unsigned long start, end;
};

void use(int n);
int use_words(struct words *p);
void use_all(void *owner, int protocol, int type, void *work, int flags);

/* An init and a get of one member have the same location in the source. */
struct s init_of_same(struct s *q)
{
	struct s r = { .z = 3, .x = q->x }; /* EXPECT init s.z any, init s.x any, get s.x load */

	return r;
}

/* IPA-SRA lets the callers load the members. */
static __attribute__((noinline)) int sum(struct s *q)
{
	return q->w * 3 + q->v; /* EXPECT get s.w load, get s.v load */
}

int call_sum(struct s *q)
{
	use(1);
	return sum(q) + sum(q + 1);
}

/* ivopts lets the offsets count from another variable. */
void all_of(struct table *t, int n)
{
	for (; n--; t++)
		use_all(t->owner, /* EXPECT get table.owner load */
			t->protocol, /* EXPECT get table.protocol load */
			t->type, /* EXPECT get table.type load */
			t->work, /* EXPECT get table.work load */
			t->flags); /* EXPECT get table.flags load */
}

void one_of(struct table *t, int n)
{
	for (; n--; t++)
		use(t->flags); /* EXPECT get table.flags load */
}

int in_array(struct tables *t)
{
	for (int i = 0; i < t->n; i++) { /* EXPECT get tables.n load */
		if (t->at[i].flags) /* EXPECT get tables.at load, get tables.at.flags load */
			return i;
	}
	return 0;
}

void set_all(struct table *t, int n)
{
	for (int i = 0; i < n; i++) {
		t[i].flags = 3; /* EXPECT set table.flags store */
		use(4);
	}
}

/* One store is for neighbouring members, another for bits of a word. */
void neighbours(struct s *q)
{
	q->x = q->y = 9600; /* EXPECT set s.x store, set s.y store */
}

void twice_neighbours(struct s *q)
{
	q->x = 1; /* EXPECT set s.x store */
	q->y = 2; /* EXPECT set s.y store */
	use(1);
	q->x = 3; /* EXPECT set s.x store */
	q->y = 4; /* EXPECT set s.y store */
}

/* The stores count from another pointer than in the source. Two passes merge the first three. */
void behind_header(char *message, int n)
{
	struct note *q = (void *)(message + 16);

	q->family = 7; /* EXPECT set note.family store */
	q->first = 0; /* EXPECT set note.first store */
	q->second = 0; /* EXPECT set note.second store */
	q->flags = 2; /* EXPECT set note.flags store */
	q->type = 0; /* EXPECT set note.type store */
	q->n = n; /* EXPECT set note.n store */
	use(1);
}

/* Two words are copied as two vectors of one element each, as in a kernel without SSE. */
__attribute__((target("general-regs-only"))) int copied_words(struct words *from)
{
	struct words to;

	to.start = from->start; /* EXPECT set words.start store, get words.start load */
	to.end = from->end; /* EXPECT set words.end store, get words.end load */
	return use_words(&to);
}

void bits(struct flags *s)
{
	s->a = 1; /* EXPECT set flags.a rmw */
	s->b = 1; /* EXPECT set flags.b rmw */
	s->c = 1; /* EXPECT set flags.c rmw */
}

/* Only the tested bits of a word are accessed. */
unsigned int shifted_bit(struct flags *s)
{
	return s->d ? 0x20 : 0; /* EXPECT get flags.d load elsewhere */
}

unsigned int shifted_right(struct flags *s)
{
	return s->e ? 4 : 0; /* EXPECT get flags.e load elsewhere */
}

/* The load has the location of the code to which it was moved. */
int moved_test(struct pair *s, int v)
{
	if (v && s->first == 1 && s->second == 2) /* EXPECT get pair.first load elsewhere, get pair.second load elsewhere */
		return 3;
	return 4;
}

/* The same member of two objects is accessed in one line. */
int two_objects(struct s *a, struct s *b)
{
	return a->next->x == b->next->x; /* EXPECT get s.next load, get s.x load, get s.next load, get s.x load */
}

/* The loads of both branches are done before the branch. */
long both_arms(struct s *q, int c)
{
	if (c)
		return q->z + 1; /* EXPECT get s.z load */
	else
		return q->z * 5; /* EXPECT get s.z load */
}

/* A store through a pointer must not get the label of a get at its location, nor a load that of a set. */
void no_false(struct s *q, struct s **to, struct table *t)
{
	*to = q->next; /* EXPECT get s.next load */
	q->x = t->flags; /* EXPECT set s.x store, get table.flags load */
}
