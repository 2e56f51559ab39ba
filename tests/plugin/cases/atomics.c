// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests accesses by address: `&p->m` is passed to an inlined function or a macro, and an instruction there,
 * mostly of an asm statement, accesses m. The access of kind address stays. Beside it there is a derived
 * access, of the kind of what that instruction does, only if the instruction was found ("derived" after the
 * USES). The functions and macros are written as the kernel's are. kinds.c says how the expected accesses are written.
 */
#ifdef __i386__
#define SIZE "l"
#else
#define SIZE "q"
#endif
#define LOCK ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; "
#define inline inline __attribute__((gnu_inline, always_inline))

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	atomic_t refs;
} refcount_t;

struct list {
	struct list *next, *prev;
};

struct page {
	unsigned long flags;
	atomic_t count;
	refcount_t users;
	unsigned char byte;
	int state;
	long owner;
	struct list list;
	unsigned long map[4];
};

static inline void atomic_inc(atomic_t *v)
{
	asm volatile(LOCK "incl %0" : "+m"(v->counter)); /* EXPECT rmw atomic_t.counter rmw */
}

static inline int atomic_read(const atomic_t *v)
{
	return *(const volatile int *)&v->counter; /* EXPECT get atomic_t.counter load */
}

static inline void atomic_set(atomic_t *v, int i)
{
	*(volatile int *)&v->counter = i; /* EXPECT set atomic_t.counter store */
}

static inline int atomic_add_return(int i, atomic_t *v)
{
	int ret = i;

	asm volatile(LOCK "xaddl %0, %1" : "+r"(ret), "+m"(v->counter) : : "memory"); /* EXPECT rmw atomic_t.counter rmw */
	return i + ret;
}

/* An output and an input that are the same memory. */
static inline void atomic_dec(atomic_t *v)
{
	asm volatile(LOCK "decl %0" : "=m"(v->counter) /* EXPECT rmw atomic_t.counter rmw */
		     : "m"(v->counter)); /* EXPECT get atomic_t.counter rmw */
}

static inline void refcount_inc(refcount_t *r)
{
	atomic_inc(&r->refs); /* EXPECT address refcount_t.refs any, rmw refcount_t.refs rmw derived */
}

static inline void get(struct page *page)
{
	refcount_inc(&page->users); /* EXPECT address page.users any, rmw page.users rmw derived */
}

static inline void set_bit(long nr, volatile unsigned long *addr)
{
	if (__builtin_constant_p(nr))
		asm volatile(LOCK "orb %b1,%0" : "+m"(*(volatile char *)((void *)addr + (nr >> 3))) : "iq"(1 << (nr & 7)) : "memory");
	else
		asm volatile(LOCK "bts" SIZE " %1,%0" : : "m"(*(volatile long *)addr), "Ir"(nr) : "memory");
}

static inline int test_bit(long nr, const volatile unsigned long *addr)
{
	char bit;

	asm volatile("bt" SIZE " %2,%1\n\t/* output condition code */\n\tsetc %0" : "=qm"(bit)
		     : "m"(*(unsigned long *)addr), "Ir"(nr) : "memory");
	return bit;
}

static inline unsigned long *flags_of(struct page *page)
{
	return &page->flags; /* EXPECT address page.flags any, rmw page.flags rmw derived */
}

#define xchg(ptr, v) ({                                                                    \
	__typeof__(ptr) p_ = (ptr);                                                        \
	__typeof__(*(ptr)) ret_ = (v);                                                     \
	asm volatile("xchgl %0, %1\n" : "+r"(ret_), "+m"(*p_) : : "memory", "cc");         \
	ret_; })

#define cmpxchg(ptr, old, new) ({                                                          \
	__typeof__(*(ptr)) ret_;                                                           \
	volatile int *p_ = (volatile int *)(ptr);                                          \
	asm volatile(LOCK "cmpxchgl %2,%1"                                                 \
		     : "=a"(ret_), "+m"(*p_) : "r"(new), "0"(old) : "memory");             \
	ret_; })

void counts(struct page *page)
{
	atomic_inc(&page->count); /* EXPECT address page.count any, rmw page.count rmw derived */
	atomic_dec(&page->count); /* EXPECT address page.count any, rmw page.count rmw derived */
}

int adds(struct page *page, int i)
{
	return atomic_add_return(i, &page->count); /* EXPECT address page.count any, rmw page.count rmw derived */
}

int reads(struct page *page)
{
	return atomic_read(&page->count); /* EXPECT address page.count any, get page.count load derived */
}

