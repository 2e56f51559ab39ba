// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `weft list`: lists the aspects that weft.ko knows, also those that are not woven any more and
 * have unread records. With --bytes, lists which bytes of the kernel's text weft has changed.
 */
#include <string.h>

#include "base/duration.h"
#include "base/json-writer.h"
#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "live/live-note.h"
#include "live/requests.h"
#include "module/incomplete-note.h"
#include "module/precision-text.h"
#include "report/changed-text.h"
#include "report/fault-report.h"
#include "report/metrics-report.h"
#include "report/part-report.h"
#include "report/tag-report.h"

static const char *state_name(const struct weft_status *status)
{
	static const char *const names[] = {
		[WEFT_STATE_LOADED] = "loaded",
		[WEFT_STATE_WOVEN] = "woven",
		[WEFT_STATE_RETIRING] = "retiring",
		[WEFT_STATE_GONE] = "gone",
		[WEFT_STATE_STARTING] = "starting",
		[WEFT_STATE_ENDING] = "ending",
	};

	if (status->state == WEFT_STATE_LOADED && status->faults)
		return "faulted";
	if (status->state == WEFT_STATE_LOADED && status->phase == WEFT_PHASE_ENDED)
		return "ended";
	if (status->state == WEFT_STATE_WOVEN && status->phase == WEFT_PHASE_WAITING)
		return "waiting";
	if (status->state == WEFT_STATE_WOVEN && status->nr_optimizing)
		return "optimizing";
	return status->state < sizeof(names) / sizeof(names[0]) ? names[status->state] : "unknown";
}

/*
 * Adds when something will begin or end by time: the aspect's time begins or, if it has begun, the
 * next advice starts or stops. Adds nothing if neither will happen.
 */
static void add_next(struct wv_str *out, const struct weft_status *status)
{
	char text[WV_DURATION_TEXT];
	const char *event = status->phase == WEFT_PHASE_WAITING ? "time begins" :
								  "next advice begins or ends";

	if (status->next)
		wv_str_addf(out, "  in %s its %s\n", wv_duration_text(status->next, text), event);
}

/* If the aspect's start or end block is running, adds the thread and the time that it has run. */
static void add_block(struct wv_str *out, const struct weft_status *status)
{
	char text[WV_BLOCK_TEXT];

	if (status->state == WEFT_STATE_STARTING || status->state == WEFT_STATE_ENDING)
		wv_str_addf(out, "  %s\n", wv_block_text(status, text));
}

/* Adds who may read the records, how many readers there are, and how many were overtaken. */
static void add_readers(struct wv_str *out, const struct weft_status *status)
{
	if (status->published == WEFT_PUBLISHED)
		wv_str_addf(out, "  published: users read what their tasks write\n");
	else if (status->published)
		wv_str_addf(out, "  published: users read what their tasks write, group %u all\n",
			    status->group);
	if (status->views)
		wv_str_addf(out, "  %s\n", wv_count_text(status->views, "reader").text);
	if (status->overtaken)
		wv_str_addf(out, "  %s went before `weft read` had read them, since others read\n",
			    wv_count_text(status->overtaken, "record").text);
}

static void add_line(void *out, const char *line)
{
	wv_str_addf(out, "  incomplete: %s\n", line);
}

static void add_json_line(void *json, const char *line)
{
	wv_json_text(json, NULL, line);
}

static void add_text(const struct wv_device *device, const struct wv_statuses *statuses,
		     struct wv_str *out)
{
	if (!statuses->list.n) {
		wv_str_add(out, "no aspects\n");
		return;
	}
	wv_str_addf(out, "%-24s %-9s %7s %12s %8s %10s %8s %8s  %s\n", "ASPECT", "STATE", "SPLICES",
		    "HITS", "MISSED", "RECORDS", "LOST", "UNREAD", "OWNER");
	wv_vec_for_each(status, &statuses->list) {
		_cleanup_str_ struct wv_str incomplete = { 0 };

		wv_str_addf(out, "%-24s %-9s %7u %12llu %8llu %10llu %8llu %8llu  ", status->name,
			    state_name(status), status->nr_splices, status->hits, status->missed,
			    status->records, status->lost, status->unread);
		if (status->bound)
			wv_str_addf(out, "pid %u (bound)\n", status->owner);
		else
			wv_str_add(out, "-\n");
		wv_inexact_text(status, out);
		wv_dropped_text(status, out);
		add_block(out, status);
		if (status->inside)
			wv_str_addf(out, "  %s in its around-advice, or in what that has called\n",
				    wv_count_text(status->inside, "execution").text);
		add_next(out, status);
		add_readers(out, status);
		wv_parts_text(device, status->name, out);
		wv_tags_text(device, status, out);
		wv_live_incomplete(status->name, &incomplete);
		wv_incomplete_lines(&incomplete, add_line, out);
		wv_fault_text(device, status->name, out);
	}
}

static void add_json(const struct wv_device *device, const struct weft_status *status,
		     struct wv_json *json)
{
	_cleanup_str_ struct wv_str incomplete = { 0 };

