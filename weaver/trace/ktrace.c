// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the records of the aspect of `weft ktrace`; see ktrace.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/argument-names.h"
#include "trace/ktrace.h"

enum { CPUS_MAX = 1 << 16 };

#define ANY ((1u << WV_KTRACE_EVENTS) - 1)
#define AT(event) (1u << WV_KTRACE_##event)

const char *const wv_ktrace_events[WV_KTRACE_EVENTS] = {
	"syscall-entry", "syscall-exit", "page-alloc", "page-free", "schedule-in", "schedule-out",
	"lock-acquire", "lock-release", "signal-dispatch", "signal-handle", "socket-open",
	"packet-sent", "packet-received", "mount", "unmount",
};

const struct wv_ktrace_variable wv_ktrace_variables[WV_KTRACE_VARIABLES] = {
	{ "registers",
	  { "orig_ax", "di", "si", "dx", "r10", "r8", "r9", "ax", "ip", "cs", "flags", "sp", "bx",
	    "bp", "r12", "r13", "r14", "r15" },
	  AT(SYSCALL_ENTRY) | AT(SYSCALL_EXIT) },
	{ "pid", { "pid", "tid", "uid" }, ANY },
	{ "ppid", { "ppid" }, ANY },
	{ "pgid", { "pgid" }, ANY },
	{ "free-memory", { "free_memory" }, ANY },
	{ "total-memory", { "total_memory" }, ANY },
	{ "page-faults", { "page_faults" }, ANY },
	{ "pages-in", { "pages_in" }, ANY },
	{ "pages-out", { "pages_out" }, ANY },
	{ "swap-in", { "swap_in" }, ANY },
	{ "swap-out", { "swap_out" }, ANY },
	{ "outgoing", { "outgoing" }, AT(SCHEDULE_IN) },
	{ "incoming", { "incoming" }, AT(SCHEDULE_OUT) },
	{ "signal", { "signal" }, AT(SIGNAL_DISPATCH) | AT(SIGNAL_HANDLE) },
};

size_t wv_ktrace_fields(const struct wv_ktrace_variable *variable)
{
	size_t n = 0;

	while (n < WV_KTRACE_FIELDS_MAX && variable->fields[n])
		n++;
	return n;
}

/* Finds the field with the name from @start to @end. Returns WV_KTRACE_FIELDS if there is none. */
static size_t find_field(const char *start, const char *end)
{
	size_t field = 0;

	/* If the text is an expression such as "regs->ax", take the name of the member alone. */
	for (const char *at = start; at + 1 < end; at++)
		if (at[0] == '-' && at[1] == '>')
			start = at + 2;
	for (size_t i = 0; i < WV_KTRACE_VARIABLES; i++) {
		const struct wv_ktrace_variable *variable = &wv_ktrace_variables[i];

		for (size_t j = 0; j < WV_KTRACE_FIELDS_MAX && variable->fields[j]; j++, field++)
			if (strlen(variable->fields[j]) == (size_t)(end - start) &&
			    !memcmp(variable->fields[j], start, (size_t)(end - start)))
				return field;
	}
	return WV_KTRACE_FIELDS;
}

static int not_ours(struct wv_error *error)
{
	return wv_fail(error, WV_E_FORMAT, "these are no records of `weft ktrace`");
}

/* The parts of a record after its head; wv_recording_next() has checked their sizes. */
struct parts {
	const char *text, *names;
	const struct weft_value *values;
};

static size_t padded(size_t size)
{
	return (size + sizeof(uint64_t)) & ~(sizeof(uint64_t) - 1);
}

static struct parts parts_of(const struct weft_record *record)
{
	const char *values = record->text + padded(record->text_size);

	return (struct parts){ record->text,
			       values + record->nr_values * sizeof(struct weft_value),
			       (const struct weft_value *)values };
}

/* Stores the values in @record, fields of a variable, in the state of the record's CPU. */
static int add_values(struct wv_ktrace_state *state, const struct weft_record *record,
		      const struct parts *parts, struct wv_error *error)
{
	for (uint32_t i = 0; i < record->nr_values; i++) {
		const struct wv_argument_name name = wv_argument_name(parts->names, i);
		const char *text = parts->text + parts->values[i].start;
		const size_t field = find_field(name.start, name.end);
		char *end;

		if (field == WV_KTRACE_FIELDS)
			return not_ours(error);
		errno = 0;
		state->value[field] = parts->values[i].type == 'x' ? strtoull(text, &end, 16) :
				      *text == '-' ? (uint64_t)strtoll(text, &end, 10)
						   : strtoull(text, &end, 10);
		if (errno || end == text)
			return not_ours(error);
		state->known |= 1ull << field;
	}
	return 0;
}

static int find_event(const char *text, unsigned int *ret, struct wv_error *error)
{
	for (*ret = 0; *ret < WV_KTRACE_EVENTS; ++*ret)
		if (!strcmp(text, wv_ktrace_events[*ret]))
			return 0;
	return not_ours(error);
}

int wv_ktrace_add(struct wv_ktrace *ktrace, const struct weft_record *record,
		  struct wv_ktrace_event *ret, bool *any_ret, struct wv_error *error)
{
	const struct parts parts = parts_of(record);
	struct wv_ktrace_cpu *cpu;
	int err;

	*any_ret = false;
	if (record->cpu >= CPUS_MAX)
		return not_ours(error);
	while (ktrace->cpus.n <= record->cpu) {
		cpu = wv_vec_push(&ktrace->cpus);
		if (!cpu)
			return wv_no_memory(error);
		*cpu = (struct wv_ktrace_cpu){ .lost = 0 };
	}
	cpu = &ktrace->cpus.data[record->cpu];
	/*
	 * The lost records may have had new values of any variable, so no value is known until a
	 * later record has it.
	 */
	if (record->lost)
		cpu->state.known = 0;
	cpu->lost += record->lost;
	if (record->nr_values)
		return add_values(&cpu->state, record, &parts, error);
	err = find_event(parts.text, &ret->number, error);
	if (err)
		return err;
	ret->record = record;
	ret->state = &cpu->state;
	ret->lost = cpu->lost;
	cpu->lost = 0;
	*any_ret = true;
	return 0;
}

void wv_ktrace_deinit(struct wv_ktrace *ktrace)
{
	wv_vec_deinit(&ktrace->cpus);
}
