// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests rare forms of C, which the plugin must survive, and must get right where it can. kinds.c says how the expected accesses are written. */
struct tail {
	int count;
	int data[];
};

struct zero {
	int head;
	int none[0];
	char text[];
};

struct complex {
	_Complex double z;
	_Atomic int counter;
	_Bool flag;
	float vector __attribute__((vector_size(16)));
};

struct pointers {
	struct pointers *left, *right;
	void (*run)(struct pointers *);
	int (*array_of_functions[2])(void);
	void **opaque;
};

int flexible(struct tail *t, int i)
{
	return t->data[i]; /* EXPECT get tail.data load */
}

char flexible_after_zero(struct zero *z)
{
	return z->text[4]; /* EXPECT get zero.text load */
}

double real_part(struct complex *c)
{
	return __real__ c->z; /* EXPECT get complex.z load */
}

void imaginary_part(struct complex *c)
{
	__imag__ c->z = 2; /* EXPECT set complex.z any */
}

int atomic(struct complex *c)
{
	return ++c->counter; /* EXPECT address complex.counter any, rmw complex.counter rmw derived */
}

void negate(struct complex *c)
{
	c->flag = !c->flag; /* EXPECT set complex.flag rmw, get complex.flag rmw */
}

float element(struct complex *c)
{
	return c->vector[1]; /* EXPECT get complex.vector load */
}

int chain(struct pointers *p)
{
	struct pointers *q = p->left->right->left; /* EXPECT get pointers.left load, get pointers.right load, get pointers.left load */

	return q->run != 0; /* EXPECT get pointers.run load */
}

int call_in_array(struct pointers *p)
{
	return p->array_of_functions[1]() + 1; /* EXPECT call pointers.array_of_functions load+call */
}

int nested_function(struct tail *t)
{
	int inner(int i)
	{
		return t->data[i]; /* EXPECT get tail.data load */
	}

	return inner(3) + inner(4);
}

int variable_length(int n, int i)
{
	struct {
		int before;
		int many[n];
		int after;
	} local;

	local.after = i; /* EXPECT set .after any */
	local.many[i] = 3; /* EXPECT set .many any */
	return local.after + local.many[0]; /* EXPECT get .after any, get .many any */
}

void *computed(struct pointers *p, int i)
{
	static void *const labels[] = { &&first, &&second };

	goto *labels[i];
first:
	return p->left; /* EXPECT get pointers.left load */
second:
	return p->right; /* EXPECT get pointers.right load */
}

int elvis(struct tail *t)
{
	return t->count ?: -1; /* EXPECT get tail.count load */
}

int comma(struct tail *t)
{
	return (t->count = 3, t->data)[0]; /* EXPECT set tail.count store, address tail.data any, get tail.data load derived */
}

unsigned long type_only(struct tail *t)
{
	__typeof__(t->count) x = 3;

	return x + sizeof(t->data[0]) + __builtin_types_compatible_p(__typeof__(t->count), int);
}

int generic(struct tail *t)
{
	return _Generic(t->count, int: t->data[1], default: 0); /* EXPECT get tail.data load */
}

int dead(struct tail *t)
{
	if (0)
		return t->count; /* EXPECT get tail.count none */
	return 1;
}

static int shared(struct tail *t)
{
	return t->count + 7; /* EXPECT get tail.count any */
}

int (*escape(void))(struct tail *)
{
	return shared;
}

extern inline __attribute__((gnu_inline)) int outside(struct tail *t)
{
	return t->count + 9; /* EXPECT get tail.count any */
}

int inside(struct tail *t)
{
	return outside(t);
}
