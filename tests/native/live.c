// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arming and disarming under way; see live.h. In batches, each step for all of a batch before the
 * next:
 *
 *   arm:	springboards' slots in padding filled; traps known -> int3 over the first byte, sync
 *		wait until nobody can be in the middle of a window of several instructions, or of a
 *		donor
 *		jumps and calls, donors among them, with the slot in each: all behind the first
 *		bytes, sync -> first bytes, sync
 *		the same for springboards that have donors
 *   disarm:	int3 over the first byte, sync -> all behind the first bytes, sync -> first bytes,
 *		sync
 *		wait until nobody can be in a patch, or on the way to one from an int3 or in a slot
 *		the same for donors, and wait; slots in padding restored -> traps and patches
 *		forgotten
 *
 * What is one instruction in the place of one needs not wait when it is armed. A thread that meets
 * the int3 meanwhile is sent to the patch, which is there from before until after.
 */
#include <err.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live.h"

enum {
	INT3 = 0xcc,
	SHADOWS_OF_SLOT = WINDOW_BYTES,
	SHADOWS_OF_WINDOW = SHADOWS_OF_SLOT / 2,
	HALF = LIVE_SLOT / 2
};

/* ---- waiting --------------------------------------------------------------------------------- */

static void sync_cores(struct live *live)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0))
		err(2, "membarrier");
	live->syncs++;
}

static void grace_period(struct live *live)
{
	unsigned long before[LIVE_THREADS_MAX];

	live->grace_periods++;
	if (live->impatient)
		return;
	for (unsigned int i = 0; i < live->nr_threads; i++)
		before[i] = atomic_load(&live->passes[i]);
	for (unsigned int i = 0; i < live->nr_threads; i++)
		while (atomic_load(&live->passes[i]) == before[i])
			sched_yield();
}

/* ---- planning -------------------------------------------------------------------------------- */

static void mark(struct live *live, uint64_t address, unsigned int size, uint8_t taken)
{
	memset(live->taken + (address - live->lowest), taken, size);
}

static bool is_free(const struct live *live, uint64_t address, unsigned int size)
{
	return !memchr(live->taken + (address - live->lowest), 1, size);
}

static bool has_padding(const struct splice *splice)
{
	return splice->slot && !splice->in_donor;
}

static bool are_free(const struct live *live, const struct live_splice *splice)
{
	return is_free(live, splice->splice.address, splice->splice.length) &&
	       is_free(live, splice->donor.address, splice->donor.length) &&
	       (!has_padding(&splice->splice) ||
		is_free(live, splice->splice.slot, WEFT_JUMP_SIZE));
}

static void take(struct live *live, const struct live_splice *splice, uint8_t taken)
{
	mark(live, splice->splice.address, splice->splice.length, taken);
	if (splice->splice.in_donor)
		mark(live, splice->donor.address, splice->donor.length, taken);
	if (has_padding(&splice->splice))
		mark(live, splice->splice.slot, WEFT_JUMP_SIZE, taken);
}

static size_t index_of(const struct body *body, uint64_t address)
{
	size_t low = 0, high = body->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (body->insns[middle].insn.address < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == body->n || body->insns[low].insn.address != address)
		errx(2, "no instruction begins at %#lx", (unsigned long)address);
	return low;
}

/*
 * Its patch, with advice at @shadow (0: nowhere for sure) and perhaps at others. Returns how many
 * instructions it covers.
 */
static unsigned int emit(struct live *live, struct splice *splice, const struct body *body,
			 uint64_t shadow, uint8_t *at, size_t first_shadow)
{
	size_t first = index_of(body, splice->address);
	uint8_t advices[WINDOW_BYTES];
	unsigned int n = 0;

	for (unsigned int length = 0; length < splice->length; n++) {
		const struct instruction *insn = &body->insns[first + n];
		bool advised = insn->insn.address == shadow || loaded_random(live->loaded) % 2;

		advices[n] =
			advised ? COUNTER + loaded_random(live->loaded) % CLOBBER_FRAME : NO_SHADOW;
		length += insn->insn.length;
	}
	/* of what the window leads up to */
	advices[n] = COUNTER + loaded_random(live->loaded) % CLOBBER_FRAME;
	weave_emit(&live->weave, splice, body, first, n, advices, at, HALF, first_shadow);
	return n;
}

/*
 * A splice for a random instruction of *@body_ret. Few are springboards that need a donor: at times
 * it is tried until one is. NULL: refused.
 */
