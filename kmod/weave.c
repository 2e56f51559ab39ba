// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The patch protocol.
 *
 * Weave:
 *   1. build	allocate every splice, use and patch; emit the patches into plain memory	may fail, undone
 *   2. seal	patch memory becomes read-only and executable; nothing leads to it yet		may fail, undone
 *   3. publish	new splices go into the table, so that a trap would find them			cannot fail
 *   4. verify	under text_mutex, every byte once more against the plan				may fail, undone
 *   5. arm	the slots of bounces, then every splice into the text, those of other aspects over to their new patches	cannot fail
 *   6. fill	what is left of windows behind their jumps					cannot fail
 *   7. switch	what traps and records know of it						cannot fail
 * The table comes before the int3 because a trap that nobody claims is a crash. Verification comes
 * after everything that may fail and inside text_mutex, so that no other text poker comes between
 * the look and the write. A jump over one instruction needs no grace period; one over several is a trap at first, and becomes a
 * jump later, in the background (settle.c).
 *
 * Unweave, in reverse:
 *   1. under text_mutex: the original bytes back where no other aspect uses the splice, else a jump over the aspect's own
 * 	block in the patch; then one sync: no CPU is in a trap of an int3 that is gone
 *   2. splices leave the table, but those that somebody else's int3 keeps (stuck): their patches stay, without advice
 *   3. retirement (retire.c) frees the rest after the grace periods, and tries the stuck ones again
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "area.h"
#include "aspect.h"
#include "insn.h"
#include "plan.h"
#include "poke.h"
#include "retire.h"
#include "settle.h"
#include "splice.h"
#include "symbols.h"
#include "text.h"
#include "weave.h"

struct transaction {
	struct wk_aspect *aspect;
	struct wk_plan *plan;
	struct list_head splices; /* every splice of the plan once, new or shared: wk_splice.plan */
	struct wk_area *area;
	struct wk_retirement *replaced; /* patches of shared splices that new ones replace */
	struct wk_settling *settling; /* its windows of several instructions */
};

/* ---- build ----------------------------------------------------------------------------------- */

/* A splice that this transaction brings is one whose first patch is not committed. */
static bool is_new(const struct wk_splice *splice)
{
	return !splice->patch;
}

/* From the plan's bytes, which were compared with the text. */
static void decode_window(const struct weft_splice *planned, struct wk_window *window)
{
	while (window->length < planned->length && window->nr < WR_WINDOW_INSNS) {
		struct wr_insn *insn = &window->insns[window->nr++];

		wk_insn_decode(planned->address + window->length, planned->old + window->length,
			       planned->length - window->length, insn);
		wk_insn_widen(insn, planned->old + window->length + insn->length,
			      planned->length - window->length - insn->length);
		window->length += insn->length;
	}
}

static struct wk_splice *create_splice(const struct weft_splice *planned, bool careful)
{
	struct wk_splice *splice = kzalloc(sizeof(*splice), GFP_KERNEL);

	if (!splice)
		return NULL;
	splice->address = planned->address;
	splice->kind = planned->kind;
	splice->careful = careful;
	decode_window(planned, &splice->window);
	splice->trapping = splice->window.nr > 1;
	if (splice->kind == WEFT_SPLICE_BOUNCE)
		wk_slot_take(&splice->slot, splice->address + WEFT_SHORT_SIZE + planned->slot);
	INIT_LIST_HEAD(&splice->settle);
	INIT_LIST_HEAD(&splice->uses);
	INIT_LIST_HEAD(&splice->plan);
	return splice;
}

static unsigned long shadow_of(const struct wk_aspect *aspect, const struct weft_splice *planned)
{
	return wk_symbols.text + aspect->module->joinpoints[planned->joinpoint].text_offset;
}

/*
 * The splice whose window holds the planned joinpoint: another aspect's, the transaction's own last one, or a new one. One that
 * is there already says of what kind it is.
 */
