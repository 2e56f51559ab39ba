/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has a function of weft's called by ftrace at the entry of a function of the kernel, where it may
 * change the instruction pointer, as live patching does.
 */
#ifndef WK_FTRACE_HOOK_H
#define WK_FTRACE_HOOK_H

#include <linux/ftrace.h>

struct wk_ftrace_hook {
	const char *function;  /* the kernel's; not exported */
	unsigned long address; /* live, of that function; 0: this kernel has not got it */
	struct ftrace_ops ops;
	bool hooked;
};

/*
 * PERMANENT: as long as it is needed, ftrace cannot be switched off (the sysctl ftrace_enabled says
 * EBUSY), as with live patches. No RECURSION, by which ftrace would skip the call on top of another
 * tracer's: our functions never call what is traced. Where ftrace has several functions to call for
 * one entry, it limits how deep such calls are nested all the same.
 */
#define WK_FTRACE_HOOK(function_, called)                                                     \
	{ .function = function_,                                                              \
	  .ops = { .func = called,                                                            \
		   .flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY |                \
			    FTRACE_OPS_FL_PERMANENT } }

/* May sleep. 0; -ENOENT: there is no such function; or what ftrace answers. */
int wk_ftrace_hook(struct wk_ftrace_hook *hook);

/*
 * Nothing is done if it is not hooked. Afterwards the function is called no more. May sleep; never
 * returns if ftrace has switched itself off after a bug, since weft.ko is still called then.
 */
void wk_ftrace_unhook(struct wk_ftrace_hook *hook);

#endif /* WK_FTRACE_HOOK_H */
