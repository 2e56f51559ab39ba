/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table that maps a task to the state that an aspect's advice keeps for it. Freestanding C like
 * metric-table.h: aspects run it in the kernel, tests run it natively.
 *
 * All CPUs share the table, but a task runs on one CPU at a time, and only its own advice looks it
 * up. Two things may happen concurrently: advice of a higher context (up to NMI) interrupts and
 * runs to its end, and other tasks claim and release other slots of the bucket. Keys are stored
 * apart from data: the keys of a bucket are one cache line, so that the search for a task is fast.
 */
#ifndef WEFT_TASK_TABLE_H
#define WEFT_TASK_TABLE_H

#include "metric-table.h"

#define WR_TASK_WAYS 8

/*
 * 2^bits buckets of WR_TASK_WAYS slots. The functions below take @bits from their caller, who must
 * always pass the same number. A slot whose key is 0 is free, and its data is all zero.
 */
struct wr_tasks {
	__u64 *keys;
	void *data;
};

/* Returns the index of the first slot of the bucket of @key. Hashes as wr_pair_bucket() does. */
WR_INLINE long wr_task_bucket(__u32 bits, __u64 key)
{
	const __u32 golden = 0x9e3779b1u;

	return (long)((__u32)key * golden >> (32 - bits)) * WR_TASK_WAYS;
}

WR_INLINE __u64 wr_task_key_at(const struct wr_tasks *tasks, long slot)
{
	return *(const volatile __u64 *)&tasks->keys[slot];
}

/* Searches the @n slots from @first on. Returns the first one whose key is @key, or -1. */
WR_INLINE long wr_task_search(const struct wr_tasks *tasks, long first, long n, __u64 key)
{
	for (long slot = first; slot < first + n; slot++)
		if (wr_task_key_at(tasks, slot) == key)
			return slot;
	return -1;
}

WR_RARE long wr_task_find_other(const struct wr_tasks *tasks, long first, __u64 key)
{
	return wr_task_search(tasks, first + 1, WR_TASK_WAYS - 1, key);
}

/* Returns the slot of the task @key, or -1. */
WR_INLINE long wr_task_find(const struct wr_tasks *tasks, __u32 bits, __u64 key)
{
	long first = wr_task_bucket(bits, key);

	if (__builtin_expect(wr_task_key_at(tasks, first) == key, 1))
		return first;
	return wr_task_find_other(tasks, first, key);
}

WR_INLINE _Bool wr_task_take(__u64 *slot, __u64 key)
{
	__u64 unused = 0;
	_Bool done;

	asm volatile("lock cmpxchgq %3, %1"
		     : "=@ccz"(done), "+m"(*slot), "+a"(unused)
		     : "r"(key)
		     : "memory");
	return done;
}

/*
 * Continues wr_task_claim() if the first slot of the bucket is not the task's: returns another slot
 * that is the task's, or claims one. Advice may interrupt this function and claim a slot for the
 * same task: one that was in use when this function passed it, and that was freed since. So after
 * it has claimed a slot, this function searches the slots before it once more. While a task has two
 * slots, every search finds the first of them.
 */
WR_RARE long wr_task_claim_other(const struct wr_tasks *tasks, long first, __u64 key)
{
	long found = wr_task_search(tasks, first, WR_TASK_WAYS, key);

	for (long slot = first; found < 0 && slot < first + WR_TASK_WAYS; slot++) {
		if (wr_task_key_at(tasks, slot) || !wr_task_take(&tasks->keys[slot], key))
			continue;
		found = wr_task_search(tasks, first, slot - first, key);
		if (found < 0)
			return slot;
		*(volatile __u64 *)&tasks->keys[slot] = 0;
	}
	return found;
}

/* Returns the slot of the task @key; claims one if the task has none. -1: there is no room. */
WR_INLINE long wr_task_claim(const struct wr_tasks *tasks, __u32 bits, __u64 key)
{
	long first = wr_task_bucket(bits, key);

	if (__builtin_expect(wr_task_key_at(tasks, first) == key, 1))
		return first;
	return wr_task_claim_other(tasks, first, key);
}

WR_INLINE void *wr_task_data(const struct wr_tasks *tasks, long slot, __u32 size)
{
	return slot < 0 ? 0 : (char *)tasks->data + slot * size;
}

/*
 * Clears and frees the slot of a task that no longer runs and that nobody looks up any more. @size:
 * bytes of one slot's data.
 */
WR_INLINE void wr_task_leave(const struct wr_tasks *tasks, __u32 bits, __u32 size, __u64 key)
{
	long slot = wr_task_find(tasks, bits, key);

	if (slot < 0)
		return;
	__builtin_memset(wr_task_data(tasks, slot, size), 0, size);
	__atomic_store_n(&tasks->keys[slot], 0, __ATOMIC_RELEASE);
}

#endif /* WEFT_TASK_TABLE_H */
