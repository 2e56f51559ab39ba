// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NMIs whose handlers take long, as in a virtual machine whose host takes the processor away. A
 * write to the parameter `send` sends CPU 0 an NMI, and waits until it is handled. Its first
 * handler takes LONG_NS, in which weft.ko sends an NMI of its own to that CPU, if its advice takes
 * too long; its last handler, which is called after weft.ko's, takes SHORT_NS.
 *
 * A write to the parameter `leave` runs in4_pton() on CPU 0, and sends such NMIs from the calling
 * CPU, one after the other, until the function has returned. In between it waits for GAP_NS, so
 * that weft.ko's NMI, which has waited for the end of the handlers, is handled alone. If the
 * function has advice that loops for ever with interrupts off, CPU 0 is nearly always in these
 * handlers. So it is in one of these NMIs that weft.ko leaves the advice. The parameter `left`
 * counts the NMIs that returned to another instruction than they had interrupted.
 */
#include <linux/inet.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/processor.h>

enum {
	LONG_NS = 12 * NSEC_PER_MSEC,
	SHORT_NS = 300 * NSEC_PER_USEC,
	GAP_NS = 500 * NSEC_PER_USEC,
};

static atomic_t sent; /* 1: an NMI was sent to CPU 0; 2: its first handler has run */
static unsigned long interrupted; /* where the NMI that is being handled came */
static unsigned int left;
static int progress; /* of run(): 1: it has begun; 2: it has ended */

static void take(u64 ns)
{
	u64 end = ktime_get_mono_fast_ns() + ns;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
}

static int on_first(unsigned int type, struct pt_regs *regs)
{
	if (smp_processor_id() || atomic_cmpxchg(&sent, 1, 2) != 1)
		return NMI_DONE;
	interrupted = regs->ip;
	take(LONG_NS);
	return NMI_HANDLED;
}

static int on_last(unsigned int type, struct pt_regs *regs)
{
	if (!smp_processor_id() && atomic_read(&sent) == 2) {
		take(SHORT_NS);
		left += regs->ip != interrupted;
		atomic_set(&sent, 0);
	}
	return NMI_DONE;
}

static int send(const char *value, const struct kernel_param *param)
{
	if (atomic_cmpxchg(&sent, 0, 1))
		return -EBUSY;
	apic->send_IPI_mask(cpumask_of(0), NMI_VECTOR);
	while (atomic_read(&sent))
		cpu_relax();
	return 0;
}

static void run(struct work_struct *work)
{
	u8 address[4];

	WRITE_ONCE(progress, 1);
	in4_pton("1.2.3.4", -1, address, -1, NULL);
	WRITE_ONCE(progress, 2);
}

static DECLARE_WORK(work, run);

static int leave(const char *value, const struct kernel_param *param)
{
	int ret = 0;

	progress = 0;
	schedule_work_on(0, &work);
	while (!READ_ONCE(progress))
		cpu_relax();
	take(GAP_NS);
	while (READ_ONCE(progress) == 1 && !ret) {
		ret = send(value, param);
		take(GAP_NS);
	}
	flush_work(&work);
	return ret;
}

static const struct kernel_param_ops send_ops = { .set = send };
module_param_cb(send, &send_ops, NULL, 0200);

static const struct kernel_param_ops leave_ops = { .set = leave };
module_param_cb(leave, &leave_ops, NULL, 0200);

module_param(left, uint, 0444);

static int __init late_nmi_init(void)
{
	int ret = register_nmi_handler(NMI_LOCAL, on_first, NMI_FLAG_FIRST, "late_nmi_first");

	if (ret)
		return ret;
	ret = register_nmi_handler(NMI_LOCAL, on_last, 0, "late_nmi_last");
	if (ret)
		unregister_nmi_handler(NMI_LOCAL, "late_nmi_first");
	return ret;
}

static void __exit late_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "late_nmi_last");
	unregister_nmi_handler(NMI_LOCAL, "late_nmi_first");
}

module_init(late_nmi_init);
module_exit(late_nmi_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("NMIs whose handlers take long, for a test of weft");