	wv_json_begin_object(json, NULL);
	wv_json_text(json, "aspect", status->name);
	wv_json_text(json, "state", state_name(status));
	wv_json_unsigned(json, "joinpoints", status->nr_joinpoints);
	wv_precision_json(status->accesses, json);
	wv_json_unsigned(json, "splices", status->nr_splices);
	wv_json_unsigned(json, "optimizing", status->nr_optimizing);
	wv_json_unsigned(json, "hits", status->hits);
	wv_json_unsigned(json, "missed", status->missed);
	wv_json_unsigned(json, "records", status->records);
	wv_json_unsigned(json, "lost", status->lost);
	wv_json_unsigned(json, "unread", status->unread);
	wv_json_bool(json, "published", status->published != WEFT_PUBLISHED_NOT);
	if (status->published == WEFT_PUBLISHED_GROUP)
		wv_json_unsigned(json, "group", status->group);
	wv_json_unsigned(json, "readers", status->views);
	wv_json_unsigned(json, "overtaken", status->overtaken);
	wv_json_bool(json, "bound", status->bound);
	wv_json_unsigned(json, "owner", status->owner);
	wv_json_unsigned(json, "tasks", status->tasks);
	wv_json_unsigned(json, "tasks_room", status->tasks_room);
	wv_json_unsigned(json, "dropped", status->dropped);
	wv_json_unsigned(json, "no_stack", status->no_stack);
	wv_json_unsigned(json, "inside", status->inside);
	wv_json_unsigned(json, "next_ns", status->next);
	wv_json_unsigned(json, "block_pid", status->block_pid);
	wv_json_bool(json, "block_died", status->block_died);
	wv_json_unsigned(json, "block_ns", status->block_ns);
	wv_json_unsigned(json, "budget_ns", status->budget);
	wv_json_unsigned(json, "share_percent", status->share);
	wv_json_unsigned(json, "pending", status->nr_pending);
	wv_parts_json(device, status->name, json);
	wv_tags_json(device, status->name, json);
	wv_live_incomplete(status->name, &incomplete);
	if (incomplete.n) {
		wv_json_begin_array(json, "incomplete");
		wv_incomplete_lines(&incomplete, add_json_line, json);
		wv_json_end_array(json);
	}
	wv_json_unsigned(json, "faults", status->faults);
	wv_fault_json(device, status->name, json);
	wv_json_end_object(json);
}

/* The output of `weft list --bytes`. */
struct changed {
	struct wv_json *json; /* NULL: the output is .table */
	struct wv_text_table table;
};

static int add_changed(const struct wv_device *device, const char *name, struct changed *changed,
		       struct wv_error *error)
{
	return changed->json ? wv_changed_json(device, name, changed->json, error)
			     : wv_changed_rows(device, name, &changed->table, error);
}

static int add_bytes(const struct wv_device *device, const struct wv_statuses *statuses,
		     struct wv_json *json, struct wv_str *out, struct wv_error *error)
{
	struct changed changed = { .json = json, .table.n = WV_CHANGED_COLUMNS };
	int ret;

	wv_changed_header(&changed.table);
	ret = add_changed(device, "", &changed, error);
	wv_vec_for_each(status, &statuses->list)
		if (!ret && status->nr_splices)
			ret = add_changed(device, status->name, &changed, error);
	if (!ret && !json)
		wv_text_table_print(&changed.table, out);
	wv_text_table_deinit(&changed.table);
	return ret;
}

struct options {
	bool json, bytes;
};

static const struct wv_option known[] = {
	WV_FLAG(struct options, json, "json", 'j', "one JSON object a line"),
	WV_FLAG(struct options, bytes, "bytes", 'b',
		"which bytes of the kernel's text are changed"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_str_ struct wv_str out = { 0 };
	struct wv_json json = WV_JSON(&out);
	struct options options = { 0 };
	struct wv_statuses statuses;
	struct wv_device device;
	int first, err = wv_options_parse(&wv_cmd_list, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (first < argc)
		return wv_usage(error, "list", "takes no names");
	err = wv_device_open(&device, error);
	if (err)
		return err;
	err = wv_device_list(&device, &statuses, error);
	if (err) {
		wv_device_close(&device);
		return err;
	}
	if (options.bytes)
		err = add_bytes(&device, &statuses, options.json ? &json : NULL, &out, error);
	else if (!options.json)
		add_text(&device, &statuses, &out);
	else
		wv_vec_for_each(status, &statuses.list)
			add_json(&device, status, &json);
	wv_statuses_deinit(&statuses);
	wv_device_close(&device);
	return err ? err : wv_print(&out, error);
}

const struct wv_cmd wv_cmd_list = {
	.name = "list",
	.run = run,
	.summary = "show the aspects in the running kernel",
	.usage = "[--bytes] [--json]",
	.options = known,
	.notes = "States: loaded (the module is there, no text is changed), woven, optimizing "
		 "(woven, some splices are traps until\n"
		 "no thread is in the middle of what their jumps will cover), waiting (woven, its "
		 "time has not begun), ended (its\n"
		 "time is over, text is restored; `weft unweave` removes it), retiring (text is "
		 "restored, threads are leaving\n"
		 "its trampolines), starting and ending (its start or end block is running), "
		 "faulted (its advice faulted, and\n"
		 "the kernel has unwoven it; `weft unweave` removes it), gone (only unread "
		 "records are left).\n"
		 "Of an aspect in modules there is a line for each of their sections: woven, "
		 "loaded (not woven there), pending (woven\n"
		 "when the module is loaded), absent, gone (unloaded since), other (another build "
		 "is loaded, or it is init text).\n"
		 "Of an aspect with tags there are lines for each: how many objects got it, lost "
		 "it where they were freed, or found\n"
		 "no room; and how often advice has asked for it.\n"
		 "SPLICES counts the advice that is in the text: two advices at one shadow count "
		 "as two, though they share a splice.\n"
		 "hits + missed = executions of the joinpoints in its time; missed ones happened "
		 "while advice ran already, or found\n"
		 "too little stack.\n",
};
