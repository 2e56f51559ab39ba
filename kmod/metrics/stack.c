// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stack of a hit, as the key of a metric: weft_stack() and weft_stack_hash() of
 * runtime/advice.h.
 *
 * The kernel's own unwinder takes hundreds of instructions for a frame: it searches the kernel's
 * table, and asks of each address whose text it is. The walk in this file takes some twenty: it
 * loads the row of the frame from weft's own table (stack-rows.h), and goes on (stack-walk.h). A
 * stack that was walked before takes some five: it is compared with the path that was kept of it
 * (stack-paths.h). Nothing is read outside the stack that the walk is on. The walk knows the frames
 * of C code, those that the entry code makes of an interrupt, an exception or a system call, and
 * the change from one stack to another. Where it finds anything else, the kernel's unwinder takes
 * the stack: a return address that a kretprobe or the function graph tracer has replaced; code that
 * is neither the kernel's nor a module's, such as trampolines and BPF programs; a module's init
 * code.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <asm/stacktrace.h>
#include <asm/unwind.h>

#include "base/self-check.h"
#include "base/unexported.h"
#include "metrics/stack.h"
#include "metrics/stack-paths.h"
#include "metrics/stack-rows.h"
#include "metrics/stack-walk.h"
#include "splice/platform.h"
#include "runtime/advice.h"

static DEFINE_PER_CPU(unsigned long, by_kernel); /* stacks that the kernel's unwinder took */
static DEFINE_PER_CPU(unsigned long, walked);	 /* stacks that had no path */
static DEFINE_PER_CPU(unsigned long, compared);	 /* stacks that were taken both ways */

/* ---- by the kernel's unwinder ---------------------------------------------------------------- */

#ifdef CONFIG_UNWINDER_ORC
/*
 * Stores the stack in @words and returns the number of addresses. Starts at the shadow, so that the
 * frames of advice and trampoline cost nothing.
 */
static unsigned int unwind(u64 *words, const struct wk_link *link)
{
	struct pt_regs regs = {
		.ip = link->ip - 1,
		.sp = (unsigned long)(link + 1),
		.bp = link->bp,
		.cs = __KERNEL_CS,
	};
	struct unwind_state state;
	unsigned int n = 0;

	words[n++] = link->ip;
	for (unwind_start(&state, current, &regs, NULL); n < WR_STACK_WORDS && !unwind_done(&state);
	     unwind_next_frame(&state)) {
		words[n] = unwind_get_return_address(&state);
		if (!words[n])
			break;
		n++;
	}
	return n;
}
#endif

/* The most frames after the shadow: those of the trampoline, the advice, weft_stack(), save(). */
enum { OWN_FRAMES = 8 };

/*
 * Does the same as unwind(), with any unwinder of the kernel. That starts at this function; the
 * addresses before the shadow's are left out. Returns 0 if the shadow's is not among them.
 */
static noinline notrace unsigned int save(u64 *words, const struct wk_link *link)
{
	unsigned long all[OWN_FRAMES + WR_STACK_WORDS];
	unsigned int n = stack_trace_save(all, ARRAY_SIZE(all), 0), first = 0;

	while (first < n && all[first] != link->ip)
		first++;
	n = min_t(unsigned int, n - first, WR_STACK_WORDS);
	memcpy(words, all + first, n * sizeof(*words));
	return n;
}

static u64 hash_of(const u64 *words, unsigned int n)
{
	u64 hash = 0;

	for (unsigned int i = 0; i < n; i++)
		hash = wr_stack_mix(hash, words[i]);
	return hash;
}

static noinline notrace u64 take_by_kernel(u64 *words, const struct wk_link *link)
{
	unsigned int n = 0;

	this_cpu_inc(by_kernel);
	/*
	 * Without this flag trampolines push no struct wk_link, and the kernel's unwinder does not
	 * know what trampolines are: the stack has no addresses.
	 */
	if (wk_platform.flags & WR_PLATFORM_FRAMES)
#ifdef CONFIG_UNWINDER_ORC
		n = unwind(words, link);
#else
		n = save(words, link);
#endif
	if (n < WR_STACK_WORDS)
		words[n] = 0;
	return hash_of(words, n);
}

/* True: the kernel's table is known, and trampolines push a struct wk_link. */
static bool known __ro_after_init;

/* ---- by weft's walk -------------------------------------------------------------------------- */

/*
 * Stores the addresses in @words and returns their hash, as weft_stack() does. An address is stored
 * only after its row was found: an address without a row may have replaced the return address. The
 * stack pointer only increases, so it is enough to compare it with the stack's end.
 */
