// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing splices; see poke.h.
 *
 * All splices of a batch are written together, in the steps of the kernel's text_poke_bp():
 *   1. write an int3 over the first byte of each; sync: every CPU that arrives now traps
 *   2. write all bytes after the first; sync: a CPU can reach them only by way of the trap
 *   3. write the first bytes, except those that stay int3s; sync: no CPU traps there any more, and
 *      none is in the trap
 * "sync" is an interrupt on every CPU, which serialises it and waits for CPUs in the trap (trap.c).
 * From before step 1 until after step 3 the trap sends a CPU that meets such an int3 to the
 * trampoline, which has the effect of both the original and the new bytes. So at any moment a CPU
 * executes either the old or the new instruction, and none waits. Splices are taken out in the same
 * steps.
 *
 * text_poke_queue() takes the same steps, but for 256 entries at a time, and makes each of the
 * three writes by text_poke(): that was three quarters of the cost of weaving ten thousand shadows
 * (write.c). It is used for bytes where no splice begins, those of trampolines and slots, since the
 * trap does not know them.
 *
 * If the displaced range is longer than its jump, the rest is filled with int3s. If the instruction
 * under a trap is longer than the int3, the rest of that instruction is filled, too. No CPU runs
 * them. They are for code that decodes the function, as kprobes do before they trust an address: it
 * finds instructions at the expected boundaries, and none that may be probed.
 *
 * A displaced range of several instructions is a trap first. Its jump is written as above once no
 * task is in the middle of it (optimize.c).
 *
 * A springboard's slot is filled before the short jump to it is written, and restored when no task
 * can be on it any more (retire.c). No CPU runs the slot at either time, so both are plain writes.
 * When the slot's jump is redirected to another trampoline, a CPU may be running it.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "splice/perf-events.h"
#include "splice/poke.h"
#include "splice/splice.h"
#include "base/unexported.h"
#include "text/kgdb.h"
#include "text/same-bytes.h"
#include "text/text.h"
#include "splice/write.h"

enum { INT3 = 0xcc, JUMP = 0xe9, CALL = 0xe8, SHORT_JUMP = 0xeb };

struct jump {
	u8 opcode;
	s32 distance;
} __packed;

static_assert(sizeof(struct jump) == WEFT_JUMP_SIZE);

static struct jump jump_to(u8 opcode, unsigned long from, unsigned long to)
{
	struct jump jump = { .opcode = opcode, .distance = to - (from + WEFT_JUMP_SIZE) };

	return jump;
}

/*
 * The functions below fill a whole buffer of WEFT_DISPLACED_MAX bytes, of which only the first
 * splice->length are used: to copy a constant number of bytes takes less time.
 */

/*
 * Fills @bytes with the displaced range of @splice in state JUMP, leading to @trampoline.
 */
static void jump_bytes(const struct wk_splice *splice, const struct wk_trampoline *trampoline,
		       u8 *bytes)
{
	struct jump jump;

	memset(bytes, INT3, WEFT_DISPLACED_MAX);
	if (splice->kind == WEFT_SPLICE_SPRINGBOARD) {
		bytes[0] = SHORT_JUMP;
		bytes[1] = splice->slot.address - (splice->address + WEFT_SHORT_SIZE);
	} else {
		jump = jump_to(splice->kind == WEFT_SPLICE_CALL ? CALL : JUMP, splice->address,
			       trampoline->address);
		memcpy(bytes, &jump, sizeof(jump));
	}
	if (splice->slot_target) {
		jump = jump_to(JUMP, splice->address + WEFT_JUMP_SIZE, splice->slot_target);
		memcpy(bytes + WEFT_JUMP_SIZE, &jump, sizeof(jump));
	}
}

/* Fills @bytes with the text of @splice in @state, leading to @trampoline. */
static void bytes_in(const struct wk_splice *splice, enum wk_splice_state state,
		     const struct wk_trampoline *trampoline, u8 *bytes)
{
	if (wk_state_is_jump(state)) {
		jump_bytes(splice, trampoline, bytes);
		return;
	}
	memcpy(bytes, splice->old, WEFT_DISPLACED_MAX);
	if (wk_state_is_trap(state))
		memset(bytes, INT3, splice->first);
}

/* Fills @bytes with the bytes that the text should hold now. */
static void standing_bytes(const struct wk_splice *splice, u8 *bytes)
{
	bytes_in(splice, splice->state, splice->trampoline, bytes);
}

/* Fills @bytes with the bytes that the text will hold when the current write is finished. */
static void wanted_bytes(const struct wk_splice *splice, u8 *bytes)
{
	bytes_in(splice, splice->next,
		 splice->next_trampoline ? splice->next_trampoline : splice->trampoline, bytes);
}

static bool slot_is(const struct wk_slot *slot, const void *bytes)
{
	return wk_same_bytes((void *)slot->address, bytes, WEFT_JUMP_SIZE);
}

