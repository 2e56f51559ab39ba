// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The patch protocol.
 *
 * Weave:
 *   1. build	allocate every splice, use and patch; emit the patches into plain memory	may fail, undone
 *   2. seal	patch memory becomes read-only and executable; nothing leads to it yet		may fail, undone
 *   3. publish	new splices go into the table, so that a trap would find them			cannot fail
 *   4. verify	under the locks of who writes text (write.h), every byte once more against the plan				may fail, undone
 *   5. arm	the slots of bounces, then every splice into the text, those of other aspects over to their new patches	cannot fail
 *   6. switch	what traps and records know of it						cannot fail
 * The table comes before the int3 because a trap that nobody claims is a crash. Verification comes
 * after everything that may fail and inside those locks, so that no other text poker comes between
 * the look and the write. A jump over one instruction needs no grace period; one over several is a trap at first, and becomes a
 * jump later, in the background (optimize.c).
 *
 * Unweave, in reverse:
 *   1. under the same locks: the original bytes back where no other aspect uses the splice, else a jump over the aspect's own
 * 	block in the patch; no CPU is in a trap of an int3 that is gone
 *   2. splices leave the table, but those that somebody else's int3 keeps (stuck): their patches stay, without advice
 *   3. retirement (retire.c) frees the rest after the grace periods, and tries the stuck ones again
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "splice/exec-mem.h"
#include "aspect.h"
#include "splice/donor.h"
#include "text/insn.h"
#include "once.h"
#include "plan.h"
#include "splice/poke.h"
#include "splice/retire.h"
#include "splice/optimize.h"
#include "splice/splice.h"
#include "unexported.h"
#include "text/text.h"
#include "timing.h"
#include "weave.h"
#include "splice/write.h"

struct transaction {
	struct wk_aspect *aspect;
	struct wk_plan *plan;
	struct list_head splices; /* every splice of the plan once, new or shared: wk_splice.plan */
	struct list_head areas;   /* struct wk_area, the last one first */
	struct wk_window window;  /* of the splice that is built */
	struct wk_retirement *replaced; /* patches of shared splices that new ones replace */
	struct wk_settling *settling; /* its windows of several instructions */
	u8 *once; /* of advice that runs once: the joinpoints' states */
	bool hosts; /* some of its splices are, or have, hosts */
	bool urgent; /* somebody waits for its windows to settle */
};

enum { AREA_SIZE = 256 << 10 }; /* the most at a time: nobody knows before how long patches become */

/* ---- build ----------------------------------------------------------------------------------- */

/* A splice that this transaction brings is one whose first patch is not committed. */
static bool is_new(const struct wk_splice *splice)
{
	return !splice->patch;
}

static struct wk_splice *create_splice(const struct weft_splice *planned, bool careful)
{
	struct wk_splice *splice = kzalloc(sizeof(*splice), GFP_KERNEL);

	if (!splice)
		return NULL;
	splice->address = planned->address;
	splice->kind = planned->kind;
	splice->length = planned->length;
	memcpy(splice->old, planned->old, planned->length);
	splice->careful = careful;
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
 * The transaction's own new splice at @address, or NULL. They ascend, but for hosts, which stand beside their bounces; those are
 * less than HOST_SPAN away.
 */
static struct wk_splice *find_new(const struct transaction *t, unsigned long address)
{
	enum { HOST_SPAN = 512 };
	struct wk_splice *splice;

	list_for_each_entry_reverse(splice, &t->splices, plan) {
		if (splice->address == address && is_new(splice))
			return splice;
		if (splice->address + HOST_SPAN < address)
			break;
	}
	return NULL;
}

/* The splice that a bounce has its slot in: one that was planned for advice of its own, or a new one without any. */
static struct wk_splice *get_host(struct transaction *t, unsigned long address, const struct wk_found *found)
{
	struct weft_splice host = { .address = address, .kind = WEFT_SPLICE_JUMP, .length = found->host };
	struct wk_splice *splice = find_new(t, address);

	if (splice || wk_text_read(address, host.old, host.length, true))
		return splice;
	splice = create_splice(&host, found->careful);
	if (splice)
		list_add_tail(&splice->plan, &t->splices);
	return splice;
}

static bool give_slot(struct transaction *t, struct wk_splice *bounce, s16 distance, const struct wk_found *found)
{
	unsigned long slot = bounce->address + WEFT_SHORT_SIZE + distance;
	struct wk_splice *host;

	if (!found->host) {
		wk_slot_take(&bounce->slot, slot);
		return true;
	}
	host = get_host(t, slot - WEFT_JUMP_SIZE, found);
	if (!host)
		return false;
	wk_bounce_tie(bounce, host);
	t->hosts = true;
	return true;
}

static struct wk_splice *add_splice(struct transaction *t, const struct weft_splice *planned, const struct wk_found *found)
{
	struct wk_splice *splice = create_splice(planned, found->careful);

