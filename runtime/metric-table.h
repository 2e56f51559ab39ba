/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic and the tables of metrics: what advice does at a hit, and what readers of the
 * tables need to interpret the numbers. Freestanding C: aspects run it in the kernel, tests run it
 * natively. This code works on memory that the caller provides, takes no lock and never waits.
 *
 * A metric has memory on each CPU, its *area* there (struct wr_area), which only that CPU writes.
 * Advice does not migrate while it runs, but advice of a higher context (up to NMI) may interrupt
 * it at any instruction. So every update is a single read-modify-write instruction (`inc`, `add`,
 * `cmpxchg` without lock), and no code relies on a value that it read earlier.
 */
#ifndef WEFT_METRIC_TABLE_H
#define WEFT_METRIC_TABLE_H

#include <linux/types.h>

#include "abi.h"

#define WR_INLINE static inline __attribute__((always_inline, unused))
/* rarely executed functions: out of line, and not traced by ftrace */
#define WR_RARE \
	static __attribute__((__noinline__, __cold__, __unused__, __no_instrument_function__))

/* ---- the values of a row --------------------------------------------------------------------- */

WR_INLINE void wr_add(__u64 *value, __u64 addend)
{
	asm volatile("addq %1, %0" : "+m"(*value) : "er"(addend));
}

WR_INLINE void wr_increment(__u64 *value)
{
	asm volatile("incq %0" : "+m"(*value));
}

/*
 * The index of each value in a row, by the metric's type. A row has WR_VALUES() values of 64 bits.
 * For a histogram or an elapsed they are: the sum, the least and the greatest value, a bucket for
 * values below the first bucket, @buckets buckets, and a bucket for values above the last. All
 * values begin as 0, except WR_LEAST, which begins as WR_NO_LEAST.
 */
enum wr_value {
	WR_COUNT = 0, /* counter, sum, concurrency */
	WR_SUM = 1,   /* sum, concurrency */
	WR_TOTAL = 0, /* histogram, elapsed: the sum; the count is the sum of all buckets */
	/* the least value, as wr_ordered() returns it; WR_MOST is the greatest in the same form */
	WR_LEAST = 1,
	WR_MOST = 2,
	WR_BELOW = 3,
	WR_BUCKETS = 4,
};

#define WR_NO_LEAST (~0ull)

#define WR_HAS_BUCKETS(type) ((type) == WEFT_METRIC_HISTOGRAM || (type) == WEFT_METRIC_ELAPSED)
#define WR_VALUES(type, buckets)                                        \
	((type) == WEFT_METRIC_COUNTER ? 1 :                            \
	 WR_HAS_BUCKETS(type)	       ? WR_BUCKETS + (buckets) + 1 : 2)

/*
 * The memory of a metric on one CPU. Its rows are the cells (struct wr_layout); without a key there
 * is one row, of values only. Advice has a pointer to the cells, which saves it an addition.
 */
struct wr_area {
	__u64 full;	 /* hits whose key has no row and could not take one */
	__u64 replaced_rows; /* rows that another key has taken */
	__u64 unmatched; /* ends without a start */
	/* starts that found no room, while at most half of their bucket held their own key */
	__u64 dropped;
	/* starts that found no room, while more than half of their bucket held their own key */
	__u64 deep;
	__u64 replaced;	 /* starts that a newer one has replaced */
	__u64 kinds;	 /* enum weft_key_kind of the rows' keys, 8 bits each */
	__u64 has_sign;	 /* 1: the extremes in the rows are of signed numbers */
	__u64 cells[];
};

WR_INLINE struct wr_area *wr_area_of(__u64 *cells)
{
	return (struct wr_area *)(cells - sizeof(struct wr_area) / sizeof(*cells));
}

/*
 * Stores @to in *@word if *@word is @from, and returns whether it has done so. Only this CPU writes
 * to *@word, so the instruction needs no lock prefix.
 */
WR_INLINE _Bool wr_exchange(__u64 *word, __u64 from, __u64 to)
{
	_Bool done;

	asm volatile("cmpxchgq %3, %1"
		     : "=@ccz"(done), "+m"(*word), "+a"(from)
		     : "r"(to)
		     : "memory");
	return done;
}

