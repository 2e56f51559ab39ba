// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NMIs whose handlers take long, as in a virtual machine whose host takes the processor away. A
 * write to the parameter `send` sends CPU 0 an NMI, and waits until it is handled. Its first
 * handler takes LONG_NS, in which weft.ko sends an NMI of its own to that CPU, if its advice takes
 * too long; its last handler, which is called after weft.ko's, takes SHORT_NS.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/processor.h>

enum { LONG_NS = 12 * NSEC_PER_MSEC, SHORT_NS = NSEC_PER_MSEC };

static atomic_t sent; /* 1: an NMI was sent to CPU 0; 2: its first handler has run */

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
	take(LONG_NS);
	return NMI_HANDLED;
}

static int on_last(unsigned int type, struct pt_regs *regs)
{
	if (!smp_processor_id() && atomic_read(&sent) == 2) {
		take(SHORT_NS);
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

static const struct kernel_param_ops send_ops = { .set = send };
module_param_cb(send, &send_ops, NULL, 0200);

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
