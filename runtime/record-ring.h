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
	/* Written by the writers only. */
	unsigned long head; /* bytes ever reserved */
	unsigned long size; /* a power of two, and of whole pages */
	__u8 *base;
	__u64 written, lost; /* slots */
	__u32 lost_since;    /* slots lost since wr_ring_take_lost() was called last */
	/* Written by the reader only, in a cache line of their own. */
	unsigned long tail __attribute__((aligned(64))); /* bytes ever consumed */
	__u64 read;					 /* slots */
};

/* The header of a slot. */
struct wr_slot {
	__u32 size; /* bytes of the slot, a multiple of WR_SLOT_ALIGN; 0: not committed yet */
};

enum { WR_SLOT_ALIGN = 8 };

/* cmpxchg without lock prefix: atomic against interrupts on this CPU, not against other CPUs. */
static inline unsigned long wr_cmpxchg(unsigned long *at, unsigned long old, unsigned long new)
{
	asm volatile("cmpxchg %2, %1" : "+a"(old), "+m"(*at) : "r"(new) : "memory", "cc");
	return old;
}

/*
 * Reserves a slot of @size bytes on this CPU; the caller must not migrate. The slot is all zero,
 * apart from padding bytes that readers ignore. The caller fills it and commits it at once. NULL:
 * there is no room, which is counted as lost.
 */
static inline void *wr_ring_reserve(struct wr_ring *ring, __u32 size)
{
	unsigned long head, seen = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);

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
		seen = wr_cmpxchg(&ring->head, head, head + size);
	} while (seen != head);
	return ring->base + (head & (ring->size - 1));
}

/*
 * Returns the number of records lost before the slot that was just reserved, and resets it in one
 * instruction, so that an interrupt does not report the same records again.
 */
static inline __u32 wr_ring_take_lost(struct wr_ring *ring)
{
	__u32 lost = 0;

	if (__builtin_expect(ring->lost_since, 0))
		asm volatile("xchg %0, %1" : "+r"(lost), "+m"(ring->lost_since));
	return lost;
}

/* Commits @slot, which was reserved with @size bytes. */
static inline void wr_ring_commit(struct wr_ring *ring, struct wr_slot *slot, __u32 size)
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

/* Number of committed slots that are not consumed yet. */
static inline __u64 wr_ring_unread(const struct wr_ring *ring)
{
	return __atomic_load_n(&ring->written, __ATOMIC_RELAXED) - ring->read;
}

#endif /* WEFT_RECORD_RING_H */
