/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of the aspect of `weft ktrace` (aspects/ktrace/ktrace.xml). Such a record is an
 * event, or it has values of a variable. Before an event, a CPU writes records of those variables
 * only that have changed. So a reader keeps, for each CPU, the last values of all variables: the
 * state of that CPU.
 */
#ifndef WV_KTRACE_H
#define WV_KTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "runtime/abi.h"

/*
 * The numbers of the events, in the order of Ktrace's own table. The tag of an event in a file of
 * Ktrace's form is WV_KTRACE_TAG_EVENT plus this number (ktrace-ber.h).
 */
enum wv_ktrace_event_number {
	WV_KTRACE_SYSCALL_ENTRY,
	WV_KTRACE_SYSCALL_EXIT,
	WV_KTRACE_PAGE_ALLOC,
	WV_KTRACE_PAGE_FREE,
	WV_KTRACE_SCHEDULE_IN,
	WV_KTRACE_SCHEDULE_OUT,
	WV_KTRACE_LOCK_ACQUIRE,
	WV_KTRACE_LOCK_RELEASE,
	WV_KTRACE_SIGNAL_DISPATCH,
	WV_KTRACE_SIGNAL_HANDLE,
	WV_KTRACE_SOCKET_OPEN,
	WV_KTRACE_PACKET_SENT,
	WV_KTRACE_PACKET_RECEIVED,
	WV_KTRACE_MOUNT,
	WV_KTRACE_UNMOUNT,
	WV_KTRACE_EVENTS,
};

/* The fields of `registers`, in the order in which wv_ktrace_variables[] has them. */
enum wv_ktrace_register {
	WV_KTRACE_ORIG_AX, /* the number of the system call; its six arguments follow */
	WV_KTRACE_AX = 7,  /* at the exit of a system call: its result */
	WV_KTRACE_IP,
	WV_KTRACE_CS,
	WV_KTRACE_REGISTERS = 18,
};

enum {
	WV_KTRACE_VARIABLES = 14,
	WV_KTRACE_ARGUMENTS = 6,   /* arguments of a system call */
	WV_KTRACE_FIELDS_MAX = 18, /* most fields that one variable has */
	WV_KTRACE_FIELDS = 33,     /* fields of all variables together */
};

struct wv_ktrace_variable {
	const char *name;
	/*
	 * The names that the variable's values have in records. If there is only one value, it has
	 * the variable's name, with '_' instead of '-'.
	 */
	const char *fields[WV_KTRACE_FIELDS_MAX];
	uint32_t events; /* bit n: event number n has this variable */
};
extern const struct wv_ktrace_variable wv_ktrace_variables[WV_KTRACE_VARIABLES];
extern const char *const wv_ktrace_events[WV_KTRACE_EVENTS];

/* Returns the number of fields of a variable. */
size_t wv_ktrace_fields(const struct wv_ktrace_variable *variable);

/*
 * The last known values of all variables on one CPU: a value for each field of each variable, in
 * the order of wv_ktrace_variables[].
 */
struct wv_ktrace_state {
	uint64_t known; /* bit n: .value[n] is known */
	uint64_t value[WV_KTRACE_FIELDS];
};

/* An event, and the state of its CPU at that time. */
struct wv_ktrace_event {
	unsigned int number; /* enum wv_ktrace_event_number */
	const struct weft_record *record;
	const struct wv_ktrace_state *state;
	uint32_t lost; /* records lost on this CPU since the event before this one */
};

struct wv_ktrace_cpu {
	struct wv_ktrace_state state;
	uint32_t lost; /* records lost on this CPU since its last event */
};

struct wv_ktrace {
	WV_VEC(struct wv_ktrace_cpu) cpus;
};

/*
 * Adds a record, as wv_recording_next() returns it. Sets *@any_ret to whether the record is an
 * event. If it is, fills @ret, which is valid until the next call. Returns -WV_E_FORMAT if the
 * record is not one of the aspect of `weft ktrace`.
 */
int wv_ktrace_add(struct wv_ktrace *ktrace, const struct weft_record *record,
		  struct wv_ktrace_event *ret, bool *any_ret, struct wv_error *error);
void wv_ktrace_deinit(struct wv_ktrace *ktrace);

#endif /* WV_KTRACE_H */
