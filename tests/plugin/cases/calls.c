// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests calls through members: each has a label on the call instruction itself. kinds.c says how the expected accesses are written. */
struct buffer;

typedef void (*free_fn)(struct buffer *);

struct buffer {
	int length;
	free_fn destructor;
};

struct operations {
	int (*open)(int);
	int (*close)(int);
	int (*table[4])(int);
};

struct file {
	const struct operations *op;
	struct operations inlined;
};

void plain(struct buffer *b)
{
	b->destructor(b); /* EXPECT call buffer.destructor load+call */
}

void tested(struct buffer *b)
{
	if (b->destructor) /* EXPECT get buffer.destructor load */
		b->destructor(b); /* EXPECT call buffer.destructor load+call */
}

int two_levels(struct file *f)
{
	return f->op->open(3) + 1; /* EXPECT get file.op load, call operations.open load+call */
}

int dereferenced(struct file *f)
{
	return (*f->op->close)(3) + 1; /* EXPECT get file.op load, call operations.close load+call */
}

int embedded(struct file *f)
{
	return f->inlined.close(3) + 1; /* EXPECT call file.inlined.close load+call, get file.inlined load */
}

int through_a_copy(struct file *f)
{
	int (*open)(int) = f->op->open; /* EXPECT get file.op load, get operations.open load+call */

	if (!open)
		return -1;
	return open(4) + 1;
}

int either(struct file *f, int which)
{
	int (*function)(int);

	if (which > 3)
		function = f->op->open; /* EXPECT get file.op any, get operations.open load+call */
	else
		function = f->op->close; /* EXPECT get file.op any, get operations.close load+call */
	return function(which) + 1;
}

int from_a_table(struct file *f, int i)
{
	return f->op->table[i](i) + 1; /* EXPECT get file.op load, call operations.table load+call */
}

int tail(struct file *f)
{
	return f->op->open(3); /* EXPECT get file.op load, call operations.open load+call */
}

int arguments(struct file *f, struct buffer *b)
{
	return f->op->open(b->length) + 1; /* EXPECT get file.op load, call operations.open load+call, get buffer.length load */
}

static __attribute__((noinline, noipa)) int opener(int x)
{
	return x;
}

static const struct operations constant = { .open = opener }; /* EXPECT init operations.open none */

int known_target(void)
{
	return constant.open(3) + 1; /* EXPECT call operations.open call */
}

static inline int call_it(int (*function)(int), int x)
{
	return function(x);
}

int by_inlined(struct file *f)
{
	int sum = call_it(f->op->open, 3); /* EXPECT get file.op load, get operations.open load+call */

	return sum + call_it(f->op->close, 4); /* EXPECT get file.op load, get operations.close load+call */
}

static inline void release(struct buffer *b)
{
	if (b->destructor) /* EXPECT get buffer.destructor load */
		b->destructor(b); /* EXPECT call buffer.destructor load+call */
}

void inlined_twice(struct buffer *a, struct buffer *b)
{
	release(a);
	release(b);
}

int in_a_loop(struct file *f, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += f->op->open(i); /* EXPECT get file.op load, call operations.open load+call */
	return sum;
}
