/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that run woven code, as the CPUs and tasks that weft.ko's code waits for. */
#ifndef SHIM_CPU_H
#define SHIM_CPU_H

#include <stdbool.h>

/* The signal that is the interrupt. Blocked where a CPU would have interrupts off. */
enum { SHIM_INTERRUPT = 10 /* SIGUSR1 */ };

/* The calling thread is a CPU from now on, or no longer. Not while anything is woven. */
void shim_cpu_up(void);
void shim_cpu_down(void);

/* Waits until there are @n CPUs. */
void shim_cpus_wait(unsigned int n);

/* The calling thread is in no woven code, trampoline or advice. */
void shim_cpu_quiescent(void);

/* Preempts the tasks of all CPUs. They stand where they are for some more interrupts. */
void shim_cpus_preempt(void);

/* Where the task of CPU @cpu was preempted last; 0: it never was. */
unsigned long shim_cpu_ip(unsigned int cpu);

/* To see that somebody notices: grace periods are over at once. */
extern bool shim_no_grace;

/* How often somebody waited. */
extern unsigned long shim_syncs, shim_grace_periods;

#endif /* SHIM_CPU_H */
