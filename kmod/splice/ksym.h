/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols for trampoline memory. The kernel's stack unwinder stops at a return address that is not
 * kernel text. Memory that has a BPF symbol counts as kernel text: the unwinder goes through it by
 * the frame pointer, which trampolines set up for that reason (runtime/trampoline.h). The kernel's
 * own BPF trampolines do the same.
 */
#ifndef WK_KSYM_H
#define WK_KSYM_H

struct wk_ksym;

/* Can symbols be registered with this kernel? */
bool wk_ksym_possible(void);

/*
 * Registers the symbol @name for @size bytes at @base (live address), where nothing runs yet. NULL
 * if memory is short or wk_ksym_possible() is false. Process context.
 */
struct wk_ksym *wk_ksym_create(const char *name, void *base, unsigned int size);

/* Unregisters the symbol; nothing runs there any more. @ksym may be NULL. */
void wk_ksym_destroy(struct wk_ksym *ksym);

#endif /* WK_KSYM_H */
