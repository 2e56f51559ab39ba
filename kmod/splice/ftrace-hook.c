// SPDX-License-Identifier: GPL-2.0-or-later
/* See ftrace-hook.h. */
#include <linux/errno.h>

#include "base/unexported.h"
#include "splice/ftrace-hook.h"

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

int wk_ftrace_hook(struct wk_ftrace_hook *hook)
{
	int ret;

	hook->address = wk_unexported.find(hook->function);
	if (!hook->address)
		return -ENOENT;
	ret = ftrace_set_filter_ip(&hook->ops, hook->address, 0, 0);
	if (!ret)
		ret = register_ftrace_function(&hook->ops);
	hook->hooked = !ret;
	return ret;
}

void wk_ftrace_unhook(struct wk_ftrace_hook *hook)
{
	if (hook->hooked)
		unregister_ftrace_function(&hook->ops);
	hook->hooked = false;
}

#endif
