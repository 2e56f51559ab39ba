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
 *     at the cursor of the slowest of them (wr_ring_release()). A reader that is too slow is moved
 *     on by the others, and misses the records that it is moved over.
 *   - All writers are on this CPU. A writer that interrupts another ends before the other goes on;
 *     it is called nested. `writers` counts those that have begun and not ended.
 *   - A writer reserves by moving head with a cmpxchg, which needs no lock prefix, since no other
 *     CPU writes head. If a nested writer came in between, the cmpxchg fails, and the writer reads
 *     head anew.
 *   - When a reader sees no writer, and head is the same before and after that look, then all
 *     records below head are committed: the buffer is at rest. So records need no mark that says
 *     whether they are committed, and nothing needs to be cleared.
 *   - A writer that is not nested notes the time and the task of its record. If the next writer
 *     finds the same task, and a time that is not long after, it writes a record of 8 bytes and its
 *     arguments, or of 4 bytes and its arguments (struct weft_raw_tight). A nested writer cannot
 *     note anything: the writer that it has interrupted may be about to do so. So a nested writer
 *     always writes a state record before its own record, and asks the next writer to write one,
 *     too (STALE).
 *   - A time is noted before the cmpxchg, and each writer takes the latest of its own time and the
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
	/*
	 * a record needs a state record before it if the record before it is 2^this nanoseconds
	 * older, or more
	 */
	WR_RING_GAP_BITS = 31,
	/* if the record before it is 2^this nanoseconds older, or more, a record cannot be tight */
	WR_RING_TIGHT_BITS = 16,
	/*
	 * how often a reader waits, at most, for the buffer to be at rest, which it does with a
	 * lock held: 50 to 200 ns each time, while to write a record takes some 50 ns
	 */
	WR_RING_PATIENCE = 100,
	/* how often wr_ring_now() tries, at most, to read two members as of one moment */
	WR_RING_TRIES = 8,
};

/* The task that a hit is of, as a state record describes it. */
struct wr_owner {
	__u64 ids; /* the tid; in the upper half the pid */
	/*
	 * Two numbers by which wr_owning.is_of() compares owners in a few instructions. ->identity
	 * changes with the task, with exec(), and with WR_OWNER_INTERRUPTED; ->looks with what a
	 * task can change of itself, its name and user.
	 */
	__u64 identity, looks;
	__u32 uid;
	__u8 dumpable; /* changes when a user gets or loses the right to look into the task */
	__u8 open;     /* 1: the task's user may read the record: WEFT_EVENT_OPEN */
	__u64 comm[2];
};

/* In .identity: the hit is that of an interrupt. Used only in a ring with .for_users. */
#define WR_OWNER_INTERRUPTED (1ull << 63)

/*
 * Two functions that the caller of the writing functions provides. They are constant at each
 * caller, so that the compiler calls them directly. @for_users: wr_ring.for_users.
 */
struct wr_owning {
	struct wr_owner (*get)(bool for_users);
	/* is the hit that runs now one of @noted? */
	bool (*is_of)(const struct wr_owner *noted, const __u8 *for_users);
};

/* Where a reader is. */
struct wr_cursor {
	__u64 at;   /* its position: how many bytes were reserved before the record it reads next */
	__u64 read; /* how many records were before that one */
	/* from the records before that one: the time of the last one, and the task */
	__u64 seen_time;
	struct weft_raw_state seen;
};

