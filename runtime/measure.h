/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics in an aspect module: the metrics' descriptions, which weft.ko reads, and the functions
 * that generated advice calls. The arithmetic is in metric-table.h and pair-table.h; this file adds
 * the kernel's per-CPU variables and clocks, and C's types. Included by advice.h.
 */
#ifndef WEFT_MEASURE_H
#define WEFT_MEASURE_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <asm/msr.h>

#include "pair-table.h"

/*
 * One metric. When the module registers, weft.ko allocates *count, *cells and *pairs. They are
 * weft.ko's, and stay when the module is removed.
 */
struct weft_metric {
	/*
	 * Texts shown to readers. .value (what is measured) and .by (the key) are C expressions, or
	 * "". .by has .nr_keys expressions, with a NUL between two.
	 */
	const char *name, *unit, *value, *by;
	u32 type;  /* enum weft_metric_type */
	u32 scale; /* enum weft_metric_scale */
	u32 clock; /* enum weft_metric_clock */
	u32 fine, buckets;
	s64 least;
	u64 step;
	u32 row_bits;  /* 2^row_bits rows have room on each CPU; 0: the metric has no key */
	u32 nr_keys;   /* number of values of which a key consists */
	/*
	 * for each of the @nr_keys values, the number of words that it takes in a row; 0: the key
	 * is one number, which itself is stored as the key
	 */
	u32 key_words[WEFT_KEYS_MAX];
	bool hashed;		      /* true: all keys are hashes (wr_layout.hashed) */
	u32 pair_bits; /* 2^pair_bits buckets for open pairs; 0: the metric has no pairs */
	u32 pair_key;  /* enum weft_pair_key */
	/*
	 * only for an inline counter, which trampolines increment without calling advice; it has no
	 * cells
	 */
	u64 __percpu **count;
	u64 *__percpu *cells;
	struct wr_pairs *pairs;
};

static __always_inline u64 wr_now(const struct wr_clock *clock)
{
	return likely(clock->counter) ? rdtsc() : ktime_get_mono_fast_ns();
}

/*
 * Returns a number that identifies a task as long as it lives. The address of the task_struct alone
 * does not: a later task may get the same memory. The stack canary is a random number that the
 * kernel chooses for each new task. Without canaries the start time is taken: it changes when a
 * thread that is not the process's first calls exec, and takes the place of the first
 * (de_thread()).
 */
static __always_inline u64 wr_task_key(const struct task_struct *task)
{
#ifdef CONFIG_STACKPROTECTOR
	return (unsigned long)task ^ task->stack_canary;
#else
	return (unsigned long)task ^ task->start_time;
#endif
}

/*
 * Marks a local variable that the compiler must not set to 0, in a kernel whose compiler flags set
 * all locals to 0.
 */
#if __has_attribute(__uninitialized__)
#define WR_UNINITIALIZED __attribute__((__uninitialized__))
#else
#define WR_UNINITIALIZED
#endif

/* ---- finding the row of a key ---------------------------------------------------------------- */

/*
 * The enum weft_key_kind of the expression @x, by its type. Callers first assign @x to a variable,
 * so that bit-fields have become integers and arrays pointers.
 */
#define WR_POINTER_CLASS 5 /* GCC's pointer_type_class */
#define wr_is_signed(x) ((typeof(x))(-1) < (typeof(x))1)
#define wr_kind_of(x)                                                            \
	_Generic((x), char *: WEFT_KEY_TEXT, const char *: WEFT_KEY_TEXT,        \
		 default: __builtin_classify_type(x) == WR_POINTER_CLASS ? WEFT_KEY_POINTER : \
			  wr_is_signed(x)			 ? WEFT_KEY_SIGNED :  \
								   WEFT_KEY_UNSIGNED)

/* A row's values, and the row's key, by which the end of a pair finds the row again. */
struct wr_found {
	u64 *values; /* values of the key's row, or of all keys without one */
	u64 key;
};

