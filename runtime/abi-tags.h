/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tags (<tag>), as the device describes them: a part of abi.h, which includes it. */
#ifndef WEFT_ABI_TAGS_H
#define WEFT_ABI_TAGS_H

#include <linux/types.h>

#define WEFT_TAGS_MAX 16 /* tags of an aspect */

/*
 * WEFT_IOC_TAG: describes tag @index of an aspect. Its numbers are counts since the last weave
 * began, or since the last reset (WEFT_IOC_METRIC_RESET). They are kept when the aspect's module is
 * gone. ENOENT no such aspect, ERANGE no such tag.
 */
struct weft_tag_info {
	char name[WEFT_NAME_MAX]; /* in: the aspect's */
	__u32 index;		  /* in: counts from 0 */
	__u32 room;		  /* slots of the tag's table; one object takes one */
	char tag[64];
	char object[64]; /* as the author wrote it; cut off if it is too long */
	/*
	 * Each object that came through `from` is counted in one of @tagged, @again (it had the
	 * tag already) and @full (it got none: no slot was free for it).
	 */
	__u64 tagged, again, full;
	__u64 untagged; /* objects with the tag that came through `until` */
	__u64 carried;	/* objects that carry the tag now, or carried it when the weave ended */
	__u64 asked;	/* how often advice has asked whether an object carries the tag */
	__u64 held;	/* of @asked: how often the object carried it */
	/*
	 * 1: a module where objects are freed was loaded, and is not woven. From then on no object
	 * gets a tag or carries one
	 */
	__u32 lost;
	__u32 reserved;
};

#define WEFT_IOC_TAG _IOWR(WEFT_IOC_MAGIC, 19, struct weft_tag_info)

_Static_assert(sizeof(struct weft_tag_info) == 256, "weft_tag_info");

#endif /* WEFT_ABI_TAGS_H */
