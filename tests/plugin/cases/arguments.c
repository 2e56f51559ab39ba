// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests addresses of members that are passed to functions which are not inlined. At the call, the member's
 * address is in the register of an argument, which the label names. kinds.c says how the expected accesses are written.
 */
struct lock {
	int count;
};

struct outer_lock {
	struct lock raw;
};

struct object {
	long first;
	struct outer_lock lock;
	struct lock mutex;
	struct {
		int other;
		struct lock inner;
	} part;
	struct lock many[3];
};

struct pair {
	struct lock one;
	struct lock two;
};

struct holder {
	long first;
	struct pair pair;
};

struct big {
	long words[4];
};

void take(struct lock *lock);
int give(int how, struct lock *lock);
void floats(double d, struct lock *lock);
struct big large(struct lock *lock);
void variable(int n, ...);
void sixth(int a, int b, int c, int d, int e, struct lock *lock);
void seventh(int a, int b, int c, int d, int e, int f, struct lock *lock);

static inline void take_outer(struct outer_lock *lock)
{
	take(&lock->raw); /* EXPECT address outer_lock.raw argument0 */
}

static inline void take_second(struct pair *pair)
{
	take(&pair->two); /* EXPECT address pair.two argument0 */
}

static inline void take_if(struct lock *lock, int c)
{
	if (c)
		take(lock);
}

static inline void take_twice(struct lock *lock)
{
	take(lock);
	take(lock);
}

void plain(struct object *o)
{
	take(&o->mutex); /* EXPECT address object.mutex address+argument0 */
}

int second(struct object *o)
{
	return give(3, &o->mutex); /* EXPECT address object.mutex address+argument1 */
}

void last(struct object *o)
{
	sixth(1, 2, 3, 4, 5, &o->mutex); /* EXPECT address object.mutex address+argument5 */
}

/* The address is passed through an inlined function. */
void inlined(struct object *o)
{
	take_outer(&o->lock); /* EXPECT address object.lock argument0 */
	take(&o->mutex); /* EXPECT address object.mutex address+argument0 */
}

/* The part is at another offset than the struct that it is in. */
void nested(struct object *o)
{
	take(&o->part.inner); /* EXPECT address object.part.inner address+argument0, address object.part address */
}

/* The address is not, or not for certain, in the register of the argument's number. */
void elsewhere(struct object *o)
{
	floats(3.0, &o->mutex); /* EXPECT address object.mutex address */
}

void on_stack(struct object *o)
{
	seventh(1, 2, 3, 4, 5, 6, &o->mutex); /* EXPECT address object.mutex address */
}

void unknown(struct object *o)
{
	variable(1, &o->mutex); /* EXPECT address object.mutex address */
}

long hidden(struct object *o)
{
	return large(&o->mutex).words[1]; /* EXPECT address object.mutex address, get big.words load */
}

/* The function is not called each time the address is taken. */
void sometimes(struct object *o, int c)
{
	take_if(&o->mutex, c); /* EXPECT address object.mutex address */
}

/* Of two calls with the address, the first has the label. */
void twice(struct object *o)
{
	struct lock *lock = &o->mutex; /* EXPECT address object.mutex address+argument0 */

	take(lock);
	give(1, lock);
}

void twice_inlined(struct object *o)
{
	take_twice(&o->mutex); /* EXPECT address object.mutex address+argument0 */
}

/* The argument is not the member's address but is computed from it, so there is no label (`none`). */
void behind(struct object *o, int i)
{
	take(&o->mutex + 1); /* EXPECT address object.mutex none */
	take(&o->many[i]); /* EXPECT address object.many any */
}

/* A part of the member is passed, not its beginning. */
void part(struct holder *h)
{
	take_second(&h->pair); /* EXPECT address holder.pair none */
}

/* GCC gives a call that is an argument the outer call's location, and its own arguments as well. */
struct id {
	int value;
};

struct named {
	int first;
	struct id id;
};

int outer_call(const char *text, int value);
int inner_call(int flags, struct id id);

int nested_calls(struct named *s)
{
	return outer_call("text",
			  inner_call(1,
				     s->id)); /* EXPECT get named.id load */
}
