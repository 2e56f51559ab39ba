/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that are never spliced, besides those that the kernel itself blacklists for kprobes.
 * The kernel's list is not enough for weft. A kprobe's int3 is handled before the die notifiers are
 * called. Weft's int3 is handled by a die notifier if the entry code could not be hooked, so the
 * path to that notifier must have no splices. weft.ko looks for these symbols in the live kernel,
 * and the weaver looks for them in an image.
 *
 * Each entry's comment says why it is here. Each function was seen to panic a kernel, or is next to
 * one that did, or is on a path that was followed through the kernel's code.
 */
#ifndef WEFT_BLACKLIST_NAMES_H
#define WEFT_BLACKLIST_NAMES_H

/*
 * entry(FIRST, LAST, REFUSAL, NOTIFIER): no splice in the symbols from FIRST to LAST, or in FIRST
 * alone if LAST is NULL. REFUSAL: the reason, enum weft_refusal. NOTIFIER: the entry applies only
 * if a die notifier handles weft's int3s.
 *
 * FIRST alone stands for all symbols of that name (static functions of several files), and for the
 * compiler's clones and parts of them (.isra.0, .constprop.0, .part.0, .cold). Of an entry with two
 * symbols a kernel must have both or neither. If it has only one of the two, it is unknown where
 * the text begins or ends, and weft.ko refuses to load.
 */