/*
 * Returns whether *@word is @value: one comparison with memory, for which the compiler would make
 * two instructions of a volatile read.
 */
WR_INLINE _Bool wr_is(const __u64 *word, __u64 value)
{
	_Bool same;

	asm volatile("cmpq %2, %1" : "=@cce"(same) : "m"(*word), "r"(value));
	return same;
}

/*
 * Maps signed values to unsigned numbers of the same order, so that one comparison serves both: if
 * @has_sign, adds 2^63 (modulo 2^64). Applied twice, it returns the original value.
 */
WR_INLINE __u64 wr_ordered(__u64 value, _Bool has_sign)
{
	return has_sign ? value ^ 1ull << 63 : value;
}

WR_RARE void wr_extend(__u64 *cells, __u64 *values, __u64 ordered, _Bool has_sign)
{
	volatile __u64 *least = &values[WR_LEAST], *most = &values[WR_MOST];
	__u64 seen;

	wr_area_of(cells)->has_sign = has_sign;
	while ((seen = *least) > ordered && !wr_exchange(&values[WR_LEAST], seen, ordered))
		;
	while ((seen = *most) < ordered && !wr_exchange(&values[WR_MOST], seen, ordered))
		;
}

/* Adds @value to the extremes of the row @values: two comparisons unless it is a new extreme. */
WR_INLINE void wr_include(__u64 *cells, __u64 *values, __u64 value, _Bool has_sign)
{
	const __u64 ordered = wr_ordered(value, has_sign);

	if (__builtin_expect(ordered > values[WR_MOST], 0) ||
	    __builtin_expect(ordered < values[WR_LEAST], 0))
		wr_extend(cells, values, ordered, has_sign);
}

/*
 * The number of logarithmic buckets. Each power of two is divided into 2^fine buckets, so a value
 * differs from the middle of its bucket by at most one part in 2^(fine + 1). Each value below
 * 2^(fine + 1) has a bucket of its own.
 */
#define WR_LOG2_BUCKETS(fine) ((64 - (fine) + 1) << (fine))

WR_INLINE long wr_log2_bucket(__u64 value, __u32 fine)
{
	long exponent = -1; /* bsr leaves the register unchanged if @value is 0 */
	__u64 least = 1ull << fine, shift;

	if (!fine) {
		asm("bsrq %1, %0" : "+r"(exponent) : "rm"(value) : "cc");
		return exponent + 1;
	}
	/*
	 * If @value is below 2^fine, its bucket is @value itself. `| least` makes the shift 0 then,
	 * so that no branch is needed.
	 */
	asm("bsrq %1, %0" : "=r"(exponent) : "r"(value | least) : "cc");
	shift = exponent - fine;
	return (shift << fine) + (value >> shift);
}

/* The least value that falls into bucket @index. */
WR_INLINE __u64 wr_log2_least(__u32 index, __u32 fine)
{
	__u32 shift = index >> fine;

	if (!shift)
		return index;
	return (__u64)(index - ((shift - 1) << fine)) << (shift - 1);
}

/*
 * Adds @value to the histogram in the row @values. @fine and @has_sign should be constants, so that
 * the compiler drops the other branch.
 */
WR_INLINE void wr_log2_add(__u64 *cells, __u64 *values, __u64 value, _Bool has_sign, __u32 fine)
{
	const _Bool negative = has_sign && (__s64)value < 0;

	wr_add(&values[WR_TOTAL], value);
	wr_include(cells, values, value, has_sign);
	wr_increment(negative ? &values[WR_BELOW] :
				&values[WR_BUCKETS + wr_log2_bucket(value, fine)]);
}

WR_INLINE void wr_linear_add(__u64 *cells, __u64 *values, __s64 value, __s64 least, __u64 step,
			     __u32 buckets)
{
	__u64 index = ((__u64)value - (__u64)least) / step;

	wr_add(&values[WR_TOTAL], value);
	wr_include(cells, values, value, 1);
	if (value < least)
		wr_increment(&values[WR_BELOW]);
	else
		wr_increment(&values[WR_BUCKETS + (index < buckets ? index : buckets)]);
}

