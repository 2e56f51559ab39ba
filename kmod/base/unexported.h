/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel functions and data that weft.ko needs and that are not exported. They are looked up by
 * name once, when the module loads. If a required one is missing, loading fails with a message that
 * names it. An optional one is missing if the kernel was configured without its feature.
 *
 * Such a function must never be called through a pointer. A kernel with indirect branch tracking
 * (CONFIG_X86_KERNEL_IBT) has overwritten the ENDBR of most functions whose address it does not
 * take itself, and on a processor with IBT an indirect branch to such a function is a fault. With
 * kCFI the function's type would be checked as well. So each of them is called through a static
 * call that weft.ko defines: a direct call, whose target the kernel writes into weft.ko's text when
 * the module loads.
 */
#ifndef WK_UNEXPORTED_H
#define WK_UNEXPORTED_H

#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/static_call.h>
#include <linux/types.h>

#include "compat/exec-alloc.h"
#include "compat/symbol-names.h"
#include "compat/needs.h"

#define WK_NAME_find "kallsyms_lookup_name"
#define WK_NAME_text_poke "text_poke"
#define WK_NAME_text_mutex "text_mutex"
#define WK_NAME_kprobe_mutex "kprobe_mutex"
#define WK_NAME_insn_decode "insn_decode"
#define WK_NAME_kallsyms_lookup_size_offset "kallsyms_lookup_size_offset"
#define WK_NAME_each_symbol "kallsyms_on_each_symbol"
#define WK_NAME_within_kprobe_blacklist "within_kprobe_blacklist"
#define WK_NAME_get_kprobe "get_kprobe"
#define WK_NAME_find_module "find_module"
#define WK_NAME_module_text_address "__module_text_address"
#define WK_NAME_kprobe_fault_handler "kprobe_fault_handler"
#define WK_NAME_recover_probed_instruction "recover_probed_instruction"
#define WK_NAME_search_exception_tables "search_exception_tables"
#define WK_NAME_set_memory_ro "set_memory_ro"
#define WK_NAME_set_memory_x "set_memory_x"
#define WK_NAME_ftrace_text_reserved "ftrace_text_reserved"
#define WK_NAME_jump_label_text_reserved "jump_label_text_reserved"
#define WK_NAME_jump_label_lock "jump_label_lock"
#define WK_NAME_jump_label_unlock "jump_label_unlock"
#define WK_NAME_static_call_text_reserved "static_call_text_reserved"
#define WK_NAME_alternatives_text_reserved "alternatives_text_reserved"
#define WK_NAME_perf_event_text_poke "perf_event_text_poke"
#define WK_NAME_perf_event_ksymbol "perf_event_ksymbol"
#define WK_NAME_kgdb_has_hit_break "kgdb_has_hit_break"
#define WK_NAME_bpf_ksym_add "bpf_ksym_add"
#define WK_NAME_bpf_ksym_del "bpf_ksym_del"
#define WK_NAME_get_stack_info_noinstr "get_stack_info_noinstr"
#define WK_NAME_module_kallsyms_lookup_name "module_kallsyms_lookup_name"
#define WK_NAME_page_fault_oops "page_fault_oops"

struct bpf_ksym;
struct insn;
struct module;
struct exception_table_entry;
struct pt_regs;
struct stack_info;
struct task_struct;

/*
 * X(return type, name, parameters). find() returns the address of the symbol @name; 0: there is
 * none
 */