static struct wk_splice *get_splice(struct transaction *t, u32 index)
{
	const struct weft_splice *planned = &t->plan->splices[index];
	struct wk_splice *last = list_empty(&t->splices) ? NULL :
							   list_last_entry(&t->splices, struct wk_splice, plan);
	struct wk_splice *splice = wk_splice_covering(shadow_of(t->aspect, planned));

	if (!splice && last && last->address == planned->address && is_new(last))
		return last;
	if (!splice)
		splice = create_splice(planned, t->plan->careful[index]);
	if (splice && splice != last)
		list_add_tail(&splice->plan, &t->splices);
	return splice;
}

/* The plan was checked: an instruction of the window begins at @address. */
static u8 insn_at(const struct wk_window *window, unsigned long address)
{
	u8 at = 0;

	while (at + 1 < window->nr && window->insns[at].address != address)
		at++;
	return at;
}

static struct wk_use *create_use(struct wk_aspect *aspect, const struct wk_plan *plan, u32 index, struct wk_splice *splice)
{
	const struct weft_splice *planned = &plan->splices[index];
	const struct weft_joinpoint *joinpoint = &aspect->module->joinpoints[planned->joinpoint];
	const struct weft_advice *advice = &aspect->module->advices[joinpoint->advice];
	struct wk_use *use = kzalloc(sizeof(*use), GFP_KERNEL);

	if (!use)
		return NULL;
	use->aspect = aspect;
	use->splice = splice;
	use->element = index;
	use->shadow.address = shadow_of(aspect, planned);
	use->at = insn_at(&splice->window, use->shadow.address);
	use->shadow.joinpoint = joinpoint;
	wk_insn_target(&splice->window.insns[use->at], &use->shadow.target);
	use->entry = (unsigned long)advice->entry;
	use->count = advice->entry ? 0 : (unsigned long)advice->count;
	use->needs = advice->needs;
	use->live = planned->live;
	use->when = joinpoint->when;
	list_add_tail(&use->in_splice, &splice->uses);
	list_add_tail(&use->in_aspect, &aspect->uses);
	aspect->nr_uses++;
	return use;
}

static int build_splices(struct transaction *t)
{
	for (u32 i = 0; i < t->plan->nr; i++) {
		struct wk_splice *splice = get_splice(t, i);

		if (!splice || !create_use(t->aspect, t->plan, i, splice))
			return -ENOMEM;
	}
	return 0;
}

static int build_patches(struct transaction *t)
{
	struct wk_splice *splice;
	u64 size = 0;

	list_for_each_entry(splice, &t->splices, plan)
		size += wk_splice_patch_bound(splice);
	if (size > INT_MAX)
		return -E2BIG;
	t->area = wk_area_create(size);
	if (!t->area)
		return -ENOMEM;
	list_for_each_entry(splice, &t->splices, plan) {
		int ret = wk_splice_emit(splice, t->area);

		if (ret)
			return ret;
	}
	return wk_area_seal(t->area);
}

static void drop_new_uses(struct wk_aspect *aspect)
{
	struct wk_use *use, *next;

	list_for_each_entry_safe(use, next, &aspect->uses, in_aspect) {
		list_del(&use->in_splice);
		list_del(&use->in_aspect);
		kfree(use);
	}
	aspect->nr_uses = 0;
}

/*
 * Undoes what was built; nothing of it was ever reachable from the text. The area goes with its
 * last patch, or, where none was emitted, by itself.
 */
static void unbuild(struct transaction *t)
{
	struct wk_area *area = t->area && !t->area->patches ? t->area : NULL;
	struct wk_splice *splice, *next;

	drop_new_uses(t->aspect);
	list_for_each_entry_safe(splice, next, &t->splices, plan) {
		list_del_init(&splice->plan);
		wk_patch_destroy(splice->next_patch);
		splice->next_patch = NULL;
		if (!splice->patch)
			wk_splice_destroy(splice);
	}
	wk_area_destroy(area);
	kfree(t->replaced);
	kfree(t->settling);
}

