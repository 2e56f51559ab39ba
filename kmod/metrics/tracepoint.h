/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds tracepoints of the kernel proper by name; not all of them are exported as symbols. */
#ifndef WK_TRACEPOINT_H
#define WK_TRACEPOINT_H

struct tracepoint;

/*
 * Finds a tracepoint of the kernel by its name. NULL: this kernel has no such tracepoint. Process
 * context, may sleep.
 */
struct tracepoint *wk_tracepoint_find(const char *name);

#endif /* WK_TRACEPOINT_H */
