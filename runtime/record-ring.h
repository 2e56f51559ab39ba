/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's buffer of records of any length: written by advice in any context, NMIs included,
 * without a lock or a locked instruction; read by one reader, oldest first. A full buffer keeps
 * what it has. Freestanding: tests run it natively.
 *
 * Why not the kernel's ring buffer: to reserve and commit 64 bytes there takes 339 instructions
 * (`make bench-hit`), most of them for what records do not need: its own time stamps, overwriting,
 * pages that are swapped out to splice(), waking readers. Here it is about 20.
 *
 * The memory is mapped twice, one behind the other, so that a slot is in one piece wherever it
 * begins. head and tail only grow:
 *
 *	tail			head		tail + size
 *	| whole | whole | begun | 0 0 0 0 0 0 0 |
 *
 *  - Writers are on this CPU, and who interrupts another one ends first. One takes a slot by moving
 *    head with a cmpxchg that needs no lock prefix, as nobody on another CPU writes head. It fills
 *    the slot and stores its size, which says that it is whole, last.
 *  - Free space is all zeroes. So a slot that was begun has size 0, and the reader, who takes slots
 *    in their order, stops there.
 *  - The reader clears a slot before it moves tail behind it; a writer reads tail before it writes
 *    there.
 */
#ifndef WEFT_ACCESS_RING_H
#define WEFT_ACCESS_RING_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <string.h>
#else
#include <linux/string.h>
#endif

struct wr_ring {
	/* The writers'. */
	unsigned long head; /* bytes that were ever taken */
	unsigned long size; /* a power of two, and of whole pages */
	__u8 *base;
	__u64 written, lost; /* slots */
	__u32 lost_since;    /* since the last slot that was taken */
	/* The reader's, in a cache line of their own. */
	unsigned long tail __attribute__((aligned(64))); /* bytes that were ever read */
	__u64 read;					 /* slots */
};

/* What a slot begins with. */
struct wr_slot {
	__u32 size; /* of the slot, a multiple of WR_SLOT_ALIGN; 0: not whole yet */
};

enum { WR_SLOT_ALIGN = 8 };

/* cmpxchg without lock: whole for whoever interrupts this CPU, for nobody else. */
static inline unsigned long wr_cmpxchg(unsigned long *at, unsigned long old, unsigned long new)
{
	asm volatile("cmpxchg %2, %1" : "+a"(old), "+m"(*at) : "r"(new) : "memory", "cc");
	return old;
}

/*
 * Takes a slot of @size bytes on this CPU, from which nobody may move; zeroes but for padding
 * nobody sees. To be filled and committed at once. NULL where there is no room: that is counted as
 * a loss.
 */
static inline void *wr_ring_reserve(struct wr_ring *ring, __u32 size)
{
	unsigned long head, seen = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);

	do {
		head = seen;
		if (head + size - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) > ring->size) {
			/* Who interrupts may lose a record, too: one instruction each. */
			asm volatile("incq %0\n\tincl %1"
				     : "+m"(ring->lost), "+m"(ring->lost_since)
				     :
				     : "cc");
			return NULL;
		}
		seen = wr_cmpxchg(&ring->head, head, head + size);
	} while (seen != head);
	return ring->base + (head & (ring->size - 1));
}

/*
 * How many were lost before the slot that was just taken. Taken, not read: who interrupts must not
 * tell of them again.
 */
static inline __u32 wr_ring_take_lost(struct wr_ring *ring)
{
	__u32 lost = 0;

	if (__builtin_expect(ring->lost_since, 0))
		asm volatile("xchg %0, %1" : "+r"(lost), "+m"(ring->lost_since));
	return lost;
}

/* The slot is whole. */
static inline void wr_ring_commit(struct wr_ring *ring, struct wr_slot *slot, __u32 size)
{
	asm volatile("incq %0" : "+m"(ring->written) : : "cc");
	__atomic_store_n(&slot->size, size, __ATOMIC_RELEASE);
}

/* The oldest whole slot, or NULL. The reader's, on any CPU, as is the next. */
static inline const struct wr_slot *wr_ring_peek(const struct wr_ring *ring)
{
	const struct wr_slot *slot = (const void *)(ring->base + (ring->tail & (ring->size - 1)));

	return __atomic_load_n(&slot->size, __ATOMIC_ACQUIRE) ? slot : NULL;
}

/* Gives the slot that wr_ring_peek() returns back. */
static inline void wr_ring_consume(struct wr_ring *ring)
{
	struct wr_slot *slot = (void *)(ring->base + (ring->tail & (ring->size - 1)));
	__u32 size = slot->size;

	memset(slot, 0, size);
	ring->read++;
	__atomic_store_n(&ring->tail, ring->tail + size, __ATOMIC_RELEASE);
}

/* Whole slots that were not consumed. */
static inline __u64 wr_ring_unread(const struct wr_ring *ring)
{
	return __atomic_load_n(&ring->written, __ATOMIC_RELAXED) - ring->read;
}

#endif /* WEFT_ACCESS_RING_H */
