/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of an aspect's module that describe its compiled code (runtime/code-tables.h). Any
 * context.
 */
#ifndef WK_MODULE_TABLES_H
#define WK_MODULE_TABLES_H

#include <linux/types.h>

struct weft_aspect;

/*
 * The line of the author's XML from which the code at live @address was compiled; 0: none, or
 * unknown.
 */
u32 wk_module_line(const struct weft_aspect *module, unsigned long address);

/*
 * Is @address, a live address, in a function of the kernel out of which advice that has called it
 * may be left (leave.h)?
 */
bool wk_module_is_leavable(const struct weft_aspect *module, unsigned long address);

#endif /* WK_MODULE_TABLES_H */
