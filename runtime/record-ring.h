/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's buffer of records of any length. It is written by advice in any context, NMIs included,
 * without locks and without locked instructions. One reader reads it, oldest record first. A full
 * buffer keeps what it has. Freestanding: tests run it natively.
 *
 * Why not the kernel's ring buffer: to reserve and commit 64 bytes there takes 339 instructions
 * (`make bench-hit`), most of them for what records do not need: its own time stamps, overwriting,
 * pages that are swapped out to splice(), waking readers. With this ring, reserving and committing
 * takes about 20 instructions.
 *
 * The memory is mapped twice, one mapping right after the other, so that a slot is contiguous
 * wherever it begins. The first line below are offsets, the second what is stored between them;
 * "begun" is a slot that is reserved and not committed. head and tail only increase:
 *
 *	tail			      head		   tail + size
 *	| committed | committed | begun | 0 0 0 0 0 0 0 0 0 |
 *
 *   - All writers are on this CPU. A writer that interrupts another ends before the other goes on.
 *     A writer reserves a slot by moving head with a cmpxchg, which needs no lock prefix, since no
 *     other CPU writes head. It fills the slot and stores the slot's size last, which commits it.
 *   - A writer reads the clock after head and before the cmpxchg, which fails if another writer
 *     came in between. So times only increase from slot to slot, as far as the clock does.
 *   - Free space is all zeroes. So a slot that is not committed has size 0, and the reader, which
 *     consumes slots in order, stops there.
 *   - The reader clears a slot before it moves tail past that slot. A writer reads tail before it
 *     writes into free space.
 */
#ifndef WEFT_RECORD_RING_H
#define WEFT_RECORD_RING_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <string.h>
#else
#include <linux/string.h>
#endif

struct wr_ring {
	/*
	 * The members before .tail are written by the writers only; .size and .base are constant.
	 */
	unsigned long head; /* bytes ever reserved */
	unsigned long size; /* a power of two, and of whole pages */
	__u8 *base;
	__u64 written, lost; /* numbers of slots that were committed, and that found no room */
	__u32 lost_since;    /* slots lost since wr_ring_take_lost() was called last */
	/*
	 * The members from here on are written by the reader only. They are in a cache line of
	 * their own.
	 */
	unsigned long tail __attribute__((aligned(64))); /* bytes ever consumed */
	__u64 read;					 /* number of slots consumed */
	/* number of bytes, from tail on, that wr_ring_take_span() has returned */
	unsigned long taken;
	unsigned long taken_last; /* offset from tail of the last slot in these bytes */
	__u64 taken_slots;
	__u64 newest; /* time of the newest slot in these bytes, or in those consumed before */
};

/* The header of a slot: the first members of struct weft_raw_record (abi-record.h). */
struct wr_slot {
	__u32 kind; /* not used by the ring */
	__u16 size; /* bytes of the slot, a multiple of WR_SLOT_ALIGN; 0: not committed yet */
	__u16 lost; /* slots that found no room before this one */
	__u64 time;
};

enum { WR_SLOT_ALIGN = 8, WR_SLOT_MAX = 0xfff8, WR_SLOT_LOST_MAX = 0xffff };

/* cmpxchg without lock prefix: atomic against interrupts on this CPU, not against other CPUs. */
static inline unsigned long wr_cmpxchg(unsigned long *at, unsigned long old, unsigned long new)
{
	asm volatile("cmpxchg %2, %1" : "+a"(old), "+m"(*at) : "r"(new) : "memory", "cc");
	return old;
}

/*
 * Reserves a slot of @size bytes on this CPU; the caller must not migrate. The slot is all zero,
 * except its .time, which is what @clock returned. The caller fills it and commits it at once.
 * NULL: there is no room, which is counted as lost. @clock is a constant at each caller, so it is
 * called directly.
 */
static inline __attribute__((always_inline)) void *
wr_ring_reserve(struct wr_ring *ring, __u32 size, __u64 (*clock)(void))
{
	unsigned long head, seen = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	struct wr_slot *slot;
	__u64 time;

	do {
		head = seen;
		if (head + size - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) > ring->size) {
			/*
			 * An interrupt may increment these counters in between: increment each in
			 * one instruction.
			 */
			asm volatile("incq %0\n\tincl %1"
				     : "+m"(ring->lost), "+m"(ring->lost_since)
				     :
				     : "cc");
			return NULL;
		}
		time = clock();
		seen = wr_cmpxchg(&ring->head, head, head + size);
	} while (seen != head);
	slot = (void *)(ring->base + (head & (ring->size - 1)));
	slot->time = time;
	return slot;
}