static __always_inline struct wr_found wr_find(u64 *cells, const struct wr_layout layout, u64 key,
					       enum weft_key_kind kind)
{
	return (struct wr_found){ wr_row(cells, layout, key, kind, NULL), key };
}

/*
 * Like wr_find(), for a key that is a hash: @hash is that of the values in @words. @kinds: see
 * wr_row().
 */
static __always_inline struct wr_found wr_find_hashed(u64 *cells, const struct wr_layout layout,
						      u64 hash, const u64 *words, u64 kinds)
{
	const u64 key = wr_hashed_key(hash);

	return (struct wr_found){ wr_row(cells, layout, key, kinds, words), key };
}

/* Like wr_find_hashed(), and computes the hash of all layout.key_words words of @words. */
static __always_inline struct wr_found wr_find_words(u64 *cells, const struct wr_layout layout,
						     const u64 *words, u64 kinds)
{
	return wr_find_hashed(cells, layout, wr_words_key(0, words, layout.key_words), words,
			      kinds);
}

/*
 * Like wr_find(), for a key that is a text: the @size bytes of readable memory at @from, which is
 * aligned for words.
 */
static __always_inline struct wr_found wr_find_text(u64 *cells, const struct wr_layout layout,
						    const void *from, size_t size)
{
	BUILD_BUG_ON(size != sizeof(u64) * layout.key_words);
	return wr_find_words(cells, layout, from, WEFT_KEY_TEXT);
}

static __always_inline struct wr_found wr_find_string(u64 *cells, const struct wr_layout layout,
						      const void *from)
{
	u64 words[WR_TEXT_WORDS] = { 0 };

	weft_read_string((char *)words, sizeof(words), from);
	return wr_find_words(cells, layout, words, WEFT_KEY_TEXT);
}

/* Finds or claims the row whose key is the value of expression @x, of any type. */
#define wr_find_by(cells, layout, x)                                                      \
	(wr_kind_of(x) == WEFT_KEY_TEXT ?                                                 \
		 wr_find_string(cells, layout, (const void *)(unsigned long)(x)) :        \
		 wr_find(cells, layout, (u64)(x), wr_kind_of(x)))

/*
 * Continues wr_find_stack() if the row is not where it is looked for first. In a new row the words
 * after the end of the stack are 0.
 */
WR_RARE struct wr_found wr_find_other_stack(u64 *cells, const struct wr_layout layout,
					    const struct weft_frame *frame)
{
	u64 words[WR_STACK_WORDS] WR_UNINITIALIZED;
	const u64 key = wr_hashed_key(weft_stack(words, frame));
	u32 n = 0;

	while (n < WR_STACK_WORDS && words[n])
		n++;
	for (; n < WR_STACK_WORDS; n++)
		words[n] = 0;
	return (struct wr_found){ wr_row(cells, layout, key, WEFT_KEY_STACK, words), key };
}

static __always_inline struct wr_found wr_find_stack(u64 *cells, const struct wr_layout layout,
						     const struct weft_hit *weft)
{
	const u64 key = wr_hashed_key(weft_stack_hash(weft->frame));
	u64 *values = wr_first_row(cells, layout, key);

	if (unlikely(!values))
		return wr_find_other_stack(cells, layout, weft->frame);
	return (struct wr_found){ values, key };
}

/*
 * The wr_put_*() functions add one value to a key that is made of several. Each stores the value in
 * @words, which are 0 before, and returns the hash of all values so far; @key is the hash of the
 * values before this one.
 */
static __always_inline u64 wr_put_text(u64 key, u64 *words, const void *from, size_t size)
{
	memcpy(words, from, size);
	return wr_words_key(key, words, size / sizeof(*words));
}

static __always_inline u64 wr_put_string(u64 key, u64 *words, const void *from)
{
	weft_read_string((char *)words, WR_TEXT_SIZE, from);
	return wr_words_key(key, words, WR_TEXT_WORDS);
}

static __always_inline u64 wr_put_number(u64 key, u64 *words, u64 number)
{
	*words = number;
	return wr_mix(key, number);
}

