// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls functions of the kernel with arguments that take them through their branches, the same way
 * each time. Nothing else calls these functions during a test. A write of "N CONTEXT" to
 * /dev/probed calls all of them N times on the writer's CPU: in a task (0, the default), in
 * softirqs (1), interrupts (2) or NMIs (3). Their results are compared with those from when this
 * module was loaded. A read prints how many calls with one argument there were, and how many of
 * them had other results.
 */
#include <linux/bottom_half.h>
#include <linux/clocksource.h>
#include <linux/fs.h>
#include <linux/in.h>
#include <linux/inet.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/nmi.h>
#include <linux/rtc.h>
#include <linux/sched.h>
#include <linux/socket.h>
#include <linux/time.h>
#include <net/net_namespace.h>
#include <asm/apic.h>
#include <asm/nmi.h>

static const char *const texts[] = {
	"",	   "x",	      "10.0.0.1",	 "255.256.1.1",	     "1.2.3",	     "..",
	"fe80::1", "::",      "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8", "eth0",	     "a/b",
	"1::2::3", "1:2:g::", "12345::",	 "a name that is longer than any may be",
};

static const unsigned int numbers[] = { 0, 1, 7, 240, 65537, 1U << 20, 123456789, U32_MAX };

enum { ARGUMENTS = ARRAY_SIZE(texts) + ARRAY_SIZE(numbers) };

enum context { TASK, SOFTIRQ, INTERRUPT, NMI, CONTEXTS };

/* For each argument, a hash of the results from when this module was loaded. */
static u32 right[ARGUMENTS];
static atomic64_t calls, wrong;

static u32 add(u32 hash, u32 result)
{
	return jhash_1word(result, hash);
}

static u32 call_with_text(const char *text)
{
	struct sockaddr_storage socket;
	u8 address[16] = { 0 };
	u32 hash = 0;

	hash = add(hash, in4_pton(text, -1, address, '%', NULL));
	hash = add(hash, in6_pton(text, -1, address, '%', NULL));
	hash = jhash(address, sizeof(address), hash);
	hash = add(hash, in_aton(text));
	hash = add(hash, dev_valid_name(text));
	memset(&socket, 0, sizeof(socket));
	hash = add(hash, inet_pton_with_scope(&init_net, AF_UNSPEC, text, "80", &socket));
	if (socket.ss_family) /* Without this condition the function would print a message. */
		hash = add(hash, inet_addr_is_any((struct sockaddr *)&socket));
	return jhash(&socket, sizeof(socket), hash);
}

static u32 call_with_number(unsigned int number)
{
	struct timespec64 time;
	struct rtc_time rtc;
	u32 mult, shift, hash = 0;
	struct tm tm;

	set_normalized_timespec64(&time, number, (s64)number * NSEC_PER_USEC - NSEC_PER_SEC);
	hash = add(add(hash, time.tv_sec), time.tv_nsec);
	memset(&tm, 0, sizeof(tm));
	time64_to_tm(number, number % 7200 - 3600, &tm);
	hash = jhash(&tm, sizeof(tm), hash);
	hash = add(hash, mktime64(1970 + number % 100, 1 + number % 12, 1, 0, 0, 0));
	clocks_calc_mult_shift(&mult, &shift, 1 + number / 2, NSEC_PER_SEC, number % 3600);
	hash = add(add(hash, mult), shift);
	memset(&rtc, 0, sizeof(rtc));
	rtc.tm_year = 70 + number % 100;
	rtc.tm_mon = number % 13;
	rtc.tm_mday = number % 33;
	rtc.tm_hour = number % 25;
	return add(hash, rtc_valid_tm(&rtc));
}

static u32 call_with(unsigned int argument)
{
	if (argument < ARRAY_SIZE(texts))
		return call_with_text(texts[argument]);
	return call_with_number(numbers[argument - ARRAY_SIZE(texts)]);
}

/*
 * Calls the functions with @argument. If a function has returned with another preemption count, or
 * has changed whether interrupts are on, this counts as a wrong result, and both are restored.
 */
