/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the per-CPU variables of an aspect module. The kernel's module loader gives each CPU its
 * own copy of the section .data..percpu only. A variable in another per-CPU section
 * (DEFINE_PER_CPU_READ_MOSTLY() and its like put it there) stays where the module is; but the code
 * adds the CPU's offset to its address, and so reads and writes memory that belongs to others.
 */
#ifndef WV_PER_CPU_H
#define WV_PER_CPU_H

#include "base/error.h"

/*
 * Checks the module's file @path. -WV_E_ASPECT: it has another per-CPU section, which the message
 * names.
 */
int wv_per_cpu_check(const char *path, const char *aspect, struct wv_error *error);

#endif /* WV_PER_CPU_H */
