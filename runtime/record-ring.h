/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's buffer of records of any length. It is written by advice in any context, NMIs included,
 * without locks and without locked instructions. Readers read it, oldest record first; each has a
 * cursor of its own. A full buffer keeps what it has. Freestanding: tests run it natively.
 *
 * Why not the kernel's ring buffer: to reserve and commit 64 bytes there takes 339 instructions
 * (`make bench-hit`), most of them for what records do not need: overwriting, pages that are
 * swapped out to splice(), waking readers. And a record there cannot be shorter by what the record
 * before it has said: the task, and the upper half of the time (abi-record.h).
 *
 * The memory is mapped twice, one mapping right after the other, so that a record is contiguous
 * wherever it begins. The first line below are offsets, the second what is stored between them;
 * "begun" is a record that is reserved and not committed. head and tail only increase:
 *
 *	tail			      head		   tail + size
 *	| committed | committed | begun |	free		  |
 *
 *   - The writers look at tail alone, never at cursors. The readers, which have a lock, keep tail
 *     at the cursor of the slowest of them (wr_ring_release()). One that is too slow is moved on by
 *     the others: what it is moved over it has missed, and the others have not.
 *   - All writers are on this CPU. A writer that interrupts another ends before the other goes on;
 *     it is called nested. `writers` counts those that have begun and not ended.
 *   - A writer reserves by moving head with a cmpxchg, which needs no lock prefix, since no other
 *     CPU writes head. If a nested writer came in between, the cmpxchg fails, and the writer reads
 *     head anew.
 *   - When the reader sees no writer, and head is the same before and after that look, then all
 *     that is below head is committed: the buffer is at rest. So there is nothing to look at in the
 *     records, and nothing to clear.
 *   - A writer that is not nested notes the time and the task of its record: the next writer, if it
 *     finds the same task and a time that is not far, writes a record of 8 bytes and its arguments.
 *     A nested writer cannot note them: the one below it may be about to do so. So it writes a
 *     state record before its own, always, and asks for one before the next record (STALE).
 *   - A time is noted before the cmpxchg, and each writer takes the later one of its own and the
 *     noted times. So times never decrease from record to record, whatever the clock does, and a
 *     writer that was interrupted need not read the clock again.
 */
#ifndef WEFT_RECORD_RING_H
#define WEFT_RECORD_RING_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <stdbool.h>
#include <string.h>
#else
#include <linux/string.h>
#endif

#include "abi.h"

enum {
	WR_RING_STALE = 1u << 16, /* in .writers: the next record needs a state record before it */
	WR_RING_NESTING = WR_RING_STALE - 1,
	/* a record that comes later after the one before it needs a state record; nanoseconds */
	WR_RING_GAP_BITS = 31,
	/* how often the reader looks whether the buffer is at rest */
	WR_RING_PATIENCE = 1000,
};

/* Whose hit it is. */
struct wr_owner {
	__u64 ids; /* the tid; in the upper half the pid */
	/*
	 * Two numbers by which wr_owning.is_of() sees in a few instructions that it is another: the
	 * task or what it runs, WR_OWNER_INTERRUPTED; and what the task may change of itself.
	 */
	__u64 identity, looks;
	__u32 uid;
	__u8 dumpable; /* of the task: what decides whether a user may look into it */
	__u8 open;     /* its user may read the record: WEFT_EVENT_OPEN */
	__u64 comm[2];
};

/* In .identity: an interrupt's hit in the middle of the task. Only in a ring with .for_users. */
#define WR_OWNER_INTERRUPTED (1ull << 63)

/*
 * Two functions of whoever writes, constants at each caller, so that they are called directly.
 * @for_users: as in the ring.
 */
struct wr_owning {
	struct wr_owner (*get)(bool for_users);
	/* Is it @noted's? */
	bool (*is_of)(const struct wr_owner *noted, const __u8 *for_users);
};

/* Where a reader is. */
struct wr_cursor {
	__u64 at;   /* bytes ever reserved, before what it reads next */
	__u64 read; /* records before that */
	/* what the records before it have said: the time of the last one, and the task */
	__u64 seen_time;
	struct weft_raw_state seen;
};

