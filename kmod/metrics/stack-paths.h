/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths: stacks that were walked before, each with its addresses and its hash. A stack that was
 * seen before is compared with its path, word by word, in some 5 instructions for each function. No
 * row has to be looked up, and no hash computed.
 *
 * A path is divided into parts. A part ends at a frame whose row is special (stack-rows.h): the
 * previous stack pointer is not at a fixed distance there. The kernel moves its stack by a random
 * distance in each system call, for example; and an interrupt changes to another stack. Within a
 * part every return address is at a fixed distance from the stack pointer at the part's begin. From
 * one part to the next the same step leads as in a walk.
 *
 * Why a path is right: the row of a frame depends on nothing but the frame's address, as long as no
 * module is unloaded. So if the first address of a part is the same, and each further address is at
 * its distance, a walk would find the same rows, add the same distances, and read the same words. A
 * stack that the kernel's unwinder had to take has no path: a replaced return address, for example,
 * has no row.
 *
 * Each CPU has paths of its own, in groups: for tasks, softirqs and interrupts. Code of such a
 * level does not interrupt itself with advice, so no path changes while it is compared. NMIs have
 * no paths.
 */
#ifndef WK_STACK_PATHS_H
#define WK_STACK_PATHS_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "metrics/stack-rows.h"
#include "metrics/stack-walk.h"
#include "runtime/metric-table.h"

enum {
	/* Units of a path, and how many paths a CPU has for each level. */
	WK_PATH_UNITS = 30,
	WK_TASK_PATHS = 128,
	WK_SOFTIRQ_PATHS = 64,
	WK_HARDIRQ_PATHS = 64,
	/* Paths that are compared with a stack before it is walked. */
	WK_PATH_TRIES = 4,
};

/* How a part of a path ends. */
enum wk_path_step {
	WK_PATH_FULL,	     /* the path has WR_STACK_WORDS addresses */
	/* The others are kinds of rows (stack-rows.h). */
	WK_PATH_BASED,	     /* the base is the frame pointer */
	WK_PATH_USER,	     /* a program was interrupted or has made a system call: the end */
	WK_PATH_CHANGE,	     /* another stack */
	WK_PATH_INTERRUPTED, /* code of the kernel was interrupted */
	WK_PATH_ALIGNED,     /* the function has aligned its stack */
	WK_PATH_END,	     /* there is no caller */
};

/* A part is a head, an address for each further frame, and a tail. */
union wk_path_unit {
	struct {
		s32 ip;	   /* lower half of the first address; all text has the same upper half */
		/* from the stack pointer in the part's first frame to that in its last frame */
		u16 bytes;
		u16 n; /* addresses that follow */
	} head;
	struct {
		s32 ip;
		u16 at; /* bytes from the stack pointer in the part's first frame to the address */
	} address;
	struct {
		u16 step; /* enum wk_path_step */
		/* of the last frame's row: see wk_row_distance() and wk_row_saved() */
		s16 distance, saved;
		/*
		 * where the frame pointer has been saved: bytes from the part's begin to the end of
		 * the word; 0: not in this part
		 */
		u16 saved_end;
	} tail;
};

struct wk_path {
	u32 generation; /* value of wk_rows_generation when the path was stored; 0: no path */
	u64 hash;
	union wk_path_unit units[WK_PATH_UNITS];
};

/* Per-CPU memory is allocated in pieces of at most 32 KiB. */
struct wk_task_paths {
	struct wk_path all[WK_TASK_PATHS];
};

struct wk_interrupt_paths {
	struct wk_path of_softirqs[WK_SOFTIRQ_PATHS];
	struct wk_path of_hardirqs[WK_HARDIRQ_PATHS];
};

/* The second is set first. NULL: no aspect has needed paths, or there was no memory. */
extern struct wk_task_paths __percpu *wk_task_paths;
extern struct wk_interrupt_paths __percpu *wk_interrupt_paths;

/* The paths of a level. */
struct wk_path_group {
	struct wk_path *paths;
	u32 mask;	       /* number of paths - 1; the number is a power of two */
};

/* The level of the running code: 0 in a task. */
static __always_inline u32 wk_path_level(void)
{
	return preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);
}

/* Returns the group of a level that is not an NMI's. @paths: wk_task_paths, not NULL. */
static __always_inline struct wk_path_group wk_path_group(struct wk_task_paths __percpu *paths,
							  u32 level)
{
	struct wk_interrupt_paths *others;

	if (likely(!level))
		return (struct wk_path_group){ this_cpu_ptr(paths)->all, WK_TASK_PATHS - 1 };
	others = this_cpu_ptr(wk_interrupt_paths);
	if (level == SOFTIRQ_OFFSET)
		return (struct wk_path_group){ others->of_softirqs, WK_SOFTIRQ_PATHS - 1 };
	return (struct wk_path_group){ others->of_hardirqs, WK_HARDIRQ_PATHS - 1 };
}

static __always_inline struct wk_path *wk_path_at(const struct wk_path_group group, u32 hash)
{
	return &group.paths[hash >> 20 & group.mask];
}

/* Mixes an address into a hash that says which path is compared. */
static __always_inline u32 wk_path_hash(u32 hash, u32 address)
{
	return (hash + address) * 0x9e3779b1;
}

/*
 * Is the address of @unit in the stack, in the part that begins at @begin? One comparison with
 * memory: for READ_ONCE() the compiler would make two instructions.
 */
static __always_inline bool wk_path_holds(const union wk_path_unit *unit, unsigned long begin)
{
	return likely(wr_is((const u64 *)(begin + unit->address.at), (long)unit->address.ip));
}

