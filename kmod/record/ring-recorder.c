// SPDX-License-Identifier: GPL-2.0-or-later
/* Lets a process write the rings to files; see ring-recorder.h. */
#include <linux/container_of.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "base/lock.h"
#include "compat/vma-flags.h"
#include "record/ring-recorder.h"
#include "record/view.h"

/* Protects ->private_data of open files of /dev/weft, and the rings that a recorder may map. */
static DEFINE_MUTEX(map_lock);

int wk_recorder_attach(struct wk_recorder *recorder, struct wr_ring __percpu *rings,
		       struct file *file)
{
	int ret = 0;

	wk_assert_locked();
	mutex_lock(&map_lock);
	if (recorder->file || file->private_data) {
		ret = -EBUSY;
	} else {
		spin_lock(&wk_readers_lock);
		*recorder = (struct wk_recorder){ .file = file, .rings = rings };
		spin_unlock(&wk_readers_lock);
		file->private_data = recorder;
	}
	mutex_unlock(&map_lock);
	return ret;
}

void wk_recorder_detach(struct wk_recorder *recorder)
{
	int cpu;

	mutex_lock(&map_lock);
	if (recorder->file) {
		recorder->file->private_data = NULL;
		spin_lock(&wk_readers_lock);
		/* The records of spans that were taken and not consumed are unread again. */
		for_each_possible_cpu(cpu)
			wr_ring_forget_span(per_cpu_ptr(recorder->rings, cpu));
		*recorder = (struct wk_recorder){ 0 };
		spin_unlock(&wk_readers_lock);
	}
	mutex_unlock(&map_lock);
}

/* Describes the span of @ring that the recorder writes next. Under wk_readers_lock. */
static struct weft_span take_span(struct wr_ring *ring)
{
	const struct wr_ring_span span = wr_ring_take_span(ring);
	struct weft_span ret = {
		.begin = ring->first.at & (ring->size - 1),
		.size = span.size,
		.records = span.records,
		.first = span.first,
		.last = span.last,
		.lost = span.lost,
		.tid = ring->first.seen.tid,
		.pid = ring->first.seen.pid,
		.uid = ring->first.seen.uid,
	};

	memcpy(ret.comm, ring->first.seen.comm, sizeof(ret.comm));
	return ret;
}

void wk_recorder_spans(struct wk_recorder *recorder, struct weft_span *spans, bool written)
{
	struct wk_records *records = container_of(recorder, struct wk_records, recorder);
	int cpu;

	wk_assert_locked();
	memset(spans, 0, nr_cpu_ids * sizeof(*spans));
	for_each_possible_cpu(cpu) {
		struct wr_ring *ring = per_cpu_ptr(recorder->rings, cpu);

		spin_lock(&wk_readers_lock);
		if (written)
			wr_ring_consume_span(ring);
		spans[cpu] = take_span(ring);
		spin_unlock(&wk_readers_lock);
		if (written)
			wk_views_release(records, cpu);
		cond_resched();
	}
}

static int map(const struct wk_recorder *recorder, struct vm_area_struct *vma)
{
	unsigned long size = vma->vm_end - vma->vm_start, pages = size >> PAGE_SHIFT;
	unsigned long cpu = vma->vm_pgoff / pages;
	const struct wr_ring *ring;

	if (vma->vm_pgoff % pages || cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -EINVAL;
	ring = per_cpu_ptr(recorder->rings, cpu);
	return size == 2 * ring->size ? wk_ring_map(ring, vma) : -EINVAL;
}

int wk_recorder_map(struct file *file, struct vm_area_struct *vma)
{
	int ret = -ENODATA;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	wk_vma_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	wk_vma_flags_set(vma, VM_DONTEXPAND | VM_DONTCOPY | VM_DONTDUMP);
	if (mutex_lock_killable(&map_lock))
		return -EINTR;
	if (file->private_data)
		ret = map(file->private_data, vma);
	mutex_unlock(&map_lock);
	return ret;
}
