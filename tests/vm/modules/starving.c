// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes one allocation of another module fail, as the kernel's fault injection does, for kernels
 * that are built without fault injection.
 *
 * Parameters. "start" and "size" are the other module's .text: only allocations that are called
 * from there count. "comm": only allocations by tasks of this name count, so that work in the
 * background does not change the numbering. "fail" is the number of the allocation that fails,
 * counted from 1 since this parameter was written, or 0 for none. To read: "calls" is how many
 * allocations there were; "failed" is the function that called the allocation which failed, or
 * empty.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

static unsigned long start, size;
module_param(start, ulong, 0444);
module_param(size, ulong, 0444);
static char *comm = "";
module_param(comm, charp, 0444);

static atomic_long_t calls;
static unsigned long fail, failed;

static int set_fail(const char *text, const struct kernel_param *param)
{
	WRITE_ONCE(fail, 0);
	WRITE_ONCE(failed, 0);
	atomic_long_set(&calls, 0);
	return param_set_ulong(text, param);
}

static const struct kernel_param_ops fail_ops = { .set = set_fail, .get = param_get_ulong };
module_param_cb(fail, &fail_ops, &fail, 0644);

static int get_number(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read(param->arg));
}

static const struct kernel_param_ops number_ops = { .get = get_number };
module_param_cb(calls, &number_ops, &calls, 0444);

static int get_failed(char *buffer, const struct kernel_param *param)
{
	return failed ? sysfs_emit(buffer, "%pB\n", (void *)failed) : 0;
}

static const struct kernel_param_ops failed_ops = { .get = get_failed };
module_param_cb(failed, &failed_ops, NULL, 0444);

/* ---- functions that run in place of an allocation that is to fail ---- */

static notrace void *nothing(void)
{
	return NULL;
}

static notrace long no_memory(void)
{
	return -ENOMEM;
}

/* ---- the table of functions that are watched ---- */

/* What a watched function returns: a pointer, which is NULL on failure, or an error code. */
enum kind { POINTER, CODE };

struct watched {
	const char *function;
	enum kind kind;
	struct ftrace_ops ops;
};

static bool is_to_fail(unsigned long parent)
{
	if (strcmp(current->comm, comm) || atomic_long_inc_return(&calls) != READ_ONCE(fail))
		return false;
	WRITE_ONCE(failed, parent);
	return true;
}

static void notrace on_call(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			    struct ftrace_regs *fregs)
{
	const struct watched *watched = container_of(ops, struct watched, ops);
	struct pt_regs *regs = ftrace_get_regs(fregs);

	if (parent >= start && parent < start + size && is_to_fail(parent))
		regs->ip =
			watched->kind == CODE ? (unsigned long)no_memory : (unsigned long)nothing;
}

#define WATCHED(function_, kind_)                                                   \
	{                                                                           \
		.function = function_, .kind = kind_,                               \
		.ops = {.func = on_call,                                            \
			.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY } \
	}

static struct watched all[] = {
	WATCHED("kmalloc_trace", POINTER), WATCHED("__kmalloc", POINTER),
	WATCHED("kvmalloc_node", POINTER), WATCHED("krealloc", POINTER),
	WATCHED("__alloc_percpu", POINTER), WATCHED("__alloc_pages", POINTER),
	WATCHED("vmap", POINTER),	    WATCHED("module_alloc", POINTER),
	WATCHED("set_memory_ro", CODE),	    WATCHED("set_memory_x", CODE),
	WATCHED("tracepoint_probe_register", CODE),
};

static void unwatch(unsigned int n)
{
	while (n--)
		unregister_ftrace_function(&all[n].ops);
}

static int __init starving_init(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++) {
		char name[KSYM_NAME_LEN];
		int ret;

		strscpy(name, all[i].function, sizeof(name));
		ret = ftrace_set_filter(&all[i].ops, name, strlen(name), 1);
		if (!ret)
			ret = register_ftrace_function(&all[i].ops);
		if (ret) {
			pr_err("%s() cannot be watched (%d)\n", name, ret);
			unwatch(i);
			return ret;
		}
	}
	return 0;
}

static void __exit starving_exit(void)
{
	unwatch(ARRAY_SIZE(all));
}

module_init(starving_init);
module_exit(starving_exit);
MODULE_LICENSE("GPL");
