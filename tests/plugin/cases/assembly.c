// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests operands of asm statements: "=m" is a set, "+m" a read-modify-write, "m" a get. kinds.c says how the expected accesses are written. */
typedef struct {
	int counter;
} atom_t;

struct object {
	long flags;
	atom_t users;
};

void increment(atom_t *v)
{
	asm volatile("lock; incl %0" : "+m"(v->counter)); /* EXPECT rmw atom_t.counter rmw */
}

void store(struct object *o)
{
	asm volatile("movl $0, %0" : "=m"(o->users.counter)); /* EXPECT set object.users.counter store, set object.users store */
}

int load(struct object *o)
{
	int v;

	asm volatile("movl %1, %0" : "=r"(v) : "m"(o->users.counter)); /* EXPECT get object.users.counter load, get object.users load */
	return v;
}

void output_register(struct object *o)
{
	asm volatile("movl $0, %k0" : "=r"(o->flags)); /* EXPECT set object.flags store */
}

static inline int exchange(atom_t *v, int n)
{
	asm volatile("xchgl %0, %1" : "+r"(n), "+m"(v->counter)); /* EXPECT rmw atom_t.counter rmw */
	return n;
}

int inlined(struct object *o)
{
	return exchange(&o->users, 3); /* EXPECT address object.users any, rmw object.users rmw derived */
}
