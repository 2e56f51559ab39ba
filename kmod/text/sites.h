/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted copies of the tables that the kernel has of its text: the patch sites of jump labels and
 * static calls (places whose code the kernel itself rewrites), and the targets of jump labels and
 * fault fixups. The kernel's own lookups go through these tables from end to end, which would cost
 * more than the rest of a plan's check. The kernel's own tables do not change after boot, and those
 * of a module do not change after the module was announced. A module's tables are read when they
 * are first needed. Process context, may sleep; under wk_mutex, unless stated.
 */
#ifndef WK_SITES_H
#define WK_SITES_H

#include <linux/types.h>

#include "runtime/abi.h"

struct module;

/* Copies the kernel's own tables. Returns 0 or -ENOMEM. */
int wk_sites_init(void);
void wk_sites_deinit(void);

/* Frees the copies of the tables of @module, which is being unloaded. */
void wk_sites_forget(const struct module *module);

/*
 * Does a jump label or a static call own any of the @size bytes at @address (live), where an
 * instruction begins? Returns NONE, JUMP_LABEL or STATIC_CALL.
 */
enum weft_refusal wk_sites_owner(unsigned long address, unsigned int size);

/*
 * Does a jump label or a static call own any of the @size bytes at @address in an aspect's module?
 * May be called without wk_mutex.
 */
bool wk_sites_module_owns(unsigned long address, unsigned int size);

/* Does the exception table have an entry for the instruction at @address (live)? Any context. */
bool wk_sites_faults(unsigned long address);

/*
 * True: in the @size bytes at @start, all of them the kernel's or one module's, there is no byte
 * for which wk_sites_owner() or wk_sites_faults() would find something. False: there may be one.
 */
bool wk_sites_none(unsigned long start, unsigned int size);

/* Are all targets of the jump labels and fixups in the text that holds @address known? */
bool wk_sites_known(unsigned long address);

/*
 * Sets in @bits, one bit per byte, which of the @size bytes at @start, all of them the kernel's or
 * one module's, are targets of jump labels or fixups.
 */
void wk_sites_mark(unsigned long start, unsigned int size, unsigned long *bits);

#endif /* WK_SITES_H */