/*
 * Does the springboard have its slot in the text? A slot in a donor is not there while the donor is
 * still a trap.
 */
static bool has_slot(const struct wk_splice *splice)
{
	return splice->slot.address && !(splice->donor && wk_state_is_trap(splice->donor->state));
}

/*
 * Returns whether a kprobe or kgdb has a copy of one of these bytes, to be written back later.
 * Comparing the bytes with weft's does not show that: an int3 of a kprobe over one of weft's looks
 * the same.
 */
static bool is_probed(unsigned long address, unsigned int size)
{
	return wk_text_kprobe_in(address, size) || wk_kgdb_breakpoint_in(address, size);
}

static bool slot_is_ours(const struct wk_splice *splice)
{
	struct jump jump = jump_to(JUMP, splice->slot.address, splice->trampoline->address);

	return !has_slot(splice) || (slot_is(&splice->slot, &jump) &&
				     !is_probed(splice->slot.address, WEFT_JUMP_SIZE));
}

static bool text_is(const struct wk_splice *splice, const u8 *bytes)
{
	return wk_same_bytes((void *)splice->address, bytes, splice->length);
}

bool wk_poke_is_original(const struct wk_splice *splice)
{
	return text_is(splice, splice->old) &&
	       (!splice->slot.address || splice->donor || slot_is(&splice->slot, splice->slot.old));
}

bool wk_poke_is_ours(const struct wk_splice *splice)
{
	u8 bytes[WEFT_DISPLACED_MAX];

	standing_bytes(splice, bytes);
	return text_is(splice, bytes) && !is_probed(splice->address, splice->length) &&
	       slot_is_ours(splice);
}

/* Writes a slot that no CPU runs. */
static void write_slot(const struct wk_slot *slot, const void *bytes)
{
	wk_perf_text(slot->address, (void *)slot->address, bytes, WEFT_JUMP_SIZE);
	wk_call(text_poke)((void *)slot->address, bytes, WEFT_JUMP_SIZE);
}

void wk_poke_occupy(const struct wk_splice *splice)
{
	struct jump jump = jump_to(JUMP, splice->slot.address, splice->next_trampoline->address);

	write_slot(&splice->slot, &jump);
}

bool wk_poke_vacate(const struct wk_splice *splice)
{
	if (!slot_is_ours(splice))
		return false;
	write_slot(&splice->slot, splice->slot.old);
	return true;
}

/* ---- rewriting the bytes of splices ---------------------------------------------------------- */

/* Returns the state that a splice enters by the current write. */
typedef enum wk_splice_state (*next_state)(const struct wk_splice *splice);

static enum wk_splice_state armed_state(const struct wk_splice *splice)
{
	if (splice->state != WK_STATE_LISTED)
		return splice->state;
	if (splice->kind == WEFT_SPLICE_TRAP)
		return WK_STATE_TRAP;
	return splice->nr > 1 || splice->donor || splice->donates ? WK_STATE_OPTIMIZING
								 : WK_STATE_JUMP;
}

static enum wk_splice_state optimized_state(const struct wk_splice *splice)
{
	return WK_STATE_JUMP;
}

static enum wk_splice_state disarmed_state(const struct wk_splice *splice)
{
	return WK_STATE_LISTED;
}

/* Completes the write of one splice: the text already holds the bytes of its next state. */
static void arrive(struct wk_splice *splice)
{
	wk_splice_become(splice, splice->next);
	splice->next = WK_STATE_NONE;
}

/*
 * Step 1: writes int3s over the first bytes of those splices whose bytes change, and sets their
 * ->next. A splice whose bytes stay the same enters its next state at once, for example a trap or a
 * springboard that only gets another trampoline.
 */
static void write_int3s(struct list_head *splices, next_state next)
{
	static const u8 int3 = INT3;
	struct wk_splice *splice;

	list_for_each_entry(splice, splices, plan) {
		u8 bytes[WEFT_DISPLACED_MAX];

		cond_resched();
		/*
		 * set before the bytes are written: readers of the original text rely on it
		 * (wk_splice_in_text())
		 */
		splice->next = next(splice);
		wanted_bytes(splice, bytes);
		if (text_is(splice, bytes)) {
			arrive(splice);
			continue;
		}
		WRITE_ONCE(splice->owns_int3, true);
		/* pairs with the exception: a CPU that meets the int3 then sees owns_int3 set */
		smp_wmb();
		if (*(const u8 *)splice->address != INT3)
			wk_write(splice->address, &int3, sizeof(int3));
	}
	wk_call(text_poke_sync)();
}

/*
 * Reports the new bytes of @splice to perf. Like text_poke_bp(), does so while CPUs trap at the
 * first byte.
 */
