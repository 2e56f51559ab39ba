// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes calls for the advice at their return addresses; see noted-calls.h. */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/sched.h>

#include "base/lock.h"
#include "base/table-memory.h"
#include "runtime/call-table.h"
#include "splice/noted-calls.h"
#include "splice/splice.h"

/*
 * Binary logarithm of the number of buckets of a table. A table has room for 16,384 calls that have
 * not returned yet, and takes 384 KiB for each weave that notes calls. The entry of a call that
 * never returns stays in use until the same call is made once more with the same stack pointer.
 */
enum { BITS = 12 };

struct wr_noted_call *wk_calls_create(struct wk_account *account)
{
	return wk_table_create(account, WR_CALL_SLOTS(BITS), sizeof(struct wr_noted_call));
}

/*
 * wk_calls_note() and wk_calls_take() run with preemption as it is at the shadow. They only change
 * the entry of a call of the current task, and hold no lock.
 */
bool notrace wk_calls_note(const struct weft_shadow *shadow, unsigned long sp)
{
	const struct wk_attachment *attachment =
		container_of(shadow, struct wk_attachment, shadow);

	return !READ_ONCE(attachment->notes) ||
	       wr_call_note(attachment->calls, BITS, sp, attachment->call, wr_task_key(current));
}

bool notrace wk_calls_take(const struct weft_shadow *shadow, unsigned long sp)
{
	const struct wk_attachment *attachment =
		container_of(shadow, struct wk_attachment, shadow);

	return wr_call_take(attachment->calls, BITS, sp, attachment->call, wr_task_key(current));
}

void wk_calls_begin(const struct list_head *attachments)
{
	struct wk_attachment *attachment;

	wk_assert_locked();
	list_for_each_entry(attachment, attachments, in_aspect)
		if (attachment->when == WEFT_CALLING)
			WRITE_ONCE(attachment->notes, !attachment->closed);
}
