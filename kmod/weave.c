// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The steps in which aspects are woven and unwoven, and the order of locks.
 *
 * Weave:
 *   1. build	allocate every splice and attachment; emit trampolines, writable yet. May fail
 *   2. seal	make trampoline memory read-only and executable; nothing leads to it yet. May fail
 *   3. publish	insert new splices into the table, where the trap looks them up
 *   4. verify	compare every byte with the plan once more, under all locks (below). May fail
 *   5. arm	write the slots of springboards, then every splice; splices that are shared with
 *		other aspects are switched to their new trampolines
 *   6. switch	make the new trampolines the current ones, and start the retirement of the
 *		replaced ones
 * If a step fails, the steps before it are undone. Publishing precedes arming, since an int3 that
 * no handler claims is a crash. Verifying is the last step that may fail, and holds the locks that
 * all writers of text take, so no other writer changes the bytes between the check and the write. A
 * jump over a single instruction needs no grace period. A jump over several is written as a trap
 * first, and becomes a jump later, in a work item (optimize.c).
 *
 * Unweave, in reverse:
 *   1. disarm	restore the original bytes if no other aspect uses the splice; else write a jump
 *		over the aspect's block in the trampoline. Afterwards no CPU is in the trap for
 *		an int3 that is gone
 *   2. remove	remove the splices from the table, except those under a foreign int3 (blocked)
 *   3. retire	free the rest after grace periods, and retry the blocked ones (retire.c)
 *
 * The author's start block runs before step 1 of a weave, and the end block after step 3 of an
 * unweave (aspect-life.c). The code of an unweave: unweave.c.
 *
 * Locks, outermost first. When a module is loaded or unloaded, the kernel holds the lock of its
 * list of module notifiers around all of them (part-life.c).
 *   1. wk_mutex		held for a whole request or work item: check, weave, unweave; not
 *			while an author's block runs, or programs are opened and get uprobes
 *   2. kprobe_mutex	the kernel's: no kprobe is registered or armed
 *   3. cpus_read_lock()	the kernel's: no CPU comes online; it would run text without the
 *			synchronization that poke.c relies on
 *   4. text_mutex		the kernel's: nobody else writes text
 *   5. wk_readers_lock	what readers of records share: a spinlock, which users take alone, and
 *			others with wk_mutex and perhaps map_lock of ring-recorder.c (lock.h)
 * 2 to 4 are taken together in wk_write_begin(), for all writes to text: steps 4 and 5 of a weave,
 * step 1 of an unweave, and writes of work items. All memory is allocated before them.
 *
 * Under wk_mutex, but without 2 to 4 together, some code takes one lock of the kernel at a time:
 * kprobe_mutex in text.c, cpus_read_lock() in ticks.c, text_mutex in text-check.c, that of jump
 * labels in sites.c, that of tracepoints in tasks.c, tracepoints.c, sched-switch.c. There, too,
 * weft.ko waits for RCU (unpublish(), the end of a tracepoint probe), and creates threads.
 *
 * Without any of these locks run the author's start and end blocks, which may never return, and the
 * waits for grace periods of RCU tasks, which may take long (grace.c). Nor is any held while
 * programs are opened (locks of file systems), or uprobes registered and unregistered in a work
 * item: the kernel's register_rwsem of the uprobe, dup_mmap_sem, mmap_lock of each process, in this
 * order. A hit holds register_rwsem (uprobes.c). cpus_read_lock() is taken without wk_mutex in
 * grace.c, before a wait, and by stop_machine() in int3-hook.c. The trap, trampolines and advice
 * take no lock.
 *
 * A request that runs a start block, or opens programs, holds wk_mutex before and after that. What
 * it found before may be wrong then, so the plan is checked once more. Its aspect is STARTING all
 * the while, so no other request weaves, unweaves or frees the aspect (aspect-state.h).
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/table-memory.h"
#include "splice/exec-mem.h"
#include "splice/around-table.h"
#include "aspect.h"
#include "balance.h"
#include "splice/donor.h"
#include "splice/entry-close.h"
#include "text/insn.h"
#include "plan.h"
#include "runtime/plan-rules.h"
#include "runtime/call-table.h"
#include "splice/noted-calls.h"
#include "splice/poke.h"
#include "splice/retire.h"
#include "splice/optimize.h"
#include "splice/platform.h"
#include "splice/splice.h"
#include "base/unexported.h"
#include "text/text.h"
#include "timing.h"
#include "weave.h"
#include "splice/write.h"
#include "base/lock.h"