	if (splice && splice->kind == WEFT_SPLICE_BOUNCE && !give_slot(t, splice, planned->slot, found)) {
		kfree(splice);
		return NULL;
	}
	if (splice)
		list_add_tail(&splice->plan, &t->splices);
	return splice;
}

/*
 * The splice whose window holds the planned joinpoint: another aspect's, one of the transaction's own (the last one, or a host), or
 * a new one. One that is there already says of what kind it is.
 */
static struct wk_splice *get_splice(struct transaction *t, u32 index)
{
	const struct weft_splice *planned = &t->plan->splices[index];
	struct wk_splice *last = list_empty(&t->splices) ? NULL :
							   list_last_entry(&t->splices, struct wk_splice, plan);
	struct wk_splice *splice = wk_splice_serving(planned, shadow_of(t->aspect, planned));

	if (splice) {
		if (list_empty(&splice->plan))
			list_add_tail(&splice->plan, &t->splices);
		return splice;
	}
	if (last && last->address == planned->address && is_new(last))
		return last;
	if (t->hosts)
		splice = find_new(t, planned->address);
	return splice ? splice : add_splice(t, planned, &t->plan->found[index]);
}

/* The plan was checked: an instruction of the window begins at @address, or that is right behind it. */
static u8 insn_at(const struct wk_window *window, unsigned long address)
{
	u8 at = 0;

	while (at < window->nr && window->insns[at].address != address)
		at++;
	return at;
}

static void create_use(struct transaction *t, u32 index, struct wk_splice *splice)
{
	const struct weft_splice *planned = &t->plan->splices[index];
	const struct weft_joinpoint *joinpoint = &t->aspect->module->joinpoints[planned->joinpoint];
	const struct weft_advice *advice = &t->aspect->module->advices[joinpoint->advice];
	struct wk_use *use = &t->aspect->use_array[index];

	use->aspect = t->aspect;
	use->splice = splice;
	use->element = index;
	use->shadow.address = shadow_of(t->aspect, planned);
	use->at = insn_at(&t->window, use->shadow.address);
	use->shadow.joinpoint = joinpoint;
	if (use->at < t->window.nr)
		wk_insn_target(&t->window.insns[use->at], &use->shadow.target);
	use->entry = (unsigned long)advice->entry;
	use->count = advice->entry || !advice->count ? 0 : (unsigned long)*advice->count;
	use->needs = advice->needs;
	use->live = planned->live;
	use->when = joinpoint->when;
	use->closed = wk_timing_waits(t->aspect, joinpoint->advice);
	if (advice->once) {
		use->shadow.once = &t->once[planned->joinpoint];
		*use->shadow.once = WEFT_ONCE_WAITING;
	}
	list_add_tail(&use->in_splice, &splice->uses);
	list_add_tail(&use->in_aspect, &t->aspect->uses);
	t->aspect->nr_uses++;
}

/* The area that has room for @splice's patch: the last, or a new one for as much as the plan's @rest may need, or for some of it. */
static struct wk_area *get_area(struct transaction *t, const struct wk_splice *splice, u32 rest)
{
	struct wk_area *area = list_empty(&t->areas) ? NULL : list_first_entry(&t->areas, struct wk_area, list);
	u64 bound = wk_splice_patch_bound(splice), all = bound + (u64)rest * wr_patch_bound(WR_WINDOW_INSNS, 1);

