/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unexported functions (base/unexported.h) whose names or parameters differ between kernels. */
#ifndef WK_SYMBOL_NAMES_H
#define WK_SYMBOL_NAMES_H

/* 6.16 put the prefix smp_ before the functions that write text and synchronise all CPUs. */
#ifdef WK_HAS_SMP_TEXT_POKE
#define WK_NAME_text_poke_sync "smp_text_poke_sync_each_cpu"
#define WK_NAME_text_poke_queue "smp_text_poke_batch_add"
#define WK_NAME_text_poke_finish "smp_text_poke_batch_finish"
#else
#define WK_NAME_text_poke_sync "text_poke_sync"
#define WK_NAME_text_poke_queue "text_poke_queue"
#define WK_NAME_text_poke_finish "text_poke_finish"
#endif

/* Before 6.4 kallsyms_on_each_symbol() passed a module to its callback, which was always NULL. */
#ifdef WK_HAS_SYMBOL_OWNER
#define WK_SYMBOL_OWNER struct module *,
#else
#define WK_SYMBOL_OWNER
#endif

#endif /* WK_SYMBOL_NAMES_H */
