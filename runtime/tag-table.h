/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of the objects that carry a tag (<tag>, docs/data-flow.md). Freestanding C like
 * metric-table.h: aspects run it in the kernel, tests run it natively.
 *
 * An object is its address. All CPUs share the table, and any of them may add, remove and look up
 * any object at any time, in any context up to NMI. Nothing waits: a slot changes by one locked
 * instruction. The slots of a bucket are one cache line.
 *
 * The kernel orders what happens to one object: it is tagged by who holds it, before it is freed,
 * and freed before its address is another object's. So these functions need no order of their own
 * between adding, removing and looking up the same object.
 */
#ifndef WEFT_TAG_TABLE_H
#define WEFT_TAG_TABLE_H

#include "metric-table.h"

#define WR_TAG_WAYS 8

/*
 * What has happened to a tag; one struct on each CPU, written by that CPU only. Only the sums over
 * all CPUs mean something: .tagged of one CPU may fall below 0. For each object that was not NULL
 * and came through `from`, one of .tagged, .again and .full was counted; objects that carry the tag
 * now = .tagged - .untagged.
 */
struct wr_tag_counts {
	__u64 tagged;	/* objects that got the tag */
	__u64 again;	/* objects that came through `from` and had the tag already */
	__u64 full;	/* objects that got no tag: their bucket was full */
	__u64 untagged; /* objects with the tag that came through `until` */
	__u64 asked;	/* how often advice has asked whether an object carries the tag */
	__u64 held;	/* of @asked: how often the object carried it */
};

WR_INLINE __u64 wr_tag_at(const __u64 *slot)
{
	return *(const volatile __u64 *)slot;
}

/*
 * Returns whether the slot has @object now. One instruction compares; of a volatile access GCC
 * makes two.
 */
WR_INLINE _Bool wr_tag_is(const __u64 *slot, __u64 object)
{
	_Bool equal;

	asm volatile("cmpq %2, %1" : "=@cce"(equal) : "m"(*slot), "r"(object));
	return equal;
}

/*
 * Returns the first slot of the bucket of @object. There are 2^bits buckets; a slot that is 0 is
 * free. Hashes as wr_pair_bucket() does.
 */
WR_INLINE __u64 *wr_tag_bucket(__u64 *slots, __u32 bits, __u64 object)
{
	const __u32 golden = 0x9e3779b1u;

	return slots + (unsigned long)((__u32)object * golden >> (32 - bits)) * WR_TAG_WAYS;
}

/* Returns whether @object, which is not 0, carries the tag. */
WR_INLINE _Bool wr_tag_find(__u64 *slots, __u32 bits, __u64 object)
{
	const __u64 *bucket = wr_tag_bucket(slots, bits, object);

#pragma GCC unroll 8
	for (int i = 0; i < WR_TAG_WAYS; i++)
		if (wr_tag_is(bucket + i, object))
			return 1;
	return 0;
}

WR_INLINE _Bool wr_tag_change(__u64 *slot, __u64 from, __u64 to)
{
	_Bool done;

	asm volatile("lock cmpxchgq %3, %1"
		     : "=@ccz"(done), "+m"(*slot), "+a"(from)
		     : "r"(to)
		     : "memory");
	return done;
}

/*
 * Called when slot @own of @bucket has been claimed for @object: sees to it that the object has no
 * other slot. Two CPUs that add an object at the same time, or an interrupt in the middle of
 * wr_tag_add(), may both claim one. A claim is a locked instruction, so the later of the two sees
 * the other one here. The lower slot stays. Returns how many slots of the object there are more
 * than before the claim: 1, or less if any were freed here.
 */
WR_INLINE int wr_tag_merge(__u64 *bucket, int own, __u64 object)
{
	int more = 1;

	for (int i = 0; i < own; i++)
		if (wr_tag_is(bucket + i, object))
			return !wr_tag_change(bucket + own, object, 0);
	for (int i = own + 1; i < WR_TAG_WAYS; i++)
		if (wr_tag_is(bucket + i, object))
			more -= wr_tag_change(bucket + i, object, 0);
	return more;
}

/* Gives the tag to @object, which is not 0, and counts that in @counts. */
WR_RARE void wr_tag_add(__u64 *slots, __u32 bits, __u64 object, struct wr_tag_counts *counts)
{
	__u64 *bucket = wr_tag_bucket(slots, bits, object);
	int more;

	if (wr_tag_find(slots, bits, object)) {
		wr_increment(&counts->again);
		return;
	}
	for (int i = 0; i < WR_TAG_WAYS; i++) {
		if (wr_tag_at(bucket + i) || !wr_tag_change(bucket + i, 0, object))
			continue;
		more = wr_tag_merge(bucket, i, object);
		wr_add(&counts->tagged, more);
		wr_add(&counts->again, 1 - more);
		return;
	}
	wr_increment(&counts->full);
}

/* Takes the tag from @object, which is about to be freed, if it carries it, and counts that. */
WR_INLINE void wr_tag_remove(__u64 *slots, __u32 bits, __u64 object, struct wr_tag_counts *counts)
{
	__u64 *bucket = wr_tag_bucket(slots, bits, object);

#pragma GCC unroll 8
	for (int i = 0; i < WR_TAG_WAYS; i++)
		if (__builtin_expect(wr_tag_is(bucket + i, object), 0) &&
		    wr_tag_change(bucket + i, object, 0))
			wr_increment(&counts->untagged);
}

#endif /* WEFT_TAG_TABLE_H */
