// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stack of a hit, as the key of a metric: weft_stack() of runtime/advice.h.
 *
 * The kernel's own unwinder takes hundreds of instructions for a frame: it searches the kernel's
 * table, and asks of each address whose text it is. The walk in this file takes some twenty: it
 * loads the row of the frame from weft's own table (stack-rows.h), and goes on. It reads nothing
 * outside the stack that it is on. It knows the frames of C code, those that the entry code makes
 * of an interrupt, an exception or a system call, and the change from one stack to another. Where
 * it finds anything else, the kernel's unwinder takes the stack: a return address that a kretprobe
 * or the function graph tracer has replaced; code that is neither the kernel's nor a module's, such
 * as trampolines and BPF programs; a module's init code.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <asm/stacktrace.h>
#include <asm/unwind.h>

#include "base/self-check.h"
#include "base/unexported.h"
#include "metrics/stack.h"
#include "metrics/stack-rows.h"
#include "splice/platform.h"
#include "runtime/advice.h"

/* What a trampoline pushes before it saves registers (runtime/trampoline.h). */
struct link {
	unsigned long bp; /* the frame pointer at the shadow */
	/* a return address, as if the shadow had called: its own, or the shadow's address plus 1 */
	unsigned long ip;
};

static DEFINE_PER_CPU(unsigned long, by_kernel); /* stacks that the kernel's unwinder took */
static DEFINE_PER_CPU(unsigned long, compared);	 /* stacks that were taken both ways */

/* ---- by the kernel's unwinder ---------------------------------------------------------------- */

#ifdef CONFIG_UNWINDER_ORC
/*
 * Stores the stack in @words and returns the number of addresses. Starts at the shadow, so that the
 * frames of advice and trampoline cost nothing.
 */
static unsigned int unwind(u64 *words, const struct link *link)
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
static noinline notrace unsigned int save(u64 *words, const struct link *link)
{
	unsigned long all[OWN_FRAMES + WR_STACK_WORDS];
	unsigned int n = stack_trace_save(all, ARRAY_SIZE(all), 0), first = 0;

	while (first < n && all[first] != link->ip)
		first++;
	n = min_t(unsigned int, n - first, WR_STACK_WORDS);
	memcpy(words, all + first, n * sizeof(*words));
	return n;
}

static u64 hash_of(u64 *words, unsigned int n)
{
	u64 hash = 0;

	if (n < WR_STACK_WORDS)
		words[n] = 0;
	for (unsigned int i = 0; i < n; i++)
		hash = wr_stack_mix(hash, words[i]);
	return hash;
}

static noinline notrace u64 take_by_kernel(u64 *words, const struct link *link)
{
	this_cpu_inc(by_kernel);
	/*
	 * Without this flag trampolines push no struct link, and the kernel's unwinder does not
	 * know what trampolines are: the stack has no addresses.
	 */
	if (!(wk_platform.flags & WR_PLATFORM_FRAMES))
		return hash_of(words, 0);
#ifdef CONFIG_UNWINDER_ORC
	return hash_of(words, unwind(words, link));
#else
	return hash_of(words, save(words, link));
#endif
}

/* ---- by weft's walk -------------------------------------------------------------------------- */

/*
 * The state of a walk. take() keeps it in registers. So functions that are not inlined get a
 * pointer to a copy.
 */
struct walk {
	unsigned long sp;
	unsigned long end;	/* of the stack that @sp is on */
	unsigned long saved_at; /* where the frame pointer has been saved */
	unsigned long ip;	/* a return address, or that of an interrupted instruction */
	unsigned long key;	/* of the row that describes @ip's frame (stack-rows.h) */
};

static __always_inline unsigned long word_at(unsigned long address)
{
	return READ_ONCE_NOCHECK(*(const unsigned long *)address);
}

/*
 * Finds the stack that the word at @sp is on: the task's, or one of interrupts or exceptions of
 * this CPU. Returns its end and sets *@begin; 0: unknown.
 */