static __always_inline u64 take(u64 *words, struct wk_walk walk, const struct wk_link *link)
{
	u64 *word = words, hash = 0;

	for (;;) {
		wk_row row = READ_ONCE(wk_rows[wk_row_index(walk.key)]);

		if (unlikely(!wk_row_is_of(row, walk.key))) {
			row = wk_row_find(walk.key);
			if (!row)
				return take_by_kernel(words, link);
		}
		*word++ = walk.ip;
		hash = wr_stack_mix(hash, walk.ip);
		if (word == words + WR_STACK_WORDS)
			return hash;
		if (!wk_row_is_plain(row)) {
			if (wk_row_is_special(row)) {
				const enum wk_stepped stepped = wk_walk_step(&walk, row);

				if (stepped == WK_STEPPED_ON)
					continue;
				if (unlikely(stepped == WK_STEPPED_UNKNOWN))
					return take_by_kernel(words, link);
				*word = 0;
				return hash;
			}
			walk.saved_at = walk.sp + wk_row_distance(row) +
					wk_row_saved(row, WK_ROW_SAVES);
		}
		walk.sp += wk_row_distance(row);
		if (unlikely(walk.sp > walk.end))
			return take_by_kernel(words, link);
		walk.ip = walk.key = wk_word_at(walk.sp - sizeof(long));
	}
}

/*
 * Takes a stack as weft_stack() does. @differs: what wk_path_compare() has said of the first path;
 * 0: not compared. The stack's first address says which path is compared first; where that differs,
 * the address that was found there says which is next, and so on. A stack that has no path is
 * walked. Its path takes the place of one that is not used. If there is none among those that were
 * looked at, of eight stacks only one replaces one of them: so paths that are seen often stay,
 * though there may be more paths than room.
 */
static noinline notrace u64 take_other(u64 *words, const struct wk_link *link,
				       unsigned long differs)
{
	unsigned long end = wk_common_end(link), begin, n = this_cpu_read(walked);
	struct wk_task_paths __percpu *paths = READ_ONCE(wk_task_paths);
	const u32 level = wk_path_level();
	u32 hash = wk_path_hash(0, link->ip);
	struct wk_path *path = NULL;
	unsigned int tries = 0;
	u64 stack;

	if (!known)
		return take_by_kernel(words, link);
	if (!end)
		end = wk_find_stack((unsigned long)(link + 1), &begin);
	if (!end)
		return take_by_kernel(words, link);
	for (; paths && !(level & NMI_MASK) && tries < WK_PATH_TRIES; tries++) {
		struct wk_path *other = wk_path_at(wk_path_group(paths, level), hash);

		if (!wk_path_is_used(other)) {
			path = other;
			break;
		}
		if (tries || !differs)
			differs = wk_path_compare(other, link, end, true);
		if (!differs) {
			wk_path_words(other, words);
			return other->hash;
		}
		if (!(n % 8) && n / 8 % WK_PATH_TRIES == tries)
			path = other;
		hash = wk_path_hash(hash, differs);
	}
	this_cpu_inc(walked);
	if (path && wk_path_store(path, link, end, words, &stack))
		return stack;
	return take(words, wk_walk_begin(link, end), link);
}

/* As take_other(), if nobody needs the words. */
static noinline notrace u64 hash_other(const struct wk_link *link, unsigned long differs)
{
	u64 words[WR_STACK_WORDS] WR_UNINITIALIZED;

	return take_other(words, link, differs);
}

/* ---- what advice calls ----------------------------------------------------------------------- */

/* Debug builds stop comparing after so many stacks have differed: warnings take long to print. */
#define DIFFERENCES_MAX 16

/*
 * Debug builds: takes the stack by the kernel's stack_trace_save(), too, and warns if that differs
 * from @words, which weft's walk or a path has stored, or if @hash is not their hash. Does nothing
 * if the kernel does not find the shadow in the stack. If weft's walk has given up, both are the
 * kernel's, and a difference is one between its unwinder and stack_trace_save().
 */
