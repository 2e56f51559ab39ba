// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random aspects for weft.ko's code (declared in live.h). This file does what kmod/device.c and
 * kmod/plan-check.c do: it makes plans that the check would accept, and calls wk_weave() and
 * wk_unweave() with wk_mutex held.
 */
#include <err.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "kmod/aspect.h"
#include "kmod/balance.h"
#include "base/lock.h"
#include "base/unexported.h"
#include "kernel-shim/cpu.h"
#include "kernel-shim/int3-hook.h"
#include "kernel-shim/text.h"
#include "kmod/plan.h"
#include "kmod/weave.h"
#include "live-advice.h"
#include "splice/grace.h"
#include "splice/platform.h"
#include "splice/poke.h"
#include "splice/slot.h"
#include "splice/splice.h"
#include "splice/trap.h"
#include "splice/write.h"
#include "text/insn.h"
#include "text/text.h"
#include "trap.h"

/*
 * The advices of an aspect: the first only counts, the second is called, the third is called with a
 * frame. The three from LATER on are the same, but are started later, by live_switch().
 */
enum { COUNTS, CALLED, CALLED_FRAME, LATER, LIVE_ADVICES = 2 * LATER };

struct live_aspect {
	struct wk_aspect aspect; /* What weft.ko keeps of the aspect. */
	struct weft_aspect module; /* What the aspect's module would have. */
	struct wk_part part; /* The aspect's only part: all libraries are one part. */
	struct weft_advice advices[LIVE_ADVICES]; /* The advices, see the enum above. */
	struct weft_joinpoint joinpoints[LIVE_BATCH]; /* One for each shadow. */
	u64 __percpu *count; /* The per-CPU counter of advice that only counts. */
	enum { FREE, WOVEN, LEAVING } state; /* Read and written with wk_mutex held. */
};

/* One element of a plan, with what kmod/plan-check.c would find out about it. */
struct element {
	struct weft_splice splice; /* The element as it is in a plan. */
	struct wk_found found; /* What the check has found. */
	unsigned long shadow; /* The address of the shadow. */
	unsigned int live; /* The live registers, as WR_BIT()s. */
	bool shared; /* Set if the splice of an earlier weave gets the shadow as well. */
};

struct elements {
	struct element list[LIVE_BATCH];
	unsigned int n;
};

/* ---- functions that weft.ko's code calls and that this test replaces ------------------------- */

struct wr_platform wk_platform;

/* The test's state. weft.ko calls the functions below without a pointer to it. */
static struct live *of_live;

static const struct body *body_at(uint64_t address)
{
	size_t low = 0, high = of_live->nr_bodies;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (of_live->bodies[middle]->function->start <= address)
			low = middle;
		else
			high = middle;
	}
	return of_live->bodies[low];
}