/* ---- publish, verify, arm, switch ------------------------------------------------------------ */

static void publish(struct transaction *t)
{
	struct wk_splice *splice;

	list_for_each_entry(splice, &t->splices, plan) {
		if (!is_new(splice))
			continue;
		splice->target = splice->next_patch->address;
		wk_splice_insert(splice);
	}
}

static void unpublish(struct transaction *t)
{
	struct wk_splice *splice;

	list_for_each_entry(splice, &t->splices, plan)
		if (is_new(splice))
			wk_splice_remove(splice);
	/* A trap elsewhere may be walking the chain that the entry was in. */
	synchronize_rcu();
}

/* To the elements of the plan what was found of their splices. */
static void report_refused(struct transaction *t)
{
	const struct wk_use *use;

	list_for_each_entry(use, &t->aspect->uses, in_aspect) {
		if (!use->splice->refusal)
			continue;
		t->plan->splices[use->element].refusal = use->splice->refusal;
		t->plan->nr_refused++;
	}
}

/* All splices of the transaction are in the table. */
static bool is_free(const struct wk_slot *slot)
{
	return !wk_slot_overlaps(slot->address, WEFT_JUMP_SIZE, slot) &&
	       !wk_splice_overlaps(slot->address, WEFT_JUMP_SIZE) && !wk_text_kprobe(slot->address, WEFT_JUMP_SIZE);
}

/*
 * Bytes are not all: a kprobe that is registered but not armed has changed none yet. A splice that is there already has to be
 * as it was left.
 */
