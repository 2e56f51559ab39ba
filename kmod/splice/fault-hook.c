// SPDX-License-Identifier: GPL-2.0-or-later
/* Hooks the kernel's paths from a fault to an oops; see fault-hook.h. */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/kfence.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/trap_pf.h>
#include <asm/trapnr.h>

#include "base/unexported.h"
#include "splice/fault-hook.h"
#include "splice/ftrace-hook.h"
#include "splice/kprobe-slot.h"
#include "splice/leave.h"
#include "splice/platform.h"

static const struct wk_fault_hooks *hooks;

/* ---- hooking exceptions other than page faults ----------------------------------------------- */

/*
 * How often preemption was disabled when a die notifier runs: the notifier chain takes the RCU read
 * lock, which disables preemption in kernels where RCU needs that.
 */
enum { NOTIFIER_PREEMPTS = IS_ENABLED(CONFIG_PREEMPT_COUNT) && !IS_ENABLED(CONFIG_PREEMPT_RCU) };

/*
 * Returns whether @trap is an exception that may be a fault of advice. Debug exceptions and int3s
 * are not, since they belong to other owners; nor are exceptions from which the processor cannot
 * return.
 */
static bool is_fault(int trap)
{
	switch (trap) {
	case X86_TRAP_DE:
	case X86_TRAP_OF:
	case X86_TRAP_BR:
	case X86_TRAP_UD:
	case X86_TRAP_TS:
	case X86_TRAP_NP:
	case X86_TRAP_SS:
	case X86_TRAP_GP:
	case X86_TRAP_AC:
		return true;
	default:
		return false;
	}
}

/*
 * Address of the struct pt_regs of this CPU's last fault that ->mend() has refused, so that it
 * becomes an oops; 0: there is none. By it on_oops() recognizes a fault that was refused already.
 */
static DEFINE_PER_CPU(unsigned long, refused);

static bool mend(const struct wk_fault_event *fault)
{
	bool mended = hooks->mend(fault);

	this_cpu_write(refused, mended ? 0 : (unsigned long)fault->regs);
	return mended;
}

/*
 * Mends a page fault that has reached the oops without on_page_fault(): page_fault_oops() could not
 * be hooked, or ftrace did not call the hook (if several hooks are at one function, ftrace limits
 * how deep their calls may be nested). The oops is in the log already, but with NOTIFY_STOP the
 * kernel goes on.
 */
static int on_oops(const struct die_args *args)
{
	u8 byte;
	const struct wk_fault_event fault = {
		.regs = args->regs,
		.trap = X86_TRAP_PF,
		.code = args->err,
		.fetch = args->err & X86_PF_INSTR ||
			 copy_from_kernel_nofault(&byte, (void *)args->regs->ip, sizeof(byte)),
		.preempts = NOTIFIER_PREEMPTS,
	};
	bool asked = this_cpu_read(refused) == (unsigned long)args->regs;

	this_cpu_write(refused, 0);
	/* "Oops" is the text that page_fault_oops() passes; it does not set ->trapnr. */
	if (!asked && !strcmp(args->str, "Oops") && hooks->mend(&fault))
		return NOTIFY_STOP;
	hooks->oops(args->regs);
	return NOTIFY_DONE;
}

static int on_die(struct notifier_block *block, unsigned long event, void *data)
{
	const struct die_args *args = data;
	const struct wk_fault_event fault = { .regs = args->regs,
					      .trap = args->trapnr,
					      .code = args->err,
					      .preempts = NOTIFIER_PREEMPTS };

	if (user_mode(args->regs))
		return NOTIFY_DONE;
	if (event == DIE_OOPS)
		return on_oops(args);
	if ((event != DIE_TRAP && event != DIE_GPF) || !is_fault(args->trapnr))
		return NOTIFY_DONE;
	if (event == DIE_TRAP)
		wk_kprobe_end_step(args->regs, args->trapnr);
	return mend(&fault) ? NOTIFY_STOP : NOTIFY_DONE;
}
NOKPROBE_SYMBOL(on_die);

static struct notifier_block on_die_block = {
	.notifier_call = on_die,
	.priority = INT_MAX, /* before debuggers */
};

