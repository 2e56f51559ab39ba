/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of an aspect's records: an open file of the device, through which a process maps the
 * rings and gets spans of records, which the process then writes to files (runtime/abi-record.h).
 * Nothing is copied or formatted here. An aspect has one recorder at most, and no other reader
 * while it has one.
 *
 * The kernel calls mmap() with the process's mmap_lock held. So mmap() must not take wk_mutex,
 * since weft.ko takes the kernel's locks for text and CPUs under wk_mutex. Instead map_lock, in
 * ring-recorder.c, keeps the rings from being freed while mmap() maps them. Of weft.ko's locks only
 * wk_readers_lock is taken inside map_lock.
 */
#ifndef WK_RING_RECORDER_H
#define WK_RING_RECORDER_H

#include <linux/types.h>

#include "record/record-state.h"
#include "runtime/abi.h"

struct file;
struct vm_area_struct;

/*
 * Makes @file, an open file of the device, the recorder of @rings. Under wk_mutex, like all
 * functions below except wk_recorder_map(). -EBUSY: @recorder is in use, or @file is the recorder
 * of another aspect.
 */
int wk_recorder_attach(struct wk_recorder *recorder, struct wr_ring __percpu *rings,
		       struct file *file);

/* Ends the recorder, if there is one. The records that it has not consumed can be read again. */
void wk_recorder_detach(struct wk_recorder *recorder);

/*
 * Fills @spans, an array with one element for each CPU number below nr_cpu_ids, with the spans that
 * the process is to write next. @written: the spans of the last call are written; consumes them
 * first.
 */
void wk_recorder_spans(struct wk_recorder *recorder, struct weft_span *spans, bool written);

/* Implements mmap() of the device. */
int wk_recorder_map(struct file *file, struct vm_area_struct *vma);

#endif /* WK_RING_RECORDER_H */