static void report_to_perf(const struct wk_splice *splice, const u8 *bytes)
{
	u8 old[WEFT_DISPLACED_MAX];

	standing_bytes(splice, old);
	wk_perf_text(splice->address, old, bytes, splice->length);
}

static void write_tails(struct list_head *splices)
{
	struct wk_splice *splice;
	bool any = false;

	list_for_each_entry(splice, splices, plan) {
		/* ->length is never greater than the buffer, but the compiler does not know that */
		unsigned int size = min_t(unsigned int, splice->length - 1, WEFT_DISPLACED_MAX - 1);
		u8 bytes[WEFT_DISPLACED_MAX];

		cond_resched();
		if (!splice->next)
			continue;
		wanted_bytes(splice, bytes);
		report_to_perf(splice, bytes);
		if (wk_same_bytes((void *)splice->address + 1, bytes + 1, size))
			continue;
		wk_write(splice->address + 1, bytes + 1, size);
		any = true;
	}
	if (any)
		wk_call(text_poke_sync)();
}

static void write_heads(struct list_head *splices)
{
	struct wk_splice *splice;
	bool any = false;

	list_for_each_entry(splice, splices, plan) {
		u8 bytes[WEFT_DISPLACED_MAX];

		cond_resched();
		if (!splice->next)
			continue;
		wanted_bytes(splice, bytes);
		if (bytes[0] == INT3)
			continue;
		wk_write(splice->address, bytes, 1);
		any = true;
	}
	if (any)
		wk_call(text_poke_sync)();
	list_for_each_entry(splice, splices, plan) {
		cond_resched();
		if (!splice->next)
			continue;
		WRITE_ONCE(splice->owns_int3, wk_state_is_trap(splice->next));
		arrive(splice);
	}
}

static void rewrite(struct list_head *splices, next_state next)
{
	if (list_empty(splices))
		return;
	write_int3s(splices, next);
	write_tails(splices);
	write_heads(splices);
}

/* ---- arming, optimizing and disarming splices ------------------------------------------------ */

/* Redirects the jumps in slots to the new trampolines. */
static void switch_slots(const struct list_head *splices)
{
	const struct wk_splice *splice;
	bool any = false;

	list_for_each_entry(splice, splices, plan) {
		struct jump jump;

		cond_resched();
		if (!has_slot(splice) || !splice->trampoline)
			continue;
		jump = jump_to(JUMP, splice->slot.address, splice->next_trampoline->address);
		wk_call(text_poke_queue)((void *)splice->slot.address, &jump, sizeof(jump),
					      NULL);
		any = true;
	}
	if (any)
		wk_poke_finish();
}

void wk_poke_arm(struct list_head *splices)
{
	rewrite(splices, armed_state);
	switch_slots(splices);
}

void wk_poke_optimize(struct list_head *splices)
{
	rewrite(splices, optimized_state);
}

static void block(struct wk_splice *splice)
{
	if (wk_state_is_blocked(splice->state))
		return;
	wk_splice_become(splice, wk_state_is_trap(splice->state) ? WK_STATE_BLOCKED_TRAP
								 : WK_STATE_BLOCKED_JUMP);
	wk_splice_changed(); /* no later weave may attach its advice to this splice */
}

unsigned int wk_poke_disarm(struct list_head *splices, struct list_head *blocked)
{
	struct wk_splice *splice, *next;
	unsigned int n = 0;

	list_for_each_entry_safe(splice, next, splices, plan) {
		cond_resched();
		if (wk_poke_is_ours(splice)) {
			n++;
			continue;
		}
		block(splice);
		list_move_tail(&splice->plan, blocked);
	}
	rewrite(splices, disarmed_state);
	wk_poke_finish();
	return n;
}

void wk_poke_skip(const struct wk_attachment *attachment)
{
	struct jump jump = jump_to(JUMP, attachment->block.start, attachment->block.end);

	wk_call(text_poke_queue)((void *)attachment->block.start, &jump, sizeof(jump), NULL);
}

void wk_poke_close(struct wk_attachment *attachment)
{
	struct jump jump = jump_to(JUMP, attachment->block.start, attachment->block.end);

	wk_call(text_poke_queue)((void *)attachment->block.start, &jump, sizeof(jump), NULL);
	attachment->closed = true;
}

/*
 * Lets the attachment's advice run again: restores the first bytes of its block, over which a jump
 * was written. A CPU that meets the int3 of text_poke_queue() meanwhile still takes the old jump
 * over the block.
 */
void wk_poke_open(struct wk_attachment *attachment)
{
	struct jump jump = jump_to(JUMP, attachment->block.start, attachment->block.end);

	wk_call(text_poke_queue)((void *)attachment->block.start, attachment->block.opening,
				      sizeof(attachment->block.opening), &jump);
	attachment->closed = false;
}

void wk_poke_finish(void)
{
	wk_call(text_poke_finish)();
	wk_call(text_poke_sync)();
}