struct wr_ring {
	/*
	 * Written by the writers only. @head: in the lower half the bytes ever reserved, modulo
	 * 2^32, in the upper half the number of records ever reserved; the carries of the lower
	 * half are added to the upper one, see wr_ring_records().
	 */
	__u64 head;
	__u32 writers; /* how many have begun and not ended; and the bit WR_RING_STALE */
	__u32 room_end; /* there is room up to here at least: bytes ever reserved, modulo 2^32 */
	__u8 *base;
	__u64 mask; /* .size - 1 */
	__u64 time; /* noted by the last writer that was not nested */
	struct wr_owner owner; /* noted by the last writer of a state record that was not nested */
	__u64 time_of_nested;  /* noted by the last writer of a state record */
	/*
	 * position of the last state record, modulo 2^32; of an earlier one if writers were nested:
	 * see wr_ring_reserve_both()
	 */
	__u32 state_at;
	__u32 states;	/* state records ever written, modulo 2^32 */
	__u32 lost_since; /* records lost since the last state record */
	__u32 size; /* bytes; a power of two, and of whole pages */
	__u64 lost;
	/*
	 * 1: the aspect is published, and state records say whether the task's user may read. Set
	 * by wk_views_publish(), which then calls wr_ring_make_stale() on the ring's CPU.
	 */
	__u8 for_users;
	/* Written by readers only, in a cache line of their own. */
	__u64 tail __attribute__((aligned(64))); /* bytes before this position may be overwritten */
	__u64 limit; /* position up to which all records are known to be committed */
	/* cursor of the reader that there always is: WEFT_IOC_READ, or the recorder */
	struct wr_cursor first;
	/* position of the first record that users may read, and how many were written before it */
	__u64 users_from, users_from_records;
	/* the span that wr_ring_take_span() has returned last, from the cursor ->first on */
	__u64 taken, taken_records; /* its bytes, and number of records */
	__u64 taken_time, taken_lost; /* wr_ring_span.last and .lost of the span */
	__u32 taken_states; /* ->states at its end */
	struct weft_raw_state taken_state; /* the last state record before its end */
};

/* A ring whose memory is at @base_, of @size_ bytes. */
#define WR_RING_INIT(base_, size_) \
	((struct wr_ring){ .base = (base_), .size = (size_), .mask = (size_) - 1, \
			   .room_end = (size_), .writers = WR_RING_STALE })

/* ---- writing --------------------------------------------------------------------------------- */

/*
 * If *@at equals *@old, stores @new in *@at and returns true. Otherwise stores *@at in *@old and
 * returns false. Without lock prefix: atomic against interrupts on this CPU, not against other
 * CPUs.
 */
static inline bool wr_cmpxchg(__u64 *at, __u64 *old, __u64 new)
{
	bool was;

	asm volatile("cmpxchgq %3, %2" : "=@ccz"(was), "+a"(*old), "+m"(*at) : "r"(new) : "memory");
	return was;
}

/* What a writer adds to .head for a record of @size bytes: these bytes, and one record. */
static inline __u64 wr_ring_step(__u32 size)
{
	return (__u64)1 << 32 | size;
}

/*
 * Is there room for @size bytes at @head? Notes in ->room_end up to where there is room, so that
 * wr_ring_reserve_short() need not read the tail, which is in the cache of a reader's CPU.
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

/*
 * Counts a record that finds no room. Each counter is changed by a single instruction, since an
 * interrupt may do the same in between.
 */
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

/* Returns the later of @time and ->time_of_nested, and stores it there. */
static inline __u64 wr_ring_note_time(struct wr_ring *ring, __u64 time)
{
	__u64 noted = __atomic_load_n(&ring->time_of_nested, __ATOMIC_RELAXED);

	do {
		if (time < noted)
			time = noted;
	} while (!wr_cmpxchg(&ring->time_of_nested, &noted, time));
	return time;
}

/* What wr_ring_reserve_short() has done. */
enum wr_reserved {
	WR_RESERVED,
	WR_RESERVE_BOTH, /* nothing: a state record is needed, or there may be no room */
	WR_RESERVE_GAP,	 /* nothing: the record before is too old for a record with @bits of time */
};

/*
 * Reserves a record on this CPU, of a size that is a multiple of WEFT_RECORD_ALIGN, of which *@step
 * is the wr_ring_step(). The caller must not migrate. @time is what the caller has read from the
 * clock; the record has its lower half, or fewer bits: @bits is WR_RING_GAP_BITS or
 * WR_RING_TIGHT_BITS. The caller fills the record, *@ret, and calls wr_ring_commit() at once. If
 * nothing is reserved, wr_ring_reserve_both() has to be tried, or, after WR_RESERVE_GAP, this
 * function with more bits.
 */