struct transaction {
	struct wk_aspect *aspect;
	struct wk_plan *plan;
	/* every splice of the plan once, new or shared; linked by wk_splice.plan */
	struct list_head splices;
	struct list_head exec_mems; /* struct wk_exec_mem, newest first */
	struct list_head attachments; /* linked by wk_attachment.in_aspect, in the plan's order */
	struct wk_attachments *array; /* array of the attachments in ->attachments */
	/* displaced instructions of the splice that is being built */
	struct wk_displaced displaced;
	struct wk_retirement *replaced; /* the trampolines of shared splices that are replaced */
	struct wk_optimizing *optimizing; /* the splices that are traps at first */
	u8 *once; /* the states of once-advice, by joinpoint (once.h); NULL: none */
	bool donors; /* some springboards of the plan have donors */
	u32 flags; /* WEFT_WEAVE_* */
};

/* Bytes of trampoline memory that are allocated at a time; the total is not known in advance. */
enum { EXEC_MEM_SIZE = 256 << 10 };

/* ---- building what a weave needs ------------------------------------------------------------- */

/*
 * Returns whether this transaction has created @splice. A new splice has no current trampoline
 * until the end of the transaction.
 */
static bool is_new(const struct wk_splice *splice)
{
	return !splice->trampoline;
}

static struct wk_splice *create_splice(const struct weft_splice *planned, bool sanitize)
{
	struct wk_splice *splice = kzalloc(sizeof(*splice), WK_GFP_TABLE);

	if (!splice)
		return NULL;
	splice->address = planned->address;
	splice->kind = planned->kind;
	splice->length = planned->length;
	memcpy(splice->old, planned->old, planned->length);
	splice->sanitize = sanitize;
	INIT_LIST_HEAD(&splice->optimize);
	INIT_LIST_HEAD(&splice->attachments);
	INIT_LIST_HEAD(&splice->plan);
	wk_splice_become(splice, WK_STATE_NEW);
	return splice;
}

static unsigned long shadow_of(const struct wk_aspect *aspect, const struct weft_splice *planned)
{
	return wk_part_address(aspect->parts, &aspect->module->joinpoints[planned->joinpoint]);
}

/*
 * The new splice of the transaction at @address, or NULL. The list ascends by address, except
 * donors: these are next to their springboards, less than DONOR_SPAN bytes away.
 */
static struct wk_splice *find_new(const struct transaction *t, unsigned long address)
{
	enum { DONOR_SPAN = 512 };
	struct wk_splice *splice;

	list_for_each_entry_reverse(splice, &t->splices, plan) {
		if (splice->address == address && is_new(splice))
			return splice;
		if (splice->address + DONOR_SPAN < address)
			break;
	}
	return NULL;
}

/*
 * Returns the splice at @address that is to hold a springboard's slot (its donor). If the plan has
 * a splice there for its own advice, returns that one; otherwise creates one without attachments.
 * NULL: memory is short.
 */
static struct wk_splice *get_donor(struct transaction *t, unsigned long address,
				   const struct wk_found *found)
{
	struct weft_splice donor = { .address = address,
				     .kind = WEFT_SPLICE_JUMP,
				     .length = found->donor };
	struct wk_splice *splice = find_new(t, address);

	if (splice || wk_text_read(address, donor.old, donor.length, true))
		return splice;
	splice = create_splice(&donor, found->sanitize);
	if (splice)
		list_add_tail(&splice->plan, &t->splices);
	return splice;
}

static bool give_slot(struct transaction *t, struct wk_splice *springboard, s16 distance,
		      const struct wk_found *found)
{
	unsigned long slot = springboard->address + WEFT_SHORT_SIZE + distance;
	struct wk_splice *donor;

	if (!found->donor) {
		wk_slot_take(&springboard->slot, slot);
		return true;
	}
	donor = get_donor(t, slot - WEFT_JUMP_SIZE, found);
	if (!donor)
		return false;
	wk_donor_tie(springboard, donor);
	t->donors = true;
	return true;
}

static struct wk_splice *add_splice(struct transaction *t, const struct weft_splice *planned,
				    const struct wk_found *found)
{
	struct wk_splice *splice = create_splice(planned, found->sanitize);

	if (splice && splice->kind == WEFT_SPLICE_SPRINGBOARD &&
	    !give_slot(t, splice, planned->slot, found)) {
		wk_splice_destroy(splice);
		return NULL;
	}
	if (splice)
		list_add_tail(&splice->plan, &t->splices);
	return splice;
}