void sets(struct page *page)
{
	atomic_set(&page->count, 3); /* EXPECT address page.count any, set page.count store derived */
}

/* The address goes through three inlined functions. */
void deep(struct page *page)
{
	get(page);
}

void bits(struct page *page, long nr)
{
	set_bit(nr, &page->flags); /* EXPECT address page.flags any, rmw page.flags rmw derived */
	set_bit(9, &page->flags); /* EXPECT address page.flags any, rmw page.flags rmw derived */
	set_bit(nr, page->map); /* EXPECT address page.map any, rmw page.map rmw derived */
}

int tests(struct page *page, long nr)
{
	return test_bit(nr, &page->flags); /* EXPECT address page.flags any, get page.flags load derived */
}

/* An inlined function returns the address. */
void returned(struct page *page, long nr)
{
	set_bit(nr, flags_of(page));
}

int exchange(struct page *page)
{
	return xchg(&page->state, 1); /* EXPECT address page.state any, rmw page.state rmw derived */
}

int exchange_if(struct page *page)
{
	return cmpxchg(&page->state, 1, 2); /* EXPECT address page.state any, rmw page.state rmw derived */
}

/* Two objects are accessed in one line. */
void two(struct page *a, struct page *b)
{
	atomic_inc(&a->count), atomic_set(&b->count, 1); /* EXPECT address page.count any, address page.count any, rmw page.count rmw derived, set page.count store derived */
}

/* The object is one of two members, so neither is named. */
void either(struct page *page, int c)
{
	atomic_t *v = c ? &page->count : &page->users.refs; /* EXPECT address page.count any, address page.users.refs any, address page.users any */

	atomic_inc(v);
}

/* Two ways lead to the same member. */
void same(struct page *a, struct page *b, int c)
{
	struct page *page = c ? a : b;
	atomic_t *v = &page->count; /* EXPECT address page.count any, rmw page.count rmw derived */

	atomic_inc(v);
}

/* A local variable is not a member. */
int local(int i)
{
	atomic_t v;

	atomic_set(&v, i);
	atomic_inc(&v);
	return atomic_read(&v);
}

/* The struct is found from one of its members. */
struct page *outside(struct list *list)
{
	struct page *page = (struct page *)((char *)list - __builtin_offsetof(struct page, list));

	atomic_inc(&page->count); /* EXPECT address page.count any, rmw page.count rmw derived */
	return page;
}

/* What is accessed is next to the member whose address is taken. */
static inline void next_inc(unsigned long *flags)
{
	atomic_inc((atomic_t *)(flags + 1));
}

void neighbour(struct page *page)
{
	next_inc(&page->flags); /* EXPECT address page.flags any */
}

/* The first instruction of the asm is not the one that accesses the member. */
int second(struct page *page)
{
	int ret;

	asm volatile("xorl %0, %0\n\tmovl %1, %0" : "=&r"(ret) : "m"(page->state)); /* EXPECT get page.state none */
	return ret;
}

/* The instruction does not use the operand that has the member. */
void *by_register(struct page *page)
{
	void *p = &page->owner; /* EXPECT address page.owner any */

	asm volatile("lock; decl (%0)" : : "r"(p), "m"(page->owner)); /* EXPECT get page.owner none */
	return p;
}

/* An input operand is written by the instruction. */
void input(struct page *page)
{
	asm volatile("notl %0" : : "m"(page->state) : "memory"); /* EXPECT rmw page.state rmw */
}

/* The member is in per-CPU memory. */
void per_cpu(struct page *page)
{
	asm volatile("incl %%gs:%0" : "+m"(page->state)); /* EXPECT rmw page.state rmw */
}

int builtins(struct page *page, int i)
{
	__atomic_store_n(&page->owner, 1, __ATOMIC_SEQ_CST); /* EXPECT address page.owner any, rmw page.owner any derived */
	return __sync_fetch_and_add(&page->state, i); /* EXPECT address page.state any, rmw page.state rmw derived */
}

#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))

/* Plain accesses of members: no derived access is added. */
void copies(struct page *a, struct page *b)
{
	WRITE_ONCE(a->owner, b->owner); /* EXPECT set page.owner store, get page.owner load */
	a->list = *b->list.next; /* EXPECT set page.list store, get page.list any, get page.list.next load */
}

static inline void write(int *to, const int *from)
{
	*to = *from;
}

/* The address goes through plain pointers. */
void pointers(struct page *a, struct page *b)
{
	write(&a->state, /* EXPECT address page.state any, set page.state store derived */
	      &b->state); /* EXPECT address page.state any, get page.state load derived */
}