/* As wk_path_holds(), for the @n addresses from @unit on. @n is a constant. */
static __always_inline bool wk_path_holds_all(const union wk_path_unit *unit, unsigned int n,
					      unsigned long begin)
{
#pragma GCC unroll 8
	for (unsigned int i = 0; i < n; i++)
		if (!wk_path_holds(&unit[i], begin))
			return false;
	return true;
}

/* Does the rare steps of wk_path_step(). Returns false at the end of a path. */
bool wk_path_rare_step(const union wk_path_unit *tail, struct wk_walk *walk);

/*
 * Goes to the next part of a path, at whose tail @walk is. Does what wk_walk_step() does for the
 * row of which the tail was made. Returns false if it cannot, or if the walk is at its end, or for
 * a rare step, unless @all.
 */
static __always_inline bool wk_path_step(const union wk_path_unit *unit, struct wk_walk *walk,
					 bool all)
{
	const unsigned int step = unit->tail.step;
	const long distance = unit->tail.distance, saved = unit->tail.saved;
	unsigned long sp, begin = walk->sp;

	if (likely(step == WK_PATH_BASED)) {
		sp = wk_word_at(walk->saved_at) + distance;
		if (unlikely(sp < walk->sp + sizeof(long) || sp > walk->end))
			return false;
	} else if (likely(step == WK_PATH_CHANGE)) {
		if (unlikely(walk->sp + sizeof(long) > walk->end))
			return false;
		sp = wk_word_at(walk->sp) + distance;
		begin = (unsigned long)task_stack_page(current);
		if (unlikely(sp - sizeof(long) - begin >= THREAD_SIZE))
			return all && wk_path_rare_step(unit, walk);
		walk->end = begin + THREAD_SIZE;
	} else {
		return all && wk_path_rare_step(unit, walk);
	}
	if (saved) {
		walk->saved_at = sp + saved;
		if (unlikely(walk->saved_at < begin))
			return false;
	}
	walk->sp = sp;
	walk->ip = wk_word_at(sp - sizeof(long));
	return true;
}

/*
 * Compares the stack of @link with @path. Returns 0 if they are the same; else a number that is not
 * 0, and depends on where they differ. @end: of the stack that @link is on. @all: see
 * wk_path_step().
 */
static __always_inline unsigned long wk_path_compare(const struct wk_path *path,
						     const struct wk_link *link, unsigned long end,
						     bool all)
{
	const union wk_path_unit *unit = path->units;
	struct wk_walk walk = wk_walk_begin(link, end);
	unsigned int left; /* addresses, of which one differs */
	unsigned long begin;

	for (;;) {
		const unsigned int n = unit->head.n;

		if (unlikely(walk.ip != (long)unit->head.ip))
			return walk.ip | 1;
		begin = walk.sp;
		walk.sp += unit->head.bytes;
		if (unlikely(walk.sp > walk.end))
			return 1;
		unit++;
		/* @n is less than WR_STACK_WORDS, 16. */
		if (n & 8) {
			if (!wk_path_holds_all(unit, 8, begin)) {
				left = 8;
				goto differs;
			}
			unit += 8;
		}
		if (n & 4) {
			if (!wk_path_holds_all(unit, 4, begin)) {
				left = 4;
				goto differs;
			}
			unit += 4;
		}
		if (n & 2) {
			if (!wk_path_holds_all(unit, 2, begin)) {
				left = 2;
				goto differs;
			}
			unit += 2;
		}
		if (n & 1) {
			if (!wk_path_holds(unit, begin)) {
				left = 1;
				goto differs;
			}
			unit++;
		}
		if (unit->tail.step == WK_PATH_FULL)
			return 0;
		if (unit->tail.saved_end)
			walk.saved_at = begin + unit->tail.saved_end - sizeof(long);
		if (unit->tail.step == WK_PATH_USER) {
			const unsigned long regs = walk.sp + unit->tail.distance;

			if (unlikely(regs + sizeof(struct pt_regs) > walk.end))
				return 1;
			return !(wk_word_at(regs + offsetof(struct pt_regs, cs)) & 3);
		}
		if (unlikely(!wk_path_step(unit, &walk, all)))
			return unit->tail.step != WK_PATH_END;
		unit++;
	}
differs:
	/* What differs may be a variable, which another CPU changes: all may hold now. */
	for (; left > 1 && wk_path_holds(unit, begin); left--)
		unit++;
	return wk_word_at(begin + unit->address.at) | 1;
}

/* Stores the addresses of @path in @words, as weft_stack() does. */
void wk_path_words(const struct wk_path *path, u64 *words);

/* Does @path describe stacks of the text that is loaded now? */
static __always_inline bool wk_path_is_used(const struct wk_path *path)
{
	return READ_ONCE(path->generation) == atomic_read(&wk_rows_generation);
}

/*
 * Walks the stack of @link, stores its addresses in @words, as weft_stack() does, and its path in
 * *@path, which is of the running code's level. Returns whether that was possible, and sets
 * *@hash_ret to the stack's hash; if it was not, *@path is not used.
 */
bool wk_path_store(struct wk_path *path, const struct wk_link *link, unsigned long end, u64 *words,
		   u64 *hash_ret);

/* Makes room for paths, if there is none yet. Without memory stacks are walked each time. */
void wk_paths_need(void);
/* Called when no advice runs any more. */
void wk_paths_deinit(void);

#endif /* WK_STACK_PATHS_H */
