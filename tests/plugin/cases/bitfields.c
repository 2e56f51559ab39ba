// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests bit-fields. The front end folds comparisons of them into masked words before the plugin
 * runs ("elsewhere": the column is not the member's). kinds.c says how the expected accesses are written.
 */
struct bits {
	int before;
	unsigned int a : 1, b : 3, c : 4;
	unsigned char d : 8;
	int after;
};

void set_bits(struct bits *s, int v)
{
	s->b = v; /* EXPECT set bits.b any */
}

int get_bits(struct bits *s)
{
	return s->c; /* EXPECT get bits.c load */
}

void count_bits(struct bits *s)
{
	s->b++; /* EXPECT rmw bits.b any */
}

int test_bits(struct bits *s)
{
	return s->b == 3; /* EXPECT get bits.b load elsewhere */
}

int test_one(struct bits *s)
{
	if (s->a) /* EXPECT get bits.a load elsewhere */
		return s->after; /* EXPECT get bits.after load */
	return 0;
}

int test_wide(struct bits *s, int v)
{
	return v | (s->c ? 0x10 : 0); /* EXPECT get bits.c any elsewhere */
}

int test_shifted(struct bits *s, struct bits *t)
{
	t->a = s->a ? 1 : 0; /* EXPECT get bits.a any elsewhere, set bits.a any */
	return 0;
}

int test_two(struct bits *s)
{
	return s->a && s->b == 2; /* EXPECT get bits.a load elsewhere, get bits.b load elsewhere */
}

struct around {
	long before;
	struct bits bits;
};

int get_nested(struct around *s)
{
	return s->bits.b; /* EXPECT get around.bits load, get around.bits.b load */
}

/* These bit-fields are not in the first word of all bit-fields. */
struct words {
	int before;
	unsigned low : 9, middle : 10, high : 8, set : 1, more : 4;
	unsigned next : 1, other : 1;
	int after;
};

void between(void);

void set_later_words(struct words *s)
{
	s->set = 1; /* EXPECT set words.set rmw */
	between();
	s->next = 0; /* EXPECT set words.next rmw */
}

/* In an element of an array, the word is at another offset than in the source. */
void set_in_element(struct words *s)
{
	s[3].set = 1; /* EXPECT set words.set rmw */
}

/* A word that is reached by a cast: its bits count from another pointer than in the source. */
struct cast {
	long before;
	char cb[16];
};

struct stored {
	short size;
	unsigned char flag : 1, other : 2, third : 1;
};

#define STORED(p) ((struct stored *)(p)->cb)

int get_cast(struct cast *c)
{
	struct stored *it = STORED(c); /* EXPECT address cast.cb any */

	return it->flag && it->other == 2; /* EXPECT get stored.flag load, get stored.other load */
}

void set_cast(struct cast *c)
{
	STORED(c)->third = 1; /* EXPECT set stored.third rmw, set cast.cb rmw */
}

/* A copy of the whole variable is no access of its bit-field. */
struct settings {
	long number[40];
	unsigned first : 1, second : 1;
};

struct settings settings;

void copy_settings(struct settings *from)
{
	settings = *from;
	settings.second = 1; /* EXPECT set settings.second rmw */
}
