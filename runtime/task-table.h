/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of tasks: a table from a task to what an aspect's advice remembers of it. Freestanding C
 * like metric-table.h: aspects run it in the kernel, tests run it natively.
 *
 * All CPUs share the table, but a task is on one CPU at a time, and only its own advice looks for
 * it. So what can come between is advice of a higher context (an NMI at last), which runs to its
 * end; and other tasks, which claim and leave other slots of the bucket. Keys lie apart from the
 * data: a bucket of them is one cache line, and that a task is not there is seen at once.
 */
#ifndef WEFT_TASK_TABLE_H
#define WEFT_TASK_TABLE_H

#include "metric-table.h"

#define WR_TASK_WAYS 8

/*
 * 2^bits buckets, which whoever uses it knows. Where a key is 0 nobody has the slot, and its data
 * is all zero.
 */
struct wr_tasks {
	__u64 *keys;
	void *data;
};

/* Index of the first slot of the key's bucket; see wr_pair_bucket(). */
WR_INLINE long wr_task_bucket(__u32 bits, __u64 key)
{
	const __u32 golden = 0x9e3779b1u;

	return (long)((__u32)key * golden >> (32 - bits)) * WR_TASK_WAYS;
}

WR_INLINE __u64 wr_task_key_at(const struct wr_tasks *tasks, long slot)
{
	return *(const volatile __u64 *)&tasks->keys[slot];
}

/* The first slot of the @n from @first on that is @key's, or -1. */
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

/* The task's slot, or -1. */
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
 * A slot is free, passed, and then claimed for the same task by advice that interrupts this: so the
 * slots before the one that was taken are looked at once more. Of two the first counts, and whoever
 * interrupts later finds that, too.
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

/* The task's slot, from now on at the latest; -1: there is no room. */
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

/* The task is gone: nobody looks for it any more. */
WR_INLINE void wr_task_leave(const struct wr_tasks *tasks, __u32 bits, __u32 size, __u64 key)
{
	long slot = wr_task_find(tasks, bits, key);

	if (slot < 0)
		return;
	__builtin_memset(wr_task_data(tasks, slot, size), 0, size);
	__atomic_store_n(&tasks->keys[slot], 0, __ATOMIC_RELEASE);
}

#endif /* WEFT_TASK_TABLE_H */
