/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of open pairs, of metrics that measure pairs. An open pair is a start that waits for
 * its end. Freestanding C like metric-table.h: aspects run it in the kernel, tests run it natively.
 *
 * A pair may start on one CPU and end on another, so all CPUs share the table. A slot of the table
 * is taken or given back by one `lock cmpxchg`.
 */
#ifndef WEFT_PAIR_TABLE_H
#define WEFT_PAIR_TABLE_H

#include "metric-table.h"

/* ---- the slots of open pairs ----------------------------------------------------------------- */

/*
 * A slot for a start that waits for its end. .start is the slot's state. Whoever changes .start
 * owns the slot until the next change. .key is written while the state is BUSY. Times only
 * increase, so if .start is unchanged after .key was read, that key belongs to that start.
 *	WR_PAIR_FREE	unused
 *	WR_PAIR_BUSY	being filled
 *	WR_PAIR_MET	being filled; meanwhile another slot was claimed, perhaps for the same key
 *	time * 4	waiting; WR_PAIR_COUNTS: the condition held at the start; WR_PAIR_SPECIAL:
 *			later starts of the key may be in other slots
 */
struct wr_pair {
	__u64 key, start;
} __attribute__((aligned(16)));

#define WR_PAIR_COUNTS 1u
#define WR_PAIR_SPECIAL 2u
#define WR_PAIR_FREE WR_PAIR_SPECIAL
#define WR_PAIR_MET (1u | WR_PAIR_SPECIAL)
#define WR_PAIR_BUSY (4u | WR_PAIR_SPECIAL)
/*
 * number of bits of the state below the time. The time is 2 or more, so no waiting state equals
 * FREE, MET or BUSY, the greatest of them
 */
#define WR_PAIR_TIME 2

/*
 * Slots of a bucket, which fills two cache lines. All starts of a key are in one bucket, so pairs
 * of one key can nest this deep. The first slot is the fast path; the others are rarely used.
 */
#define WR_PAIR_WAYS 8

struct wr_pairs {
	struct wr_pair *slots;
	/*
	 * for each slot: the key of the row that the pair is counted in; NULL: the metric has no
	 * key
	 */
	__u64 *by;
	/*
	 * for each slot: how long the task was switched out since the start, in the clock's units
	 * (see wr_pair_units()); NULL: the metric counts that time, too
	 */
	__u64 *away;
	/*
	 * for each slot: address of the struct weft_joinpoint where the pair started; NULL: the
	 * metric's pairs start at one joinpoint only
	 */
	__u64 *where;
	__u32 bits;  /* number of buckets: 2^bits */
};

WR_INLINE __u64 wr_pair_state(const struct wr_pair *slot)
{
	return *(const volatile __u64 *)&slot->start;
}

WR_INLINE _Bool wr_pair_is_waiting(__u64 state)
{
	return state > WR_PAIR_BUSY;
}

WR_INLINE _Bool wr_pair_change(struct wr_pair *slot, __u64 from, __u64 to)
{
	_Bool done;

	asm volatile("lock cmpxchgq %3, %1"
		     : "=@ccz"(done), "+m"(slot->start), "+a"(from)
		     : "r"(to)
		     : "memory");
	return done;
}

/*
 * Returns the first slot of the bucket of @key. Only the key's lower half is hashed, which takes
 * one multiplication. Addresses and small numbers differ in their lower halves.
 */
WR_INLINE struct wr_pair *wr_pair_bucket(struct wr_pair *slots, __u32 bits, __u64 key)
{
	const __u32 golden = 0x9e3779b1u;

	return slots + (unsigned long)((__u32)key * golden >> (32 - bits)) * WR_PAIR_WAYS;
}

/*
 * Claims a slot for @key when the first slot of the bucket is in use. If the first slot holds a
 * start of @key, that becomes SPECIAL, so that ends search the other slots. If the first slot is
 * being filled (BUSY), perhaps for @key, it becomes MET. NULL: all slots are in use.
 */
WR_RARE struct wr_pair *wr_pair_claim_other(struct wr_pair *bucket, __u64 key)
{
	for (int i = 1; i < WR_PAIR_WAYS; i++) {
		__u64 first;

		if (wr_pair_state(&bucket[i]) != WR_PAIR_FREE ||
		    !wr_pair_change(&bucket[i], WR_PAIR_FREE, WR_PAIR_BUSY))
			continue;
		do
			first = wr_pair_state(bucket);
		while ((first == WR_PAIR_BUSY && !wr_pair_change(bucket, first, WR_PAIR_MET)) ||
		       (wr_pair_is_waiting(first) && *(volatile __u64 *)&bucket->key == key &&
			!wr_pair_change(bucket, first, first | WR_PAIR_SPECIAL)));
		return &bucket[i];
	}
	return 0;
}