static noinline notrace unsigned long find_stack(unsigned long sp, unsigned long *begin)
{
	struct stack_info info;

	*begin = (unsigned long)task_stack_page(current);
	if (sp - *begin < THREAD_SIZE)
		return *begin + THREAD_SIZE;
	if (!wk_has(get_stack_info_noinstr) ||
	    !wk_call(get_stack_info_noinstr)((unsigned long *)sp, current, &info))
		return 0;
	*begin = (unsigned long)info.begin;
	return (unsigned long)info.end;
}

/*
 * Goes to the stack from which the kernel came to this one: the word at the stack pointer points
 * there. Returns false if the walk cannot go on.
 */
static noinline notrace bool change_stack(struct walk *walk, wk_row row)
{
	const long saved = wk_row_saved(row, WK_ROW_OTHER);
	unsigned long begin, sp;

	if (walk->sp + sizeof(long) > walk->end)
		return false;
	sp = word_at(walk->sp) + wk_row_distance(row);
	walk->end = find_stack(sp - sizeof(long), &begin);
	if (!walk->end || sp - begin < (saved ? -saved : sizeof(long)))
		return false;
	walk->sp = sp;
	if (saved)
		walk->saved_at = sp + saved;
	walk->ip = walk->key = word_at(sp - sizeof(long));
	return true;
}

/*
 * Goes to an instruction of the kernel that was interrupted, perhaps on another stack. @at: where
 * its registers are. Returns false if the walk cannot go on.
 */
static noinline notrace bool interrupted(struct walk *walk, unsigned long at)
{
	const struct pt_regs *regs = (const struct pt_regs *)at;
	const unsigned long sp = word_at((unsigned long)&regs->sp);
	unsigned long begin;

	if (sp <= walk->sp || sp > walk->end)
		walk->end = find_stack(sp, &begin);
	walk->sp = sp;
	walk->saved_at = (unsigned long)&regs->bp;
	walk->ip = word_at((unsigned long)&regs->ip);
	walk->key = walk->ip + 1;
	return walk->end;
}

/*
 * Goes to the caller of a function that has aligned its stack. The function's frame pointer must
 * point into its frame. @distance: bytes from there to the word that has the previous stack
 * pointer. Returns false if the walk cannot go on.
 */
static noinline notrace bool leave_aligned(struct walk *walk, long distance)
{
	const unsigned long bp = word_at(walk->saved_at);
	unsigned long sp;

	if (bp + distance < walk->sp || bp < walk->sp || bp > walk->end - sizeof(long))
		return false;
	sp = word_at(bp + distance);
	if (sp <= bp + sizeof(long) || sp > walk->end)
		return false;
	walk->sp = sp;
	walk->saved_at = bp;
	walk->ip = walk->key = word_at(sp - sizeof(long));
	return true;
}

enum step { STEP_DONE, STEP_END, STEP_UNKNOWN };

/*
 * Goes to the caller of a frame whose row is special. The caller of a frame whose base is the frame
 * pointer must be on the same stack.
 */
static __always_inline enum step step(struct walk *walk, wk_row row)
{
	const enum wk_row_kind kind = wk_row_kind(row);
	const long distance = wk_row_distance(row);

	if (likely(kind == WK_ROW_BASED)) {
		const unsigned long sp = word_at(walk->saved_at) + distance;
		const long saved = wk_row_saved(row, WK_ROW_BASED);

		if (unlikely(sp <= walk->sp || sp > walk->end ||
			     sp - walk->sp < (saved ? -saved : sizeof(long))))
			return STEP_UNKNOWN;
		walk->sp = sp;
		if (saved)
			walk->saved_at = sp + saved;
		walk->ip = walk->key = word_at(sp - sizeof(long));
		return STEP_DONE;
	}
	if (likely(kind == WK_ROW_REGS)) {
		const unsigned long at = walk->sp + distance;
		struct walk copy = *walk;

		if (unlikely(at + sizeof(struct pt_regs) > walk->end))
			return STEP_UNKNOWN;
		/* An interrupted program ends the stack. */
		if (likely(word_at(at + offsetof(struct pt_regs, cs)) & 3))
			return STEP_END;
		if (!interrupted(&copy, at))
			return STEP_UNKNOWN;
		*walk = copy;
		return STEP_DONE;
	}
	if (distance) {
		struct walk copy = *walk;

		if (distance > 0 ? !change_stack(&copy, row) : !leave_aligned(&copy, distance))
			return STEP_UNKNOWN;
		*walk = copy;
		return STEP_DONE;
	}
	return STEP_END;
}