static void call_and_compare(unsigned int argument)
{
	const int count = preempt_count();
	const bool off = irqs_disabled();
	bool same = call_with(argument) == right[argument];

	if (irqs_disabled() != off || preempt_count() != count)
		same = false;
	preempt_count_set(count);
	if (!off)
		local_irq_enable();
	atomic64_inc(&calls);
	if (!same)
		atomic64_inc(&wrong);
}

/* ---- functions that make the calls in each context ------------------------------------------- */

/*
 * The argument for which the CPU's next softirq, interrupt or NMI has to call the functions, or
 * ARGUMENTS if no call is due.
 */
static DEFINE_PER_CPU(unsigned int, due) = ARGUMENTS;

/*
 * The context in which the call is due. Without it, an NMI that comes while the call is due in a
 * softirq or an interrupt would make the call instead.
 */
static DEFINE_PER_CPU(enum context, due_in);

static void call_due(void)
{
	unsigned int argument = this_cpu_read(due);

	if (argument == ARGUMENTS)
		return;
	call_and_compare(argument);
	this_cpu_write(due, ARGUMENTS);
}

static void on_softirq(struct tasklet_struct *unused)
{
	call_due();
}
static DECLARE_TASKLET(softirq, on_softirq);

static void on_interrupt(struct irq_work *unused)
{
	call_due();
}
static DEFINE_PER_CPU(struct irq_work, interrupt);

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	if (this_cpu_read(due) == ARGUMENTS || this_cpu_read(due_in) != NMI)
		return NMI_DONE;
	call_due();
	return NMI_HANDLED;
}

/* Calls the functions with @argument in @context. The calling task must be bound to its CPU. */
static void call_in(enum context context, unsigned int argument)
{
	if (context == TASK) {
		call_and_compare(argument);
		return;
	}
	local_bh_disable();
	this_cpu_write(due_in, context);
	this_cpu_write(due, argument);
	if (context == SOFTIRQ)
		tasklet_schedule(&softirq);
	else if (context == INTERRUPT)
		irq_work_queue(this_cpu_ptr(&interrupt));
	else
		apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	local_bh_enable();
	while (this_cpu_read(due) != ARGUMENTS)
		cond_resched();
}

/* ---- the file operations of /dev/probed ------------------------------------------------------ */

static ssize_t run(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	unsigned int context = TASK;
	unsigned long n;
	char text[32];

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, buffer, size))
		return -EFAULT;
	text[size] = '\0';
	if (sscanf(text, "%lu %u", &n, &context) < 1 || context >= CONTEXTS)
		return -EINVAL;
	for (unsigned long i = 0; i < n; i++)
		for (unsigned int argument = 0; argument < ARGUMENTS; argument++) {
			call_in(context, argument);
			cond_resched();
		}
	return size;
}

static ssize_t show(struct file *file, char __user *buffer, size_t size, loff_t *offset)
{
	char text[64];
	int n = scnprintf(text, sizeof(text), "%lld %lld\n", atomic64_read(&calls),
			  atomic64_read(&wrong));

	return simple_read_from_buffer(buffer, size, offset, text, n);
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.read = show,
	.write = run,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "probed",
	.fops = &operations,
};

static int __init probed_init(void)
{
	int cpu, ret = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "probed");

	if (ret)
		return ret;
	for_each_possible_cpu(cpu)
		*per_cpu_ptr(&interrupt, cpu) = IRQ_WORK_INIT_HARD(on_interrupt);
	for (unsigned int argument = 0; argument < ARGUMENTS; argument++)
		right[argument] = call_with(argument);
	ret = misc_register(&device);
	if (ret)
		unregister_nmi_handler(NMI_LOCAL, "probed");
	return ret;
}

static void __exit probed_exit(void)
{
	misc_deregister(&device);
	tasklet_kill(&softirq);
	unregister_nmi_handler(NMI_LOCAL, "probed");
}

module_init(probed_init);
module_exit(probed_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("calls functions that nobody else calls, for a test of weft");
