/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the events of `weft ktrace`: a line for each event, or one for each system call. */
#ifndef WV_KTRACE_TEXT_H
#define WV_KTRACE_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/vec.h"
#include "trace/ktrace.h"

/*
 * Prints a line for an event: its time, CPU, task and name, then each variable that the event has
 * and whose value is known. A line for a system call has the call's name, with its arguments where
 * it begins, and with its result where it returns.
 */
void wv_ktrace_print(FILE *out, const struct wv_ktrace_event *event);

/* A system call that has begun and not returned. */
struct wv_ktrace_call {
	uint32_t tid;
	uint64_t registers[WV_KTRACE_REGISTERS];
};

/* Prints a line for each system call, with its arguments and its result, as strace does. */
struct wv_ktrace_calls {
	FILE *out;
	WV_VEC(struct wv_ktrace_call) open; /* in the order of their beginnings */
};

/*
 * Takes an event. If it ends a system call, prints the call's line. If it is of something other
 * than a system call, prints a line as wv_ktrace_print() does.
 */
int wv_ktrace_calls_add(struct wv_ktrace_calls *calls, const struct wv_ktrace_event *event,
			struct wv_error *error);
/* Prints the calls that have not returned. */
void wv_ktrace_calls_end(struct wv_ktrace_calls *calls);
void wv_ktrace_calls_deinit(struct wv_ktrace_calls *calls);

#endif /* WV_KTRACE_TEXT_H */
