// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the events of `weft ktrace`; see ktrace-text.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/ktrace-text.h"
#include "trace/syscall-names.h"
#include "report/visible.h"

#define REGISTER(index) (1ull << (index))
/* The set of the registers that have a system call's number and arguments. */
#define CALL (REGISTER(WV_KTRACE_AX) - 1)
/*
 * ERRNO_MAX: the highest error number that a system call returns.
 * CODE_32_BIT: the value of the register cs of a task that runs 32-bit code.
 */
enum { ERRNO_MAX = 4095, CODE_32_BIT = 0x23 };

/* ---- system calls ---------------------------------------------------------------------------- */

static void print_name(FILE *out, const uint64_t *registers)
{
	const uint64_t number = registers[WV_KTRACE_ORIG_AX];
	const char *name = registers[WV_KTRACE_CS] == CODE_32_BIT ? NULL : wv_syscall_name(number);

	if (name)
		fputs(name, out);
	else
		fprintf(out, "%s_%#" PRIx64,
			registers[WV_KTRACE_CS] == CODE_32_BIT ? "i386" : "syscall", number);
}

static void print_arguments(FILE *out, const uint64_t *registers)
{
	for (size_t i = 1; i <= WV_KTRACE_ARGUMENTS; i++)
		fprintf(out, "%s%#" PRIx64, i == 1 ? "(" : ", ", registers[i]);
	fputc(')', out);
}

/*
 * Prints the result of a system call as strace does: "0x12"; "-1 ENOENT" for an error; "?
 * ERESTARTSYS" if the kernel will repeat the call.
 */
static void print_result(FILE *out, uint64_t result)
{
	static const char *const repeated[] = { "ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND",
						NULL, "ERESTART_RESTARTBLOCK" };
	const uint64_t number = -result;
	const char *name;

	if (!number || number > ERRNO_MAX) {
		fprintf(out, "%#" PRIx64, result);
		return;
	}
	name = number >= 512 && number < 517 ? repeated[number - 512] : NULL;
	if (name)
		fprintf(out, "? %s", name);
	else if ((name = strerrorname_np((int)number)))
		fprintf(out, "-1 %s", name);
	else
		fprintf(out, "-%#" PRIx64, number);
}

/* ---- a line for each event ------------------------------------------------------------------- */

/* Prints those registers from index @first on that are known, with their names. */
static void print_registers(FILE *out, const struct wv_ktrace_state *state, size_t first)
{
	for (size_t i = first; i < WV_KTRACE_REGISTERS; i++)
		if (state->known & REGISTER(i))
			fprintf(out, " %s=%#" PRIx64, wv_ktrace_variables[0].fields[i],
				state->value[i]);
}

static void print_syscall(FILE *out, const struct wv_ktrace_event *event)
{
	const struct wv_ktrace_state *state = event->state;

	if ((state->known & CALL) == CALL) {
		fputc(' ', out);
		print_name(out, state->value);
		if (event->number == WV_KTRACE_SYSCALL_ENTRY)
			print_arguments(out, state->value);
	}
	if (event->number == WV_KTRACE_SYSCALL_EXIT && state->known & REGISTER(WV_KTRACE_AX)) {
		fputs(" = ", out);
		print_result(out, state->value[WV_KTRACE_AX]);
	}
	print_registers(out, state, WV_KTRACE_IP);
}

static void print_variables(FILE *out, const struct wv_ktrace_event *event)
{
	size_t field = WV_KTRACE_REGISTERS;

	for (size_t i = 1; i < WV_KTRACE_VARIABLES; i++) {
		const struct wv_ktrace_variable *variable = &wv_ktrace_variables[i];
		const size_t n = wv_ktrace_fields(variable);

		for (size_t j = 0; j < n; j++, field++)
			if (variable->events & 1u << event->number &&
			    event->state->known & 1ull << field)
				fprintf(out, " %s=%" PRIu64, n > 1 ? variable->fields[j] :
								     variable->name,
					event->state->value[field]);
	}
}

static void print_lost(FILE *out, const struct wv_ktrace_event *event)
{
	if (event->lost)
		fprintf(out, "(%" PRIu32 " records lost on cpu %" PRIu32 ": the buffer was full)\n",
			event->lost, event->record->cpu);
}

void wv_ktrace_print(FILE *out, const struct wv_ktrace_event *event)
{
	const struct weft_record *record = event->record;

	print_lost(out, event);
	fprintf(out, "%5" PRIu64 ".%09" PRIu64 " [%03" PRIu32 "] %s-%" PRIu32 " %s",
		(uint64_t)record->time / 1000000000, (uint64_t)record->time % 1000000000,
		record->cpu, wv_visible_comm(record->comm).text, record->pid,
		wv_ktrace_events[event->number]);
	if (event->number <= WV_KTRACE_SYSCALL_EXIT)
		print_syscall(out, event);
	print_variables(out, event);
	fputc('\n', out);
}

/* ---- a line for each system call ------------------------------------------------------------- */

static void print_call(FILE *out, uint32_t tid, const uint64_t *registers)
{
	fprintf(out, "%" PRIu32 " ", tid);
	print_name(out, registers);
	print_arguments(out, registers);
}

static struct wv_ktrace_call *find_call(struct wv_ktrace_calls *calls, uint32_t tid)
{
	wv_vec_for_each(call, &calls->open)
		if (call->tid == tid)
			return call;
	return NULL;
}

/* Removes a call from calls->open. The others stay in their order, that of their beginnings. */
static void remove_call(struct wv_ktrace_calls *calls, struct wv_ktrace_call *call)
{
	const size_t after = (size_t)(calls->open.data + calls->open.n - (call + 1));

	memmove(call, call + 1, after * sizeof(*call));
	calls->open.n--;
}

/* Prints a call without a result, because no event says how it has ended, and removes it. */
static void print_unreturned(struct wv_ktrace_calls *calls, struct wv_ktrace_call *call)
{
	print_call(calls->out, call->tid, call->registers);
	fputs(" = ?\n", calls->out);
	remove_call(calls, call);
}

int wv_ktrace_calls_add(struct wv_ktrace_calls *calls, const struct wv_ktrace_event *event,
			struct wv_error *error)
{
	const struct wv_ktrace_state *state = event->state;
	const uint32_t tid = event->record->pid;
	struct wv_ktrace_call *call;

	if (event->number > WV_KTRACE_SYSCALL_EXIT) {
		wv_ktrace_print(calls->out, event);
		return 0;
	}
	print_lost(calls->out, event);
	call = find_call(calls, tid);
	if (event->number == WV_KTRACE_SYSCALL_ENTRY) {
		if (call)
			print_unreturned(calls, call);
		if ((state->known & CALL) != CALL)
			return 0;
		call = wv_vec_push(&calls->open);
		if (!call)
			return wv_no_memory(error);
		call->tid = tid;
		memcpy(call->registers, state->value, sizeof(call->registers));
	} else if (call && state->known & REGISTER(WV_KTRACE_AX)) {
		print_call(calls->out, tid, call->registers);
		fputs(" = ", calls->out);
		print_result(calls->out, state->value[WV_KTRACE_AX]);
		fputc('\n', calls->out);
		remove_call(calls, call);
	}
	return 0;
}

void wv_ktrace_calls_end(struct wv_ktrace_calls *calls)
{
	while (calls->open.n)
		print_unreturned(calls, calls->open.data);
}

void wv_ktrace_calls_deinit(struct wv_ktrace_calls *calls)
{
	wv_vec_deinit(&calls->open);
}
