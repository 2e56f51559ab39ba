/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patch memory by name. The kernel's stack traces end at a return address that is in no text they
 * know of; memory that has a BPF symbol they know, and go on from it by the frame pointer, which
 * trampolines set for that (runtime/trampoline.h). So do the kernel's own BPF trampolines.
 */
#ifndef WK_KSYM_H
#define WK_KSYM_H

struct wk_ksym;

/* Can this kernel be told? */
bool wk_ksym_possible(void);

/*
 * Names @size bytes at @base, which nothing runs in yet. NULL: no memory, or it is not possible.
 * Process context.
 */
struct wk_ksym *wk_ksym_create(void *base, unsigned int size);

/* Nothing runs there any more. NULL is fine. */
void wk_ksym_destroy(struct wk_ksym *ksym);

#endif /* WK_KSYM_H */
