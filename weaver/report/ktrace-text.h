/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of `weft ktrace` as text: a line for each event, or one for each system call. */
#ifndef WV_KTRACE_TEXT_H
#define WV_KTRACE_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/vec.h"
#include "trace/ktrace.h"

/*
 * Prints a line: time, CPU, task and event, then each variable that the event stores and that is
 * known. A system call is printed as its name with its arguments, or with its result.
 */
void wv_ktrace_print(FILE *out, const struct wv_ktrace_event *event);

/* A system call that has begun and not returned. */
struct wv_ktrace_call {
	uint32_t tid;
	uint64_t registers[WV_KTRACE_REGISTERS];
};

/* Prints lines as strace does: a system call with its arguments and its result. */
struct wv_ktrace_calls {
	FILE *out;
	WV_VEC(struct wv_ktrace_call) open;
};

/* Adds an event. Events other than of system calls are printed in lines of their own. */
int wv_ktrace_calls_add(struct wv_ktrace_calls *calls, const struct wv_ktrace_event *event,
			struct wv_error *error);
/* Prints the calls that have not returned. */
void wv_ktrace_calls_end(struct wv_ktrace_calls *calls);
void wv_ktrace_calls_deinit(struct wv_ktrace_calls *calls);

#endif /* WV_KTRACE_TEXT_H */