/*
 * Returns how many slots were lost before the one that was just reserved, at most WR_SLOT_LOST_MAX,
 * and takes that many off the count. An interrupt that does the same in between does not report the
 * same ones again.
 */
static inline __u16 wr_ring_take_lost(struct wr_ring *ring)
{
	__u32 lost, seen, most;

	seen = __atomic_load_n(&ring->lost_since, __ATOMIC_RELAXED);
	if (__builtin_expect(!seen, 1))
		return 0;
	do {
		lost = seen;
		most = lost < WR_SLOT_LOST_MAX ? lost : WR_SLOT_LOST_MAX;
		asm volatile("cmpxchgl %2, %1"
			     : "+a"(seen), "+m"(ring->lost_since)
			     : "r"(lost - most)
			     : "cc");
	} while (seen != lost);
	return most;
}

/* Commits @slot, which was reserved with @size bytes. */
static inline void wr_ring_commit(struct wr_ring *ring, struct wr_slot *slot, __u16 size)
{
	asm volatile("incq %0" : "+m"(ring->written) : : "cc");
	__atomic_store_n(&slot->size, size, __ATOMIC_RELEASE);
}

/*
 * Returns the oldest slot; NULL if there is none or if it is not committed yet. Only the reader
 * calls this function and wr_ring_consume(), on any CPU.
 */
static inline const struct wr_slot *wr_ring_peek(const struct wr_ring *ring)
{
	const struct wr_slot *slot = (const void *)(ring->base + (ring->tail & (ring->size - 1)));

	return __atomic_load_n(&slot->size, __ATOMIC_ACQUIRE) ? slot : NULL;
}

/* Releases the slot that wr_ring_peek() returned. */
static inline void wr_ring_consume(struct wr_ring *ring)
{
	struct wr_slot *slot = (void *)(ring->base + (ring->tail & (ring->size - 1)));
	__u32 size = slot->size;

	memset(slot, 0, size);
	ring->read++;
	__atomic_store_n(&ring->tail, ring->tail + size, __ATOMIC_RELEASE);
}

/* The oldest slots, one after another. */
struct wr_ring_span {
	const void *begin;
	unsigned long size; /* bytes; 0: there are none */
	unsigned long last_begin; /* offset from @begin of the last slot */
	__u64 slots;
	__u64 first, last; /* times of the first and the last slot */
};

/*
 * Returns all slots from the oldest one up to the first that is not committed yet. They stay in the
 * ring until wr_ring_consume_span(). If the clock has gone backwards, a slot gets the time of the
 * slot before it. Only the reader calls wr_ring_take_span() and wr_ring_consume_span(); between the
 * two it calls no other function that reads slots.
 */
static inline struct wr_ring_span wr_ring_take_span(struct wr_ring *ring)
{
	__u8 *begin = ring->base + (ring->tail & (ring->size - 1));
	__u8 *at = begin + ring->taken, *end = begin + ring->size, *last = begin + ring->taken_last;
	__u64 newest = ring->newest, slots = ring->taken_slots;
	__u16 size;

	while (at < end) {
		struct wr_slot *slot = (void *)at;

		size = __atomic_load_n(&slot->size, __ATOMIC_ACQUIRE);
		if (!size)
			break;
		if (__builtin_expect(slot->time < newest, 0))
			slot->time = newest;
		newest = slot->time;
		slots++;
		last = at;
		at += size;
	}
	ring->newest = newest;
	ring->taken = at - begin;
	ring->taken_last = last - begin;
	ring->taken_slots = slots;
	return (struct wr_ring_span){
		.begin = begin,
		.size = ring->taken,
		.last_begin = ring->taken_last,
		.slots = slots,
		.first = ring->taken ? ((struct wr_slot *)begin)->time : 0,
		.last = newest,
	};
}

/* Releases the slots that wr_ring_take_span() returned. */
static inline void wr_ring_consume_span(struct wr_ring *ring)
{
	memset(ring->base + (ring->tail & (ring->size - 1)), 0, ring->taken);
	ring->read += ring->taken_slots;
	__atomic_store_n(&ring->tail, ring->tail + ring->taken, __ATOMIC_RELEASE);
	ring->taken = ring->taken_last = 0;
	ring->taken_slots = 0;
}

/* Returns the number of committed slots that are not consumed yet. */
static inline __u64 wr_ring_unread(const struct wr_ring *ring)
{
	return __atomic_load_n(&ring->written, __ATOMIC_RELAXED) - ring->read;
}

#endif /* WEFT_RECORD_RING_H */