static enum weft_refusal verify_splice(const struct wk_splice *splice)
{
	if (!is_new(splice))
		return splice->stuck || !wk_poke_is_ours(splice) ? WEFT_REFUSAL_KPROBE : WEFT_REFUSAL_NONE;
	if (!wk_poke_is_original(splice))
		return WEFT_REFUSAL_CHANGED;
	if (wk_slot_overlaps(splice->address, splice->window.length, NULL))
		return WEFT_REFUSAL_OVERLAP;
	if (splice->slot.address && !is_free(&splice->slot))
		return WEFT_REFUSAL_SLOT;
	return wk_text_kprobe(splice->address, splice->window.length) ? WEFT_REFUSAL_KPROBE
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

/* The bounces' slots come first: nobody may be sent to one that is not filled, and seen to be. */
static void occupy(struct transaction *t)
{
	struct wk_splice *splice;
	bool any = false;

	list_for_each_entry(splice, &t->splices, plan) {
		if (!is_new(splice) || !splice->slot.address)
			continue;
		wk_poke_occupy(splice);
		any = true;
		cond_resched();
	}
	if (any)
		wk_poke_finish();
}

static void arm(struct transaction *t)
{
	struct wk_splice *splice;

	list_for_each_entry(splice, &t->splices, plan) {
		if (is_new(splice))
			wk_poke_arm(splice);
		else
			wk_poke_switch(splice);
		cond_resched();
	}
	wk_poke_finish();
}

static void fill(struct transaction *t)
{
	struct wk_splice *splice;

	list_for_each_entry(splice, &t->splices, plan)
		if (is_new(splice))
			wk_poke_fill(splice);
	wk_poke_finish();
}

static void switch_patches(struct transaction *t)
{
	struct wk_splice *splice, *next;

	list_for_each_entry_safe(splice, next, &t->splices, plan) {
		struct wk_patch *before = wk_splice_commit(splice);

		if (!before && splice->trapping)
			wk_settling_add(t->settling, splice);
		if (before)
			list_add_tail(&before->retired, &t->replaced->patches);
		list_del_init(&splice->plan);
	}
	if (list_empty(&t->replaced->patches))
		kfree(t->replaced);
	else
		wk_retirement_start(t->replaced);
	wk_settling_start(t->settling);
}

static int commit(struct transaction *t)
{
	int ret;

	publish(t);
	/*
	 * A kprobe that copies our bytes now would arm over them later: none registers meanwhile.
	 */
	mutex_lock(wk_symbols.kprobe_mutex);
	mutex_lock(wk_symbols.text_mutex);
	ret = verify(t);
	if (!ret) {
		occupy(t);
		arm(t);
		fill(t);
	}
	mutex_unlock(wk_symbols.text_mutex);
	mutex_unlock(wk_symbols.kprobe_mutex);
	if (ret) {
		unpublish(t);
		return ret;
	}
	switch_patches(t);
	return 0;
}

int wk_weave(struct wk_aspect *aspect, struct wk_plan *plan, struct file *bound)
{
	struct transaction t = { .aspect = aspect, .plan = plan };
	int ret = -ENOMEM;

	INIT_LIST_HEAD(&t.splices);
	if (!try_module_get(aspect->module->module))
		return -ENOENT;
	t.replaced = kzalloc(sizeof(*t.replaced), GFP_KERNEL);
	t.settling = wk_settling_create();
	if (!t.replaced || !t.settling)
		goto err_unbuild;
	wk_retirement_init(t.replaced, NULL);
	ret = build_splices(&t);
	if (!ret)
		ret = build_patches(&t);
	if (!ret)
		ret = commit(&t);
	if (ret)
		goto err_unbuild;
	aspect->bound = bound;
	aspect->owner = get_task_pid(current, PIDTYPE_TGID);
	aspect->state = WEFT_STATE_WOVEN;
	return 0;

err_unbuild:
	unbuild(&t);
	module_put(aspect->module->module);
	return ret;
}

/* ---- unweave --------------------------------------------------------------------------------- */

/* Takes each use out of its splice. Where it was the last, the splice goes to @gone, for others its block is skipped. */
static void withdraw(struct wk_aspect *aspect, struct list_head *gone)
{
	struct wk_use *use;

	list_for_each_entry(use, &aspect->uses, in_aspect) {
		list_del(&use->in_splice);
		if (list_empty(&use->splice->uses)) {
			wk_settle_forget(use->splice);
			list_add_tail(&use->splice->plan, gone);
		} else {
			wk_poke_skip(use);
		}
		cond_resched();
	}
}

/* A splice that stays in the text stays without advice. */
static void skip_stuck(struct wk_aspect *aspect)
{
	struct wk_use *use;

	list_for_each_entry(use, &aspect->uses, in_aspect) {
		if (!use->splice->stuck)
			continue;
		pr_warn("%s: somebody's int3 is over the splice at %pS: it goes when that goes\n",
			aspect->name, (void *)use->splice->address);
		wk_poke_skip(use);
	}
}

u32 wk_unweave(struct wk_aspect *aspect)
{
	struct wk_retirement *retirement = &aspect->retirement;
	struct wk_splice *splice;
	u32 restored;

	wk_retirement_init(retirement, aspect);
	/* A kprobe that is being registered may have copied our jump: none is while we look. */
	mutex_lock(wk_symbols.kprobe_mutex);
	mutex_lock(wk_symbols.text_mutex);
	withdraw(aspect, &retirement->splices);
	restored = wk_poke_disarm(&retirement->splices, &retirement->stuck);
	skip_stuck(aspect);
	mutex_unlock(wk_symbols.text_mutex);
	mutex_unlock(wk_symbols.kprobe_mutex);

	list_for_each_entry(splice, &retirement->splices, plan)
		wk_splice_remove(splice);
	list_splice_init(&aspect->uses, &retirement->uses);
	aspect->nr_uses = 0;
	aspect->bound = NULL;
	put_pid(aspect->owner);
	aspect->owner = NULL;
	aspect->state = WEFT_STATE_RETIRING;
	wk_retirement_start(retirement);
	return restored;
}
