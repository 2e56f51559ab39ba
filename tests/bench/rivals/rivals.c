// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module with the kernel's own ways to observe a hit, whose handlers do nothing, for comparison
 * with weft. `insmod rivals.ko kind=K` starts one, rmmod stops it. K is one of these:
 *
 *	kprobe	a kprobe at symbol+offset: by int3, optimized to a jump, or on ftrace's site, as the
 *		kernel decides
 *	direct	ftrace's direct call at the symbol, all argument registers kept
 *	ring	no probe: how long it takes to reserve and commit `size` bytes in the kernel's ring
 *		buffer
 *	many	no probe: how long it takes to register `count` kprobes, and to unregister them by
 *		unregister_kprobes()
 *	stall	no probe: a thread on CPU 0 that only looks at the clock, until rmmod
 * The last three print a line that begins with "rivals:".
 */
#define pr_fmt(fmt) "rivals: " fmt

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/linkage.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

static char *kind = "kprobe";
module_param(kind, charp, 0444);
static char *symbol = "__x64_sys_getppid";
module_param(symbol, charp, 0444);
static unsigned int offset, size = 64, count = 1000;
module_param(offset, uint, 0444);
module_param(size, uint, 0444);
module_param(count, uint, 0444);

/* ---- kind `kprobe`: one kprobe --------------------------------------------------------------- */