static const struct instruction *choose(struct live *live, struct live_splice *splice,
					const struct body **body_ret)
{
	enum { AT_TIMES = 8, TRIES = 64 };
	unsigned int tries = loaded_random(live->loaded) % AT_TIMES ? 1 : TRIES;
	const struct instruction *insn;
	bool spliced;

	*splice = (struct live_splice){ 0 };
	do {
		*body_ret = live->bodies[loaded_random(live->loaded) % live->nr_bodies];
		insn = &(*body_ret)->insns[loaded_random(live->loaded) % (*body_ret)->n];
		spliced = weave_choose(*body_ret, insn->insn.address, &splice->splice,
				       &splice->donor);
	} while (--tries && !splice->splice.in_donor);
	return spliced ? insn : NULL;
}

/* A random one. False: it cannot be. */
static bool plan(struct live *live, uint32_t slot)
{
	struct live_splice *splice = &live->slots[slot];
	const struct body *body;
	const struct instruction *insn = choose(live, splice, &body);
	uint8_t *area = live->weave.area + (size_t)slot * LIVE_SLOT;

	if (!insn)
		return false;
	/* A trap where a jump would do is a splice as well. */
	if (loaded_random(live->loaded) % 8 == 0 && !splice->splice.attaches_before) {
		splice->donor.length = 0;
		splice->splice = (struct splice){ .address = insn->insn.address,
						  .length = insn->insn.length,
						  .kind = WEFT_SPLICE_TRAP };
	}
	if (!are_free(live, splice))
		return false;
	splice->instructions =
		emit(live, &splice->splice, body, insn->insn.address, area, slot * SHADOWS_OF_SLOT);
	if (splice->splice.in_donor) {
		emit(live, &splice->donor, body, 0, area + HALF,
		     slot * SHADOWS_OF_SLOT + SHADOWS_OF_WINDOW);
		memcpy(splice->donor.bytes + WEFT_JUMP_SIZE, splice->splice.slot_bytes,
		       WEFT_JUMP_SIZE);
	}
	take(live, splice, 1);
	return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Text stays data that a processor may fetch at any time: each byte is stored as it is. */
static void write_bytes(uint64_t address, const uint8_t *bytes, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		*(volatile uint8_t *)(uintptr_t)(address + i) = bytes[i];
}

static void write_int3s(struct live *live)
{
	static const uint8_t int3 = INT3;

	for (uint32_t i = 0; i < live->nr_written; i++)
		write_bytes(live->written[i]->address, &int3, 1);
	sync_cores(live);
}

/* From int3s over them to the jumps and calls, or to the original bytes. */
static void write_from_int3s(struct live *live, bool spliced)
{
	for (uint32_t i = 0; i < live->nr_written; i++) {
		const struct splice *splice = live->written[i];

		write_bytes(splice->address + 1, (spliced ? splice->bytes : splice->old) + 1,
			    splice->length - 1);
	}
	sync_cores(live);
	for (uint32_t i = 0; i < live->nr_written; i++) {
		const struct splice *splice = live->written[i];

		write_bytes(splice->address, spliced ? splice->bytes : splice->old, 1);
	}
	sync_cores(live);
}

/* ---- which of a batch are written next ------------------------------------------------------- */

enum which { SPLICES, HOSTS, AT_ONCE, LATER, LAST };

/* A donor is in the way of nobody who is not in it; its springboard waits for the slot in it. */
static bool is_now(const struct live_splice *splice, enum which which)
{
	switch (which) {
	case AT_ONCE:
		return splice->instructions == 1 && !splice->splice.in_donor;
	case LATER:
		return splice->instructions > 1 && !splice->splice.in_donor;
	case LAST:
		return splice->splice.in_donor;
	default:
		return which == SPLICES;
	}
}

static void select_none(struct live *live)
{
	live->nr_written = 0;
}

static void also_select(struct live *live, const uint32_t *batch, uint32_t n, enum which which)
{
	for (uint32_t i = 0; i < n; i++) {
		struct live_splice *splice = &live->slots[batch[i]];

		if (is_now(splice, which))
			live->written[live->nr_written++] = &splice->splice;
		if (which == HOSTS && splice->splice.in_donor)
			live->written[live->nr_written++] = &splice->donor;
	}
}

static void set_traps(struct live *live, bool known)
{
	for (uint32_t i = 0; i < live->nr_written; i++)
		weave_set_trap(live->written[i], known);
}

/* ---- arming ---------------------------------------------------------------------------------- */

static void fill_slots(struct live *live, const uint32_t *batch, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (has_padding(&live->slots[batch[i]].splice))
			write_bytes(live->slots[batch[i]].splice.slot,
				    live->slots[batch[i]].splice.slot_bytes, WEFT_JUMP_SIZE);
}

static void write_batch(struct live *live, const uint32_t *batch, uint32_t n)
{
	fill_slots(live, batch, n);
	select_none(live);
	also_select(live, batch, n, SPLICES);
	also_select(live, batch, n, HOSTS);
	set_traps(live, true);
	write_int3s(live);
	select_none(live);
	also_select(live, batch, n, AT_ONCE);
	write_from_int3s(live, true);
	grace_period(live);
	select_none(live);
	also_select(live, batch, n, LATER);
	also_select(live, batch, n, HOSTS);
	write_from_int3s(live, true);
	select_none(live);
	also_select(live, batch, n, LAST);
	if (live->nr_written)
		write_from_int3s(live, true);
}

static void count(struct live *live, const struct live_splice *splice)
{
	live->armings[splice->splice.kind]++;
	live->displaceable += splice->splice.kind == WEFT_SPLICE_JUMP && splice->instructions > 1;
	live->donors += splice->splice.in_donor;
}

void live_arm(struct live *live)
{
	uint32_t *batch = live->armed + live->nr_armed, n = 0;

	for (uint32_t tries = 2 * LIVE_BATCH; tries-- && n < LIVE_BATCH && live->nr_free;)
		if (plan(live, live->free[live->nr_free - 1]))
			batch[n++] = live->free[--live->nr_free];
	write_batch(live, batch, n);
	for (uint32_t i = 0; i < n; i++)
		count(live, &live->slots[batch[i]]);
	live->nr_armed += n;
}

/* ---- disarming ------------------------------------------------------------------------------- */

static void restore_slots(struct live *live, const uint32_t *batch, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (has_padding(&live->slots[batch[i]].splice))
			write_bytes(live->slots[batch[i]].splice.slot,
				    live->slots[batch[i]].splice.slot_old, WEFT_JUMP_SIZE);
}

static void restore(struct live *live, const uint32_t *batch, uint32_t n)
{
	select_none(live);
	also_select(live, batch, n, SPLICES);
	write_int3s(live);
	write_from_int3s(live, false);
	grace_period(live);
	restore_slots(live, batch, n);
	select_none(live);
	also_select(live, batch, n, HOSTS);
	if (!live->nr_written)
		return;
	write_int3s(live);
	write_from_int3s(live, false);
	grace_period(live);
}

void live_disarm(struct live *live, uint32_t n)
{
	uint32_t *batch;

	n = n < live->nr_armed ? n : live->nr_armed;
	/* Random ones to the end of the list. */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = loaded_random(live->loaded) % (live->nr_armed - i),
			 to = live->nr_armed - 1 - i;
		uint32_t slot = live->armed[from];

		live->armed[from] = live->armed[to];
		live->armed[to] = slot;
	}
	live->nr_armed -= n;
	batch = live->armed + live->nr_armed;
	restore(live, batch, n);
	also_select(live, batch, n, SPLICES);
	set_traps(live, false);
	for (uint32_t i = 0; i < n; i++) {
		take(live, &live->slots[batch[i]], 0);
		live->free[live->nr_free++] = batch[i];
	}
	live->disarmings += n;
}

