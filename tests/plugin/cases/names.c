// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests names of members: tags, typedefs, anonymous levels, levels with a member's name but no tag, unions. kinds.c says how the expected accesses are written. */
typedef struct {
	int counter;
} atom_t;

typedef struct tagged {
	int value;
} tagged_t;

union u_word {
	int whole;
	short half[2];
};

struct common {
	int state;
	atom_t users;
};

struct thing {
	struct common common;
	union {
		struct {
			struct thing *next;
			int length;
		};
		long cookie;
	};
	struct {
		int depth;
		struct {
			int deepest;
		} level[2];
	} unnamed;
	union u_word word;
	tagged_t tagged;
};

int typedef_name(atom_t *a)
{
	return a->counter; /* EXPECT get atom_t.counter load */
}

int tag_before_typedef(tagged_t *t)
{
	return t->value; /* EXPECT get tagged.value load */
}

int path(struct thing *t)
{
	return t->common.users.counter; /* EXPECT get thing.common.users.counter load, get thing.common.users load, get thing.common load */
}

int anonymous(struct thing *t)
{
	return t->length; /* EXPECT get thing.length load */
}

void anonymous_union(struct thing *t)
{
	t->cookie = 0; /* EXPECT set thing.cookie store */
}

int unnamed(struct thing *t)
{
	return t->unnamed.depth; /* EXPECT get thing.unnamed.depth load, get thing.unnamed load */
}

int unnamed_in_unnamed(struct thing *t, int i)
{
	return t->unnamed.level[i].deepest; /* EXPECT get thing.unnamed.level.deepest load, get thing.unnamed.level load, get thing.unnamed load */
}

short union_member(union u_word *w)
{
	return w->half[1]; /* EXPECT get u_word.half load */
}

int union_in_struct(struct thing *t)
{
	return t->word.whole; /* EXPECT get thing.word.whole load, get thing.word load */
}

int through_typedef(struct thing *t)
{
	return t->tagged.value; /* EXPECT get thing.tagged.value load, get thing.tagged load */
}

struct shadow {
	int n;
};

int local_struct(int v)
{
	struct shadow local;

	local.n = v; /* EXPECT set shadow.n none */
	return local.n + 1; /* EXPECT get shadow.n none */
}