/* ---- rows with keys -------------------------------------------------------------------------- */

/* Bytes of a text key, with its NUL; longer texts are truncated. */
#define WR_TEXT_SIZE 32
#define WR_TEXT_WORDS (WR_TEXT_SIZE / 8)

/*
 * Words of a stack that is a key: one for each function. If there are fewer functions, 0 follows.
 */
#define WR_STACK_WORDS 16

/*
 * The layout of a metric's rows; constant for each metric. A row is a sequence of words:
 * - the stored key; 0: the row is unused
 * - @key_words words: what the key was made from; none if it is a number, which stands for itself
 * - if there are such words, one more, which becomes 1 when they are complete
 * - the row's weight when its key took it from another key (wr_row_replace())
 * - @nr_values values
 * After the last row come @nr_values more: those of all keys without a row.
 */
struct wr_layout {
	__u32 bits; /* there are 2^bits rows */
	__u32 key_words;
	__u32 hashed;  /* 1: all keys are hashes, made by wr_hashed_key(); else 0 */
	__u32 nr_values;
	__u32 weight; /* index of the value by which the row is weighed */
};

#define WR_KEY_WORDS(layout) (2 + (layout).key_words + !!(layout).key_words)
#define WR_ROW_WORDS(layout) (WR_KEY_WORDS(layout) + (layout).nr_values)

/* The index of the value in a row by which the row is weighed (struct wr_layout.weight). */
#define WR_WEIGHT(type)                                                                     \
	((type) == WEFT_METRIC_SUM || (type) == WEFT_METRIC_CONCURRENCY ? WR_SUM : WR_COUNT)

/* Maximum number of rows probed for a key: bounds the cost when the table is full. */
#define WR_PROBES 64

/*
 * A key is stored as key ^ WR_KEY_TURN. The small results are not used for keys, since two of them
 * have another meaning: 0 is an unused row, and WR_ROW_BUSY is a row that passes from one key to
 * another. The few keys whose result would be less than WR_KEY_LEAST are all stored as
 * WR_KEY_LEAST, and so share a row.
 */
#define WR_KEY_TURN 0x9e3779b97f4a7c15ull
#define WR_ROW_BUSY 2u
#define WR_KEY_LEAST 3u

WR_INLINE __u64 wr_stored_key(__u64 key)
{
	const __u64 turned = key ^ WR_KEY_TURN;

	return turned < WR_KEY_LEAST ? WR_KEY_LEAST : turned;
}

/* Multiplicative hash with the bits of the golden ratio; its highest bits are mixed best. */
WR_INLINE __u64 wr_hash(__u64 key, __u32 bits)
{
	const __u64 golden = 0x9e3779b97f4a7c15ull;

	return (key * golden) >> (64 - bits);
}

/*
 * Mixes @word into the 64-bit hash @key. Where the key of a row is a text, a stack or several
 * values, the row is found by their hash alone. Two of them that have one hash would share a row;
 * that is likely only from about 2^32 of them on.
 */
WR_INLINE __u64 wr_mix(__u64 key, __u64 word)
{
	return ((key ^ key >> 32) ^ word) * 0xff51afd7ed558ccdull;
}

/*
 * As wr_mix(), for the addresses of a stack. It takes fewer instructions, and is enough for words
 * that are alike only in their upper halves; the upper bits of the hash are mixed best.
 */
WR_INLINE __u64 wr_stack_mix(__u64 key, __u64 word)
{
	return (key ^ word) * 0xff51afd7ed558ccdull;
}

/* Makes a key of a finished hash. It is odd, so neither 0 (an unused row) nor WR_ROW_BUSY. */
WR_INLINE __u64 wr_hashed_key(__u64 key)
{
	return key | 1;
}

WR_INLINE __u64 wr_words_key(__u64 key, const __u64 *words, __u32 n)
{
	for (__u32 i = 0; i < n; i++)
		key = wr_mix(key, words[i]);
	return key;
}

/*
 * Stores @key in *@word if *@word is 0. Returns the previous value of *@word. Only this CPU writes
 * there, so cmpxchg needs no lock prefix.
 */