#define WK_REQUIRED_FUNCTIONS(X)                                                              \
	X(unsigned long, find, (const char *name))                                            \
	X(void *, text_poke, (void *address, const void *opcode, size_t size))                \
	X(void, text_poke_sync, (void))                                                       \
	X(void, text_poke_queue,                                                              \
	  (void *address, const void *opcode, size_t size, const void *emulate))              \
	X(void, text_poke_finish, (void))                                                     \
	X(int, insn_decode, (struct insn * insn, const void *bytes, int size, int mode))      \
	X(int, kallsyms_lookup_size_offset,                                                   \
	  (unsigned long address, unsigned long *size, unsigned long *offset))                \
	X(int, each_symbol,                                                                   \
	  (int (*visit)(void *data, const char *name, WK_SYMBOL_OWNER unsigned long address), \
	   void *data))                                                                       \
	X(bool, within_kprobe_blacklist, (unsigned long address))                             \
	X(struct kprobe *, get_kprobe, (void *address))                                       \
	X(const struct exception_table_entry *, search_exception_tables, (unsigned long))     \
	X(struct module *, find_module, (const char *name))                                   \
	X(struct module *, module_text_address, (unsigned long address))                      \
	X(unsigned long, module_kallsyms_lookup_name, (const char *name))                     \
	X(int, set_memory_ro, (unsigned long address, int pages))                             \
	X(int, set_memory_x, (unsigned long address, int pages))                              \
	X(void *, text_alloc, WK_TEXT_ALLOC_PROTO)                                            \
	X(void, text_free, (void *region))

#define WK_OPTIONAL_FUNCTIONS(X)                                          \
	X(int, kprobe_fault_handler, (struct pt_regs * regs, int trap))   \
	X(unsigned long, recover_probed_instruction, (u8 *buffer, unsigned long address)) \
	X(int, ftrace_text_reserved, (const void *start, const void *end)) \
	X(int, jump_label_text_reserved, (void *start, void *end))        \
	X(void, jump_label_lock, (void))                                  \
	X(void, jump_label_unlock, (void))                                \
	X(int, static_call_text_reserved, (void *start, void *end))       \
	X(int, alternatives_text_reserved, (void *start, void *end))      \
	X(void, perf_event_text_poke,                                     \
	  (const void *address, const void *old, size_t old_size, const void *bytes, size_t size)) \
	X(void, perf_event_ksymbol,                                       \
	  (u16 type, u64 address, u32 size, bool unregister, const char *name)) \
	X(int, kgdb_has_hit_break, (unsigned long address))               \
	X(bool, get_stack_info_noinstr,                                   \
	  (unsigned long *stack, struct task_struct *task, struct stack_info *info)) \
	X(void, bpf_ksym_add, (struct bpf_ksym * ksym))                   \
	X(void, bpf_ksym_del, (struct bpf_ksym * ksym))                   \
	X(void, page_fault_oops,                                          \
	  (struct pt_regs * regs, unsigned long code, unsigned long address))

#define WK_DECLARE(type, name, parameters) \
	typedef type wk_type_##name parameters; \
	DECLARE_STATIC_CALL(wk_##name, wk_type_##name);
WK_REQUIRED_FUNCTIONS(WK_DECLARE)
WK_OPTIONAL_FUNCTIONS(WK_DECLARE)
#undef WK_DECLARE

/*
 * A direct call: wk_call(text_poke)(address, bytes, size). An optional function may be called only
 * if wk_has() is true for it.
 */
#define wk_call(name) static_call(wk_##name)
/* Has this kernel the optional function @name? */
#define wk_has(name) (static_call_query(wk_##name) != NULL)

struct wk_unexported {
	struct mutex *text_mutex;
	/* taken before cpus_read_lock(), which is taken before text_mutex */
	struct mutex *kprobe_mutex;
	/* hash table of registered kprobes; NULL: unknown (the kernel has no KALLSYMS_ALL) */
	const struct hlist_head *kprobes;
	unsigned int kprobe_lists;
	/* the kprobe whose handler or copied instruction is running; NULL: unknown */
	struct kprobe *__percpu *current_kprobe;
	/*
	 * Live addresses. For a table: of its first byte, and of the byte after its last one; 0:
	 * the kernel has no such table, or it is unknown.
	 */
	unsigned long text, etext; /* _text, to which all offsets are relative; _etext */
	unsigned long stext; /* _stext: start of the text after the boot code */
	unsigned long jump_table, jump_table_end;    /* jump labels */
	unsigned long ex_table, ex_table_end;	     /* exception table */
	unsigned long notes, notes_end;		     /* ELF notes */
	unsigned long static_calls, static_calls_end; /* static call sites */
};

extern struct wk_unexported wk_unexported;

/* May sleep. -ENOENT, with a line in the log, if a required symbol is missing. */
int wk_unexported_init(void);

#endif /* WK_UNEXPORTED_H */
