/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the per-CPU variables of an aspect module. The kernel's module loader gives each CPU its
 * own copy of the section .data..percpu, but of no other section. A variable in another per-CPU
 * section, made by DEFINE_PER_CPU_READ_MOSTLY() for example, exists only once, where the module is.
 * The code adds the CPU's offset to the address of this variable nevertheless, and so reads and
 * writes memory that belongs to others.
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