struct wr_ring {
	/*
	 * Written by the writers only. @head: in the lower half the bytes ever reserved, modulo
	 * 2^32, in the upper half the number of records ever reserved; a carry from the lower half
	 * is left in the upper one, see wr_ring_unread().
	 */
	__u64 head;
	__u32 writers; /* begun and not ended; WR_RING_STALE */
	__u32 room_end; /* there is room up to here at least: bytes ever reserved, modulo 2^32 */
	__u8 *base;
	__u64 mask; /* .size - 1 */
	__u64 time; /* noted by the last writer that was not nested */
	struct wr_owner owner; /* likewise */
	__u64 time_of_nested;  /* noted by the last writer of a state record */
	__u32 state_at; /* a late state record: bytes reserved before it, modulo 2^32 */
	__u32 states;	/* state records ever written, modulo 2^32 */
	__u32 lost_since; /* records lost since the last state record */
	__u32 size; /* bytes; a power of two, and of whole pages */
	__u64 lost;
	/*
	 * Users may read it: a record says whether its task's user may. Set by readers, on each CPU
	 * in turn, with WR_RING_STALE.
	 */
	__u8 for_users;
	/* Written by readers only, in a cache line of their own. */
	__u64 tail __attribute__((aligned(64))); /* before it are bytes that may be overwritten */
	__u64 limit; /* wr_ring_peek() may look up to here: bytes ever reserved, and committed */
	struct wr_cursor first; /* of the reader that there always is */
	__u64 users_from; /* records before this are not for users; as .limit */
	/* what wr_ring_take_span() has returned */
	__u64 taken, taken_records; /* bytes, from ->first */
	__u64 taken_time, taken_lost; /* its .last and .lost */
	__u32 taken_states; /* as .states */
	struct weft_raw_state taken_state;
};

/* A ring whose memory is at @base_, of @size_ bytes. */
#define WR_RING_INIT(base_, size_) \
	((struct wr_ring){ .base = (base_), .size = (size_), .mask = (size_) - 1, \
			   .room_end = (size_), .writers = WR_RING_STALE })

/* ---- writing --------------------------------------------------------------------------------- */

/*
 * Makes *@at @new if it is *@old, else makes *@old what *@at is, and returns false. Without lock
 * prefix: atomic against interrupts on this CPU, not against other CPUs.
 */
static inline bool wr_cmpxchg(__u64 *at, __u64 *old, __u64 new)
{
	bool was;

	asm volatile("cmpxchgq %3, %2" : "=@ccz"(was), "+a"(*old), "+m"(*at) : "r"(new) : "memory");
	return was;
}

/* What a writer adds to .head for a record of @size bytes: that, and one record. */
static inline __u64 wr_ring_step(__u32 size)
{
	return (__u64)1 << 32 | size;
}

/*
 * Is there room for @size bytes more? Notes for wr_ring_reserve_short() how far there is, so that
 * it need not look at the tail, which the reader's CPU writes.
 */
static inline bool wr_ring_has_room(struct wr_ring *ring, __u64 head, __u32 size)
{
	const __u32 end = (__u32)__atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) + ring->size;

	__atomic_store_n(&ring->room_end, end, __ATOMIC_RELAXED);
	return end - (__u32)head >= size;
}

static inline void *wr_ring_at(const struct wr_ring *ring, __u64 position)
{
	return ring->base + (position & ring->mask);
}

/* Counts a record that finds no room. An interrupt may do so in between: one instruction each. */
static inline void wr_ring_lose(struct wr_ring *ring)
{
	asm volatile("incq %0\n\tincl %1\n\torl %3, %2"
		     : "+m"(ring->lost), "+m"(ring->lost_since), "+m"(ring->writers)
		     : "i"(WR_RING_STALE)
		     : "cc");
}

/*
 * Makes the next record have a state record before it. On the ring's CPU, or while that is offline.
 */
static inline void wr_ring_make_stale(struct wr_ring *ring)
{
	asm volatile("orl %1, %0" : "+m"(ring->writers) : "i"(WR_RING_STALE) : "cc");
}

/* Returns the later one of @time and the one noted, and notes it. */
static inline __u64 wr_ring_note_time(struct wr_ring *ring, __u64 time)
{
	__u64 noted = __atomic_load_n(&ring->time_of_nested, __ATOMIC_RELAXED);

	do {
		if (time < noted)
			time = noted;
	} while (!wr_cmpxchg(&ring->time_of_nested, &noted, time));
	return time;
}

