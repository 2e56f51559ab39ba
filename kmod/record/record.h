/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records: advice writes them, readers consume them. Each aspect has its own buffer on each CPU
 * (runtime/record-ring.h), so reading one aspect does not affect another. A full buffer keeps its
 * records and drops new ones, which are counted. If the aspect has views, slow readers lose records
 * instead (view.h).
 *
 * weft_log() stores only its arguments (runtime/abi-record.h). The text is formatted when the
 * record is read, which needs the format string; so before the module that holds it is unloaded,
 * unread records are formatted (wk_records_keep()). Arguments that are numbers or pointers are
 * stored as they are passed, four or eight bytes each. If the format dereferences them (%s, %pI4),
 * what they point to is copied at once (pointer-args.h) and stored in the form of vbin_printf().
 */
#ifndef WK_RECORD_H
#define WK_RECORD_H

#include <linux/types.h>

#include "runtime/abi.h"
#include "record/record-state.h"

struct weft_aspect;
struct weft_statement;

/*
 * Initializes @records. @kilobytes: size of each CPU's ring. Returns 0 or -ENOMEM. May sleep.
 */
int wk_records_init(struct wk_records *records, const struct weft_aspect *module,
		    unsigned int kilobytes);
/*
 * Frees the rings and the kept records. No view is open: wk_records_keep() has closed them, or the
 * aspect was never registered.
 */
void wk_records_deinit(struct wk_records *records);

/*
 * Replaces the rings by empty ones of @size bytes each, and ends the views. Nothing may write, and
 * no record may be unread. Returns 0 or -ENOMEM. May sleep.
 */
int wk_records_resize(struct wk_records *records, u64 size);

/*
 * Returns statement @index of those that have written records, and sets *@content_ret to how its
 * arguments are stored (WEFT_CONTENT_*). NULL: there is no such statement, it is just being listed,
 * or the module is gone.
 */
const struct weft_statement *wk_records_statement(const struct wk_records *records, u32 index,
						  u32 *content_ret);

/*
 * Returns WEFT_PACKED_WIDE if this kernel's vbin_printf() stores numbers of one or two bytes as
 * four bytes; else 0.
 */
u32 wk_record_packed(void);

/*
 * Called when the aspect's module is being unloaded and nothing writes any more. Closes the views,
 * formats every unread record, and frees the rings. Records for which memory is short are dropped
 * and counted as lost; returns their number. May sleep.
 */
u64 wk_records_keep(struct wk_records *records);

/*
 * Copies whole records, the oldest of all CPUs first, to @buffer, and consumes them. Reads at most
 * as many records as were unread when it was called, so it ends however fast advice writes. May
 * sleep; under wk_mutex, and takes wk_readers_lock for each record. Returns the number of bytes
 * used; 0 if there are no records; or one of these:
 * -EMSGSIZE: @size is too small for the next record
 * -EBUSY: the aspect has a recorder
 * -ENOMEM: memory is short
 */
long wk_records_read(struct wk_records *records, void *buffer, u32 size);

/* Returns the size of each CPU's ring in bytes. */
u64 wk_records_ring_size(const struct wk_records *records);
u64 wk_records_unread(const struct wk_records *records);
void wk_records_totals(const struct wk_records *records, u64 *written_ret, u64 *lost_ret);

/* Allocates, and frees, the per-CPU scratch buffers of weft_log(). -ENOMEM. */
int wk_record_scratch_init(void);
void wk_record_scratch_deinit(void);

#endif /* WK_RECORD_H */