/*
 * Returns the splice for element @index of the plan, the first of these that there is:
 * - a splice in the text that serves the element's shadow already; the kind and length in the plan
 *   are then ignored
 * - one that this transaction has made already: the last one, or a donor
 * - a new one
 */
static struct wk_splice *get_splice(struct transaction *t, u32 index)
{
	const struct weft_splice *planned = &t->plan->splices[index];
	struct wk_splice *last = list_empty(&t->splices)
					 ? NULL
					 : list_last_entry(&t->splices, struct wk_splice, plan);
	struct wk_splice *splice = wk_splice_for_shadow(planned, shadow_of(t->aspect, planned));

	if (splice) {
		if (list_empty(&splice->plan))
			list_add_tail(&splice->plan, &t->splices);
		return splice;
	}
	if (last && last->address == planned->address && is_new(last))
		return last;
	if (t->donors)
		splice = find_new(t, planned->address);
	return splice ? splice : add_splice(t, planned, &t->plan->found[index]);
}

/*
 * Returns the index of the displaced instruction at @address, or ->nr if @address is right after
 * the last one. There is no other case, since the plan was checked.
 */
static u8 insn_at(const struct wk_displaced *displaced, unsigned long address)
{
	u8 at = 0;

	while (at < displaced->nr && displaced->insns[at].address != address)
		at++;
	return at;
}

/* Fills the members of @attachment for noted calls (noted-calls.h). */
static void note_call(const struct transaction *t, struct wk_attachment *attachment)
{
	const struct weft_joinpoint *joinpoint = attachment->shadow.joinpoint;
	unsigned long returns = attachment->shadow.address;

	attachment->calls = t->array->calls;
	attachment->asks = (unsigned long)wk_calls_take;
	if (joinpoint->when == WEFT_CALLING) {
		returns += joinpoint->returns;
		attachment->asks = (unsigned long)wk_calls_note;
		attachment->advice = attachment->entry = attachment->count = attachment->needs = 0;
	}
	attachment->call = wr_call_id(returns, joinpoint->advice);
}

/*
 * Emits the exit of around-advice: what the advice calls to run the function that was hit, or that
 * is called there, once the splice is out of the text.
 */
static int emit_exit(struct wk_exec_mem *exits, struct wk_attachment *attachment)
{
	u8 *at = exits->base + exits->used;
	const unsigned int room = exits->size - exits->used;
	struct wr_call call = { 0 };
	int length;

	attachment->exit = (unsigned long)at;
	wk_attachment_around(attachment, &call);
	if (call.of_call)
		length = wr_trampoline_exit_call(at, room, attachment->exit, &wk_platform, &call);
	else
		length = wr_trampoline_exit(at, room, attachment->exit,
					    attachment->shadow.address);
	exits->used += max(length, 0);
	return length < 0 ? -ERANGE : 0;
}

/*
 * Makes @attachment one of around-advice. The module has an element for the joinpoint, and there is
 * a thunk if one is needed, since the plan was checked.
 */
static int put_around(struct transaction *t, struct wk_attachment *attachment)
{
	const struct wr_insn *insn = &t->displaced.insns[attachment->at];

	attachment->around = wk_around_find(t->aspect->module, attachment->shadow.joinpoint);
	attachment->entry = wk_entry_after_endbr(attachment->around->entry);
	if (attachment->when == WEFT_AROUND_CALL)
		wk_insn_thunk(insn, attachment->around->target, &attachment->thunk);
	return emit_exit(t->array->exits, attachment);
}

