// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports an aspect's first fault; see fault-report.h. */
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/notation.h"
#include "report/fault-report.h"
#include "report/visible.h"

enum { PAGE_FAULT = 14 };

/* Calls @add with each line of @stack, without the '\n' at its end. */
static void for_each_line(const char *stack, void (*add)(void *data, const char *line),
			  void *data)
{
	char line[256];

	while (*stack) {
		size_t n = strcspn(stack, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)n, stack);
		add(data, line);
		stack += n + (stack[n] == '\n');
	}
}

static void add_text_frame(void *data, const char *line)
{
	wv_str_addf(data, "    %s\n", line);
}

static void add_json_frame(void *data, const char *line)
{
	wv_json_text(data, NULL, line);
}

static bool is_block(const struct weft_fault *fault)
{
	return fault->joinpoint == WEFT_JOINPOINT_START || fault->joinpoint == WEFT_JOINPOINT_END;
}

static const char *part_of(const struct weft_fault *fault)
{
	if (!is_block(fault))
		return "advice";
	return fault->joinpoint == WEFT_JOINPOINT_START ? "start block" : "end block";
}

static void add_what(const struct weft_fault *fault, struct wv_str *out)
{
	char taken[WV_DURATION_TEXT], limit[WV_DURATION_TEXT];

	wv_str_addf(out, "  faulted %s: %s", wv_count_text(fault->count, "time").text, fault->kind);
	if (fault->trap == PAGE_FAULT)
		wv_str_addf(out, " for address %#llx", (unsigned long long)fault->address);
	if (fault->trap == WEFT_FAULT_BUDGET || fault->trap == WEFT_FAULT_SHARE)
		wv_str_addf(out, ", %s%s instead of %s", wv_duration_text(fault->taken, taken),
			    fault->trap == WEFT_FAULT_SHARE ? " of a second" : "",
			    wv_duration_text(fault->limit, limit));
	if (fault->runs)
		wv_str_add(out, "; it still runs, in a function of the kernel that it called");
	if (fault->oops)
		wv_str_add(out, ", an oops: in a function of the kernel that it called");
	wv_str_add(out, "\n");
}

void wv_fault_text(const struct wv_device *device, const char *name, struct wv_str *out)
{
	struct weft_joinpoint_text joinpoint;
	char after[WV_DURATION_TEXT];
	struct weft_fault fault;

	if (!wv_device_fault(device, name, &fault))
		return;
	add_what(&fault, out);
	wv_str_addf(out, "  in its %s, at %s", part_of(&fault),
		    wv_source_text(fault.file, fault.line, 0).text);
	if (!is_block(&fault)) {
		wv_device_joinpoint(device, name, fault.joinpoint, &joinpoint);
		wv_str_addf(out, ", hit at %s",
			    wv_symbol_text(joinpoint.symbol, joinpoint.symbol_offset).text);
	}
	wv_str_addf(out, ", by %s[%u] on CPU %u\n", wv_visible_comm(fault.comm).text,
		    fault.pid, fault.cpu);
	if (fault.preempts)
		wv_str_addf(out,
			    "  it had changed the preemption count by %d: a lock that it took is "
			    "never released\n",
			    fault.preempts);
	for_each_line(fault.stack, add_text_frame, out);
	if (fault.disabled_after)
		wv_str_addf(out, "  disabled %s after the fault\n",
			    wv_duration_text(fault.disabled_after, after));
}

void wv_fault_json(const struct wv_device *device, const char *name, struct wv_json *json)
{
	struct weft_joinpoint_text joinpoint;
	struct weft_fault fault;

	if (!wv_device_fault(device, name, &fault))
		return;
	wv_device_joinpoint(device, name, fault.joinpoint, &joinpoint);
	wv_json_begin_object(json, "fault");
	wv_json_text(json, "kind", fault.kind);
	wv_json_unsigned(json, "trap", fault.trap);
	wv_json_hex(json, "address", fault.address);
	wv_json_hex(json, "code", fault.code);
	wv_json_bool(json, "oops", fault.oops);
	wv_json_unsigned(json, "taken_ns", fault.taken);
	wv_json_unsigned(json, "limit_ns", fault.limit);
	wv_json_unsigned(json, "left_after_ns", fault.left_after);
	wv_json_bool(json, "runs", fault.runs);
	wv_json_text(json, "file", fault.file);
	wv_json_unsigned(json, "line", fault.line);
	wv_json_text(json, "part", part_of(&fault));
	wv_json_text(json, "symbol", joinpoint.symbol);
	wv_json_unsigned(json, "offset", joinpoint.symbol_offset);
	wv_json_text(json, "comm", fault.comm);
	wv_json_unsigned(json, "pid", fault.pid);
	wv_json_unsigned(json, "cpu", fault.cpu);
	wv_json_signed(json, "preempts", fault.preempts);
	wv_json_unsigned(json, "time_ns", fault.time);
	wv_json_unsigned(json, "disabled_after_ns", fault.disabled_after);
	wv_json_unsigned(json, "unwoven_after_ns", fault.unwoven_after);
	wv_json_begin_array(json, "stack");
	for_each_line(fault.stack, add_json_frame, json);
	wv_json_end_array(json);
	wv_json_end_object(json);
}
