/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions by which threads act as the CPUs and tasks that weft.ko's code waits for. A thread that
 * runs woven code is a CPU.
 */
#ifndef SHIM_CPU_H
#define SHIM_CPU_H

#include <stdbool.h>

/*
 * The signal that acts as an interrupt of all CPUs. It is blocked where a CPU would have interrupts
 * off.
 */
enum { SHIM_INTERRUPT = 10 };

/*
 * The calling thread becomes a CPU, or stops being one. Must not be called while anything is woven.
 */
void shim_cpu_up(void);
void shim_cpu_down(void);

/* Waits until there are @n CPUs. */
void shim_cpus_wait(unsigned int n);

/* Says that the calling thread is in no woven code, trampoline or advice. */
void shim_cpu_quiescent(void);

/* Preempts the threads of all CPUs: each stands still for some more interrupts. */
void shim_cpus_preempt(void);

/* Returns the address at which the thread of CPU @cpu was preempted last, or 0 if it never was. */
unsigned long shim_cpu_ip(unsigned int cpu);

/* If set, grace periods end at once. A test sets it, and must then find the bug that this makes. */
extern bool shim_no_grace;

/* How often text_poke_sync(), and how often synchronize_rcu_tasks() was called. */
extern unsigned long shim_syncs, shim_grace_periods;

#endif /* SHIM_CPU_H */
