// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests accesses in expansions of macros: their location is that of the expansion. How EXPECT is
 * written: see kinds.c; "elsewhere" marks a column where the member's name does not stand.
 */
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)                                                                           \
	do {                                                                                       \
		*(volatile __typeof__(x) *)&(x) = (v);                                             \
	} while (0)
#define node_state node.state
#define FLAGS(o) ((o)->flags)
#define TWICE(a) ((a) + (a))
#define BY_SIZE(x)                                                                                 \
	({                                                                                         \
		int v;                                                                             \
		switch (sizeof(x)) {                                                               \
		case 1:                                                                            \
			v = (char)(x);                                                             \
			break;                                                                     \
		case 2:                                                                            \
			v = (short)(x);                                                            \
			break;                                                                     \
		default:                                                                           \
			v = (int)(x);                                                              \
		}                                                                                  \
		v;                                                                                 \
	})

struct node {
	int state;
};

struct object {
	struct object *next;
	struct node node;
	unsigned int flags;
	int slots[4];
};

int once(struct object *o)
{
	return READ_ONCE(o->flags); /* EXPECT get object.flags load */
}

void write_once(struct object *o, int v)
{
	WRITE_ONCE(o->flags, v); /* EXPECT set object.flags store */
}

int once_part(struct object *o)
{
	return READ_ONCE(o->node.state); /* EXPECT get object.node.state load, get object.node load */
}

int once_element(struct object *o)
{
	return READ_ONCE(o->slots[2]); /* EXPECT get object.slots load */
}

int member_macro(struct object *o)
{
	return o->node_state; /* EXPECT get object.node.state load, get object.node load elsewhere */
}

int accessor(struct object *o)
{
	return FLAGS(o); /* EXPECT get object.flags load */
}

void set_accessor(struct object *o)
{
	FLAGS(o) = 3; /* EXPECT set object.flags store */
}

int nested(struct object *o)
{
	return TWICE(READ_ONCE(FLAGS(o))); /* EXPECT get object.flags load */
}

int switched(struct object *o)
{
	return BY_SIZE(o->flags) + 1; /* EXPECT get object.flags load */
}

/* The column of a dereferenced address is that of the member, so these have no "elsewhere". */
#define STORE_RELEASE(p, v) WRITE_ONCE(*(p), v)
#define PROTECTED(p) ((__typeof__(*(p)) *)(p))
#define RESET(p)                                                                                   \
	do {                                                                                       \
		__asm__("" : : "r"(p));                                                            \
		*(p) = (struct node){1};                                                           \
	} while (0)
#define CONSTANT(x) (__builtin_constant_p(x) ? 1 : 2)

void store_release(struct object *o, int v)
{
	STORE_RELEASE(&o->flags, v + 1); /* EXPECT set object.flags store */
}

void store_release_part(struct object *o, int v)
{
	STORE_RELEASE(&o->node.state, v); /* EXPECT set object.node.state store, set object.node store */
}

struct object *protected(struct object *o)
{
	return PROTECTED(o->next); /* EXPECT get object.next load */
}

int looked_at(struct object *o)
{
	return CONSTANT(o->flags);
}

int several_lines(struct object *o)
{
	return TWICE(1 + /* EXPECT get object.flags load */
		     o->flags);
}