static __always_inline u64 wr_put_stack(u64 key, u64 *words, const struct weft_hit *weft)
{
	return wr_mix(key, weft_stack(words, weft->frame));
}

#define wr_put(key, words, x)                                                             \
	(wr_kind_of(x) == WEFT_KEY_TEXT ?                                                 \
		 wr_put_string(key, words, (const void *)(unsigned long)(x)) :            \
		 wr_put_number(key, words, (u64)(x)))

/* The greatest multiple of @step that is not greater than @x. */
#define wr_floor(x, step)                                                                      \
	({                                                                                     \
		typeof(x) wr_x = (x);                                                          \
                                                                                               \
		wr_is_signed(wr_x) && (s64)wr_x < 0 ?                                          \
			(typeof(x))((s64)wr_x - ((s64)wr_x % (s64)(step) + (s64)(step)) %      \
							(s64)(step)) :                         \
			(typeof(x))((u64)wr_x - (u64)wr_x % (u64)(step));                      \
	})

/* ---- starting and ending pairs --------------------------------------------------------------- */

/*
 * How wr_start() is to work for one metric. Compile-time constants, so that unused features cost
 * nothing.
 */
struct wr_start_traits {
	u32 bits;
	bool away;
	/* pairs do not nest: a start replaces an open start of the same key */
	bool replaces;
	bool where; /* the address of the start's joinpoint is stored */
};

/*
 * Begins a pair: stores a start of @key. The clock is read last here, and first at the end of a
 * pair, so that the measured time contains little of this code. @cells: the metric's cells on all
 * CPUs, whose area counts starts that find no room. @counts: the metric's condition holds. @by: the
 * row's key, or NULL. @joinpoint: the start's joinpoint.
 */
static __always_inline void wr_start(u64 *__percpu *cells, struct wr_pairs *pairs,
				     const struct wr_start_traits traits, u64 key, bool counts,
				     const u64 *by, const void *joinpoint,
				     const struct wr_clock *clock)
{
	struct wr_pair *slot =
		traits.replaces ?
			wr_pair_renew(this_cpu_read(*cells), pairs->slots, traits.bits, key) :
			wr_pair_claim(pairs->slots, traits.bits, key);

	if (unlikely(!slot)) {
		wr_pair_no_room(this_cpu_read(*cells), pairs->slots, traits.bits, key);
		return;
	}
	if (by)
		WRITE_ONCE(pairs->by[slot - pairs->slots], *by);
	if (traits.where)
		WRITE_ONCE(pairs->where[slot - pairs->slots], (unsigned long)joinpoint);
	if (traits.away)
		WRITE_ONCE(pairs->away[slot - pairs->slots], 0);
	if (traits.replaces)
		wr_pair_start_renewed(slot, wr_now(clock), counts);
	else
		wr_pair_start(slot, wr_now(clock), counts);
}

/*
 * How wr_end() is to work for one metric. These are compile-time constants, so that unused features
 * cost nothing.
 */
struct wr_pair_traits {
	u32 bits;
	bool by, away;
	/* start and end may run on two CPUs at once, so that the end reads an earlier time */
	bool backwards;
};

/*
 * Removes the newest start of @key. *@ret: nanoseconds from the start to @now. *@by: the row's key,
 * if traits.by. Returns the pair's state (struct wr_pair.start); 0: there is no start.
 */
static __always_inline u64 wr_end(const struct wr_pairs *pairs, const struct wr_pair_traits traits,
				  u64 key, u64 *by, u64 now, const struct wr_clock *clock, u64 *ret)
{
	u64 away = 0, start;
	s64 units;

	start = wr_pair_take(pairs, traits.bits, key, traits.by ? by : NULL,
			     traits.away ? &away : NULL);
	if (unlikely(!start))
		return 0;
	units = traits.away ? wr_pair_units(start, now, away) : now - (start >> WR_PAIR_TIME);
	if ((traits.away || traits.backwards) && units < 0)
		units = 0;
	*ret = wr_nanoseconds(units, clock->mult);
	return start;
}

#endif /* WEFT_MEASURE_H */