static inline __attribute__((__always_inline__)) enum wr_reserved
wr_ring_reserve_short(struct wr_ring *ring, const __u64 *step, unsigned int bits,
		      struct wr_owning owning, __u64 time, void **ret)
{
	enum wr_reserved why = WR_RESERVE_BOTH;
	__u64 head, end;
	bool alone;

	asm volatile("incl %0" : "+m"(ring->writers) : : "memory", "cc");
	head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	/*
	 * ->writers is read after head, so that STALE is seen if a nested writer has set it before.
	 * In assembler, since that takes one instruction and no register.
	 */
	asm volatile("cmpl $1, %1" : "=@cce"(alone) : "m"(ring->writers) : "memory");
	if (__builtin_expect(!alone, 0))
		goto not;
	if (__builtin_expect(!owning.is_of(&ring->owner, &ring->for_users), 0))
		goto not;
	end = head + *step;
	/* Signed: head may be beyond ->room_end, where a writer has stored an older value of it. */
	if (__builtin_expect((__s32)(ring->room_end - (__u32)end) < 0, 0))
		goto not;
	/* also where the clock has gone backwards, or a record has come since it was read */
	if (__builtin_expect((time - ring->time) >> bits, 0)) {
		why = WR_RESERVE_GAP;
		goto not;
	}
	__atomic_store_n(&ring->time, time, __ATOMIC_RELAXED);
	if (__builtin_expect(!wr_cmpxchg(&ring->head, &head, end), 0))
		goto not; /* a nested writer came in between */
	*ret = wr_ring_at(ring, head);
	return WR_RESERVED;
not:
	asm volatile("decl %0" : "+m"(ring->writers) : : "memory", "cc");
	return why;
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
	 * A nested writer may have stored the position of a later state record just before. Then
	 * that of the earlier one is stored over it; both have the same task.
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

	return wr_ring_reserve_short(ring, &step, WR_RING_GAP_BITS, owning, *time, &record) ==
			       WR_RESERVED
		       ? record
		       : wr_ring_reserve_both(ring, size, owning.get(ring->for_users), time);
}

/* Commits the record that was reserved last in this context. */
static inline void wr_ring_commit(struct wr_ring *ring)
{
	asm volatile("decl %0" : "+m"(ring->writers) : : "memory", "cc");
}

/* ---- reading, on any CPU; the callers exclude each other by a lock --------------------------- */

/*
 * Returns the whole time of a record that has only the lower half, @low. @before: the time of the
 * record before it.
 */
static inline __u64 wr_full_time(__u64 before, __u32 low)
{
	return before + (__u32)(low - (__u32)before);
}

/*
 * Returns the whole time of @record, which is no state record: a struct weft_raw_tight, or any
 * other. @before: the time of the record before it, or a time between the two.
 */
static inline __u64 wr_record_time(const void *record, __u64 before)
{
	const struct weft_raw_tight *tight = record;

	if (WEFT_HEAD_OF(tight->head) == WEFT_HEAD_TIGHT)
		return before + (__u16)(tight->time - (__u16)before);
	return wr_full_time(before, ((const struct weft_raw_record *)record)->time);
}

/* Waits a moment for a writer. A test may replace it, to count how often readers wait. */
#ifndef wr_ring_pause
#define wr_ring_pause() asm volatile("pause")
#endif

/* What a ring has at a moment at which it is at rest. */
struct wr_rest {
	__u64 head;	/* as in the ring */
	__u64 time;	/* between the time of the last record and that of the next one to come */
	__u64 lost;	/* number of records that were lost so far */
	__u32 state_at, states; /* as in the ring */
};

/*
 * Is the ring at rest now? If so, sets *@ret. Returns false if a writer is active: its CPU may be
 * handling an interrupt, for example. A writer may begin and end at any moment while this function
 * reads the members. The second look at head shows whether one has: then the time could be later
 * than that of the next record, and state_at could be the position of a record after this rest.
 */
