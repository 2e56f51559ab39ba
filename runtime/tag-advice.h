/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tags (<tag>, <xflow>): what aspects with tags are made of, and what their advice may call. The
 * table is in tag-table.h.
 *
 * In C the author may ask:
 *   weft_tagged(NAME, object)	does the object carry the tag NAME? object: its address, a pointer
 *				or an integer of its size. It is only compared, never read. Usable
 *				in every context
 */
#ifndef WEFT_TAG_ADVICE_H
#define WEFT_TAG_ADVICE_H

#include "tag-table.h"

/* A tag of an aspect, as its module describes it to weft.ko. */
struct weft_tag {
	const char *name, *object; /* as the author wrote them */
	u32 bits; /* log2 of the number of buckets of its table */
	u64 **slots; /* where weft.ko puts the address of the table */
	struct wr_tag_counts __percpu *counts;
};

/*
 * The variables of the tag @name, and what advice does with it.
 *
 * Objects get tags, and advice finds them, only while all splices of the aspect are in the text. An
 * object that was tagged while `until` is not spliced everywhere might be freed unseen, and its tag
 * would hold for the next object at its address. NULL is no object: allocators return it when they
 * fail. Only advice adds and removes tags, and preemption is off there, so each CPU changes only
 * its own counts.
 */
#define WEFT_TAG(name, bits_)                                                                   \
	enum { weft_tag_bits_##name = (bits_) };                                                \
	static u64 *weft_tag_slots_##name;                                                      \
	static DEFINE_PER_CPU(struct wr_tag_counts, weft_tag_counts_##name);                    \
                                                                                                \
	static __always_inline bool weft_has_tag_##name(unsigned long object)                   \
	{                                                                                       \
		const bool has = READ_ONCE(weft_aspect.tagging) && object &&                    \
			wr_tag_find(weft_tag_slots_##name, weft_tag_bits_##name, object);       \
                                                                                                \
		this_cpu_inc(weft_tag_counts_##name.asked);                                     \
		if (has)                                                                        \
			this_cpu_inc(weft_tag_counts_##name.held);                              \
		return has;                                                                     \
	}                                                                                       \
	static __always_inline void weft_add_tag_##name(unsigned long object)                   \
	{                                                                                       \
		if (READ_ONCE(weft_aspect.tagging) && object)                                   \
			wr_tag_add(weft_tag_slots_##name, weft_tag_bits_##name, object,         \
				   this_cpu_ptr(&weft_tag_counts_##name));                      \
	}                                                                                       \
	static __always_inline void weft_remove_tag_##name(unsigned long object)                \
	{                                                                                       \
		if (object)                                                                     \
			wr_tag_remove(weft_tag_slots_##name, weft_tag_bits_##name, object,      \
				      this_cpu_ptr(&weft_tag_counts_##name));                   \
	}

/* The initializer of a struct weft_tag for the tag @name_. */
#define WEFT_TAG_ROW(name_, object_)                                     \
	{                                                                \
		.name = #name_, .object = (object_),                     \
		.bits = weft_tag_bits_##name_,                           \
		.slots = &weft_tag_slots_##name_,                        \
		.counts = &weft_tag_counts_##name_,                      \
	}

/* The number by which tables know @object. */
#define wr_object(object)                                                              \
	({                                                                             \
		_Static_assert(sizeof(object) == sizeof(unsigned long),                \
			       "an object is given by its address");                   \
		(unsigned long)(object);                                               \
	})

#define weft_tagged(name, object) weft_has_tag_##name(wr_object(object))

#endif /* WEFT_TAG_ADVICE_H */