	if (area && bound <= area->size && area->used <= area->size - bound)
		return area;
	area = wk_area_create(max_t(u64, bound, min_t(u64, all, AREA_SIZE)));
	if (!area)
		return NULL;
	area->patches++; /* until the transaction is over */
	list_add(&area->list, &t->areas);
	return area;
}

static void put_areas(struct transaction *t)
{
	struct wk_area *area, *next;

	list_for_each_entry_safe(area, next, &t->areas, list) {
		list_del(&area->list);
		wk_area_put(area);
	}
}

static int build_patch(struct transaction *t, struct wk_splice *splice, u32 rest)
{
	struct wk_area *area = get_area(t, splice, rest);

	return area ? wk_splice_emit(splice, &t->window, area) : -ENOMEM;
}

static void decode(struct transaction *t, struct wk_splice *splice)
{
	wk_splice_decode(splice, &t->window);
	splice->nr = t->window.nr;
	splice->trapping |= is_new(splice) && splice->nr > 1;
}

/* Elements of one splice stand one behind the other: its patch is made when the next one's come. */
static int build_splices(struct transaction *t)
{
	struct wk_splice *last = NULL;
	int ret = 0;

	for (u32 i = 0; i < t->plan->nr && !ret; i++) {
		struct wk_splice *splice = get_splice(t, i);

		if (!splice)
			return -ENOMEM;
		if (splice->stuck)
			return -EAGAIN;
		if (splice->next_patch)
			return -EINVAL;
		if (splice != last) {
			if (last)
				ret = build_patch(t, last, t->plan->nr - i);
			decode(t, splice);
			last = splice;
		}
		create_use(t, i, splice);
	}
	return ret ? ret : build_patch(t, last, 0);
}

/* Of hosts that have no advice. */
static int build_hosts(struct transaction *t)
{
	struct wk_splice *splice;
	int ret = 0;

	list_for_each_entry(splice, &t->splices, plan) {
		if (splice->next_patch)
			continue;
		decode(t, splice);
		ret = build_patch(t, splice, 0);
		if (ret)
			return ret;
	}
	return ret;
}

static int seal(struct transaction *t)
{
	struct wk_area *area;
	int ret = 0;

	list_for_each_entry(area, &t->areas, list)
		ret = ret ? ret : wk_area_seal(area);
	return ret;
}

static void drop_new_uses(struct wk_aspect *aspect)
{
	struct wk_use *use, *next;

	list_for_each_entry_safe(use, next, &aspect->uses, in_aspect) {
		list_del(&use->in_splice);
		list_del(&use->in_aspect);
	}
	kvfree(aspect->use_array);
	aspect->use_array = NULL;
	aspect->nr_uses = 0;
}

/*
 * Undoes what was built; nothing of it was ever reachable from the text.
 */
static void unbuild(struct transaction *t)
{
	struct wk_splice *splice, *next;

	drop_new_uses(t->aspect);
	list_for_each_entry_safe(splice, next, &t->splices, plan) {
		list_del_init(&splice->plan);
		wk_patch_destroy(splice->next_patch);
		splice->next_patch = NULL;
		if (!splice->patch)
			wk_splice_destroy(splice);
	}
	kvfree(t->once);
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
	/* A trap elsewhere may be walking the chain that the entry was in, also where RCU does not look. */
	wk_symbols.text_poke_sync();
	synchronize_rcu();
}

/* To the elements of the plan what was found of their splices. */
static void report_refused(struct transaction *t)
{
	const struct wk_use *use;

	list_for_each_entry(use, &t->aspect->uses, in_aspect) {
		const struct wk_splice *splice = use->splice, *host = splice->host;
		enum weft_refusal refusal = splice->refusal;

		if (!refusal && host && host->refusal)
			refusal = WEFT_REFUSAL_SLOT;
		t->plan->splices[use->element].refusal = refusal;
		t->plan->nr_refused += refusal != WEFT_REFUSAL_NONE;
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
	if (wk_slot_overlaps(splice->address, splice->length, NULL))
		return WEFT_REFUSAL_OVERLAP;
	if (splice->slot.address && !splice->host && !is_free(&splice->slot))
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

/* The bounces' slots in padding come first: nobody may be sent to one that is not filled, and seen to be. */
static void occupy(struct transaction *t)
{
	struct wk_splice *splice;
	bool any = false;

	list_for_each_entry(splice, &t->splices, plan) {
		if (!is_new(splice) || !splice->slot.address || splice->host)
			continue;
		wk_poke_occupy(splice);
		any = true;
		cond_resched();
	}
	if (any)
		wk_poke_finish();
}

static void switch_patches(struct transaction *t)
{
	struct wk_splice *splice, *next;

	list_for_each_entry_safe(splice, next, &t->splices, plan) {
		struct wk_patch *before = wk_splice_commit(splice);

		if (splice->host)
			splice->host->leads = splice->patch->address;
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
	wk_settling_start(t->settling, t->urgent);
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
	switch_patches(t);
	return 0;
}

int wk_weave(struct wk_aspect *aspect, struct wk_plan *plan, struct file *bound, bool urgent)
{
	struct transaction t = { .aspect = aspect, .plan = plan, .urgent = urgent };
	int ret = -ENOMEM;

	INIT_LIST_HEAD(&t.splices);
	INIT_LIST_HEAD(&t.areas);
	if (!try_module_get(aspect->module->module))
		return -ENOENT;
	t.replaced = kzalloc(sizeof(*t.replaced), GFP_KERNEL);
	t.settling = wk_settling_create();
	aspect->use_array = kvcalloc(plan->nr, sizeof(*aspect->use_array), GFP_KERNEL);
	if (!t.replaced || !t.settling || !aspect->use_array)
		goto err_unbuild;
	wk_retirement_init(t.replaced, NULL);
	ret = wk_once_prepare(aspect, &t.once);
	if (!ret)
		ret = build_splices(&t);
	if (!ret)
		ret = build_hosts(&t);
	if (!ret)
		ret = seal(&t);
	if (!ret)
		ret = commit(&t);
	if (ret)
		goto err_unbuild;
	put_areas(&t);
	aspect->bound = bound;
	aspect->owner = get_task_pid(current, PIDTYPE_TGID);
	aspect->state = WEFT_STATE_WOVEN;
	WRITE_ONCE(aspect->module->armed, true);
	wk_once_begin(aspect, t.once);
	return 0;

err_unbuild:
	unbuild(&t);
	put_areas(&t);
	module_put(aspect->module->module);
	return ret;
}

/* ---- unweave --------------------------------------------------------------------------------- */

/* Takes each use out of its splice. Where it was the last, the splice goes to @gone, for others its block is skipped. */
static void withdraw(struct list_head *uses, struct list_head *gone)
{
	struct wk_use *use;

	list_for_each_entry(use, uses, in_aspect) {
		list_del(&use->in_splice);
		if (wk_splice_is_idle(use->splice)) {
			wk_settle_forget(use->splice);
			list_add_tail(&use->splice->plan, gone);
		} else {
			wk_poke_skip(use);
		}
		cond_resched();
	}
}

/* A splice that stays in the text stays without advice. */
static void skip_stuck(const struct wk_aspect *aspect, struct list_head *uses)
{
	struct wk_use *use;

	list_for_each_entry(use, uses, in_aspect) {
		if (!use->splice->stuck)
			continue;
		pr_warn("%s: somebody's int3 is over the splice at %pS: it goes when that goes\n",
			aspect->name, (void *)use->splice->address);
		wk_poke_skip(use);
	}
	wk_poke_finish();
}

/* @uses ascend; there may be none left. */
static void begin_writing(const struct list_head *uses)
{
	const struct wk_splice *first, *last;
	unsigned int n = 0;
	struct wk_use *use;

	list_for_each_entry(use, uses, in_aspect)
		n++;
	if (!n) {
		wk_write_begin(0, 0, 0);
		return;
	}
	first = list_first_entry(uses, struct wk_use, in_aspect)->splice;
	last = list_last_entry(uses, struct wk_use, in_aspect)->splice;
	wk_write_begin(first->address, last->address + last->length, n);
}

/* Takes @uses, which are @aspect's, out of the text, and gives what nobody needs then to @retirement. Returns the splices that are out. */
static u32 take_out(const struct wk_aspect *aspect, struct list_head *uses, struct wk_retirement *retirement)
{
	struct wk_splice *splice;
	u32 restored;

	begin_writing(uses);
	withdraw(uses, &retirement->splices);
	restored = wk_poke_disarm(&retirement->splices, &retirement->stuck);
	skip_stuck(aspect, uses);
	wk_write_end();

	list_for_each_entry(splice, &retirement->splices, plan)
		wk_splice_remove(splice);
	return restored;
}

u32 wk_unweave(struct wk_aspect *aspect)
{
	struct wk_retirement *retirement = &aspect->retirement;
	u32 restored;

	WRITE_ONCE(aspect->module->armed, false);
	wk_retirement_init(retirement, aspect);
	restored = take_out(aspect, &aspect->uses, retirement);
	INIT_LIST_HEAD(&aspect->uses);
	retirement->uses = aspect->use_array;
	aspect->use_array = NULL;
	aspect->nr_uses = 0;
	aspect->bound = NULL;
	put_pid(aspect->owner);
	aspect->owner = NULL;
	aspect->state = WEFT_STATE_RETIRING;
	wk_retirement_start(retirement);
	return restored;
}

/*
 * The uses lie in the aspect's array until the aspect itself is unwoven: its retirement, which frees the array and lets the module go,
 * begins later than this one's, so who was in one of these patches now has left before. A splice that is stuck meanwhile leads into a
 * patch that jumps over them.
 */
void wk_unweave_hit(struct wk_aspect *aspect)
{
	struct wk_retirement *retirement = kzalloc(sizeof(*retirement), GFP_KERNEL);
	struct wk_use *use, *next;
	LIST_HEAD(hit);

	if (!retirement)
		return;
	wk_retirement_init(retirement, NULL);
	list_for_each_entry_safe(use, next, &aspect->uses, in_aspect) {
		u8 *once = use->shadow.once;

		if (!once || READ_ONCE(*once) != WEFT_ONCE_HIT)
			continue;
		WRITE_ONCE(*once, WEFT_ONCE_OUT);
		list_move_tail(&use->in_aspect, &hit);
		aspect->nr_uses--;
		cond_resched();
	}
	take_out(aspect, &hit, retirement);
	/* What is stuck may be so for longer than the aspect's module is there. */
	__module_get(THIS_MODULE);
	retirement->pins = true;
	wk_retirement_start(retirement);
}
