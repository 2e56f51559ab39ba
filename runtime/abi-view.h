/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests of /dev/weft-read, which every user may open who is not in a user namespace of their
 * own, and the request by which root lets users read. A file of that device is a view: a reader of
 * an aspect's records, which takes none from other readers. Included by abi.h only.
 *
 * A view shows records of one aspect, which must be published: those of the tasks of the user who
 * has opened the file. To members of the group that the aspect is published for it shows all
 * records. With CAP_SYS_ADMIN it shows all records, also of an aspect that is not published.
 * Addresses of the kernel are hashed.
 */
#ifndef WEFT_ABI_VIEW_H
#define WEFT_ABI_VIEW_H

#include <linux/types.h>

#define WEFT_READ_DEVICE "/dev/weft-read"

/*
 * WEFT_IOC_PUBLISH, of /dev/weft: publishes an aspect until its module is unloaded, or, without
 * WEFT_PUBLISH_ON, ends that. Records that were written before are not published. Errors:
 *   ENOENT: there is no such aspect, or its module is gone
 *   ENODATA: without WEFT_PUBLISH_ON: the aspect is not published
 *   EINVAL: unknown flag
 *   EOPNOTSUPP: the kernel has PREEMPT_RT, where hits of softirqs look like those of a task
 */
#define WEFT_PUBLISH_ON 1u
#define WEFT_PUBLISH_GROUP 2u /* members of @group may read all records */
struct weft_publish {
	char name[WEFT_NAME_MAX];
	__u32 flags;
	__u32 group; /* in the initial user namespace */
};
#define WEFT_PUBLISHED_NOT 0u /* values of weft_status.published */
#define WEFT_PUBLISHED 1u
#define WEFT_PUBLISHED_GROUP 2u

/*
 * WEFT_IOC_VIEW: makes the open file a view of an aspect, until it is closed. Errors:
 *   EPROTO: @abi is not weft.ko's WEFT_ABI_VERSION; @abi is then set to that
 *   ENOENT: there is no such aspect, or it is not published, or there is no such process, or it is
 *	not the user's
 *   EBUSY: the file is a view already
 *   EDQUOT: the user has as many views as weft.ko allows (its parameter views_per_user)
 *   EINVAL: unknown flag, or @words or @fields is not NUL-terminated
 *   ERANGE: there is no such joinpoint
 *   E2BIG: more joinpoints than WEFT_VIEW_JOINPOINTS_MAX, or fields than WEFT_VIEW_FIELDS_MAX
 *   ENOMEM
 */
#define WEFT_VIEW_NEW 1u /* only records written from now on; else from the oldest record on */
#define WEFT_VIEW_WORDS 64
#define WEFT_VIEW_FIELDS 128
#define WEFT_VIEW_FIELDS_MAX 8
#define WEFT_VIEW_JOINPOINTS_MAX 65536
struct weft_view {
	char name[WEFT_NAME_MAX];
	__u32 abi;   /* in: WEFT_ABI_VERSION */
	__u32 flags; /* WEFT_VIEW_* */
	__u32 pid;   /* only records of this process; 0: of all */
	__u32 nr_joinpoints; /* 0: all */
	__u64 joinpoints;    /* user address: __u32[], indices into the aspect's table */
	char words[WEFT_VIEW_WORDS]; /* only records whose format contains this text; "": all */
	/*
	 * Only these values of a record, and only records that have one: names as the author wrote
	 * them, with commas between. Their texts are the record's text, with blanks between. "":
	 * the whole text.
	 */
	char fields[WEFT_VIEW_FIELDS];
};

/*
 * WEFT_IOC_VIEW_READ: reads records, struct weft_record, the oldest of all CPUs first. Their
 * weft_record.lost is the number of records that the view has lost just before, on that CPU: all
 * that found the buffer full, and those that it chooses and was too slow for. Errors:
 *   ENODATA: the file is no view
 *   EMSGSIZE: the buffer is too small for the next record
 *   ENOMEM
 */
#define WEFT_VIEW_MORE 1u  /* there may be more to read, even if @used is 0 */
/* the module is gone, the aspect is not published any more, or a recorder has new rings */
#define WEFT_VIEW_ENDED 2u
struct weft_view_read {
	__u64 buffer; /* in: user address */
	__u32 size;   /* in: bytes of the buffer */
	__u32 used;   /* out: bytes of whole records */
	/* out: how many records that the view chooses it has lost in all, since it began */
	__u64 lost;
	/*
	 * out: how many records it did not get beside those, of which it is not known whether it
	 * chooses them: they found the buffer full, or there were too many when the view ended. 0
	 * for a view that chooses all records: to such a view they are lost.
	 */
	__u64 uncounted;
	__u32 flags;  /* out: WEFT_VIEW_MORE, WEFT_VIEW_ENDED */
	__u32 reserved;
};

#define WEFT_IOC_PUBLISH _IOW(WEFT_IOC_MAGIC, 18, struct weft_publish)
/* /dev/weft-read has WEFT_IOC_JOINPOINT as well. */
#define WEFT_IOC_VIEW _IOWR(WEFT_IOC_MAGIC, 32, struct weft_view)
#define WEFT_IOC_VIEW_READ _IOWR(WEFT_IOC_MAGIC, 33, struct weft_view_read)

_Static_assert(sizeof(struct weft_publish) == 64, "weft_publish");
_Static_assert(sizeof(struct weft_view) == 272, "weft_view");
_Static_assert(sizeof(struct weft_view_read) == 40, "weft_view_read");

#endif /* WEFT_ABI_VIEW_H */
