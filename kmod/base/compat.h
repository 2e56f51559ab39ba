/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every difference between kernel versions that weft.ko meets, and nothing else. Symbols are looked
 * up by name when the module loads (unexported.c); this header says which name and shape they have
 * where.
 */
#ifndef WK_COMPAT_H
#define WK_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "weft.ko needs Linux 6.1 or newer"
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

/*
 * 6.10 moved the allocation of executable memory to execmem; its signature gained a type, which is
 * EXECMEM_KPROBES here.
 */
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
 * Where %gs finds the preemption count: in struct pcpu_hot from 6.2 (commit 64701838bf05) until
 * 6.15 dissolved it.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#include <asm/current.h>
#define WK_PREEMPT_COUNT ((unsigned long)&pcpu_hot.preempt_count)
#else
#include <asm/preempt.h>
#define WK_PREEMPT_COUNT ((unsigned long)&__preempt_count)
#endif

/*
 * What walks over the symbols is told of a module, which is never there, until 6.4 (commit
 * 3703bd54cd37).
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#define WK_SYMBOL_OWNER
#else
#define WK_SYMBOL_OWNER struct module *,
#endif

/*
 * Waits until every task that may be preempted in code that is no longer reachable has left it, and
 * every CPU has scheduled. The two kinds of grace period run side by side where the kernel lets a
 * module ask for both at once.
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