#define WR_BLACKLIST_TEXT(entry) \
	/* \
	 * exc_int3() -> notify_die() -> atomic_notifier_call_chain() calls these for the RCU read \
	 * lock: a trap in them would trap again. \
	 */ \
	entry("__rcu_read_lock", NULL, WEFT_REFUSAL_OWN_TEXT, true) \
	entry("__rcu_read_unlock", NULL, WEFT_REFUSAL_OWN_TEXT, true) \
	entry("rcu_read_unlock_special", NULL, WEFT_REFUSAL_OWN_TEXT, true) \
	/* A die notifier of the same priority as weft's, which was registered before it. */ \
	entry("hw_breakpoint_exceptions_notify", NULL, WEFT_REFUSAL_OWN_TEXT, true) \
	/* Hooks of tracers in ftrace_nmi_enter(), which exc_int3() calls. */ \
	entry("trace_hwlat_callback", NULL, WEFT_REFUSAL_OWN_TEXT, true) \
	entry("trace_osnoise_callback", NULL, WEFT_REFUSAL_OWN_TEXT, true) \
	/* \
	 * A trampoline calls this after advice while a reschedule is due: the trampoline of \
	 * advice in this function would call the function again. \
	 */ \
	entry("preempt_schedule_notrace", NULL, WEFT_REFUSAL_OWN_TEXT, false) \
	/* \
	 * ftrace copies these to build its trampolines, and rewrites the calls in them without \
	 * checking what it overwrites. \
	 */ \
	entry("ftrace_stub", "return_to_handler", WEFT_REFUSAL_FTRACE, false) \
	entry("__fentry__", NULL, WEFT_REFUSAL_FTRACE, false) \
	entry("ftrace_caller", "ftrace_caller_end", WEFT_REFUSAL_FTRACE, false) \
	entry("ftrace_regs_caller", "ftrace_regs_caller_end", WEFT_REFUSAL_FTRACE, false) \
	entry("ftrace_stub_direct_tramp", NULL, WEFT_REFUSAL_FTRACE, false) \
	entry("return_to_handler", NULL, WEFT_REFUSAL_FTRACE, false) \
	/* \
	 * The trampolines of static calls are rewritten as a whole, after a check that BUG()s on \
	 * unexpected bytes. \
	 */ \
	entry("__static_call_text_start", "__static_call_text_end", WEFT_REFUSAL_STATIC_CALL, \
	      false) \
	/* \
	 * Everything that a CPU that comes online runs before load_current_idt() loads its \
	 * interrupt table. The list follows the call graphs of the demo kernel and of Debian's \
	 * (tests/vm/starting.sh), of 6.1, 6.12 and 7.3, and adds functions that other \
	 * compilers may not inline. \
	 * Functions that only a warning calls are left out: the warning's own ud2 would crash \
	 * there as well. .head.text also runs at physical addresses, from where not even a jump \
	 * reaches its trampoline. The real-mode trampoline is data, not kernel text. \
	 */ \
	entry("startup_64", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("__startup_64", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("startup_64_setup_env", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("startup_64_setup_gdt_idt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("startup_64_load_idt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("__pi_startup_64_load_idt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("secondary_startup_64", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("secondary_startup_64_no_verify", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("verify_cpu", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("sev_verify_cbit", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("common_startup_64", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("start_cpu0", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("soft_restart_cpu", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("vc_boot_ghcb", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("early_setup_idt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("set_bringup_idt_handler", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("start_secondary", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("cpu_init_secondary", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("cpu_init_exception_handling", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("cr4_init", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("cr4_set_bits", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("cr4_update_irqsoff", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("native_write_cr4", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("native_write_msr", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("do_trace_write_msr", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("native_write_gdt_entry", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("native_load_tr_desc", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("load_current_idt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("native_load_idt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("setup_ghcb", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("snp_register_per_cpu_ghcb", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("snp_register_ghcb_early", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("sev_es_negotiate_protocol", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("sev_es_terminate", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("cc_platform_has", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("amd_cc_platform_has", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("intel_cc_platform_has", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("get_cpu_entry_area", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("cpu_init_fred_rsps", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("__memset", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("memset", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("memset_erms", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("memset_orig", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	/* \
	 * These run with the interrupt table loaded. But some of their instructions run before \
	 * the base of the per-CPU data is set, or between two GDTs. \
	 */ \
	entry("cpu_init", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("switch_to_new_gdt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("load_percpu_segment", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("load_direct_gdt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("load_fixmap_gdt", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	/* \
	 * A CPU that resumes from suspend: control registers, descriptor tables and segment \
	 * bases are restored one by one. \
	 */ \
	entry("wakeup_long64", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("do_suspend_lowlevel", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("restore_processor_state", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("__restore_processor_state", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("native_write_cr0", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("native_write_cr3", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	/* \
	 * Code of kexec and hibernation that is copied and runs elsewhere, under other page \
	 * tables; and the code before it, when the descriptor tables are gone already. \
	 */ \
	entry("relocate_kernel", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("identity_mapped", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("virtual_mapped", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("swap_pages", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("machine_kexec", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("restore_image", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("core_restore_code", NULL, WEFT_REFUSAL_BLACKLISTED, false) \
	entry("restore_registers", NULL, WEFT_REFUSAL_BLACKLISTED, false)

/*
 * Beginnings of the names of functions of the sanitizers and of coverage. Instrumented code calls
 * these functions at every access or block, so they run wherever instrumented code runs: on a
 * starting CPU that has no interrupt table yet, on the path from an int3 to weft's die notifier,
 * and while user memory is open (between stac and clac).
 */
#define WR_SANITIZER_PREFIXES \
	"__asan_", "__kasan_check_", "kasan_check_range", "kasan_report", "__tsan_", "__kcsan_", \
		"kcsan_", "__msan_", "kmsan_", "__sanitizer_cov_", "check_kcov_mode", \
		"write_comp_data", "__ubsan_handle_", "ubsan_"

/*
 * Two more functions that are never spliced in a kernel with KASAN, which is recognized by the
 * symbol WR_KASAN_MARK. There, instrumented code calls these functions where the compiler would
 * otherwise write moves inline, for example on a starting CPU that has no interrupt table yet. In
 * other kernels they may be spliced.
 */
#define WR_KASAN_MARK "kasan_check_range"
#define WR_KASAN_NAMES "memcpy", "memmove"

/*
 * Thunks: the code that returns, indirect calls and entries of the kernel run through, because of
 * one mitigation or another. Thunks are the functions in WR_THUNK_NAMES; the symbols that begin
 * with WR_THUNK_PREFIX; the symbols in a range(FIRST, END) of WR_THUNK_RANGES, if the kernel has
 * both FIRST and END; and all functions that a thunk directly jumps to or calls. For the last,
 * weft.ko follows the live text, the weaver the image. A name that begins with the prefix ends with
 * the register that the thunk calls.
 *
 * The linker collects the thunks' sections (.text..__x86.*), so they are one range; newer kernels
 * have no symbols for its bounds.
 */
#define WR_THUNK_PREFIX "__x86_indirect_"
#define WR_THUNK_RANGES(range) \
	range("__indirect_thunk_start", "__indirect_thunk_end") \
	range("__x86_indirect_thunk_array", "__x86_return_thunk")
#define WR_THUNK_NAMES \
	"__x86_return_thunk", "__x86_return_skl", "call_depth_return_thunk", "entry_ibpb", \
		"write_ibpb", "entry_untrain_ret", "retbleed_untrain_ret", \
		"retbleed_return_thunk", "srso_untrain_ret", "srso_return_thunk", \
		"srso_alias_untrain_ret", "srso_alias_return_thunk", "its_return_thunk", \
		"clear_bhb_loop"

#endif /* WEFT_BLACKLIST_NAMES_H */