void live_init(struct live *live, struct loaded *loaded, const struct body **bodies,
	       size_t nr_bodies, unsigned int nr_threads)
{
	*live = (struct live){
		.loaded = loaded, .bodies = bodies, .nr_bodies = nr_bodies,
		.nr_threads = nr_threads, .lowest = UINT64_MAX
	};
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0))
		err(2, "membarrier");
	for (size_t i = 0; i < LIBRARIES; i++) {
		const struct library *library = &loaded->libraries[i];

		live->lowest = library->text < live->lowest ? library->text : live->lowest;
		live->highest = library->text + library->text_size > live->highest
					? library->text + library->text_size
					: live->highest;
	}
	weave_init(&live->weave, loaded->libraries[0].base, AREA);
	/* The first slot has the stubs. */
	live->slots = calloc(LIVE_ARMED_MAX, sizeof(*live->slots));
	live->free = calloc(LIVE_ARMED_MAX, sizeof(*live->free));
	live->armed = calloc(LIVE_ARMED_MAX + LIVE_BATCH, sizeof(*live->armed));
	live->written = calloc(2 * (LIVE_ARMED_MAX + LIVE_BATCH), sizeof(*live->written));
	live->taken = mmap(NULL, live->highest - live->lowest, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!live->slots || !live->free || !live->armed || !live->written ||
	    live->taken == MAP_FAILED)
		err(2, "splices that come and go");
	for (uint32_t i = 1; i < LIVE_ARMED_MAX; i++)
		live->free[live->nr_free++] = i;
}

void live_deinit(struct live *live)
{
	weave_deinit(&live->weave);
	munmap(live->taken, live->highest - live->lowest);
	free(live->slots);
	free(live->free);
	free(live->armed);
	free(live->written);
}