static inline bool wr_ring_look(const struct wr_ring *ring, struct wr_rest *ret)
{
	__u64 nested;

	ret->head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
	if (__atomic_load_n(&ring->writers, __ATOMIC_ACQUIRE) & WR_RING_NESTING)
		return false;
	ret->time = __atomic_load_n(&ring->time, __ATOMIC_ACQUIRE);
	nested = __atomic_load_n(&ring->time_of_nested, __ATOMIC_ACQUIRE);
	if (ret->time < nested)
		ret->time = nested;
	ret->lost = __atomic_load_n(&ring->lost, __ATOMIC_ACQUIRE);
	ret->state_at = __atomic_load_n(&ring->state_at, __ATOMIC_ACQUIRE);
	ret->states = __atomic_load_n(&ring->states, __ATOMIC_ACQUIRE);
	return __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) == ret->head;
}

/*
 * Looks whether the ring is at rest until it is, at least once, and waits up to *@patience times in
 * between, from which it subtracts how often it has waited. Returns false if a writer was active at
 * each look. So a caller that looks at many rings shares one *@patience among them.
 */
static inline bool wr_ring_rest(const struct wr_ring *ring, struct wr_rest *ret,
				unsigned int *patience)
{
	while (!wr_ring_look(ring, ret)) {
		if (!*patience)
			return false;
		--*patience;
		wr_ring_pause();
	}
	return true;
}

/*
 * Returns the number of bytes ever reserved, from @head, a value of wr_ring.head, whose lower half
 * has this number modulo 2^32.
 */
static inline __u64 wr_ring_bytes(const struct wr_ring *ring, __u64 head)
{
	/* read once, since a reader may move it meanwhile */
	const __u64 tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);

	return tail + (__u32)((__u32)head - (__u32)tail);
}

/*
 * Returns the number of records between @cursor and @head. @head as a whole is the sum of all
 * wr_ring_step()s. So if the number of all bytes is subtracted from it, which includes the carries,
 * the number of records is left in the upper half.
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

/* Returns the number of records that were ever reserved before @head, a value of wr_ring.head. */
static inline __u64 wr_ring_records_before(const struct wr_ring *ring, __u64 head)
{
	/* read once, since a reader may move it meanwhile */
	const __u64 read = __atomic_load_n(&ring->first.read, __ATOMIC_RELAXED);

	return read + (__u32)(((head - wr_ring_bytes(ring, head)) >> 32) - read);
}

/* Returns the number of records that were ever written. */
static inline __u64 wr_ring_written(const struct wr_ring *ring)
{
	return wr_ring_records_before(ring, __atomic_load_n(&ring->head, __ATOMIC_RELAXED));
}

/* How far the writers have come at some moment. */
struct wr_moment {
	__u64 at;      /* position: bytes reserved so far */
	__u64 records; /* number of records reserved so far */
	__u64 lost;    /* number of records that had found no room by then */
	__u64 unsure;  /* number of further ones, just before or just after that moment */
};

/*
 * Returns how far the writers have come, also while they write. ->head and ->lost are read one
 * after the other. If either is the same before and after the other was read, both are of one
 * moment. If both change at each try, ->unsure says by how much ->lost has.
 */
static inline struct wr_moment wr_ring_now(const struct wr_ring *ring)
{
	__u64 lost = __atomic_load_n(&ring->lost, __ATOMIC_ACQUIRE);
	struct wr_moment now = { 0 };
	__u64 head;

	for (int i = 0; i < WR_RING_TRIES; i++) {
		now.lost = lost;
		head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
		lost = __atomic_load_n(&ring->lost, __ATOMIC_ACQUIRE);
		if (lost == now.lost)
			break;
		if (__atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) == head) {
			now.lost = lost;
			break;
		}
	}
	now.unsure = lost - now.lost;
	now.at = wr_ring_bytes(ring, head);
	now.records = wr_ring_records_before(ring, head);
	return now;
}

/*
 * Returns the oldest record that @cursor has not consumed; NULL if there is none or if it is not
 * committed yet, for which it waits as wr_ring_rest() does, within *@patience. Sets
 * @cursor->seen_time to the record's time, and ->seen to its task and to how many records were lost
 * before it.
 */
