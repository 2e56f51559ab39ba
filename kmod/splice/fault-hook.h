/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks weft.ko about faults in the kernel before they become an oops.
 *
 * For #DE, #UD, #GP and similar exceptions the kernel calls the die notifiers first, and weft.ko
 * registers one. For page faults there is no such notifier: a page fault that nobody has handled
 * ends in page_fault_oops(). So ftrace hooks the entry of that function, as live patching replaces
 * functions (kprobe-hook.h uses such hooks, too). A WARN() is no fault to the kernel: it ends in
 * __warn(), which is hooked in the same way. By then the first line of the warning, "cut here", is
 * in the log.
 */
#ifndef WK_FAULT_HOOK_H
#define WK_FAULT_HOOK_H

#include <linux/types.h>

struct pt_regs;

/* A fault, before the kernel treats it as a bug of its own. */
struct wk_fault_event {
	struct pt_regs *regs;
	u8 trap;	       /* X86_TRAP_*, or enum weft_limit */
	unsigned long address; /* the address that a page fault has accessed; else 0 */
	unsigned long code;    /* the error code of the exception */
	bool fetch; /* a page fault at fetching the instruction at regs->ip */
	int preempts; /* how often the handlers of the fault have disabled preemption */
	/* nanoseconds, only if ->trap is an enum weft_limit: weft_fault.taken and .limit */
	u64 taken, limit;
};

struct wk_fault_hooks {
	/*
	 * Returns true if it has changed event->regs so that execution can go on with these
	 * registers. Any context, NMI too; preemption is off if advice runs.
	 */
	bool (*mend)(const struct wk_fault_event *event);
	/*
	 * Called for a WARN() at @regs->ip, in line @line of @file, which may be NULL. Returns true
	 * if the kernel need not report it. Any context, NMI too.
	 */
	bool (*warn)(struct pt_regs *regs, const char *file, u32 line);
	/* Called when an oops has begun, which ends the current task unless the kernel panics. */
	void (*oops)(struct pt_regs *regs);
};

/*
 * Hooks the paths; from then on @hooks, which stays valid, is called. If page faults or warnings
 * cannot be hooked, the log says so, but that is no error. Returns 0, or the error of
 * register_die_notifier(). May sleep.
 */
int wk_fault_hook_init(const struct wk_fault_hooks *hooks);
void wk_fault_hook_deinit(void);

#endif /* WK_FAULT_HOOK_H */
