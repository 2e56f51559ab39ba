/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records: what advice writes and readers consume. Each aspect has a buffer of its own for each CPU
 * (runtime/record-ring.h), so that reading one aspect takes nothing from another. A full buffer
 * keeps the old records and drops the new ones, which are counted.
 *
 * weft_log() stores its arguments and the text is made when it is read, which needs the format
 * string: so when the module that holds it goes, what is unread is turned into text first
 * (wk_records_keep). Arguments that are numbers and pointers are stored as they are passed, eight
 * bytes each; where a format takes what they point to (%s, %pI4), that is copied at once
 * (pointer-args.h), for vbin_printf().
 */
#ifndef WK_RECORD_H
#define WK_RECORD_H

#include <linux/list.h>
#include <linux/types.h>

#include "runtime/abi.h"
#include "record/ring.h"

struct wk_records {
	struct wr_ring __percpu *rings; /* NULL: gone */
	struct list_head kept; /* struct kept_record: text made before the module went */
	u64 nr_kept;
	u64 written, lost; /* of a ring that is gone */
};

/* May sleep. @kilobytes is the ring's size on each CPU. */
int wk_records_init(struct wk_records *records, unsigned int kilobytes);
void wk_records_deinit(struct wk_records *records);

/*
 * Turns every unread record into text and frees the ring; nobody may write any more. May sleep.
 * Loses nothing but for want of memory, which it counts.
 */
void wk_records_keep(struct wk_records *records);

/*
 * Moves whole records, the oldest of all CPUs first, to @buffer in user space, at most as many as
 * were unread when it was called: however fast advice writes, it comes to an end. Returns the bytes
 * used, 0 when there is nothing; -EMSGSIZE where not even the next one fits, -EFAULT. Process
 * context, under wk_mutex.
 */
long wk_records_read(struct wk_records *records, void __user *buffer, u32 size);

u64 wk_records_unread(const struct wk_records *records);
void wk_records_totals(const struct wk_records *records, u64 *written_ret, u64 *lost_ret);

/* The scratch space that weft_log formats in. */
int wk_record_scratch_init(void);
void wk_record_scratch_deinit(void);

#endif /* WK_RECORD_H */