static inline const void *wr_ring_peek_within(struct wr_ring *ring, struct wr_cursor *cursor,
					      unsigned int *patience)
{
	struct wr_rest rest;

	for (;;) {
		const void *at = wr_ring_at(ring, cursor->at);
		const struct weft_raw_record *record = at;
		const struct weft_raw_state *state = at;

		if (cursor->at == ring->limit) {
			if ((__u32)cursor->at == (__u32)ring->head ||
			    !wr_ring_rest(ring, &rest, patience))
				return NULL;
			ring->limit = wr_ring_bytes(ring, rest.head);
			continue;
		}
		if (record->head != WEFT_EVENT_EXTENDED) {
			cursor->seen_time = wr_record_time(record, cursor->seen_time);
			return record;
		}
		cursor->seen = *state;
		cursor->seen_time = state->time;
		cursor->at += sizeof(*state);
	}
}

/* As wr_ring_peek_within(), with all the patience that a reader has. */
static inline const void *wr_ring_peek(struct wr_ring *ring, struct wr_cursor *cursor)
{
	unsigned int patience = WR_RING_PATIENCE;

	return wr_ring_peek_within(ring, cursor, &patience);
}

/*
 * Moves @cursor past the record that wr_ring_peek() returned, of @size bytes. Writers may use its
 * memory only after wr_ring_release().
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

/* The oldest records that the cursor ->first has not consumed, one after another. */
struct wr_ring_span {
	const void *begin;
	__u64 size; /* bytes; 0: there are no records */
	__u64 records;
	__u64 first; /* the time of the first record */
	__u64 last;  /* a time between that of the last record and that of the next one to come */
	__u64 lost;  /* how many records were lost before the end of the span, in all */
};

static inline __u64 wr_ring_first_time(const struct wr_ring *ring)
{
	const struct weft_raw_record *record = wr_ring_at(ring, ring->first.at);

	return record->head == WEFT_EVENT_EXTENDED
		       ? ((const struct weft_raw_state *)record)->time
		       : wr_record_time(record, ring->first.seen_time);
}

/*
 * Returns all records up to a moment at which the ring was at rest; if there was no such moment,
 * the same records as the last call. They stay in the ring until wr_ring_consume_span(). In between
 * no other function may read by the cursor ->first.
 */
static inline struct wr_ring_span wr_ring_take_span(struct wr_ring *ring)
{
	struct wr_ring_span span = { .begin = wr_ring_at(ring, ring->first.at) };
	const __u64 before = ring->taken;
	unsigned int patience = WR_RING_PATIENCE;
	struct wr_rest rest;

	if (wr_ring_rest(ring, &rest, &patience)) {
		ring->taken = wr_ring_bytes(ring, rest.head) - ring->first.at;
		ring->taken_records = wr_ring_records(ring, &ring->first, rest.head);
		ring->taken_time = rest.time;
		ring->taken_lost = rest.lost;
		if (!before)
			ring->taken_state = ring->first.seen;
		/*
		 * The last state record is in the span if it was written since the last call and
		 * its position is in the span. The position alone does not show that, since it is
		 * known modulo 2^32 only.
		 */
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

/* Forgets the span that wr_ring_take_span() has returned: its records are unread again. */
static inline void wr_ring_forget_span(struct wr_ring *ring)
{
	ring->taken = ring->taken_records = 0;
}

/* Moves the cursor ->first past the records that wr_ring_take_span() has returned. */
static inline void wr_ring_consume_span(struct wr_ring *ring)
{
	if (!ring->taken)
		return;
	ring->first.seen = ring->taken_state;
	ring->first.seen.lost = 0;
	ring->first.seen_time = ring->taken_time;
	ring->first.read += ring->taken_records;
	ring->first.at += ring->taken;
	/* The difference is signed, since another reader may have moved ->limit further. */
	if ((__s64)(ring->first.at - ring->limit) > 0)
		ring->limit = ring->first.at;
	wr_ring_forget_span(ring);
}

#endif /* WEFT_RECORD_RING_H */