WR_INLINE __u64 wr_claim(__u64 *word, __u64 key)
{
	__u64 found = 0;

	asm volatile("cmpxchgq %2, %1" : "+a"(found), "+m"(*word) : "r"(key) : "memory");
	return found;
}

/* Stores @words, the values of which the key consists, in a new row, and @kinds in the area. */
WR_RARE void wr_row_begin(__u64 *cells, __u64 *row, const struct wr_layout layout, __u64 kinds,
			  const __u64 *words)
{
	if (kinds)
		wr_area_of(cells)->kinds = kinds;
	if (!words)
		return;
	for (__u32 i = 0; i < layout.key_words; i++)
		row[1 + i] = words[i];
	*(volatile __u64 *)&row[1 + layout.key_words] = 1;
}

/*
 * Returns the row number @probe of those that a key may have; @index is the first of them. These
 * rows are the key's set: WR_PROBES rows, or all rows of a smaller table. Sets do not overlap.
 */
WR_INLINE __u64 *wr_row_at(__u64 *cells, const struct wr_layout layout, __u32 index, __u32 probe)
{
	const __u32 set = WR_PROBES >> layout.bits ? (1u << layout.bits) - 1 : WR_PROBES - 1;

	return &cells[((index & ~set) | ((index + probe) & set)) * WR_ROW_WORDS(layout)];
}

/* Returns the values of the keys that have no row. */
WR_INLINE __u64 *wr_others(__u64 *cells, const struct wr_layout layout)
{
	return &cells[((__u64)WR_ROW_WORDS(layout)) << layout.bits];
}

/*
 * The weight of a row: an upper bound of its key's total. It is what the row has counted, plus the
 * weight that the row had when its key took it, since the key may have been hit before that. A
 * negative sum counts as 0.
 */
WR_INLINE __u64 wr_row_weight(const __u64 *row, const struct wr_layout layout)
{
	const volatile __u64 *values = &row[WR_KEY_WORDS(layout)];
	const __s64 weight = values[layout.weight];

	return values[-1] + (weight < 0 ? 0 : weight);
}

/* Adds all of a row's values to those of the keys without a row, and sets them to zero. */
WR_RARE void wr_row_move(__u64 *cells, __u64 *values, const struct wr_layout layout, _Bool extremes)
{
	__u64 *others = wr_others(cells, layout);
	const _Bool has_sign = wr_area_of(cells)->has_sign;

	for (__u32 i = 0; i < layout.nr_values; i++) {
		const __u64 value = values[i];

		if (extremes && (i == WR_LEAST || i == WR_MOST)) {
			if (value != (i == WR_LEAST ? WR_NO_LEAST : 0))
				wr_extend(cells, others, value, has_sign);
			values[i] = i == WR_LEAST ? WR_NO_LEAST : 0;
		} else if (value) {
			wr_add(&others[i], value);
			values[i] = 0;
		}
	}
}

/*
 * Takes the lightest row of @stored's set from its key, and gives it to @stored. The row's values
 * are added to those of the keys without a row, so that all sums stay right. The row's weight is
 * kept: @stored may have been hit up to that often without a row, since the least weight of a set
 * never decreases, and sets do not overlap. This is the Space-Saving algorithm (Metwally, Agrawal,
 * El Abbadi: Efficient Computation of Frequent and Top-k Elements in Data Streams, ICDT 2005),
 * applied to each set of WR_PROBES rows.
 *
 * Call it only in the lowest context, a task's: in a higher one, the advice that was interrupted
 * may be about to add to the row. Advice that interrupts this function finds a row of neither key.
 * NULL: another hit has changed the row meanwhile; nothing was taken.
 */
