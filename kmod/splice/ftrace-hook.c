// SPDX-License-Identifier: GPL-2.0-or-later
/* Has functions of weft.ko called at the entries of functions of the kernel; see ftrace-hook.h. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/delay.h>
#include <linux/kernel.h>

#include "base/unexported.h"
#include "splice/ftrace-hook.h"

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

int wk_ftrace_hook(struct wk_ftrace_hook *hook)
{
	int ret;

	hook->address = wk_call(find)(hook->function);
	if (!hook->address)
		return -ENOENT;
	ret = ftrace_set_filter_ip(&hook->ops, hook->address, 0, 0);
	if (!ret)
		ret = register_ftrace_function(&hook->ops);
	hook->hooked = !ret;
	return ret;
}

/*
 * Called when ftrace refuses to remove a hook. Never returns: a module's exit function cannot fail,
 * so the only other way would be to let weft.ko's text be freed while ftrace still calls it.
 */
static void wait_for_ever(const struct wk_ftrace_hook *hook, int error)
{
	pr_emerg("ftrace does not take back its call from %s() to weft.ko (%d): rmmod will never "
		 "end\n",
		 hook->function, error);
	for (;;)
		ssleep(60);
}

void wk_ftrace_unhook(struct wk_ftrace_hook *hook)
{
	int ret = hook->hooked ? unregister_ftrace_function(&hook->ops) : 0;

	if (ret)
		wait_for_ever(hook, ret);
	hook->hooked = false;
}

#else

int wk_ftrace_hook(struct wk_ftrace_hook *hook)
{
	return -ENOTSUPP;
}

void wk_ftrace_unhook(struct wk_ftrace_hook *hook)
{
}

#endif