static int create_attachment(struct transaction *t, u32 index, struct wk_splice *splice)
{
	const struct weft_splice *planned = &t->plan->splices[index];
	const struct weft_joinpoint *joinpoint = &t->aspect->module->joinpoints[planned->joinpoint];
	const struct weft_advice *advice = &t->aspect->module->advices[joinpoint->advice];
	struct wk_attachment *attachment = &t->array->all[index];

	attachment->splice = splice;
	attachment->stats = t->aspect->module->stats;
	attachment->module = t->aspect->module;
	attachment->fault = &t->aspect->fault;
	attachment->budget = &t->aspect->budget;
	attachment->element = index;
	attachment->shadow.address = shadow_of(t->aspect, planned);
	attachment->at = insn_at(&t->displaced, attachment->shadow.address);
	attachment->shadow.joinpoint = joinpoint;
	attachment->shadow.index = planned->joinpoint;
	if (attachment->at < t->displaced.nr)
		wk_insn_target(&t->displaced.insns[attachment->at], &attachment->shadow.target);
	attachment->advice = (unsigned long)advice->entry;
	if (advice->entry)
		attachment->entry = t->flags & WEFT_WEAVE_BALANCE
					    ? (unsigned long)wk_checked_advice
					    : wk_entry_after_endbr(attachment->advice);
	attachment->count = advice->entry || !advice->count ? 0 : (unsigned long)*advice->count;
	attachment->needs = advice->needs;
	attachment->live = joinpoint->live;
	attachment->when = joinpoint->when;
	attachment->closed = wk_timing_waits(&t->aspect->timing, joinpoint->advice);
	if (joinpoint->returns)
		note_call(t, attachment);
	if (advice->once && joinpoint->when != WEFT_CALLING) {
		attachment->shadow.once = &t->once[planned->joinpoint];
		*attachment->shadow.once = WEFT_ONCE_WAITING;
	}
	list_add_tail(&attachment->in_splice, &splice->attachments);
	list_add_tail(&attachment->in_aspect, &t->attachments);
	return wr_is_around(joinpoint->when) ? put_around(t, attachment) : 0;
}

/*
 * Returns memory with room for @splice's trampoline: the newest, or new memory. New memory is
 * sized for the @rest of the plan's elements, but EXEC_MEM_SIZE at most, unless this trampoline
 * alone needs more.
 */
static struct wk_exec_mem *get_exec_mem(struct transaction *t, const struct wk_splice *splice,
					u32 rest)
{
	struct wk_exec_mem *memory =
		list_first_entry_or_null(&t->exec_mems, struct wk_exec_mem, list);
	u64 bound = wk_splice_trampoline_bound(splice),
	    all = bound + (u64)rest * wr_trampoline_bound(WR_DISPLACED_INSNS, 1);

	if (memory && bound <= memory->size && memory->used <= memory->size - bound)
		return memory;
	memory = wk_exec_mem_create(max_t(u64, bound, min_t(u64, all, EXEC_MEM_SIZE)));
	if (!memory)
		return NULL;
	memory->trampolines++; /* the transaction's own reference; see put_exec_mems() */
	list_add(&memory->list, &t->exec_mems);
	return memory;
}

static void put_exec_mems(struct transaction *t)
{
	struct wk_exec_mem *memory, *next;

	list_for_each_entry_safe(memory, next, &t->exec_mems, list) {
		list_del(&memory->list);
		wk_exec_mem_put(memory);
	}
}

static int build_trampoline(struct transaction *t, struct wk_splice *splice, u32 rest)
{
	struct wk_exec_mem *memory = get_exec_mem(t, splice, rest);

	return memory ? wk_splice_emit(splice, &t->displaced, memory) : -ENOMEM;
}

/*
 * Builds a splice and a trampoline for the elements of the plan. Elements of the same splice follow
 * each other. A trampoline is emitted when all of its attachments are known: when the elements of
 * the next splice begin.
 */
static int build_splices(struct transaction *t)
{
	struct wk_splice *last = NULL;
	int ret = 0;

	for (u32 i = 0; i < t->plan->nr && !ret; i++) {
		struct wk_splice *splice = get_splice(t, i);

		cond_resched();
		if (!splice)
			return -ENOMEM;
		if (wk_state_is_blocked(splice->state))
			return -EAGAIN;
		if (splice->next_trampoline)
			return -EINVAL;
		if (splice != last) {
			if (last)
				ret = build_trampoline(t, last, t->plan->nr - i);
			wk_splice_decode(splice, &t->displaced);
			last = splice;
		}
		if (!ret)
			ret = create_attachment(t, i, splice);
	}
	return ret ? ret : build_trampoline(t, last, 0);
}

/* Emits the trampolines of donors that the plan has no advice for. */
static int build_donors(struct transaction *t)
{
	struct wk_splice *splice;
	int ret = 0;

	list_for_each_entry(splice, &t->splices, plan) {
		if (splice->next_trampoline)
			continue;
		wk_splice_decode(splice, &t->displaced);
		ret = build_trampoline(t, splice, 0);
		if (ret)
			return ret;
	}
	return ret;
}