/* ---- hooking page faults --------------------------------------------------------------------- */

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

/*
 * Called instead of page_fault_oops() for a page fault while advice or a block may be running on
 * this CPU. It is entered as page_fault_oops() would be: no frame of ftrace is in between. If the
 * fault is not mended, this function calls page_fault_oops() itself. That call goes through ftrace
 * to on_page_fault() again, which lets it pass the second time.
 */
static notrace void replacement(struct pt_regs *regs, unsigned long code, unsigned long address)
{
	const struct wk_fault_event fault = { .regs = regs,
					      .trap = X86_TRAP_PF,
					      .address = address,
					      .code = code,
					      .fetch = code & X86_PF_INSTR || regs->ip == address };

	/*
	 * A fault in KFENCE's pool is left to KFENCE, which reports it, maps the page, and lets the
	 * instruction run.
	 */
	bool kfence = !(code & X86_PF_PROT) && is_kfence_address((void *)address);

	if (!kfence && mend(&fault))
		return;
	wk_call(page_fault_oops)(regs, code, address);
	barrier(); /* no tail call: on_page_fault() recognizes this call by its return address */
}
NOKPROBE_SYMBOL(replacement);

static void notrace on_page_fault(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				  struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct pt_regs *faulting = (void *)regs->di;

	if (user_mode(faulting) || !wk_leave_may() || within_module(parent, THIS_MODULE))
		return;
	regs->ip = (unsigned long)replacement;
}
NOKPROBE_SYMBOL(on_page_fault);

static struct wk_ftrace_hook hook = WK_FTRACE_HOOK(WK_NAME_page_fault_oops, on_page_fault);

static int hook_page_faults(void)
{
	return wk_ftrace_hook(&hook);
}

static void unhook_page_faults(void)
{
	wk_ftrace_unhook(&hook);
}

/* ---- hooking warnings ------------------------------------------------------------------------ */

/* Called in place of __warn(): prints no report, and does not panic if panic_on_warn is set. */
static notrace void report_nothing(void)
{
}

/*
 * Called by ftrace at the entry of __warn(). If weft.ko handles the warning, makes the kernel call
 * report_nothing() instead of __warn(). Its first two arguments (%rdi, %rsi) are the file and line
 * of the WARN(). The fifth (%r8) points to the registers at the WARN(); it is NULL if __warn() was
 * called as a function, without an exception.
 */
static void notrace on_warn(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			    struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct pt_regs *warning = (void *)regs->r8;

	if (warning && !user_mode(warning) && wk_leave_may() &&
	    hooks->warn(warning, (const char *)regs->di, regs->si))
		regs->ip = (unsigned long)report_nothing;
}
NOKPROBE_SYMBOL(on_warn);

static struct wk_ftrace_hook warn_hook = WK_FTRACE_HOOK("__warn", on_warn);

static int hook_warnings(void)
{
	return wk_ftrace_hook(&warn_hook);
}

static void unhook_warnings(void)
{
	wk_ftrace_unhook(&warn_hook);
}

#else

static int hook_page_faults(void)
{
	return -ENOTSUPP;
}

static void unhook_page_faults(void)
{
}

static int hook_warnings(void)
{
	return -ENOTSUPP;
}

static void unhook_warnings(void)
{
}

#endif

int wk_fault_hook_init(const struct wk_fault_hooks *hooks_)
{
	int ret;

	hooks = hooks_;
	ret = register_die_notifier(&on_die_block);
	if (ret)
		return ret;
	ret = hook_page_faults();
	if (ret)
		pr_warn("page_fault_oops() cannot be hooked by ftrace (%d): a page fault in advice "
			"shows as an oops in the log\n",
			ret);
	ret = hook_warnings();
	if (ret)
		pr_warn("__warn() cannot be hooked by ftrace (%d): a WARN() in advice shows in "
			"the log only\n",
			ret);
	return 0;
}

void wk_fault_hook_deinit(void)
{
	unhook_warnings();
	unhook_page_faults();
	unregister_die_notifier(&on_die_block);
}