static int do_nothing(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe probe = { .pre_handler = do_nothing };

static int probe_start(void)
{
	probe.symbol_name = symbol;
	probe.offset = offset;
	return register_kprobe(&probe);
}

static void probe_stop(void)
{
	unregister_kprobe(&probe);
}

/* ---- kind `direct`: ftrace's direct call ----------------------------------------------------- */

void rivals_direct_function(void);
void rivals_direct(void);

void notrace noinline rivals_direct_function(void)
{
	asm volatile("");
}

/*
 * Called at the function's entry: saves the registers that have arguments. The return address of
 * the traced function's caller is above the return address of this call.
 */
asm(".text\n"
    "	.type rivals_direct, @function\n"
    "rivals_direct:\n"
    "	push %rdi\n"
    "	push %rsi\n"
    "	push %rdx\n"
    "	push %rcx\n"
    "	push %r8\n"
    "	push %r9\n"
    "	call rivals_direct_function\n"
    "	pop %r9\n"
    "	pop %r8\n"
    "	pop %rcx\n"
    "	pop %rdx\n"
    "	pop %rsi\n"
    "	pop %rdi\n"
    "	" ASM_RET
    "	.size rivals_direct, . - rivals_direct\n");

static unsigned long place; /* The address of the symbol. */

static unsigned long address_of(const char *name)
{
	struct kprobe finder = { .symbol_name = name };
	unsigned long address;

	if (register_kprobe(&finder))
		return 0;
	address = (unsigned long)finder.addr;
	unregister_kprobe(&finder);
	return address;
}

static int direct_start(void)
{
	place = address_of(symbol);
	return place ? register_ftrace_direct(place, (unsigned long)rivals_direct) : -ENOENT;
}

static void direct_stop(void)
{
	unregister_ftrace_direct(place, (unsigned long)rivals_direct);
}

/* ---- kind `ring`: the kernel's ring buffer --------------------------------------------------- */

enum { RING_ROUNDS = 200 };

static u64 ring_fill(struct trace_buffer *ring)
{
	u64 start = ktime_get_ns();

	for (int i = 0; i < RING_ROUNDS; i++) {
		struct ring_buffer_event *event = ring_buffer_lock_reserve(ring, size);

		if (event)
			ring_buffer_unlock_commit(ring, event);
	}
	return ktime_get_ns() - start;
}

/* Takes the least of several runs: an interrupt can only add time. */
static int ring_start(void)
{
	u64 best = U64_MAX;

	for (int run = 0; run < 20; run++) {
		struct trace_buffer *ring = ring_buffer_alloc(RING_ROUNDS * (size + 64), 0);
		u64 spent;

		if (!ring)
			return -ENOMEM;
		preempt_disable();
		spent = ring_fill(ring);
		preempt_enable();
		best = min(best, spent);
		ring_buffer_free(ring);
	}
	pr_info("ring %llu.%llu\n", best / RING_ROUNDS, best % RING_ROUNDS * 10 / RING_ROUNDS);
	return 0;
}

/* ---- kind `many`: many kprobes --------------------------------------------------------------- */

static struct kprobe **probes;
static unsigned int nr_probes;
static u64 registering;

enum { FENTRY_SIZE = 5 }; /* ftrace owns the first bytes, so the kprobe goes after them. */

/*
 * Takes one symbol in sixteen, if it is a function that may be probed. Functions that the kernel
 * refuses are not counted.
 */
static int take_one(void *skip_, const char *name, struct module *module, unsigned long address)
{
	unsigned int *skip = skip_;
	struct kprobe *one;
	u64 start;

	if (module || nr_probes == count || (*skip)++ % 16)
		return 0;
	one = kzalloc(sizeof(*one), GFP_KERNEL);
	if (!one)
		return -ENOMEM;
	one->addr = (kprobe_opcode_t *)(address + FENTRY_SIZE);
	one->pre_handler = do_nothing;
	start = ktime_get_ns();
	if (register_kprobe(one)) {
		kfree(one);
		return 0;
	}
	registering += ktime_get_ns() - start;
	probes[nr_probes++] = one;
	return 0;
}

static int many_start(void)
{
	int (*each)(int (*)(void *, const char *, struct module *, unsigned long), void *) =
		(void *)address_of("kallsyms_on_each_symbol");
	unsigned int skip = 0;
	u64 start;
	int ret;

	if (!each)
		return -ENOENT;
	probes = kcalloc(count, sizeof(*probes), GFP_KERNEL);
	if (!probes)
		return -ENOMEM;
	ret = each(take_one, &skip);
	start = ktime_get_ns();
	unregister_kprobes(probes, nr_probes);
	pr_info("many %u register %llu unregister %llu\n", nr_probes, registering,
		ktime_get_ns() - start);
	for (unsigned int i = 0; i < nr_probes; i++)
		kfree(probes[i]);
	kfree(probes);
	return ret;
}

/* ---- kind `stall`: a thread that measures how long it is stalled ----------------------------- */

static struct task_struct *spinner;
static u64 longest;

/*
 * Looks at the clock until the module is removed, and keeps the longest time between two looks. Now
 * and then lets other tasks run, and grace periods of RCU tasks end; this time does not count. So
 * the longest time is that of an interrupt, which keeps this CPU from all its tasks.
 */
static int spin(void *unused)
{
	u64 last = ktime_get_ns();
	unsigned int turns = 0;

	while (!kthread_should_stop()) {
		u64 now = ktime_get_ns();

		longest = max(longest, now - last);
		last = now;
		if (need_resched() || ++turns % 1024 == 0) {
			cond_resched_tasks_rcu_qs();
			last = ktime_get_ns();
		}
	}
	return 0;
}

static int stall_start(void)
{
	spinner = kthread_create(spin, NULL, "rivals");
	if (IS_ERR(spinner))
		return PTR_ERR(spinner);
	kthread_bind(spinner, 0);
	wake_up_process(spinner);
	return 0;
}

static void stall_stop(void)
{
	kthread_stop(spinner);
	pr_info("stall %llu\n", longest);
}

/* ---- the module starts and stops one kind ---------------------------------------------------- */

static const struct rival {
	const char *kind; /* The value of the parameter `kind`. */
	int (*start)(void); /* Starts the probe, or measures. Returns 0 or an error. */
	void (*stop)(void); /* NULL if start() has done everything. */
} rivals[] = {
	{ "kprobe", probe_start, probe_stop },
	{ "direct", direct_start, direct_stop },
	{ "ring", ring_start, NULL },
	{ "many", many_start, NULL },
	{ "stall", stall_start, stall_stop },
};

static const struct rival *chosen;

static int __init rivals_init(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(rivals); i++)
		if (!strcmp(kind, rivals[i].kind))
			chosen = &rivals[i];
	return chosen ? chosen->start() : -EINVAL;
}

static void __exit rivals_exit(void)
{
	if (chosen->stop)
		chosen->stop();
}

module_init(rivals_init);
module_exit(rivals_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("the kernel's own probes with nothing in them");