/*
 * Stores the addresses in @words and returns their hash, as weft_stack() does. An address is stored
 * only after its row was found: an address without a row may have replaced the return address. The
 * stack pointer only increases, so it is enough to compare it with the stack's end.
 */
static __always_inline u64 take(u64 *words, const struct link *link)
{
	struct walk walk = {
		.sp = (unsigned long)(link + 1),
		.end = (unsigned long)task_stack_page(current) + THREAD_SIZE,
		.saved_at = (unsigned long)&link->bp,
		.ip = link->ip,
		.key = link->ip,
	};
	u64 *word = words, hash = 0;
	unsigned long begin;

	if (unlikely(walk.end - walk.sp >= THREAD_SIZE)) {
		walk.end = find_stack(walk.sp, &begin);
		if (!walk.end)
			return take_by_kernel(words, link);
	}
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
				const enum step stepped = step(&walk, row);

				if (stepped == STEP_DONE)
					continue;
				if (unlikely(stepped == STEP_UNKNOWN))
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
		walk.ip = walk.key = word_at(walk.sp - sizeof(long));
	}
}

/* ---- what advice calls ----------------------------------------------------------------------- */

/* True: the kernel's table is known, and trampolines push a struct link. */
static bool known __ro_after_init;

/*
 * Debug builds: takes the stack by the kernel's stack_trace_save(), too, and warns if that differs
 * from @words, which take() has stored. Does nothing if the kernel does not find the shadow in the
 * stack. If weft's walk has given up, both are the kernel's, and a difference is one between its
 * unwinder and stack_trace_save().
 */
static void compare(const u64 *words, const struct link *link)
{
	u64 theirs[WR_STACK_WORDS + 1];
	unsigned int n;

	if (!WK_DEBUG_BUILD)
		return;
	n = save(theirs, link);
	if (!n)
		return;
	this_cpu_inc(compared);
	for (unsigned int i = 0; i < n; i++)
		WK_BUG(words[i] != theirs[i], "frame %u of %u is %pS, for the kernel %pS", i, n,
		       (void *)words[i], (void *)theirs[i]);
	WK_BUG(n < WR_STACK_WORDS && words[n], "frame %u is %pS, for the kernel there are %u", n,
	       (void *)words[n], n);
}

notrace WR_NO_STACK_PROTECTOR u64 weft_stack(u64 *words, const struct weft_frame *frame)
{
	/* The trampoline has pushed the struct link, and right below it the frame. */
	const struct link *link = (const struct link *)(frame + 1);
	u64 hash;

	if (unlikely(!known))
		return take_by_kernel(words, link);
	hash = take(words, link);
	compare(words, link);
	return hash;
}
EXPORT_SYMBOL_GPL(weft_stack);

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

static int get_compared(char *text, const struct kernel_param *param)
{
	return print_sum(text, &compared);
}

static const struct kernel_param_ops by_kernel_ops = { .get = get_by_kernel };
static const struct kernel_param_ops compared_ops = { .get = get_compared };

module_param_cb(stacks_by_kernel, &by_kernel_ops, NULL, 0444);
MODULE_PARM_DESC(stacks_by_kernel, "stacks that the kernel's unwinder took, since weft's own walk "
				   "did not know something on them: some twenty times the cost");
module_param_cb(stacks_compared, &compared_ops, NULL, 0444);
MODULE_PARM_DESC(stacks_compared, "debug builds: stacks that were taken both ways");

int __init wk_stack_init(void)
{
	const int ret = wk_rows_init();

	known = !ret && wk_rows_known() && wk_platform.flags & WR_PLATFORM_FRAMES;
	return ret;
}

void wk_stack_deinit(void)
{
	wk_rows_deinit();
}
