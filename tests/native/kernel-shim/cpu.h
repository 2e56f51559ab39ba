/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that run woven code act as the CPUs and the tasks that weft.ko's code waits for. */
#ifndef SHIM_CPU_H
#define SHIM_CPU_H

#include <stdbool.h>

/* The signal that acts as the interrupt. It is blocked where a CPU would have interrupts off. */
enum { SHIM_INTERRUPT = 10 /* SIGUSR1 */ };

/*
 * The calling thread becomes a CPU, or stops being one. Not to be called while anything is woven.
 */
void shim_cpu_up(void);
void shim_cpu_down(void);

/* Waits until there are @n CPUs. */
void shim_cpus_wait(unsigned int n);

/* The calling thread says that it is in no woven code, trampoline or advice. */
void shim_cpu_quiescent(void);

/* Preempts the tasks of all CPUs. Each stands still where it is for some more interrupts. */
void shim_cpus_preempt(void);

/* Returns the address at which the task of CPU @cpu was preempted last; 0: never preempted. */
unsigned long shim_cpu_ip(unsigned int cpu);

/* Makes grace periods end at once, to see that the test notices the bug. */
extern bool shim_no_grace;

/* How often text_poke_sync() and synchronize_rcu_tasks() were called. */
extern unsigned long shim_syncs, shim_grace_periods;

#endif /* SHIM_CPU_H */