/* Returns the first instruction of @body at or after @address, or else the last instruction. */
static const struct instruction *instruction_from(const struct body *body, uint64_t address)
{
	size_t low = 0, high = body->n - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (body->insns[middle].insn.address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return &body->insns[low];
}

static const struct instruction *instruction_at(uint64_t address)
{
	const struct instruction *insn = instruction_from(body_at(address), address);

	if (insn->insn.address != address)
		errx(2, "no instruction begins at %#lx", (unsigned long)address);
	return insn;
}

/*
 * Copies what the weaver has decoded. In a kernel, weft.ko decodes the instructions itself, with
 * the same runtime/x86-rules.h.
 */
void wk_displaced_decode(unsigned long address, const u8 *bytes, unsigned int size,
			 struct wk_displaced *ret)
{
	const struct instruction *insn = instruction_at(address);

	ret->nr = ret->length = 0;
	while (ret->length < size) {
		ret->insns[ret->nr++] = insn->insn;
		ret->length += insn++->insn.length;
	}
}

/* No advice in this test uses a call's target. */
void wk_insn_target(const struct wr_insn *insn, struct wr_target *ret)
{
	*ret = (struct wr_target){ .kind = WR_TARGET_NONE };
}

/* No code of a process is branched to by thunks. */
bool wk_insn_thunk(const struct wr_insn *insn, unsigned int reg, unsigned long *ret)
{
	*ret = 0;
	return true;
}

/* No aspect in this test is woven with --check. */
void wk_checked_advice(struct weft_frame *frame, const struct weft_shadow *shadow)
{
	errx(2, "advice is checked");
}

/* In this test live_switch() starts and stops advice, not a timer. */
bool wk_timing_waits(const struct wk_timing *timing, u32 advice)
{
	return advice >= LATER;
}

/* ---- functions that make random plans -------------------------------------------------------- */

/*
 * Chooses a random instruction: half of the time at or right before the address in live->focus,
 * else anywhere in a random function.
 */
static const struct instruction *choose_instruction(struct live *live, const struct body **body_ret)
{
	enum { NEAR = 4 };
	const struct body *body = body_at(live->focus);
	const struct instruction *insn;

	*body_ret = body;
	if (loaded_random(live->loaded) % 2 &&
	    live->focus - body->function->start < body->function->size) {
		insn = instruction_from(body, live->focus);
		return insn - min_t(size_t, insn - body->insns, loaded_random(live->loaded) % NEAR);
	}
	*body_ret = body = live->bodies[loaded_random(live->loaded) % live->nr_bodies];
	return &body->insns[loaded_random(live->loaded) % body->n];
}

/* Chooses an instruction and a splice for it. Returns false if the shadow is refused. */
static bool choose(struct live *live, struct element *ret)
{
	/*
	 * Springboards with a donor are rare, so one time in eight this tries up to TRIES times to
	 * find one.
	 */
	enum { AT_TIMES = 8, TRIES = 64, TRAPS = 32 };
	unsigned int tries = loaded_random(live->loaded) % AT_TIMES ? 1 : TRIES;
	const struct instruction *insn;
	struct splice splice, donor;
	const struct body *body;
	bool spliced;

	do {
		insn = choose_instruction(live, &body);
		spliced = weave_choose(body, insn->insn.address, &splice, &donor);
	} while (--tries && !splice.in_donor);
	if (!spliced)
		return false;
	/*
	 * One time in TRAPS this takes a trap though a cheaper splice is possible, so that traps
	 * are tested too.
	 */
	if (loaded_random(live->loaded) % TRAPS == 0 && !splice.attaches_before) {
		donor = (struct splice){ 0 };
		splice = (struct splice){ .address = insn->insn.address,
					  .length = insn->insn.length,
					  .kind = WEFT_SPLICE_TRAP };
	}
	*ret = (struct element){
		.shadow = insn->insn.address,
		.found = { .sanitize = body->sanitize, .donor = donor.length },
		.live = insn->live,
		.splice = { .address = splice.address,
			    .kind = splice.kind,
			    .length = splice.length },
	};
	if (splice.slot)
		ret->splice.slot = splice.slot - (splice.address + WEFT_SHORT_SIZE);
	return true;
}

/*
 * A range of text that an element changes: its displaced range, or its slot, which is in padding or
 * in a donor.
 */
struct range {
	unsigned long start;
	unsigned int size;
};

static struct range displaced_by(const struct element *element)
{
	return (struct range){ element->splice.address, element->splice.length };
}

static struct range slot_by(const struct element *element)
{
	unsigned long slot = element->splice.address + WEFT_SHORT_SIZE + element->splice.slot;

	if (!element->splice.slot)
		return (struct range){ 0 };
	return element->found.donor ? (struct range){ slot - WEFT_JUMP_SIZE, element->found.donor }
				    : (struct range){ slot, WEFT_JUMP_SIZE };
}

static bool overlap(struct range a, struct range b)
{
	return a.start < b.start + b.size && b.start < a.start + a.size;
}

/*
 * Returns whether @range has no splice, springboard slot or kprobe in it. Retiring splices count as
 * well.
 */
static bool is_unused(struct range range)
{
	return !range.size || (!wk_splice_overlaps(range.start, range.size) &&
			       !wk_slot_overlaps(range.start, range.size, NULL) &&
			       !wk_text_kprobe(range.start, range.size));
}

static bool is_same_splice(const struct element *a, const struct element *b)
{
	return a->splice.address == b->splice.address && a->splice.length == b->splice.length &&
	       a->splice.kind == b->splice.kind && a->splice.slot == b->splice.slot &&
	       a->shared == b->shared;
}

static bool agree(const struct element *a, const struct element *b)
{
	return is_same_splice(a, b) || (!overlap(displaced_by(a), displaced_by(b)) &&
					!overlap(displaced_by(a), slot_by(b)) &&
					!overlap(slot_by(a), displaced_by(b)) &&
					!overlap(slot_by(a), slot_by(b)));
}

/* Accepts or refuses an element, as check_splice() in kmod/plan-check.c does. */
static bool accept(struct element *element)
{
	const struct wk_splice *serving = wk_splice_for_shadow(&element->splice, element->shadow);

	if (!serving)
		return is_unused(displaced_by(element)) && is_unused(slot_by(element));
	if (!wk_poke_is_ours(serving) || wk_state_is_blocked(serving->state))
		return false;
	element->shared = true;
	element->found.donor = 0;
	element->splice.address = serving->address;
	element->splice.length = serving->length;
	element->splice.kind = serving->kind;
	element->splice.slot = 0;
	return true;
}

static bool agrees(const struct elements *elements, const struct element *element)
{
	for (unsigned int i = 0; i < elements->n; i++)
		if (!agree(&elements->list[i], element))
			return false;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct element *left = a, *right = b;

	if (left->splice.address != right->splice.address)
		return left->splice.address < right->splice.address ? -1 : 1;
	return (left->shadow > right->shadow) - (left->shadow < right->shadow);
}

/*
 * Makes a plan of random elements that can all be accepted, sorted by address. About half of the
 * elements are where threads stand still (shim_cpus_preempt()), so that the weave finds threads in
 * the middle of what it displaces. The caller holds wk_mutex.
 */
static void make_plan(struct live *live, struct elements *ret)
{
	unsigned int most = 1 + loaded_random(live->loaded) % LIVE_BATCH;

	ret->n = 0;
	shim_cpus_preempt();
	for (unsigned int tries = 2 * most; tries-- && ret->n < most;) {
		struct element *element = &ret->list[ret->n];

		live->focus = shim_cpu_ip(tries % LIVE_THREADS);
		if (choose(live, element) && accept(element) && agrees(ret, element))
			ret->n++;
	}
	qsort(ret->list, ret->n, sizeof(*ret->list), by_address);
}

/* ---- weaving and unweaving of random aspects ------------------------------------------------- */

static struct live_aspect *find(struct live *live, int state)
{
	size_t first = loaded_random(live->loaded) % LIVE_ASPECTS;

	for (size_t i = 0; i < LIVE_ASPECTS; i++) {
		struct live_aspect *aspect = &live->aspects[(first + i) % LIVE_ASPECTS];

		if (aspect->state == state)
			return aspect;
	}
	return NULL;
}

static void count(struct live *live, const struct elements *elements)
{
	for (unsigned int i = 0; i < elements->n; i++) {
		const struct element *element = &elements->list[i];
		const struct instruction *insn = instruction_at(element->splice.address);

		live->shared += element->shared;
		if (element->shared || (i && is_same_splice(element - 1, element)))
			continue;
		live->splices[element->splice.kind]++;
		live->displaced += element->splice.kind == WEFT_SPLICE_JUMP &&
				   insn->insn.length < element->splice.length;
		live->donors += element->found.donor != 0;
	}
}

static void describe(struct live *live, struct live_aspect *aspect, const struct elements *elements,
		     struct weft_splice *splices, struct wk_found *founds)
{
	for (unsigned int i = 0; i < elements->n; i++) {
		const struct element *element = &elements->list[i];

		splices[i] = element->splice;
		splices[i].joinpoint = i;
		wk_text_read(splices[i].address, splices[i].old, splices[i].length, true);
		founds[i] = element->found;
		aspect->joinpoints[i] = (struct weft_joinpoint){
			.text_offset = element->shadow - wk_unexported.text,
			.what = aspect - live->aspects,
			.live = element->live,
			.advice = loaded_random(live->loaded) % LIVE_ADVICES,
			.when = loaded_random(live->loaded) % 2 ? WEFT_BEFORE : WEFT_LEAVING,
		};
	}
}

void live_weave(struct live *live)
{
	static struct elements elements;
	static struct weft_splice splices[LIVE_BATCH];
	static struct wk_found founds[LIVE_BATCH];
	struct live_aspect *aspect;
	int ret;

	mutex_lock(&wk_mutex);
	aspect = find(live, FREE);
	if (aspect) {
		make_plan(live, &elements);
		if (elements.n) {
			struct wk_plan plan = { .splices = splices, .found = founds,
						.nr = elements.n };

			describe(live, aspect, &elements, splices, founds);
			ret = wk_weave(&aspect->aspect, &plan, NULL,
				       loaded_random(live->loaded) % 2);
			if (ret)
				errx(2, "weave: %d, %u refused", ret, plan.nr_refused);
			aspect->state = WOVEN;
			count(live, &elements);
		}
	}
	mutex_unlock(&wk_mutex);
	if (!aspect)
		sched_yield();
}

void live_switch(struct live *live)
{
	enum { SWITCHED = 8 };
	struct wk_attachment *attachment;
	struct live_aspect *aspect;

	mutex_lock(&wk_mutex);
	aspect = find(live, WOVEN);
	if (aspect) {
		wk_write_begin(0, 0, 0);
		list_for_each_entry(attachment, &aspect->aspect.attachments, in_aspect) {
			if (loaded_random(live->loaded) % SWITCHED)
				continue;
			if (attachment->closed)
				wk_poke_open(attachment);
			else
				wk_poke_close(attachment);
			live->switched++;
		}
		wk_poke_finish();
		wk_write_end();
	}
	mutex_unlock(&wk_mutex);
}

/*
 * weft.ko calls this at the end of an aspect's retirement, with wk_mutex held. No thread can be in
 * the aspect's advice any more, so what the advice has used is freed.
 */
static void ended(struct wk_retirement *retirement)
{
	struct wk_aspect *aspect = container_of(retirement, struct wk_aspect, retirement);
	struct live_aspect *live_aspect = container_of(aspect, struct live_aspect, aspect);

	memset(live_aspect->joinpoints, 0xff, sizeof(live_aspect->joinpoints));
	live_aspect->state = FREE;
}

static bool unweave(struct live *live)
{
	struct live_aspect *aspect;

	mutex_lock(&wk_mutex);
	aspect = find(live, WOVEN);
	if (aspect) {
		aspect->state = LEAVING;
		live->unwoven += wk_unweave(&aspect->aspect, ended);
	}
	mutex_unlock(&wk_mutex);
	return aspect;
}

void live_unweave(struct live *live)
{
	unweave(live);
}

/* ---- a kprobe stands for another owner of text ----------------------------------------------- */

static struct kprobe probe;

static void remove_probe(void)
{
	if (!probe.addr)
		return;
	unregister_kprobe(&probe);
	probe.addr = NULL;
}

void live_probe(struct live *live)
{
	struct live_aspect *aspect;

	if (probe.addr) {
		remove_probe();
		return;
	}
	mutex_lock(&wk_mutex);
	aspect = find(live, WOVEN);
	if (aspect) {
		const struct wk_attachment *attachment = list_first_entry(
			&aspect->aspect.attachments, struct wk_attachment, in_aspect);

		probe.addr = (void *)attachment->splice->address;
		register_kprobe(&probe);
		live->probed++;
	}
	mutex_unlock(&wk_mutex);
}

/* ---- setup and teardown of the test ---------------------------------------------------------- */

static bool is_all_gone(struct live *live)
{
	bool gone = true;

	mutex_lock(&wk_mutex);
	for (size_t i = 0; i < LIVE_ASPECTS; i++)
		gone &= live->aspects[i].state == FREE;
	mutex_unlock(&wk_mutex);
	return gone;
}

void live_unweave_all(struct live *live)
{
	remove_probe();
	while (unweave(live))
		;
	while (!is_all_gone(live))
		sched_yield();
	wk_grace_deinit();
}

static void create_aspect(struct live *live, size_t index)
{
	struct live_aspect *aspect = &live->aspects[index];
	u32 registers = loaded_random(live->loaded) & (WR_BIT(WR_FLAGS + 1) - 1);

	aspect->count = (u64 *)(offsetof(struct cpu, counts) +
				(LIVE_COUNTED + index) * sizeof(struct counts));
	for (unsigned int i = 0; i < LIVE_ADVICES; i += LATER) {
		aspect->advices[i + COUNTS].count = &aspect->count;
		aspect->advices[i + CALLED].entry =
			(weft_entry)weave_stub(&live->weave, live_advice);
		aspect->advices[i + CALLED_FRAME].entry =
			(weft_entry)weave_stub(&live->weave, live_advice_frame);
		aspect->advices[i + CALLED_FRAME].needs = registers | WR_BIT(WR_RSP);
	}
	/*
	 * A trampoline counts in a struct weft_stats, whose members are the first members of struct
	 * counts.
	 */
	aspect->module = (struct weft_aspect){
		.joinpoints = aspect->joinpoints,
		.advices = aspect->advices,
		.stats = (struct weft_stats *)(offsetof(struct cpu, counts) +
					       (LIVE_CALLED + index) * sizeof(struct counts)),
	};
	aspect->aspect.module = &aspect->module;
	aspect->part.base = wk_unexported.text;
	aspect->aspect.parts = &aspect->part;
	INIT_LIST_HEAD(&aspect->aspect.arrays);
	strcpy(aspect->aspect.name, "live");
	INIT_LIST_HEAD(&aspect->aspect.attachments);
}

static int by_start(const void *a, const void *b)
{
	const struct body *const *left = a, *const *right = b;
	uint64_t start = (*left)->function->start, other = (*right)->function->start;

	return (start > other) - (start < other);
}

static void find_text(struct live *live)
{
	struct wk_unexported *kernel = &wk_unexported;

	kernel->text = live->loaded->libraries[0].text;
	kernel->etext = 0;
	for (size_t i = 0; i < LIBRARIES; i++) {
		const struct library *library = &live->loaded->libraries[i];

		kernel->text = min(kernel->text, library->text);
		kernel->etext = max(kernel->etext, library->text + library->text_size);
		shim_text_add(library->text, library->text_size);
	}
	kernel->stext = kernel->text;
}

void live_init(struct live *live, struct loaded *loaded, const struct body **bodies,
	       size_t nr_bodies)
{
	enum { STUBS = 1 << 14 };

	*live = (struct live){ .loaded = loaded, .bodies = bodies, .nr_bodies = nr_bodies };
	of_live = live;
	qsort(bodies, nr_bodies, sizeof(*bodies), by_start);
	weave_init(&live->weave, loaded->libraries[0].base, STUBS);
	wk_platform = live->weave.platform;
	live->area = weave_reserve(loaded->libraries[0].base, AREA, PROT_NONE);
	shim_exec_init(live->area, AREA);
	find_text(live);
	wk_text_init(&wk_splice_overlay);
	live->aspects = calloc(LIVE_ASPECTS, sizeof(*live->aspects));
	if (!live->aspects || wk_grace_init() || wk_trap_init())
		err(2, "aspects that come and go");
	for (size_t i = 0; i < LIVE_ASPECTS; i++)
		create_aspect(live, i);
	trap_on_int3(shim_int3);
}

void live_deinit(struct live *live)
{
	trap_on_int3(NULL);
	wk_trap_deinit();
	shim_text_deinit();
	shim_exec_deinit();
	munmap(live->area, AREA);
	weave_deinit(&live->weave);
	free(live->aspects);
}

/* ---- check and sum of all counts ------------------------------------------------------------- */

uint64_t live_wrong_counts(const struct cpu *cpu)
{
	uint64_t wrong = cpu->counts[LIVE_WRONG].ran;

	for (size_t i = 0; i < LIVE_ASPECTS; i++)
		wrong += (cpu->counts[LIVE_CALLED + i].hits != cpu->counts[LIVE_CALLED + i].ran) +
			 cpu->counts[LIVE_CALLED + i].missed;
	return wrong;
}

uint64_t live_hits(const struct cpu *cpu)
{
	uint64_t hits = 0;

	for (size_t i = 0; i < LIVE_ASPECTS; i++)
		hits += cpu->counts[LIVE_CALLED + i].hits + cpu->counts[LIVE_COUNTED + i].hits;
	return hits;
}
