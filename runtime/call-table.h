/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of noted calls. Control may reach the return address of a call without the call, by a
 * branch. So the call is noted in this table before it is made, and advice at the return address
 * runs only if the note is found. Freestanding C like task-table.h: weft.ko runs it in the kernel,
 * tests run it natively.
 *
 * A call is identified by the stack pointer before the return address is pushed. The stack pointer
 * is the same again after the return address is popped. Until then that part of the stack belongs
 * to the caller's frame alone, whatever the called function does: it may sleep, recurse, move to
 * another CPU, or be interrupted. So all CPUs can share the table, and only the caller itself looks
 * for its call.
 *
 * If a task exits in the called function, the call never returns and stays noted. The stack may
 * later belong to another task, whose calls may have the same stack pointer. So a call is also
 * identified by its task.
 */
#ifndef WEFT_CALL_TABLE_H
#define WEFT_CALL_TABLE_H

#include "task-table.h"

#define WR_CALL_WAYS 4

/*
 * A slot of the table. .sp 0: the slot is free. Whoever changes .sp from 0 owns the other members.
 */
struct wr_noted_call {
	__u64 sp;
	__u64 call; /* the call's return address and the advice that needs the note: wr_call_id() */
	__u64 task;
};

/*
 * Number of slots of a table of 2^bits buckets. The functions below take the same @bits for one
 * table.
 */
#define WR_CALL_SLOTS(bits) ((__u64)WR_CALL_WAYS << (bits))

/*
 * Returns a number that, together with the stack pointer, identifies a call. @returns: the call's
 * return address. Its upper 16 bits are not kept, because all kernel text has the same ones.
 */
WR_INLINE __u64 wr_call_id(__u64 returns, __u16 advice)
{
	return returns << 16 | advice;
}

WR_INLINE struct wr_noted_call *wr_call_bucket(struct wr_noted_call *slots, __u32 bits, __u64 sp)
{
	const __u32 golden = 0x9e3779b1u;

	return slots + (unsigned long)((__u32)(sp >> 3) * golden >> (32 - bits)) * WR_CALL_WAYS;
}

WR_INLINE struct wr_noted_call *wr_call_find(struct wr_noted_call *bucket, __u64 sp, __u64 call)
{
	/* Usually no slot matches, and all are looked at. */
#pragma GCC unroll 4
	for (int i = 0; i < WR_CALL_WAYS; i++)
		if (*(volatile __u64 *)&bucket[i].sp == sp && bucket[i].call == call)
			return &bucket[i];
	return 0;
}

/*
 * Notes a call that is about to be made. Returns false if there is no room. A call with the same id
 * and stack pointer may be noted already. That one has never returned and never will, so the new
 * note replaces it.
 */
WR_INLINE _Bool wr_call_note(struct wr_noted_call *slots, __u32 bits, __u64 sp, __u64 call,
			     __u64 task)
{
	struct wr_noted_call *bucket = wr_call_bucket(slots, bits, sp);
	struct wr_noted_call *slot = wr_call_find(bucket, sp, call);

	for (int i = 0; !slot && i < WR_CALL_WAYS; i++)
		if (!*(volatile __u64 *)&bucket[i].sp && wr_task_take(&bucket[i].sp, sp))
			slot = &bucket[i];
	if (!slot)
		return 0;
	slot->call = call;
	slot->task = task;
	return 1;
}

/*
 * Removes the note with this @sp and @call, if there is one. Returns whether it was @task's; if
 * not, another task had made that call, and exited in it.
 */
WR_INLINE _Bool wr_call_take(struct wr_noted_call *slots, __u32 bits, __u64 sp, __u64 call,
			     __u64 task)
{
	struct wr_noted_call *slot = wr_call_find(wr_call_bucket(slots, bits, sp), sp, call);
	_Bool own;

	if (!slot)
		return 0;
	own = slot->task == task;
	slot->call = 0;
	__atomic_store_n(&slot->sp, 0, __ATOMIC_RELEASE);
	return own;
}

#endif /* WEFT_CALL_TABLE_H */