/*
 * Reserves a record on this CPU, of a size that is a multiple of WEFT_RECORD_ALIGN, of which *@step
 * is the wr_ring_step(). The caller must not migrate. @time is what the caller has read from the
 * clock; the record has its lower half. The caller fills the record, *@ret, and calls
 * wr_ring_commit() at once. False: wr_ring_reserve() may do it.
 */
static inline __attribute__((__always_inline__)) bool
wr_ring_reserve_short(struct wr_ring *ring, const __u64 *step, struct wr_owning owning, __u64 time,
		      void **ret)
{
	__u64 head, end;
	bool alone;

	asm volatile("incl %0" : "+m"(ring->writers) : : "memory", "cc");
	head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	/* What a nested writer has asked for is seen after head. One instruction, no register. */
	asm volatile("cmpl $1, %1" : "=@cce"(alone) : "m"(ring->writers) : "memory");
	if (__builtin_expect(!alone, 0))
		goto not;
	if (__builtin_expect(!owning.is_of(&ring->owner, &ring->for_users), 0))
		goto not;
	end = head + *step;
	/* Signed: a nested writer may have gone on beyond what the one below it has noted. */
	if (__builtin_expect((__s32)(ring->room_end - (__u32)end) < 0, 0))
		goto not;
	/* also where the clock has gone backwards, or a record has come since it was read */
	if (__builtin_expect((time - ring->time) >> WR_RING_GAP_BITS, 0))
		goto not;
	__atomic_store_n(&ring->time, time, __ATOMIC_RELAXED);
	if (__builtin_expect(!wr_cmpxchg(&ring->head, &head, end), 0))
		goto not; /* a nested writer came in between */
	*ret = wr_ring_at(ring, head);
	return true;
not:
	asm volatile("decl %0" : "+m"(ring->writers) : : "memory", "cc");
	return false;
}

/*
 * Reserves a state record and a record of @size bytes after it, and fills the state record with
 * @owner, whose hit it is. Only for wr_ring_reserve(), which passes what its owning.get() returns.
 * If this function, which is not inlined, called .get() itself, GCC 14 would make that a call
 * through a pointer.
 */
static __attribute__((__noinline__)) void *
wr_ring_reserve_both(struct wr_ring *ring, __u32 size, struct wr_owner owner, __u64 *time)
{
	const __u32 whole = size + sizeof(struct weft_raw_state);
	struct weft_raw_state *state;
	bool nested;
	__u64 head;

	asm volatile("incl %0" : "+m"(ring->writers) : : "memory", "cc");
	nested = (ring->writers & WR_RING_NESTING) > 1;
	head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	do {
		if (!wr_ring_has_room(ring, head, whole)) {
			wr_ring_lose(ring);
			asm volatile("decl %0" : "+m"(ring->writers) : : "memory", "cc");
			return NULL;
		}
		if (nested)
			wr_ring_make_stale(ring);
		else
			asm volatile("andl %1, %0"
				     : "+m"(ring->writers)
				     : "i"(WR_RING_NESTING)
				     : "cc");
		if (*time < __atomic_load_n(&ring->time, __ATOMIC_RELAXED))
			*time = ring->time;
		*time = wr_ring_note_time(ring, *time);
		if (!nested) {
			__atomic_store_n(&ring->time, *time, __ATOMIC_RELAXED);
			ring->owner = owner;
		}
	} while (!wr_cmpxchg(&ring->head, &head, head + wr_ring_step(whole)));
	state = wr_ring_at(ring, head);
	*state = (struct weft_raw_state){
		.extended = WEFT_EVENT_EXTENDED,
		.event = owner.open ? WEFT_EVENT_OPEN : WEFT_EVENT_TASK,
		.time = *time,
		.tid = (__u32)owner.ids,
		.pid = owner.ids >> 32,
		.uid = owner.uid,
		.lost = __atomic_exchange_n(&ring->lost_since, 0, __ATOMIC_RELAXED),
	};
	memcpy(state->comm, owner.comm, sizeof(state->comm));
	/*
	 * If a nested writer has noted a later one in between, the earlier one stays noted. It has
	 * the same task.
	 */
	__atomic_store_n(&ring->state_at, (__u32)head, __ATOMIC_RELAXED);
	asm volatile("incl %0" : "+m"(ring->states) : : "cc");
	return state + 1;
}

