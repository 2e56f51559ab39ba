/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a function of weft.ko in place of one of the kernel's, as live patches do: by ftrace, at the
 * entry. Needs CONFIG_DYNAMIC_FTRACE_WITH_REGS.
 */
#ifndef WK_FTRACE_HOOK_H
#define WK_FTRACE_HOOK_H

#include <linux/ftrace.h>
#include <linux/types.h>

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

struct wk_ftrace_hook {
	const char *function;	/* its name */
	unsigned long address;	/* live: its own; 0: the kernel has none of that name */
	struct ftrace_ops ops;
	bool hooked;
};

/*
 * No RECURSION, by which ftrace would skip the call on top of another tracer's: what is called
 * must never call what is traced and hooked. PERMANENT: as long as it is needed, ftrace cannot be
 * switched off (the sysctl ftrace_enabled says EBUSY).
 *
 * @func_: an ftrace_func_t; it changes regs->ip where the function is not to run.
 */
#define WK_FTRACE_HOOK(function_, func_)                                                   \
	{                                                                                  \
		.function = (function_),                                                   \
		.ops = { .func = (func_),                                                  \
			 .flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY |       \
				  FTRACE_OPS_FL_PERMANENT },                               \
	}

/* May sleep. -ENOENT: the kernel has no such function; or ftrace's error. */
int wk_ftrace_hook(struct wk_ftrace_hook *hook);

/* Nothing is done if it is not hooked. */
void wk_ftrace_unhook(struct wk_ftrace_hook *hook);

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_REGS */

#endif /* WK_FTRACE_HOOK_H */
