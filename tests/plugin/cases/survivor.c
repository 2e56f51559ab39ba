// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests equal ends of blocks, which GCC merges: the instruction that remains has a label if all
 * merged ones did the same access. kinds.c says how the expected accesses are written.
 */
#define inline inline __attribute__((gnu_inline, always_inline))
/* Both asm statements leave all registers unchanged; they keep GCC from merging more than the ends. */
#define one() __asm__ volatile("# 1" : : : "memory")
#define other() __asm__ volatile("# 2" : : : "memory")

struct count {
	int counter;
};

struct object {
	long kind;
	struct count refs, users;
	union {
		long *words;
		char *bytes;
	};
};

void call(void);

/* This end is so long that GCC does not duplicate it again. */
#define end() (call(), call(), call(), call(), call(), call(), call(), call(), call(), call())

static inline void down(struct count *v)
{
	__asm__ volatile("lock; decl %0" : "+m"(v->counter)); /* EXPECT rmw count.counter rmw */
}

static inline void put(struct object *p)
{
	down(&p->refs); /* EXPECT address object.refs any, rmw object.refs rmw derived */
}

static inline void leave(struct object *p)
{
	*(volatile long *)&p->kind = 1; /* EXPECT set object.kind store */
}

/* Two inlined instances of put() become one. */
void same_asm(struct object *p, long n)
{
	if (n & 1) {
		one();
		put(p);
		end();
	} else {
		other();
		put(p);
		end();
	}
}

/* Two inlined instances of leave() become one. */
void same_store(struct object *p, long n)
{
	if (n & 1) {
		one();
		leave(p);
		end();
	} else {
		other();
		leave(p);
		end();
	}
}

/* The memory is the same but the members differ, so the store that remains gets no label. */
void other_members(struct object *p, long n)
{
	if (n & 1) {
		one();
		p->words = (long *)n; /* EXPECT set object.words none */
		end();
	} else {
		other();
		p->bytes = (char *)n; /* EXPECT set object.bytes none */
		end();
	}
}

/* The objects are of two types, with the counter at the same offset. */
struct other {
	long kind;
	int state;
	struct count uses;
};

void other_asm(void *p, long n)
{
	struct object *object = p;
	struct other *other = p;

	if (n & 1) {
		one();
		down(&object->users); /* EXPECT address object.users any, rmw object.users none derived */
		end();
	} else {
		other();
		down(&other->uses); /* EXPECT address other.uses any, rmw other.uses none derived */
		end();
	}
}
