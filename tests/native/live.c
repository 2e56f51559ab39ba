// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arming and disarming under way; see live.h. In batches, each step for all of a batch before the next:
 *
 *   arm:	trap known -> int3 over the first byte, sync
 *		windows of several instructions: wait until nobody can be in the middle of one
 *		jumps and calls: tails, sync -> first bytes, sync -> int3s behind them
 *   disarm:	what is behind the jumps, sync -> int3 over the first byte, sync -> tails, sync -> first bytes, sync
 *		wait until nobody can be in a patch, or on the way to one from an int3 -> trap and patch forgotten
 *
 * A thread that meets the int3 meanwhile is sent to the patch, which is there from before until after.
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

enum { INT3 = 0xcc, SHADOWS_OF_SLOT = WINDOW_BYTES };

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

static bool is_taken(const struct live *live, const struct splice *splice)
{
	return memchr(live->taken + (splice->address - live->lowest), 1, splice->length);
}

static void take(struct live *live, const struct splice *splice, uint8_t taken)
{
	memset(live->taken + (splice->address - live->lowest), taken, splice->length);
}

/* A splice over a random instruction, with a shadow there and perhaps at others in its window. False: it cannot be. */
static bool plan(struct live *live, uint32_t slot)
{
	struct live_splice *splice = &live->slots[slot];
	const struct body *body = live->bodies[loaded_random(live->loaded) % live->nr_bodies];
	size_t first = loaded_random(live->loaded) % body->n;
	uint8_t advices[WINDOW_BYTES];

	if (body->insns[first].refusal)
		return false;
	*splice = (struct live_splice){ 0 };
	splice->instructions = weave_choose(&body->insns[first], &splice->splice);
	/* A trap where a jump would do is a splice as well. */
	if (loaded_random(live->loaded) % 8 == 0) {
		splice->splice.kind = WEFT_SPLICE_TRAP;
		splice->splice.length = body->insns[first].insn.length;
		splice->instructions = 1;
	}
	if (is_taken(live, &splice->splice))
		return false;
	for (unsigned int i = 0; i < splice->instructions; i++)
		advices[i] = i && loaded_random(live->loaded) % 2 ? NO_SHADOW : COUNTER + loaded_random(live->loaded) % CLOBBER_FRAME;
	weave_emit(&live->weave, &splice->splice, body, first, splice->instructions, advices,
		   live->weave.area + (size_t)slot * LIVE_SLOT, LIVE_SLOT, slot * SHADOWS_OF_SLOT);
	take(live, &splice->splice, 1);
	return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_byte(uint64_t address, uint8_t byte)
{
	*(volatile uint8_t *)(uintptr_t)address = byte;
}

static void write_tail(const struct splice *splice, const uint8_t *bytes)
{
	for (unsigned int i = 1; i < WEFT_JUMP_SIZE; i++)
		write_byte(splice->address + i, bytes[i]);
}

static void write_rest(const struct splice *splice, const uint8_t *bytes)
{
	for (unsigned int i = WEFT_JUMP_SIZE; i < splice->length; i++)
		write_byte(splice->address + i, bytes[i]);
}

static bool is_trap(const struct splice *splice)
{
	return splice->kind == WEFT_SPLICE_TRAP;
}

/* From the int3 over it to the jump or call. @several: those of several instructions, or the others. */
static void settle(struct live *live, const uint32_t *batch, uint32_t n, bool several)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct live_splice *splice = &live->slots[batch[i]];

		if (!is_trap(&splice->splice) && (splice->instructions > 1) == several)
			write_tail(&splice->splice, splice->splice.bytes);
	}
	sync_cores(live);
	for (uint32_t i = 0; i < n; i++) {
		const struct live_splice *splice = &live->slots[batch[i]];

		if (!is_trap(&splice->splice) && (splice->instructions > 1) == several)
			write_byte(splice->splice.address, splice->splice.bytes[0]);
	}
	sync_cores(live);
	for (uint32_t i = 0; i < n; i++) {
		const struct live_splice *splice = &live->slots[batch[i]];

		if (!is_trap(&splice->splice) && (splice->instructions > 1) == several)
			write_rest(&splice->splice, splice->splice.bytes);
	}
}