/*
 * Like wr_ring_reserve_short(), and puts a state record before the record where one is needed.
 * *@time is what the caller has read from the clock, and becomes the record's time, which may be
 * later. NULL: there is no room, which is counted as lost.
 */
static inline void *wr_ring_reserve(struct wr_ring *ring, __u32 size, struct wr_owning owning,
				    __u64 *time)
{
	const __u64 step = wr_ring_step(size);
	void *record;

	return wr_ring_reserve_short(ring, &step, owning, *time, &record)
		       ? record
		       : wr_ring_reserve_both(ring, size, owning.get(ring->for_users), time);
}

/* Commits the record that was reserved last in this context. */
static inline void wr_ring_commit(struct wr_ring *ring)
{
	asm volatile("decl %0" : "+m"(ring->writers) : : "memory", "cc");
}

/* ---- reading: on any CPU; who calls these functions excludes the others that do -------------- */

/* The time of a record of which only the lower half is stored. @before: of the record before it. */
static inline __u64 wr_full_time(__u64 before, __u32 low)
{
	return before + (__u32)(low - (__u32)before);
}

/* What there is when the buffer is at rest. */
struct wr_rest {
	__u64 head;	/* as in the ring */
	__u64 time;	/* not before that of the last record, nor after that of the next one */
	__u64 lost;	/* records, in all */
	__u32 state_at, states; /* as in the ring */
};

/*
 * Returns false if a writer was always about to write: its CPU may run something else in between.
 * A writer may begin and end at any moment here. The second look at head sees that none has: with
 * what a later writer has noted, the time could be later than that of the next record, or the state
 * record that is noted could lie after this rest, in place of the last one before.
 */
static inline bool wr_ring_rest(const struct wr_ring *ring, struct wr_rest *ret)
{
	for (int i = 0; i < WR_RING_PATIENCE; i++) {
		__u64 nested;

		ret->head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&ring->writers, __ATOMIC_ACQUIRE) & WR_RING_NESTING) {
			asm volatile("pause");
			continue;
		}
		ret->time = __atomic_load_n(&ring->time, __ATOMIC_ACQUIRE);
		nested = __atomic_load_n(&ring->time_of_nested, __ATOMIC_ACQUIRE);
		if (ret->time < nested)
			ret->time = nested;
		ret->lost = __atomic_load_n(&ring->lost, __ATOMIC_ACQUIRE);
		ret->state_at = __atomic_load_n(&ring->state_at, __ATOMIC_ACQUIRE);
		ret->states = __atomic_load_n(&ring->states, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) == ret->head)
			return true;
	}
	return false;
}

/* The bytes ever reserved, of .head, of which the lower half has them modulo 2^32. */
static inline __u64 wr_ring_bytes(const struct wr_ring *ring, __u64 head)
{
	/* once: a reader may move it meanwhile */
	const __u64 tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);

	return tail + (__u32)((__u32)head - (__u32)tail);
}

/*
 * The records between @cursor and @head. Both halves of head together are the sum of all steps: if
 * the bytes are taken off, with what they carried, the records are left.
 */
static inline __u64 wr_ring_records(const struct wr_ring *ring, const struct wr_cursor *cursor,
				    __u64 head)
{
	return (__u32)(((head - wr_ring_bytes(ring, head)) >> 32) - cursor->read);
}

/* Number of records that @cursor has not consumed yet. */
static inline __u64 wr_ring_unread(const struct wr_ring *ring, const struct wr_cursor *cursor)
{
	return wr_ring_records(ring, cursor, __atomic_load_n(&ring->head, __ATOMIC_RELAXED));
}

/* Records ever written. */
static inline __u64 wr_ring_written(const struct wr_ring *ring)
{
	return ring->first.read + wr_ring_unread(ring, &ring->first);
}

/*
 * Returns the oldest record that @cursor has not consumed; NULL if there is none or if it is not
 * committed yet. @cursor->seen_time is its time then, and ->seen has its task, and how many records
 * were lost before it.
 */