static void compare(const u64 *words, const struct wk_link *link, u64 hash)
{
	static atomic_t differences;
	u64 theirs[WR_STACK_WORDS + 1];
	unsigned int n, own = 0, i = 0;

	if (!WK_DEBUG_BUILD || !known || atomic_read(&differences) >= DIFFERENCES_MAX)
		return;
	while (own < WR_STACK_WORDS && words[own])
		own++;
	WK_BUG(hash != hash_of(words, own), "hash of %u frames from %pS", own, (void *)words[0]);
	n = save(theirs, link);
	if (!n)
		return;
	this_cpu_inc(compared);
	while (i < n && words[i] == theirs[i])
		i++;
	WK_BUG(i < n, "frame %u of %u is %pS, for the kernel %pS", i, n, (void *)words[i],
	       (void *)theirs[i]);
	WK_BUG(i == n && n < WR_STACK_WORDS && words[n],
	       "frame %u is %pS, for the kernel there are %u", n, (void *)words[n], n);
	if (i < n || (n < WR_STACK_WORDS && words[n]))
		atomic_inc(&differences);
}

/* The trampoline has pushed the struct wk_link, and right below it the frame. */
static __always_inline const struct wk_link *link_of(const struct weft_frame *frame)
{
	return (const struct wk_link *)(frame + 1);
}

notrace WR_NO_STACK_PROTECTOR u64 weft_stack(u64 *words, const struct weft_frame *frame)
{
	const u64 hash = take_other(words, link_of(frame), 0);

	compare(words, link_of(frame), hash);
	return hash;
}
EXPORT_SYMBOL_GPL(weft_stack);

/*
 * What most hits need is inlined in this function: a stack that begins on the task's stack or the
 * one for interrupts, that is the first path of its first address, and has no rare steps.
 */
static __always_inline u64 hash_stack(const struct wk_link *link)
{
	struct wk_task_paths __percpu *paths = READ_ONCE(wk_task_paths);
	const u32 level = wk_path_level();
	unsigned long differs = 0;
	struct wk_path *path;

	/* Paths exist only if @known. */
	if (unlikely(!paths || level & NMI_MASK))
		return hash_other(link, 0);
	path = wk_path_at(wk_path_group(paths, level), wk_path_hash(0, link->ip));
	if (likely(wk_path_is_used(path))) {
		differs = wk_path_compare(path, link, wk_common_end(link), false);
		if (likely(!differs))
			return path->hash;
	}
	/* A difference of 1 may be a rare step, or an unknown end. */
	return hash_other(link, differs == 1 ? 0 : differs);
}

notrace WR_NO_STACK_PROTECTOR u64 weft_stack_hash(const struct weft_frame *frame)
{
	const u64 hash = hash_stack(link_of(frame));

	if (WK_DEBUG_BUILD) {
		u64 words[WR_STACK_WORDS];

		WK_BUG(weft_stack(words, frame) != hash, "two hashes of a stack");
	}
	return hash;
}
EXPORT_SYMBOL_GPL(weft_stack_hash);

/* ---- numbers for tests and for who wonders what a stack costs -------------------------------- */

static int print_sum(char *text, const unsigned long __percpu *count)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(count, cpu));
	return sysfs_emit(text, "%lu\n", sum);
}

/*
 * Each number has a function of its own. The address of the per-CPU variable cannot be the .arg of
 * a struct kernel_param, which must be constant: from 6.15 on the compiler has per-CPU variables in
 * another address space, and a plain pointer to one is not constant.
 */
static int get_by_kernel(char *text, const struct kernel_param *param)
{
	return print_sum(text, &by_kernel);
}

static int get_walked(char *text, const struct kernel_param *param)
{
	return print_sum(text, &walked);
}

static int get_compared(char *text, const struct kernel_param *param)
{
	return print_sum(text, &compared);
}

static const struct kernel_param_ops by_kernel_ops = { .get = get_by_kernel };
static const struct kernel_param_ops walked_ops = { .get = get_walked };
static const struct kernel_param_ops compared_ops = { .get = get_compared };

module_param_cb(stacks_by_kernel, &by_kernel_ops, NULL, 0444);
MODULE_PARM_DESC(stacks_by_kernel, "stacks that the kernel's unwinder took, since weft's own walk "
				   "did not know something on them: some twenty times the cost");
module_param_cb(stacks_walked, &walked_ops, NULL, 0444);
MODULE_PARM_DESC(stacks_walked, "stacks that were not known as a whole, and so took some four "
				"times as long");
module_param_cb(stacks_compared, &compared_ops, NULL, 0444);
MODULE_PARM_DESC(stacks_compared, "debug builds: stacks that were taken both ways");

void wk_stack_need(void)
{
	if (known)
		wk_paths_need();
}

int __init wk_stack_init(void)
{
	const int ret = wk_rows_init();

	known = !ret && wk_rows_known() && wk_platform.flags & WR_PLATFORM_FRAMES;
	return ret;
}

void wk_stack_deinit(void)
{
	wk_rows_deinit();
	wk_paths_deinit();
}