/* As in x86's constant_test_bit(), the bit's number chooses the word, and there is one word. */
static inline int constant_test_bit(long nr, const volatile unsigned long *addr)
{
	return ((1UL << (nr & 63)) & addr[nr >> 6]) != 0;
}

int constant_tests(struct page *page)
{
	return constant_test_bit(3, &page->flags); /* EXPECT address page.flags any, get page.flags load derived */
}

/* As in to_net_dev(), the member lies before the pointer from which it is reached. */
int before(struct list *list)
{
	struct page *page = (struct page *)((char *)list - __builtin_offsetof(struct page, list));

	return atomic_read(&page->count); /* EXPECT address page.count any, get page.count load derived */
}

#define smp_store_release(p, v) do { asm volatile("" : : : "memory"); WRITE_ONCE(*p, v); } while (0)

static inline void atomic_set_release(atomic_t *v, int i)
{
	smp_store_release(&(v)->counter, i); /* EXPECT set atomic_t.counter store */
}

/* The address of the object is taken only to store to it, which is no access of kind address. */
void releases(struct page *page)
{
	atomic_set_release(&page->count, 1); /* EXPECT address page.count any, set page.count store derived */
}

/* Members of a variable have constant addresses. */
struct cpu {
	int vendor;
	union {
		unsigned int caps[4];
		unsigned long whole;
	};
	atomic_t users;
	int state;
};

struct cpu boot;
#define set_cap(cpu, bit) set_bit(bit, (unsigned long *)((cpu)->caps))

void variable(long nr)
{
	set_cap(&boot, 35); /* EXPECT address cpu.caps any, rmw cpu.caps rmw derived */
	set_bit(nr, (unsigned long *)boot.caps); /* EXPECT address cpu.caps any, rmw cpu.caps rmw derived */
	atomic_inc(&boot.users); /* EXPECT address cpu.users any, rmw cpu.users rmw derived */
	atomic_set(&boot.users, 4); /* EXPECT address cpu.users any, set cpu.users store derived */
}

int variable_builtin(int i)
{
	return __sync_fetch_and_add(&boot.state, i); /* EXPECT address cpu.state any, rmw cpu.state rmw derived */
}

struct buckets {
	int count;
	void *at[];
};

/* An element of a flexible array, which has no size, is accessed. */
void *take(struct buckets *buckets, int i)
{
	void **at = &buckets->at[i]; /* EXPECT address buckets.at any, rmw buckets.at rmw derived */
	void *old = 0;

	asm volatile("xchg" SIZE " %0, %1" : "+r"(old), "+m"(*at) : : "memory");
	return old;
}

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))

#define cond_load(ptr, condition) ({                                                       \
	__typeof__(ptr) p_ = (ptr);                                                        \
	__typeof__(*(ptr)) VAL;                                                            \
	for (;;) {                                                                         \
		VAL = READ_ONCE(*p_);                                                      \
		if (condition)                                                             \
			break;                                                             \
		asm volatile("pause" : : : "memory");                                      \
	}                                                                                  \
	VAL; })

/* GCC copies the load in the loop and merges the copies again; the merged load does not say which memory it reads. */
int waits(struct page *page, int c)
{
	if (c)
		asm volatile("nop" : : : "memory");
	cond_load(&page->state, !VAL); /* EXPECT address page.state any, get page.state load derived */
	asm volatile("nop" : : : "memory");
	return page->owner; /* EXPECT get page.owner load */
}

struct other {
	char before[__builtin_offsetof(struct page, state)];
	int kind;
};

#define read_int(from) ({ const int *from_ = (from); *(const volatile int *)from_; })

#define use(i) ({ int i_ = (i); asm volatile("nop\n\tnop" : "+r"(i_)); asm volatile("hlt" : "+r"(i_)); \
	asm volatile("cli" : "+r"(i_)); asm volatile("sti" : "+r"(i_)); asm volatile("cld" : "+r"(i_)); i_; })

/* Two loads of different accesses become one instruction, which gets no label. */
__attribute__((optimize("O2"), no_sanitize("kernel-address"))) int merged(void *p, int c)
{
	if (c) {
		asm volatile("nop" : : : "memory");
		return use(read_int(&((struct page *)p)->state)); /* EXPECT address page.state any */
	}
	asm volatile("pause" : : : "memory");
	return use(read_int(&((struct other *)p)->kind)); /* EXPECT address other.kind any */
}
