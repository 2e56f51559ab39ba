/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own tracepoints, which are not exported one by one. */
#ifndef WK_TRACEPOINT_H
#define WK_TRACEPOINT_H

struct tracepoint;

/* NULL: this kernel has none of that name. */
struct tracepoint *wk_tracepoint_find(const char *name);

#endif /* WK_TRACEPOINT_H */
