// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls two functions of the kernel in every context, on top of each other, and counts the calls.
 * Nothing else calls these functions during a test. A write of "N" to /dev/nesting calls each N
 * times on the writer's CPU. Meanwhile two timers run on that CPU, one in interrupts and one in
 * softirqs, and NMIs are sent to the other CPUs and, from the timer's interrupt, to the same CPU;
 * all of these call both functions as well. A read prints a line for each CPU: the calls of each
 * function in tasks, softirqs, interrupts and NMIs.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/inet.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/percpu.h>
#include <linux/time64.h>
#include <asm/apic.h>
#include <asm/nmi.h>

enum context { TASK, SOFTIRQ, INTERRUPT, NMI, CONTEXTS };

enum { PERIOD_HARD = 70000, PERIOD_SOFT = 110000, TIMES = 200, NMI_EACH = 32, NMI_FROM_TIMER = 4 };

static DEFINE_PER_CPU(unsigned long, calls[CONTEXTS]);
static DEFINE_PER_CPU(struct hrtimer, hard);
static DEFINE_PER_CPU(struct hrtimer, soft);
/*
 * How often each timer may still fire in this run. Without a limit, a slow machine would do nothing
 * but handle timers.
 */
static DEFINE_PER_CPU(int, left[CONTEXTS]);
/* Set while an NMI is on its way to the CPU or is being handled. */
static DEFINE_PER_CPU(int, nmi_due);

/* What advice overwrites (aspects/unbalanced.xml), between two marks on the stack. */
struct marked {
	unsigned long before, data, function, after;
};

#define MARK 0x77656674776f7264

static void call_both(enum context context)
{
	static unsigned long data;
	struct marked marked = { MARK, (unsigned long)&data, (unsigned long)call_both, MARK };
	struct timespec64 time;
	const bool off = irqs_disabled();
	u8 address[4];

	barrier_data(&marked); /* it is in memory */
	this_cpu_inc(calls[context]);
	/* "x" is no address, so the function takes the same branches each time. */
	in4_pton("x", 1, address, 0, NULL);
	if (irqs_disabled() != off)
		pr_warn_once("in4_pton() has returned with interrupts otherwise than before\n");
	set_normalized_timespec64(&time, 1, 1);
}

static enum hrtimer_restart on_timer(struct hrtimer *timer, enum context context,
				     unsigned int period)
{
	call_both(context);
	hrtimer_forward_now(timer, ns_to_ktime(period));
	return this_cpu_dec_return(left[context]) ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/*
 * Sends no second NMI to @cpu while one is due: one run of the handler might serve both, and the
 * second would then be reported as an unknown NMI.
 */
static void send_nmi(int cpu)
{
	if (!cmpxchg(per_cpu_ptr(&nmi_due, cpu), 0, 1))
		apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}

/*
 * Handles the timer in hard interrupt context. One time in NMI_FROM_TIMER it also sends an NMI to
 * its own CPU. This interrupt often comes on top of advice, and so do the NMIs that it sends, while
 * the times of NMIs from other CPUs are random.
 */
static enum hrtimer_restart on_hard(struct hrtimer *timer)
{
	if (this_cpu_read(left[INTERRUPT]) % NMI_FROM_TIMER == 0)
		send_nmi(smp_processor_id());
	return on_timer(timer, INTERRUPT, PERIOD_HARD);
}

static enum hrtimer_restart on_soft(struct hrtimer *timer)
{
	return on_timer(timer, SOFTIRQ, PERIOD_SOFT);
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!this_cpu_read(nmi_due))
		return NMI_DONE;
	call_both(NMI);
	this_cpu_write(nmi_due, 0);
	return NMI_HANDLED;
}

static void send_nmis(void)
{
	int cpu, self = raw_smp_processor_id();

	for_each_online_cpu(cpu)
		if (cpu != self)
			send_nmi(cpu);
}

static void await_nmis(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		while (READ_ONCE(*per_cpu_ptr(&nmi_due, cpu)))
			cpu_relax();
}

static ssize_t run(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	struct hrtimer *timers[] = { this_cpu_ptr(&hard), this_cpu_ptr(&soft) };
	unsigned long n;
	int ret = kstrtoul_from_user(buffer, size, 0, &n);

	if (ret)
		return ret;
	/* The writer is bound to its CPU, so these are the variables and the timers of one CPU. */
	this_cpu_write(left[INTERRUPT], TIMES);
	this_cpu_write(left[SOFTIRQ], TIMES);
	hrtimer_start(timers[0], ns_to_ktime(PERIOD_HARD), HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(timers[1], ns_to_ktime(PERIOD_SOFT), HRTIMER_MODE_REL_PINNED_SOFT);
	for (unsigned long i = 0; i < n; i++) {
		call_both(TASK);
		if (i % NMI_EACH == 0)
			send_nmis();
		cond_resched();
	}
	hrtimer_cancel(timers[0]);
	hrtimer_cancel(timers[1]);
	await_nmis();
	return size;
}

static ssize_t show(struct file *file, char __user *buffer, size_t size, loff_t *offset)
{
	char text[512];
	int n = 0, cpu;

	for_each_online_cpu(cpu) {
		const unsigned long *of = per_cpu_ptr(calls, cpu);

		n += scnprintf(text + n, sizeof(text) - n, "%d %lu %lu %lu %lu\n", cpu, of[TASK],
			       of[SOFTIRQ], of[INTERRUPT], of[NMI]);
	}
	return simple_read_from_buffer(buffer, size, offset, text, n);
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.read = show,
	.write = run,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "nesting",
	.fops = &operations,
};

static int __init nesting_init(void)
{
	int cpu, ret = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "nesting");

	if (ret)
		return ret;
	for_each_possible_cpu(cpu) {
		hrtimer_init(per_cpu_ptr(&hard, cpu), CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
		hrtimer_init(per_cpu_ptr(&soft, cpu), CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_SOFT);
		per_cpu_ptr(&hard, cpu)->function = on_hard;
		per_cpu_ptr(&soft, cpu)->function = on_soft;
	}
	ret = misc_register(&device);
	if (ret)
		unregister_nmi_handler(NMI_LOCAL, "nesting");
	return ret;
}

static void __exit nesting_exit(void)
{
	misc_deregister(&device);
	unregister_nmi_handler(NMI_LOCAL, "nesting");
}

module_init(nesting_init);
module_exit(nesting_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("functions on top of each other, for a test of weft");
