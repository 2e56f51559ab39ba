/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes ftrace call a function of weft.ko at the entry of a function of the kernel. The called
 * function may change the instruction pointer, as live patching does.
 */
#ifndef WK_FTRACE_HOOK_H
#define WK_FTRACE_HOOK_H

#include <linux/ftrace.h>

struct wk_ftrace_hook {
	const char *function;  /* name of the kernel's function; not exported */
	unsigned long address; /* live address of that function; 0: this kernel does not have it */
	struct ftrace_ops ops;
	bool hooked;
};

/*
 * Initializes a hook: ftrace will call @called at the entry of the kernel's function @function_.
 *
 * FTRACE_OPS_FL_PERMANENT is set: while the hook is registered, ftrace cannot be switched off
 * (writing to the sysctl ftrace_enabled fails with EBUSY), as with live patches.
 *
 * FTRACE_OPS_FL_RECURSION is not set. With it, ftrace would skip the call if the entry is reached
 * inside another tracer. It is not needed, since hooks never call traced functions. Even without
 * it, if several hooks are at one entry, ftrace limits how deep their calls are nested, and may
 * skip one.
 */
#define WK_FTRACE_HOOK(function_, called)                                                     \
	{ .function = function_,                                                              \
	  .ops = { .func = called,                                                            \
		   .flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY |                \
			    FTRACE_OPS_FL_PERMANENT } }

/* May sleep. Returns 0; -ENOENT: this kernel has no such function; or an error of ftrace. */
int wk_ftrace_hook(struct wk_ftrace_hook *hook);

/*
 * Removes the hook: afterwards its function is not called any more. Does nothing if it is not
 * hooked. May sleep. Never returns if ftrace has switched itself off after a bug, since then the
 * function in weft.ko is still called.
 */
void wk_ftrace_unhook(struct wk_ftrace_hook *hook);

#endif /* WK_FTRACE_HOOK_H */
