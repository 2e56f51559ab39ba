// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft list`: what the kernel has, aspect by aspect. */
#include <stdio.h>

#include "base/duration.h"
#include "base/str.h"
#include "cmds/cmd.h"
#include "live/requests.h"
#include "report/metrics-report.h"

static const char *state_name(const struct weft_status *status)
{
	static const char *const names[] = {
		[WEFT_STATE_LOADED] = "loaded",
		[WEFT_STATE_WOVEN] = "woven",
		[WEFT_STATE_RETIRING] = "retiring",
		[WEFT_STATE_GONE] = "gone",
	};

	if (status->state == WEFT_STATE_LOADED && status->phase == WEFT_PHASE_ENDED)
		return "ended";
	if (status->state == WEFT_STATE_WOVEN && status->phase == WEFT_PHASE_WAITING)
		return "waiting";
	if (status->state == WEFT_STATE_WOVEN && status->nr_optimizing)
		return "optimizing";
	return status->state < sizeof(names) / sizeof(names[0]) ? names[status->state] : "unknown";
}

/* What the clock will do next. */
static void print_next(const struct weft_status *status)
{
	char text[WV_DURATION_TEXT];

	if (status->next)
		printf("  in %s its %s\n", wv_duration_text(status->next, text),
		       status->phase == WEFT_PHASE_WAITING ? "time begins" : "next advice begins or ends");
}

static void print_text(const struct wv_statuses *statuses)
{
	if (!statuses->list.n) {
		printf("no aspects\n");
		return;
	}
	printf("%-24s %-9s %8s %12s %8s %10s %8s %8s  %s\n", "ASPECT", "STATE", "SPLICES", "HITS",
	       "MISSED", "RECORDS", "LOST", "UNREAD", "OWNER");
	wv_vec_for_each(status, &statuses->list) {
		_cleanup_str_ struct wv_str dropped = { 0 };

		printf("%-24s %-9s %8u %12llu %8llu %10llu %8llu %8llu  ", status->name,
		       state_name(status), status->nr_splices, status->hits, status->missed,
		       status->records, status->lost, status->unread);
		if (status->bound)
			printf("pid %u (bound)\n", status->owner);
		else
			printf("-\n");
		wv_dropped_text(status, &dropped);
		fputs(dropped.data ? dropped.data : "", stdout);
		print_next(status);
	}
}

static void print_json(const struct wv_statuses *statuses)
{
	wv_vec_for_each(status, &statuses->list) {
		_cleanup_str_ struct wv_str line = { 0 };

		wv_str_add(&line, "{\"aspect\":");
		wv_str_add_json(&line, status->name);
		wv_str_addf(&line,
			    ",\"state\":\"%s\",\"joinpoints\":%u,\"splices\":%u,\"optimizing\":%u,\"hits\":%llu,"
			    "\"missed\":%llu,\"records\":%llu,\"lost\":%llu,\"unread\":%llu,"
			    "\"bound\":%s,\"owner\":%u,\"tasks\":%u,\"tasks_room\":%u,\"dropped\":%llu,\"next_ns\":%llu}",
			    state_name(status), status->nr_joinpoints, status->nr_splices, status->nr_optimizing,
			    status->hits, status->missed, status->records, status->lost,
			    status->unread, status->bound ? "true" : "false", status->owner, status->tasks,
			    status->tasks_room, status->dropped, (unsigned long long)status->next);
		if (!line.failed)
			puts(line.data);
	}
}

struct options {
	bool json;
};

static const struct wv_option known[] = {
	WV_FLAG(struct options, json, "json", 'j', "one JSON object a line"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
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
	wv_device_close(&device);
	if (err)
		return err;
	if (options.json)
		print_json(&statuses);
	else
		print_text(&statuses);
	wv_statuses_deinit(&statuses);
	return 0;
}

const struct wv_cmd wv_cmd_list = {
	.name = "list",
	.run = run,
	.summary = "show the aspects in the running kernel",
	.usage = "[--json]",
	.options = known,
	.notes = "States: loaded (the module is there, no text is changed), woven, optimizing (woven, some splices are traps until\n"
		 "nobody is in the middle of what their jumps will cover), waiting (woven, its time has not begun), ended (its\n"
		 "time is over, text is restored; `weft unweave` puts it away), retiring (text is restored, the last visitors\n"
		 "are leaving), gone (only unread records are left). hits + missed = executions of the joinpoints in its time;\n"
		 "missed ones happened while advice ran already.\n",
};