/*
 * Claims a slot for a start of @key. The slot is BUSY until wr_pair_start(). NULL: there is no
 * room.
 */
WR_INLINE struct wr_pair *wr_pair_claim(struct wr_pair *slots, __u32 bits, __u64 key)
{
	struct wr_pair *slot = wr_pair_bucket(slots, bits, key);

	if (__builtin_expect(!wr_pair_change(slot, WR_PAIR_FREE, WR_PAIR_BUSY), 0)) {
		slot = wr_pair_claim_other(slot, key);
		if (!slot)
			return 0;
	} else if (!slot) {
		/* not reached; lets the compiler drop the callers' tests for NULL */
		__builtin_unreachable();
	}
	*(volatile __u64 *)&slot->key = key;
	return slot;
}

/*
 * Counts a start of @key that wr_pair_claim() had no room for: in .deep if more than half of the
 * bucket's slots are @key's, else in .dropped.
 */
WR_RARE void wr_pair_no_room(__u64 *cells, struct wr_pair *slots, __u32 bits, __u64 key)
{
	const struct wr_pair *bucket = wr_pair_bucket(slots, bits, key);
	int own = 0;

	for (int i = 0; i < WR_PAIR_WAYS; i++)
		own += *(volatile __u64 *)&bucket[i].key == key;
	wr_increment(own > WR_PAIR_WAYS / 2 ? &wr_area_of(cells)->deep :
					      &wr_area_of(cells)->dropped);
}

/* Frees the waiting starts of @key. Returns their number. */
WR_RARE __u32 wr_pair_drop(struct wr_pair *slots, __u32 bits, __u64 key)
{
	struct wr_pair *bucket = wr_pair_bucket(slots, bits, key);
	__u32 dropped = 0;

	for (int i = 0; i < WR_PAIR_WAYS; i++) {
		__u64 state = wr_pair_state(&bucket[i]);

		if (wr_pair_is_waiting(state) && *(volatile __u64 *)&bucket[i].key == key)
			dropped += wr_pair_change(&bucket[i], state, WR_PAIR_FREE);
	}
	return dropped;
}

/*
 * Continues wr_pair_renew() if the first slot does not hold a start of @key, or not the only start
 * of @key.
 */
WR_RARE struct wr_pair *wr_pair_renew_other(__u64 *cells, struct wr_pair *slots, __u32 bits,
					    __u64 key)
{
	struct wr_pair *bucket = wr_pair_bucket(slots, bits, key), *slot;
	__u32 dropped = wr_pair_drop(slots, bits, key);

	slot = wr_pair_claim(slots, bits, key);
	/*
	 * Two CPUs may claim slots for the same key at the same time. Each looks at the other slots
	 * after its own claim. A claim is a locked instruction, so at least one of the two sees the
	 * other one's slot, here or at the end of wr_pair_claim_other(). That one makes the start
	 * in the first slot SPECIAL. Then the next start of the key replaces both.
	 */
	for (int i = 0; slot && i < WR_PAIR_WAYS; i++) {
		__u64 state = wr_pair_state(&bucket[i]);

		if (&bucket[i] != slot && (state == WR_PAIR_BUSY || state == WR_PAIR_MET))
			wr_pair_change(slot, WR_PAIR_BUSY, WR_PAIR_MET);
	}
	dropped += wr_pair_drop(slots, bits, key);
	if (dropped)
		wr_add(&wr_area_of(cells)->replaced, dropped);
	return slot;
}

/*
 * Like wr_pair_claim(), for metrics whose pairs do not nest: at most one start of a key waits for
 * its end. If a start of @key is waiting already, it is dropped, and .replaced of @cells' struct
 * wr_area counts it. Returns the slot, BUSY or MET, for wr_pair_start_renewed(); NULL: there is no
 * room.
 */
WR_INLINE struct wr_pair *wr_pair_renew(__u64 *cells, struct wr_pair *slots, __u32 bits, __u64 key)
{
	struct wr_pair *slot = wr_pair_bucket(slots, bits, key);
	__u64 state = wr_pair_state(slot);

	if (wr_pair_is_waiting(state) && !(state & WR_PAIR_SPECIAL) &&
	    *(volatile __u64 *)&slot->key == key && wr_pair_change(slot, state, WR_PAIR_BUSY)) {
		wr_increment(&wr_area_of(cells)->replaced);
		return slot;
	}
	return wr_pair_renew_other(cells, slots, bits, key);
}

