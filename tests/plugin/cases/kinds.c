// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kinds of access, each in its plainest form. All cases have this form: `EXPECT` on a line lists all of the line's accesses
 * as KIND NAME USES, where NAME is struct.member or the whole path, and USES are the labels that the access has with -O2
 * ("+"-joined; "none" for no label; "any" where it depends on the compiler). Lines without EXPECT have no accesses.
 */
struct inner {
	int x;
	int y;
};

struct outer {
	struct outer *next;
	struct inner in;
	int n;
	int array[8];
	struct inner many[4];
	char *text;
};

int get(struct outer *o)
{
	return o->n; /* EXPECT get outer.n load */
}

void set(struct outer *o, int v)
{
	o->n = v; /* EXPECT set outer.n store */
}

void compound(struct outer *o, int v)
{
	o->n += v; /* EXPECT rmw outer.n rmw */
}

void increment(struct outer *o)
{
	o->n++; /* EXPECT rmw outer.n rmw */
	--o->in.x; /* EXPECT rmw outer.in.x rmw, rmw outer.in rmw */
}

int *address(struct outer *o)
{
	return &o->n; /* EXPECT address outer.n address */
}

int *decays(struct outer *o)
{
	return o->array; /* EXPECT address outer.array address */
}

void part(struct outer *o, int v)
{
	o->in.y = v; /* EXPECT set outer.in.y store, set outer.in store */
}

int through(struct outer *o)
{
	return o->next->in.x; /* EXPECT get outer.next load, get outer.in.x load, get outer.in load */
}

void set_through(struct outer *o, int v)
{
	o->next->n = v; /* EXPECT get outer.next load, set outer.n store */
}

int element(struct outer *o, int i)
{
	return o->array[i]; /* EXPECT get outer.array load */
}

int constant_element(struct outer *o)
{
	return o->array[3]; /* EXPECT get outer.array load */
}

void set_element(struct outer *o, int i, int v)
{
	o->array[i] = v; /* EXPECT set outer.array store */
}

int index_is_got(struct outer *o)
{
	return o->array[o->n]; /* EXPECT get outer.array load, get outer.n load */
}

void part_of_element(struct outer *o, int i)
{
	o->many[i].x += 2; /* EXPECT rmw outer.many.x rmw, rmw outer.many rmw */
}

char character(struct outer *o)
{
	return o->text[2]; /* EXPECT get outer.text load */
}

void both_sides(struct outer *a, struct outer *b)
{
	a->n = b->n; /* EXPECT set outer.n store, get outer.n load */
}

void whole(struct outer *a, struct outer *b)
{
	a->in = b->in; /* EXPECT set outer.in store, get outer.in load */
}

int taken(struct outer *a);
int argument(struct outer *a, struct outer *b);
int passed(int a, int b);

int call_arguments(struct outer *a, struct outer *b)
{
	return passed(a->n, b->in.x); /* EXPECT get outer.n load, get outer.in.x load, get outer.in load */
}

int same_member_twice(struct outer *a, struct outer *b)
{
	return passed(a->n, b->n); /* EXPECT get outer.n load, get outer.n load */
}

struct first {
	int n;
};

int beside_a_pointer(struct first *a, int *p, int **q)
{
	return passed(a->n, *p) + passed(*p, a->n + **q); /* EXPECT get first.n load, get first.n load */
}

int conditions(struct outer *o)
{
	if (o->n) /* EXPECT get outer.n load */
		return 1;
	while (o->in.x > 3) /* EXPECT get outer.in.x load, get outer.in load */
		o->in.x--; /* EXPECT rmw outer.in.x any, rmw outer.in any */
	return 0;
}

int chosen(struct outer *o, int which)
{
	switch (o->n) { /* EXPECT get outer.n load */
	case 3:
		return which ? o->in.x : 0; /* EXPECT get outer.in.x load, get outer.in load */
	default:
		return -1;
	}
}

unsigned long no_access(struct outer *o)
{
	return sizeof(o->n) + __alignof__(o->in) + __builtin_offsetof(struct outer, text);
}

static struct outer global;

int of_a_variable(void)
{
	global.n = 3; /* EXPECT set outer.n store */
	return global.in.y; /* EXPECT get outer.in.y load, get outer.in load */
}

int statement_expression(struct outer *o)
{
	return ({ int v = o->n; v * 2; }); /* EXPECT get outer.n load */
}
