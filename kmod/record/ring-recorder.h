/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of an aspect's records: an open file of the device, by which a process maps the
 * rings and gets spans of records, which it writes to files (runtime/abi-record.h). Nothing is
 * copied or formatted here. An aspect has one recorder, and then no other reader.
 *
 * mmap() is called with the process's mmap_lock held, so it must not take wk_mutex, under which the
 * kernel's locks for text and CPUs are taken. A lock of its own keeps the rings while they are
 * mapped, and is the innermost one of weft.ko.
 */
#ifndef WK_RING_RECORDER_H
#define WK_RING_RECORDER_H

#include <linux/types.h>

#include "record/ring.h"
#include "runtime/abi.h"

struct file;
struct vm_area_struct;

/* All zero: there is none. */
struct wk_recorder {
	struct file *file;
	struct wr_ring __percpu *rings;
};

/*
 * Makes @file, which is an open one of the device, the recorder of @rings. Under wk_mutex, as all
 * functions but wk_recorder_map(). -EBUSY: there is one, or @file is another aspect's.
 */
int wk_recorder_attach(struct wk_recorder *recorder, struct wr_ring __percpu *rings,
		       struct file *file);

/* Ends it, if there is one: the records that it has not consumed can be read again. */
void wk_recorder_detach(struct wk_recorder *recorder);

/* Fills @spans, one for each CPU below nr_cpu_ids. @written: consumes those of the last call. */
void wk_recorder_spans(struct wk_recorder *recorder, struct weft_span *spans, bool written);

/* The mmap() of the device. */
int wk_recorder_map(struct file *file, struct vm_area_struct *vma);

#endif /* WK_RING_RECORDER_H */
