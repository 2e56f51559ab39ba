// SPDX-License-Identifier: GPL-2.0-or-later
/* Stores paths of stacks; see stack-paths.h. */
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "base/lock.h"
#include "metrics/stack-paths.h"

struct wk_task_paths __percpu *wk_task_paths;
struct wk_interrupt_paths __percpu *wk_interrupt_paths;

/* Returns the row of @key; 0: the stack must be left to the kernel's unwinder. */
static wk_row row_of(unsigned long key)
{
	const wk_row row = READ_ONCE(wk_rows[wk_row_index(key)]);

	return wk_row_is_of(row, key) ? row : wk_row_find(key);
}

static enum wk_path_step step_of(wk_row row, bool is_end)
{
	switch (wk_row_kind(row)) {
	case WK_ROW_BASED:
		return WK_PATH_BASED;
	case WK_ROW_REGS:
		return is_end ? WK_PATH_USER : WK_PATH_INTERRUPTED;
	default:
		if (!wk_row_distance(row))
			return WK_PATH_END;
		return wk_row_distance(row) > 0 ? WK_PATH_CHANGE : WK_PATH_ALIGNED;
	}
}

/*
 * Walks a stack. Stores its addresses in @words, and its path in *@path, but for the generation.
 * Returns whether that was possible. Every address is stored after its row was found, since an
 * address without a row may have replaced the return address.
 */
static bool fill(struct wk_path *path, struct wk_walk walk, u64 *words)
{
	union wk_path_unit *head = path->units, *unit = head;
	unsigned long begin = walk.sp, saved_end = 0;
	unsigned int n = 0;

	path->hash = 0;
	for (;;) {
		const wk_row row = row_of(walk.key);
		enum wk_stepped stepped = WK_STEPPED_ON;

		/* There must be room for this address, a tail and the next head. */
		if (!row || walk.sp - begin > U16_MAX || unit > path->units + WK_PATH_UNITS - 3)
			return false;
		words[n++] = walk.ip;
		path->hash = wr_stack_mix(path->hash, walk.ip);
		if (unit == head)
			head->head.ip = walk.ip;
		else
			*unit = (union wk_path_unit){
				.address = { .ip = walk.ip, .at = walk.sp - sizeof(long) - begin }
			};
		head->head.n = unit++ - head;
		head->head.bytes = walk.sp - begin;
		if (n == WR_STACK_WORDS) {
			unit->tail.step = WK_PATH_FULL;
			return true;
		}
		if (wk_row_is_special(row)) {
			stepped = wk_walk_step(&walk, row);
			if (stepped == WK_STEPPED_UNKNOWN)
				return false;
			unit->tail.step = step_of(row, stepped == WK_STEPPED_END);
			unit->tail.distance = wk_row_distance(row);
			unit->tail.saved = wk_row_saved(row, wk_row_kind(row));
			unit->tail.saved_end = saved_end;
			if (stepped == WK_STEPPED_END) {
				words[n] = 0;
				return true;
			}
			head = ++unit;
			begin = walk.sp;
			saved_end = 0;
			continue;
		}
		if (!wk_row_is_plain(row)) {
			walk.saved_at = walk.sp + wk_row_distance(row) +
					wk_row_saved(row, WK_ROW_SAVES);
			saved_end = walk.saved_at + sizeof(long) - begin;
		}
		walk.sp += wk_row_distance(row);
		if (walk.sp > walk.end)
			return false;
		walk.ip = walk.key = wk_word_at(walk.sp - sizeof(long));
	}
}

notrace bool wk_path_store(struct wk_path *path, const struct wk_link *link, unsigned long end,
			   u64 *words, u64 *hash_ret)
{
	/*
	 * Read before any row: if rows are dropped meanwhile, the path is of the generation before.
	 */
	const u32 generation = atomic_read_acquire(&wk_rows_generation);

	/* Interrupts of this CPU have other paths; an NMI only reads. */
	WRITE_ONCE(path->generation, 0);
	if (!fill(path, wk_walk_begin(link, end), words))
		return false;
	*hash_ret = path->hash;
	WRITE_ONCE(path->generation, generation);
	return true;
}

notrace void wk_path_words(const struct wk_path *path, u64 *words)
{
	const union wk_path_unit *unit = path->units;

	for (;;) {
		unsigned int n = unit->head.n;

		*words++ = (long)unit++->head.ip;
		for (; n; n--)
			*words++ = (long)unit++->address.ip;
		switch (unit++->tail.step) {
		case WK_PATH_FULL:
			return;
		case WK_PATH_USER:
		case WK_PATH_END:
			*words = 0;
			return;
		}
	}
}

notrace bool wk_path_rare_step(const union wk_path_unit *tail, struct wk_walk *walk)
{
	switch (tail->tail.step) {
	case WK_PATH_CHANGE:
		return wk_change_stack(walk, tail->tail.distance, tail->tail.saved);
	case WK_PATH_ALIGNED:
		return wk_leave_aligned(walk, tail->tail.distance);
	case WK_PATH_END:
		return false;
	default:
		return wk_kernel_interrupted(walk, tail->tail.distance);
	}
}

void wk_paths_need(void)
{
	const gfp_t gfp = GFP_KERNEL | __GFP_NOWARN;

	wk_assert_locked();
	if (!wk_interrupt_paths)
		wk_interrupt_paths = alloc_percpu_gfp(struct wk_interrupt_paths, gfp);
	if (!wk_task_paths && wk_interrupt_paths)
		smp_store_release(&wk_task_paths, alloc_percpu_gfp(struct wk_task_paths, gfp));
}

void wk_paths_deinit(void)
{
	free_percpu(wk_task_paths);
	free_percpu(wk_interrupt_paths);
}
