/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that is not spliced beside what the kernel itself forbids, by symbols: weft.ko holds it against live text, the weaver against
 * an image. The kernel's own list for kprobes is not enough: a kprobe's int3 is handled before the notifiers run, weft's by
 * one of them where the entry code is not hooked, and then the way there has to be free of splices too. Each entry says which of the
 * reasons holds; each was seen to kill a kernel or stands beside one that was.
 */
#ifndef WEFT_FORBIDDEN_H
#define WEFT_FORBIDDEN_H

/* entry(first symbol, last one or NULL: the first alone, enum weft_refusal, whether only where the trap goes through the notifiers) */
#define WR_FORBIDDEN_TEXT(entry)                                                                  \
	/* exc_int3 -> notify_die -> atomic_notifier_call_chain takes the RCU read lock: a trap there traps again. */ \
	entry("__rcu_read_lock", NULL, WEFT_REFUSAL_OWN_TEXT, true)                               \
	entry("__rcu_read_unlock", NULL, WEFT_REFUSAL_OWN_TEXT, true)                             \
	entry("rcu_read_unlock_special", NULL, WEFT_REFUSAL_OWN_TEXT, true)                       \
	/* Tracers' hooks in nmi_enter(), which an int3 passes. */                                \
	entry("trace_hwlat_callback", NULL, WEFT_REFUSAL_OWN_TEXT, true)                          \
	entry("trace_osnoise_callback", NULL, WEFT_REFUSAL_OWN_TEXT, true)                        \
	/* Advice ends with preempt_enable_notrace(), which comes here again while a reschedule is due. */ \
	entry("preempt_schedule_notrace", NULL, WEFT_REFUSAL_OWN_TEXT, false)                     \
	/* ftrace copies these to make trampolines, and patches the calls in them without looking. */ \
	entry("ftrace_stub", "return_to_handler", WEFT_REFUSAL_FTRACE, false)                     \
	entry("__fentry__", NULL, WEFT_REFUSAL_FTRACE, false)                                     \
	entry("ftrace_caller", "ftrace_caller_end", WEFT_REFUSAL_FTRACE, false)                   \
	entry("ftrace_regs_caller", "ftrace_regs_caller_end", WEFT_REFUSAL_FTRACE, false)         \
	entry("ftrace_stub_direct_tramp", NULL, WEFT_REFUSAL_FTRACE, false)                       \
	entry("return_to_handler", NULL, WEFT_REFUSAL_FTRACE, false)                              \
	/* The trampolines of static calls: rewritten as wholes, after a check that BUG()s on what it does not know. */ \
	entry("__static_call_text_start", "__static_call_text_end", WEFT_REFUSAL_STATIC_CALL, false) \
	/* A CPU that comes up, or wakes, has no interrupt table for a while; one that goes down for kexec has none any more. */ \
	entry("start_secondary", NULL, WEFT_REFUSAL_BLACKLISTED, false)                           \
	entry("cr4_init", NULL, WEFT_REFUSAL_BLACKLISTED, false)                                  \
	entry("cpu_init", NULL, WEFT_REFUSAL_BLACKLISTED, false)                                  \
	entry("cpu_init_exception_handling", NULL, WEFT_REFUSAL_BLACKLISTED, false)               \
	entry("cpu_init_secondary", NULL, WEFT_REFUSAL_BLACKLISTED, false)                        \
	entry("load_direct_gdt", NULL, WEFT_REFUSAL_BLACKLISTED, false)                           \
	entry("load_fixmap_gdt", NULL, WEFT_REFUSAL_BLACKLISTED, false)                           \
	entry("restore_processor_state", NULL, WEFT_REFUSAL_BLACKLISTED, false)                   \
	entry("__restore_processor_state", NULL, WEFT_REFUSAL_BLACKLISTED, false)                 \
	entry("relocate_kernel", NULL, WEFT_REFUSAL_BLACKLISTED, false)                           \
	entry("machine_kexec", NULL, WEFT_REFUSAL_BLACKLISTED, false)

#endif /* WEFT_FORBIDDEN_H */