static int seal(struct transaction *t)
{
	struct wk_exec_mem *memory;
	int ret = t->array->exits ? wk_exec_mem_seal(t->array->exits) : 0;

	list_for_each_entry(memory, &t->exec_mems, list)
		ret = ret ? ret : wk_exec_mem_seal(memory);
	return ret;
}

static void drop_attachments(struct transaction *t)
{
	struct wk_attachment *attachment;

	list_for_each_entry(attachment, &t->attachments, in_aspect)
		list_del(&attachment->in_splice);
	wk_attachments_destroy(t->array);
}

/* Frees what was built. None of it is reachable from the text. */
static void unbuild(struct transaction *t)
{
	struct wk_splice *splice, *next;

	drop_attachments(t);
	list_for_each_entry_safe(splice, next, &t->splices, plan) {
		list_del_init(&splice->plan);
		wk_trampoline_destroy(splice->next_trampoline);
		splice->next_trampoline = NULL;
		if (!splice->trampoline)
			wk_splice_destroy(splice);
		cond_resched();
	}
	kfree(t->replaced);
	kfree(t->optimizing);
}

/* ---- publishing, verifying, arming and switching splices ------------------------------------- */

static void publish(struct transaction *t)
{
	struct wk_splice *splice;

	list_for_each_entry(splice, &t->splices, plan) {
		cond_resched();
		wk_splice_lead_new(splice);
		if (!is_new(splice))
			continue;
		splice->target = splice->next_trampoline->address;
		wk_splice_insert(splice);
	}
}

static void unpublish(struct transaction *t)
{
	struct wk_splice *splice;

	list_for_each_entry(splice, &t->splices, plan)
		if (is_new(splice))
			wk_splice_remove(splice);
	/*
	 * The trap on another CPU may still be reading a removed entry, even where RCU is not
	 * watching; only text_poke_sync() waits for that.
	 */
	wk_call(text_poke_sync)();
	synchronize_rcu();
}

/* Copies the refusals found in verification from the splices to the elements of the plan. */
static void report_refused(struct transaction *t)
{
	const struct wk_attachment *attachment;

	list_for_each_entry(attachment, &t->attachments, in_aspect) {
		const struct wk_splice *splice = attachment->splice, *donor = splice->donor;
		enum weft_refusal refusal = splice->refusal;

		if (!refusal && donor && donor->refusal)
			refusal = WEFT_REFUSAL_SLOT;
		t->plan->splices[attachment->element].refusal = refusal;
		t->plan->nr_refused += refusal != WEFT_REFUSAL_NONE;
	}
}

/* Is the slot free? All splices of the transaction are in the table by now. */
static bool is_free(const struct wk_slot *slot)
{
	return !wk_slot_overlaps(slot->address, WEFT_JUMP_SIZE, slot) &&
	       !wk_splice_overlaps(slot->address, WEFT_JUMP_SIZE) &&
	       !wk_text_kprobe(slot->address, WEFT_JUMP_SIZE);
}

/*
 * Checks that the text of @splice is still as the plan expects, and returns NONE or the refusal. A
 * new splice must cover the original bytes; a splice that other aspects use already must have the
 * bytes that weft wrote. Comparing bytes is not enough: a kprobe that is registered but not armed
 * has not changed them yet, so kprobes are looked for, too.
 */
static enum weft_refusal verify_splice(const struct wk_splice *splice)
{
	if (!is_new(splice))
		return wk_poke_is_ours(splice) ? WEFT_REFUSAL_NONE : WEFT_REFUSAL_KPROBE;
	if (!wk_poke_is_original(splice))
		return WEFT_REFUSAL_CHANGED;
	if (wk_slot_overlaps(splice->address, splice->length, NULL))
		return WEFT_REFUSAL_OVERLAP;
	if (splice->slot.address && !splice->donor && !is_free(&splice->slot))
		return WEFT_REFUSAL_SLOT;
	return wk_text_kprobe(splice->address, splice->length) ? WEFT_REFUSAL_KPROBE
								      : WEFT_REFUSAL_NONE;
}

static int verify(struct transaction *t)
{
	struct wk_splice *splice;
	bool refused = false;

	list_for_each_entry(splice, &t->splices, plan) {
		splice->refusal = verify_splice(splice);
		refused |= splice->refusal != WEFT_REFUSAL_NONE;
		cond_resched();
	}
	if (!refused)
		return 0;
	report_refused(t);
	return -EAGAIN;
}