WR_RARE __u64 *wr_row_replace(__u64 *cells, const struct wr_layout layout, __u64 stored,
			      __u32 index, __u64 kinds, const __u64 *words)
{
	__u64 *row = wr_row_at(cells, layout, index, 0), *values, key, weight;

	for (__u32 probe = 1; probe < WR_PROBES && probe >> layout.bits == 0; probe++) {
		__u64 *other = wr_row_at(cells, layout, index, probe);

		if (wr_row_weight(other, layout) < wr_row_weight(row, layout))
			row = other;
	}
	/*
	 * Only one task at a time replaces rows of a CPU. So if the row is busy already, advice was
	 * ended by a fault in the middle of this function, and the row can be taken.
	 */
	key = *(volatile __u64 *)row;
	if (!wr_exchange(row, key, WR_ROW_BUSY))
		return 0;
	weight = wr_row_weight(row, layout);
	values = &row[WR_KEY_WORDS(layout)];
	wr_row_move(cells, values, layout, layout.nr_values > WR_BUCKETS);
	values[-1] = weight;
	if (layout.key_words)
		*(volatile __u64 *)&row[1 + layout.key_words] = 0;
	wr_row_begin(cells, row, layout, kinds, words);
	wr_increment(&wr_area_of(cells)->replaced_rows);
	asm volatile("" ::: "memory");
	*(volatile __u64 *)row = stored;
	return values;
}

/*
 * Whether the code runs in a task, and not in an interrupt. Tests may define this macro in another
 * way.
 */
#ifdef __KERNEL__
#include <linux/preempt.h>
#define WR_IN_TASK() (!(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)))
#elif !defined(WR_IN_TASK)
#define WR_IN_TASK() 1
#endif

/* The index of the first row that a key, as it is stored, may have. */
WR_INLINE __u64 wr_row_index(const struct wr_layout layout, __u64 stored)
{
	return layout.hashed ? stored >> (64 - layout.bits) : wr_hash(stored, layout.bits);
}

/* Continues wr_row() if the first row that @stored may have is not @stored's. */
WR_RARE __u64 *wr_row_other(__u64 *cells, const struct wr_layout layout, __u64 stored, __u64 kinds,
			    const __u64 *words)
{
	const __u32 index = wr_row_index(layout, stored);
	__u64 *values = 0;

	for (__u32 probe = 0; probe < WR_PROBES && probe >> layout.bits == 0; probe++) {
		__u64 *row = wr_row_at(cells, layout, index, probe);
		__u64 found = *(volatile __u64 *)row;

		if (!found) {
			found = wr_claim(row, stored);
			if (!found)
				wr_row_begin(cells, row, layout, kinds, words);
		}
		if (!found || found == stored)
			return &row[WR_KEY_WORDS(layout)];
	}
	/*
	 * A key can take a row only if the values that it was made from are known, since they are
	 * stored in the row. At the end of a pair they are not known, unless the key is a single
	 * number.
	 */
	if ((kinds || !layout.key_words) && WR_IN_TASK())
		values = wr_row_replace(cells, layout, stored, index, kinds, words);
	if (values)
		return values;
	wr_increment(&wr_area_of(cells)->full);
	return wr_others(cells, layout);
}

/*
 * Returns the values to which a hit of @key adds: those of its row; if it has none yet, of a row
 * that it takes; if it can take none, those of the keys without a row. @kinds: enum weft_key_kind
 * of each value that the key is made of, 8 bits each; 0 if not known here. @words: these values,
 * @layout.key_words words, or NULL.
 */
WR_INLINE __u64 *wr_row(__u64 *cells, const struct wr_layout layout, __u64 key, __u64 kinds,
			const __u64 *words)
{
	const __u64 stored = layout.hashed ? key : wr_stored_key(key);
	__u64 *row = &cells[wr_row_index(layout, stored) * WR_ROW_WORDS(layout)];

	if (__builtin_expect(!wr_is(row, stored), 0))
		return wr_row_other(cells, layout, stored, kinds, words);
	return &row[WR_KEY_WORDS(layout)];
}

/*
 * As wr_row() for a key that is a hash, if its row is where it is looked for first; else NULL. Then
 * the caller has to make @words ready and to call wr_row().
 */
WR_INLINE __u64 *wr_first_row(__u64 *cells, const struct wr_layout layout, __u64 key)
{
	__u64 *row = &cells[wr_row_index(layout, key) * WR_ROW_WORDS(layout)];

	return __builtin_expect(wr_is(row, key), 1) ? &row[WR_KEY_WORDS(layout)] : 0;
}

#endif /* WEFT_METRIC_TABLE_H */
