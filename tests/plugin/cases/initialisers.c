// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests initialisers: those outside of functions have accesses without a function. kinds.c says how the expected accesses are written. */
struct pair {
	int first;
	int second;
};

struct table {
	const char *name;
	int (*run)(int);
	struct pair pair;
	struct pair many[2];
};

static int runner(int x)
{
	return x;
}

const struct table named = { .name = "a" }; /* EXPECT init table.name none */

const struct table nested = { .pair = { .second = 2 } }; /* EXPECT init table.pair none, init table.pair.second none */

/* The address of a function is an expression with a location of its own. */
const struct table placed = {
	.run = runner, /* EXPECT init table.run none */
};

struct pair positional = { 1, 2 }; /* EXPECT init pair.first none, init pair.second none */

struct pair array[] = { { 1, 2 }, { 3, 4 } }; /* EXPECT init pair.first none, init pair.second none */

void use(struct pair *);

void local(int v)
{
	struct pair here = { .first = v }; /* EXPECT init pair.first any */
	static struct pair always = { .first = 9 }; /* EXPECT init pair.first none */

	use(&here);
	use(&always);
}

void literal(int v)
{
	use(&(struct pair){ .second = v }); /* EXPECT init pair.second any */
}

void assigned(struct pair *p, struct pair *q)
{
	*p = (struct pair){ .second = q->first }; /* EXPECT init pair.second any, get pair.first load */
}