static inline const void *wr_ring_peek(struct wr_ring *ring, struct wr_cursor *cursor)
{
	struct wr_rest rest;

	for (;;) {
		const void *at = wr_ring_at(ring, cursor->at);
		const struct weft_raw_record *record = at;
		const struct weft_raw_state *state = at;

		if (cursor->at == ring->limit) {
			if ((__u32)cursor->at == (__u32)ring->head || !wr_ring_rest(ring, &rest))
				return NULL;
			ring->limit = wr_ring_bytes(ring, rest.head);
			continue;
		}
		if (record->event != WEFT_EVENT_EXTENDED) {
			cursor->seen_time = wr_full_time(cursor->seen_time, record->time);
			return record;
		}
		cursor->seen = *state;
		cursor->seen_time = state->time;
		cursor->at += sizeof(*state);
	}
}

/*
 * Moves @cursor on after the record that wr_ring_peek() returned, of @size bytes. Its memory is the
 * writers' again after wr_ring_release().
 */
static inline void wr_ring_consume(struct wr_cursor *cursor, __u32 size)
{
	cursor->seen.lost = 0;
	cursor->read++;
	cursor->at += size;
}

/* Gives the writers all memory before @slowest, where the slowest reader's cursor is. */
static inline void wr_ring_release(struct wr_ring *ring, __u64 slowest)
{
	__atomic_store_n(&ring->tail, slowest, __ATOMIC_RELEASE);
}

/* The oldest records of ->first, one after another. */
struct wr_ring_span {
	const void *begin;
	__u64 size; /* bytes; 0: there are none */
	__u64 records;
	__u64 first; /* the time of the first record */
	__u64 last;  /* not before that of the last one, nor after that of the next one to come */
	__u64 lost;  /* records lost in all, up to its end */
};

static inline __u64 wr_ring_first_time(const struct wr_ring *ring)
{
	const struct weft_raw_record *record = wr_ring_at(ring, ring->first.at);

	return record->event == WEFT_EVENT_EXTENDED
		       ? ((const struct weft_raw_state *)record)->time
		       : wr_full_time(ring->first.seen_time, record->time);
}

/*
 * Returns all records up to a moment at which no writer was about to write; the same ones as before
 * if there was no such moment. They stay in the ring until wr_ring_consume_span(). Between the two
 * no other function that reads is called for ->first.
 */
static inline struct wr_ring_span wr_ring_take_span(struct wr_ring *ring)
{
	struct wr_ring_span span = { .begin = wr_ring_at(ring, ring->first.at) };
	const __u64 before = ring->taken;
	struct wr_rest rest;

	if (wr_ring_rest(ring, &rest)) {
		ring->taken = wr_ring_bytes(ring, rest.head) - ring->first.at;
		ring->taken_records = wr_ring_records(ring, &ring->first, rest.head);
		ring->taken_time = rest.time;
		ring->taken_lost = rest.lost;
		if (!before)
			ring->taken_state = ring->first.seen;
		/* both: a position is known modulo 2^32 only */
		if (rest.states != ring->taken_states &&
		    rest.state_at - (__u32)ring->first.at < ring->taken)
			memcpy(&ring->taken_state, wr_ring_at(ring, rest.state_at),
			       sizeof(ring->taken_state));
		ring->taken_states = rest.states;
	} else if (!before) {
		/* wr_ring_consume() may have consumed records after those of the last span */
		ring->taken_time = ring->first.seen_time;
	}
	span.size = ring->taken;
	span.records = ring->taken_records;
	span.first = ring->taken ? wr_ring_first_time(ring) : ring->taken_time;
	span.last = ring->taken_time;
	span.lost = ring->taken_lost;
	return span;
}

/* Forgets what wr_ring_take_span() returned: it is unread. */
static inline void wr_ring_forget_span(struct wr_ring *ring)
{
	ring->taken = ring->taken_records = 0;
}

/* Moves ->first on after the records that wr_ring_take_span() returned. */
static inline void wr_ring_consume_span(struct wr_ring *ring)
{
	if (!ring->taken)
		return;
	ring->first.seen = ring->taken_state;
	ring->first.seen.lost = 0;
	ring->first.seen_time = ring->taken_time;
	ring->first.read += ring->taken_records;
	ring->first.at += ring->taken;
	/* Signed: another reader may have seen more. */
	if ((__s64)(ring->first.at - ring->limit) > 0)
		ring->limit = ring->first.at;
	wr_ring_forget_span(ring);
}

#endif /* WEFT_RECORD_RING_H */