static void count(struct live *live, const struct live_splice *splice)
{
	live->armings[splice->splice.kind]++;
	live->windows += splice->instructions > 1;
}

void live_arm(struct live *live)
{
	uint32_t *batch = live->armed + live->nr_armed, n = 0;

	for (uint32_t tries = 2 * LIVE_BATCH; tries-- && n < LIVE_BATCH && live->nr_free;)
		if (plan(live, live->free[live->nr_free - 1]))
			batch[n++] = live->free[--live->nr_free];
	for (uint32_t i = 0; i < n; i++)
		weave_set_trap(&live->slots[batch[i]].splice, true);
	for (uint32_t i = 0; i < n; i++)
		write_byte(live->slots[batch[i]].splice.address, INT3);
	sync_cores(live);
	settle(live, batch, n, false);
	grace_period(live);
	settle(live, batch, n, true);
	for (uint32_t i = 0; i < n; i++)
		count(live, &live->slots[batch[i]]);
	live->nr_armed += n;
}

static void restore(struct live *live, const uint32_t *batch, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!is_trap(&live->slots[batch[i]].splice))
			write_rest(&live->slots[batch[i]].splice, live->slots[batch[i]].splice.old);
	sync_cores(live);
	for (uint32_t i = 0; i < n; i++)
		write_byte(live->slots[batch[i]].splice.address, INT3);
	sync_cores(live);
	for (uint32_t i = 0; i < n; i++)
		if (!is_trap(&live->slots[batch[i]].splice))
			write_tail(&live->slots[batch[i]].splice, live->slots[batch[i]].splice.old);
	sync_cores(live);
	for (uint32_t i = 0; i < n; i++)
		write_byte(live->slots[batch[i]].splice.address, live->slots[batch[i]].splice.old[0]);
	sync_cores(live);
}

void live_disarm(struct live *live, uint32_t n)
{
	uint32_t *batch;

	n = n < live->nr_armed ? n : live->nr_armed;
	/* Random ones to the end of the list. */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = loaded_random(live->loaded) % (live->nr_armed - i), to = live->nr_armed - 1 - i;
		uint32_t slot = live->armed[from];

		live->armed[from] = live->armed[to];
		live->armed[to] = slot;
	}
	live->nr_armed -= n;
	batch = live->armed + live->nr_armed;
	restore(live, batch, n);
	grace_period(live);
	for (uint32_t i = 0; i < n; i++) {
		weave_set_trap(&live->slots[batch[i]].splice, false);
		take(live, &live->slots[batch[i]].splice, 0);
		live->free[live->nr_free++] = batch[i];
	}
	live->disarmings += n;
}

void live_init(struct live *live, struct loaded *loaded, const struct body **bodies, size_t nr_bodies, unsigned int nr_threads)
{
	*live = (struct live){ .loaded = loaded, .bodies = bodies, .nr_bodies = nr_bodies, .nr_threads = nr_threads, .lowest = UINT64_MAX };
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0))
		err(2, "membarrier");
	for (size_t i = 0; i < LIBRARIES; i++) {
		const struct library *library = &loaded->libraries[i];

		live->lowest = library->text < live->lowest ? library->text : live->lowest;
		live->highest = library->text + library->text_size > live->highest ? library->text + library->text_size : live->highest;
	}
	weave_init(&live->weave, loaded->libraries[0].base, AREA);
	/* The first slot has the stubs. */
	live->slots = calloc(LIVE_ARMED_MAX, sizeof(*live->slots));
	live->free = calloc(LIVE_ARMED_MAX, sizeof(*live->free));
	live->armed = calloc(LIVE_ARMED_MAX + LIVE_BATCH, sizeof(*live->armed));
	live->taken = mmap(NULL, live->highest - live->lowest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!live->slots || !live->free || !live->armed || live->taken == MAP_FAILED)
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
}
