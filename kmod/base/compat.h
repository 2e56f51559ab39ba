/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All differences between the kernel versions that weft.ko supports, and nothing else. Unexported
 * symbols are looked up by name when the module loads (unexported.c); this header gives their names
 * and prototypes in each version.
 */
#ifndef WK_COMPAT_H
#define WK_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "weft.ko needs Linux 6.1 or newer"
#endif
#ifndef CONFIG_SMP
/* Its trampolines address per-CPU variables by %gs, which has no base in such a kernel. */
#error "weft.ko needs a kernel with CONFIG_SMP"
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
/* 6.16 put the prefix before the x86 text poking functions that synchronise all CPUs. */
#define WK_NAME_text_poke_sync "smp_text_poke_sync_each_cpu"
#define WK_NAME_text_poke_queue "smp_text_poke_batch_add"
#define WK_NAME_text_poke_finish "smp_text_poke_batch_finish"
#else
#define WK_NAME_text_poke_sync "text_poke_sync"
#define WK_NAME_text_poke_queue "text_poke_queue"
#define WK_NAME_text_poke_finish "text_poke_finish"
#endif

/* 6.10 moved the allocation of executable memory to execmem_alloc(), which takes a type as well. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#include <linux/execmem.h>
#define WK_NAME_text_alloc "execmem_alloc"
#define WK_NAME_text_free "execmem_free"
#define WK_TEXT_ALLOC_PROTO (enum execmem_type type, size_t size)
#define WK_TEXT_ALLOC_ARGS(size) (EXECMEM_KPROBES, (size))
#else
#define WK_NAME_text_alloc "module_alloc"
#define WK_NAME_text_free "module_memfree"
#define WK_TEXT_ALLOC_PROTO (unsigned long size)
#define WK_TEXT_ALLOC_ARGS(size) (size)
#endif

/*
 * The per-CPU variable that holds the preemption count. 6.2 moved it into struct pcpu_hot (commit
 * 64701838bf05); 6.15 made it a variable of its own again.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#include <asm/current.h>
#define WK_PREEMPT_COUNT ((unsigned long)&pcpu_hot.preempt_count)
#else
#include <asm/preempt.h>
#define WK_PREEMPT_COUNT ((unsigned long)&__preempt_count)
#endif

/*
 * Before 6.4 (commit 3703bd54cd37) kallsyms_on_each_symbol() passed a struct module * to its
 * callback, which was always NULL.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#define WK_SYMBOL_OWNER
#else
#define WK_SYMBOL_OWNER struct module *,
#endif

/* Where a module's text and read-only data are, without those of init. 6.4 regrouped them. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#define WK_MODULE_TEXT(module) ((unsigned long)(module)->mem[MOD_TEXT].base)
#define WK_MODULE_TEXT_SIZE(module) ((unsigned long)(module)->mem[MOD_TEXT].size)
#define WK_MODULE_RODATA(module) ((unsigned long)(module)->mem[MOD_RODATA].base)
#define WK_MODULE_RODATA_SIZE(module) ((unsigned long)(module)->mem[MOD_RODATA].size)
#else
#define WK_MODULE_TEXT(module) ((unsigned long)(module)->core_layout.base)
#define WK_MODULE_TEXT_SIZE(module) ((unsigned long)(module)->core_layout.text_size)
#define WK_MODULE_RODATA(module) (WK_MODULE_TEXT(module) + WK_MODULE_TEXT_SIZE(module))
#define WK_MODULE_RODATA_SIZE(module) \
	((unsigned long)((module)->core_layout.ro_size - (module)->core_layout.text_size))
#endif

/*
 * Waits until every task that was preempted in code that is no longer reachable has left it, and
 * until every CPU has scheduled. Up to 6.11 the two kinds of grace period run concurrently. 6.12
 * removed call_rcu_tasks_rude(), so there one follows the other.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define wk_synchronize_leavers()              \
	do {                                  \
		synchronize_rcu_tasks_rude(); \
		synchronize_rcu_tasks();      \
	} while (0)
#else
#include <linux/rcupdate_wait.h>
#define wk_synchronize_leavers() synchronize_rcu_mult(call_rcu_tasks, call_rcu_tasks_rude)
#endif

#endif /* WK_COMPAT_H */
