// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls advice at joinpoints in programs; see user-call.h. */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "base/unexported.h"
#include "splice/held.h"
#include "splice/user-call.h"

DEFINE_PER_CPU(struct wk_user_running, wk_user_running);
bool wk_user_any_died;

/* Live addresses: the text of wk_user_call_advice(). */
static unsigned long call_start, call_end;

/*
 * After a fault in the advice, execution goes on after the call, and most registers are lost. So
 * after the call this function uses no value from before it.
 */
noinline notrace void wk_user_call_advice(const struct weft_frame *frame,
					  const struct weft_shadow *shadow, weft_entry advice)
{
	advice((struct weft_frame *)frame, shadow);
	barrier(); /* no tail call: the advice must return to this function (is_return()) */
}

/*
 * The handler of an uprobe may sleep, so before the advice the task was in no RCU read section and
 * had page faults enabled: all that it holds now is the advice's.
 */
void wk_user_call_tidy(void)
{
	this_cpu_write(wk_user_running.left, false);
	wk_held_give_back(&(struct wk_held){ 0 });
}

static bool is_return(unsigned long ip)
{
	return ip > call_start && ip <= call_end;
}

struct wk_attachment *wk_user_call_at(unsigned long ip)
{
	return is_return(ip) ? this_cpu_read(wk_user_running.attachment) : NULL;
}

void wk_user_call_left(unsigned long ip)
{
	if (is_return(ip))
		this_cpu_write(wk_user_running.left, true);
}

void wk_user_call_abandon(void)
{
	struct wk_attachment *attachment = this_cpu_read(wk_user_running.attachment);

	if (!attachment)
		return;
	WRITE_ONCE(attachment->died, true);
	WRITE_ONCE(wk_user_any_died, true);
	this_cpu_write(wk_user_running.attachment, NULL);
}

int wk_user_call_init(void)
{
	unsigned long size, offset;

	call_start = (unsigned long)wk_user_call_advice;
	if (!wk_call(kallsyms_lookup_size_offset)(call_start, &size, &offset))
		return -ENOENT;
	call_end = call_start + size;
	return 0;
}
