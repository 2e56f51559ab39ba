// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls advice at joinpoints in programs; see user-call.h. */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "base/unexported.h"
#include "runtime/advice.h"
#include "splice/platform.h"
#include "splice/splice.h"
#include "splice/user-call.h"

/*
 * The attachment whose advice is running on this CPU; NULL: none. Such advice runs in tasks only,
 * with preemption off, so there is at most one.
 */
static DEFINE_PER_CPU(struct wk_attachment *, running);

/* Live addresses: the text of call_advice(). */
static unsigned long call_start, call_end;

/*
 * Calls the advice, and does nothing else. After a fault in the advice, execution goes on after the
 * call, and most registers are lost. So this function needs nothing there.
 */
static noinline notrace void call_advice(const struct wk_attachment *attachment,
					 struct weft_frame *frame, const struct weft_shadow *shadow)
{
	((weft_entry)attachment->advice)(frame, shadow);
	barrier(); /* no tail call: the advice must return to this function (wk_user_call_at()) */
}

void wk_user_call(struct wk_attachment *attachment, struct weft_frame *frame,
		  const struct weft_shadow *shadow)
{
	long before;

	if (!attachment->advice) {
		if (attachment->count)
			this_cpu_inc(*(u64 __percpu *)attachment->count);
		else
			this_cpu_inc(attachment->stats->hits);
		return;
	}
	if (this_cpu_read(wk_guard) != WR_GUARD_IDLE) {
		this_cpu_inc(attachment->stats->missed);
		return;
	}
	before = wk_guard_take();
	this_cpu_write(running, attachment);
	this_cpu_inc(attachment->stats->hits);
	call_advice(attachment, frame, shadow);
	this_cpu_write(running, NULL);
	wk_guard_give_back(before);
}

struct wk_attachment *wk_user_call_at(unsigned long ip)
{
	return ip > call_start && ip <= call_end ? this_cpu_read(running) : NULL;
}

int wk_user_call_init(void)
{
	unsigned long size, offset;

	if (!wk_call(kallsyms_lookup_size_offset)((unsigned long)call_advice, &size, &offset))
		return -ENOENT;
	call_start = (unsigned long)call_advice;
	call_end = call_start + size;
	return 0;
}