WR_INLINE void wr_pair_start(struct wr_pair *slot, __u64 now, _Bool counts)
{
	*(volatile __u64 *)&slot->start = (now << WR_PAIR_TIME) + counts;
}

/*
 * Like wr_pair_start(), for a slot of wr_pair_renew(). If another start came meanwhile, this start
 * becomes SPECIAL.
 */
WR_INLINE void wr_pair_start_renewed(struct wr_pair *slot, __u64 now, _Bool counts)
{
	const __u64 state = (now << WR_PAIR_TIME) + counts;

	if (__builtin_expect(!wr_pair_change(slot, WR_PAIR_BUSY, state), 0))
		*(volatile __u64 *)&slot->start = state | WR_PAIR_SPECIAL;
}

/*
 * Returns the clock units from a pair's start to @now, without the time in which the task was
 * switched out. That time is @away, if @away is not negative. A negative @away means that the task
 * is switched out now: it is then the time for which the task was switched out before, minus the
 * clock when it was last switched out. The pair's clock stands still meanwhile, so @now is not
 * used.
 */
WR_INLINE __s64 wr_pair_units(__u64 state, __u64 now, __u64 away)
{
	return ((__s64)away < 0 ? 0 : now) - away - (state >> WR_PAIR_TIME);
}

/*
 * Returns the slot with the newest start of @key in the bucket (of nested pairs the innermost);
 * NULL: there is none. *@state_ret: that slot's state.
 */
WR_INLINE struct wr_pair *wr_pair_newest(struct wr_pair *bucket, __u64 key, __u64 *state_ret)
{
	struct wr_pair *found = 0;

	*state_ret = 0;
	for (int i = 0; i < WR_PAIR_WAYS; i++) {
		__u64 state = wr_pair_state(&bucket[i]);

		if (!wr_pair_is_waiting(state) || *(volatile __u64 *)&bucket[i].key != key ||
		    state >> WR_PAIR_TIME < *state_ret >> WR_PAIR_TIME)
			continue;
		*state_ret = state;
		found = &bucket[i];
	}
	return found;
}

/*
 * Frees @slot if its state is still @state, and returns whether it has done so. *@by and *@away are
 * read before the slot is freed, since its next owner may change them at once.
 */
WR_INLINE _Bool wr_pair_take_slot(const struct wr_pairs *pairs, struct wr_pair *slot, __u64 state,
				  __u64 *by, __u64 *away)
{
	if (by)
		*by = *(volatile __u64 *)&pairs->by[slot - pairs->slots];
	if (away)
		*away = *(volatile __u64 *)&pairs->away[slot - pairs->slots];
	return wr_pair_change(slot, state, WR_PAIR_FREE);
}

WR_RARE __u64 wr_pair_take_other(const struct wr_pairs *pairs, struct wr_pair *bucket, __u64 key,
				 __u64 *by, __u64 *away)
{
	struct wr_pair *slot;
	__u64 state;

	do
		slot = wr_pair_newest(bucket, key, &state);
	while (slot && !wr_pair_take_slot(pairs, slot, state, by, away));
	return state;
}

/*
 * Removes the newest start of @key. Returns its state; 0: there is none. *@by and *@away get the
 * slot's elements of pairs->by and pairs->away; pass NULL for an array that the table does not
 * have.
 */
WR_INLINE __u64 wr_pair_take(const struct wr_pairs *pairs, __u32 bits, __u64 key, __u64 *by,
			     __u64 *away)
{
	struct wr_pair *bucket = wr_pair_bucket(pairs->slots, bits, key);
	__u64 state = wr_pair_state(bucket);

	if (__builtin_expect(!(state & WR_PAIR_SPECIAL) && *(volatile __u64 *)&bucket->key == key &&
				     wr_pair_take_slot(pairs, bucket, state, by, away), 1)) {
		if (!state)
			__builtin_unreachable();
		return state;
	}
	return wr_pair_take_other(pairs, bucket, key, by, away);
}

/* ---- converting time ------------------------------------------------------------------------- */

/* Converts a clock's units to nanoseconds: @units * @mult / 2^32. */
WR_INLINE __u64 wr_nanoseconds(__u64 units, __u64 mult)
{
	__u64 high = mult;

	asm("mulq %1\n\tshrdq $32, %1, %0" : "+a"(units), "+d"(high) : : "cc");
	return units;
}

#endif /* WEFT_PAIR_TABLE_H */