/*
 * Writes the springboards' slots in padding. A springboard may be written only after its slot is
 * written and all CPUs see the slot.
 */
static void occupy(struct transaction *t)
{
	struct wk_splice *splice;
	bool any = false;

	list_for_each_entry(splice, &t->splices, plan) {
		if (!is_new(splice) || !splice->slot.address || splice->donor)
			continue;
		wk_poke_occupy(splice);
		any = true;
		cond_resched();
	}
	if (any)
		wk_poke_finish();
}

static void switch_trampolines(struct transaction *t)
{
	struct wk_splice *splice, *next;

	list_for_each_entry_safe(splice, next, &t->splices, plan) {
		struct wk_trampoline *before = wk_splice_commit(splice);

		if (splice->donor)
			splice->donor->slot_target = splice->trampoline->address;
		if (!before && splice->state == WK_STATE_OPTIMIZING)
			wk_optimizing_add(t->optimizing, splice);
		if (before)
			list_add_tail(&before->retired, &t->replaced->trampolines);
		list_del_init(&splice->plan);
		cond_resched();
	}
	if (list_empty(&t->replaced->trampolines))
		kfree(t->replaced);
	else
		wk_retirement_start(t->replaced);
	wk_optimizing_start(t->optimizing, t->flags & WEFT_WEAVE_URGENT);
}

static int commit(struct transaction *t)
{
	const struct wk_splice *first = list_first_entry(&t->splices, struct wk_splice, plan);
	const struct wk_splice *last = list_last_entry(&t->splices, struct wk_splice, plan);
	int ret;

	publish(t);
	wk_write_begin(first->address, last->address + last->length, t->plan->nr);
	ret = verify(t);
	if (!ret) {
		occupy(t);
		wk_poke_arm(&t->splices);
	}
	wk_write_end();
	if (ret) {
		unpublish(t);
		return ret;
	}
	switch_trampolines(t);
	return 0;
}

/* Makes the memory for the exits of the plan's around-advice (struct wk_attachment.exit). */
static int make_exits(struct transaction *t)
{
	u32 n = 0;

	for (u32 i = 0; i < t->plan->nr; i++)
		n += wr_is_around(
			t->aspect->module->joinpoints[t->plan->splices[i].joinpoint].when);
	if (!n)
		return 0;
	t->array->exits = wk_exec_mem_create(n * WR_TRAMPOLINE_EXIT);
	if (!t->array->exits)
		return -ENOMEM;
	t->array->exits->trampolines = 1; /* the array's reference */
	return 0;
}

static bool notes_calls(const struct transaction *t)
{
	for (u32 i = 0; i < t->plan->nr; i++)
		if (t->aspect->module->joinpoints[t->plan->splices[i].joinpoint].returns)
			return true;
	return false;
}

int wk_weave(struct wk_aspect *aspect, struct wk_plan *plan, u8 *once, u32 flags)
{
	struct transaction t = { .aspect = aspect, .plan = plan, .once = once, .flags = flags };
	int ret = -ENOMEM;

	wk_assert_locked();
	INIT_LIST_HEAD(&t.splices);
	INIT_LIST_HEAD(&t.exec_mems);
	INIT_LIST_HEAD(&t.attachments);
	t.replaced = kzalloc(sizeof(*t.replaced), GFP_KERNEL);
	t.optimizing = wk_optimizing_create();
	t.array = wk_attachments_create(plan->nr);
	if (!t.replaced || !t.optimizing || !t.array)
		goto err_unbuild;
	t.array->module = plan->module;
	wk_retirement_init(t.replaced, NULL);
	if (notes_calls(&t))
		t.array->calls = wk_calls_create(&t.array->memory);
	if (notes_calls(&t) && !t.array->calls)
		goto err_unbuild;
	ret = make_exits(&t);
	if (!ret)
		ret = build_splices(&t);
	if (!ret)
		ret = build_donors(&t);
	if (!ret)
		ret = seal(&t);
	if (!ret)
		ret = commit(&t);
	if (ret)
		goto err_unbuild;
	put_exec_mems(&t);
	wk_calls_begin(&t.attachments);
	list_splice_tail(&t.attachments, &aspect->attachments);
	list_add_tail(&t.array->list, &aspect->arrays);
	aspect->nr_attachments += plan->nr;
	return 0;

err_unbuild:
	unbuild(&t);
	put_exec_mems(&t);
	return ret;
}
