// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes memory short for one caller: of the allocations that are called from text between the
 * parameters start and end, the one with the number nth fails. The parameter calls shows how many
 * there were since it was last written, and the parameter failed how many of them failed.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sysfs.h>

static unsigned long start, end;
module_param(start, ulong, 0444);
module_param(end, ulong, 0444);
static int nth;
module_param(nth, int, 0644);
static atomic_t calls, failed;

static int get_count(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(param->arg));
}

static int begin(const char *text, const struct kernel_param *param)
{
	atomic_set(&calls, 0);
	atomic_set(&failed, 0);
	return 0;
}

static const struct kernel_param_ops calls_ops = { .get = get_count, .set = begin };
static const struct kernel_param_ops failed_ops = { .get = get_count };
module_param_cb(calls, &calls_ops, &calls, 0644);
module_param_cb(failed, &failed_ops, &failed, 0444);

/* This function runs in place of an allocation that is to fail. */
static noinline notrace void *nothing(void)
{
	return NULL;
}

static int on_call(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned long caller = *(unsigned long *)regs->sp;

	if (caller - start >= end - start || atomic_inc_return(&calls) != READ_ONCE(nth))
		return 0;
	atomic_inc(&failed);
	pr_info("shortage: %s fails for %pS\n", probe->symbol_name, (void *)caller);
	regs->ip = (unsigned long)nothing;
	return 1;
}

/*
 * The allocators that a kernel may have. If one of them calls another, as kvmalloc_node() does,
 * only one failure is made.
 */
static struct kprobe probes[] = {
	{ .symbol_name = "__kmalloc" },	     { .symbol_name = "kmalloc_trace" },
	{ .symbol_name = "__kmalloc_node" }, { .symbol_name = "kvmalloc_node" },
	{ .symbol_name = "krealloc" },	     { .symbol_name = "vmap" },
	{ .symbol_name = "__alloc_percpu" }, { .symbol_name = "module_alloc" },
};

static int __init shortage_init(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(probes); i++) {
		probes[i].pre_handler = on_call;
		if (register_kprobe(&probes[i]))
			probes[i].pre_handler = NULL;
	}
	return 0;
}

static void __exit shortage_exit(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(probes); i++)
		if (probes[i].pre_handler)
			unregister_kprobe(&probes[i]);
}

module_init(shortage_init);
module_exit(shortage_exit);
MODULE_LICENSE("GPL");
