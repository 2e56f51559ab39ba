// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft list`: what the kernel has, aspect by aspect. */
#include <getopt.h>
#include <stdio.h>

#include "base/str.h"
#include "cmds/cmd.h"
#include "live/device.h"

const char wv_help_list[] =
	"  --json   one object a line\n"
	"\n"
	"States: loaded (the module is there, no text is changed), woven, settling (woven, some splices are traps\n"
	"until nobody is in the middle of what their jumps will cover), retiring (text is restored, the last\n"
	"visitors are leaving), gone (only unread records are left). hits + missed = executions of the joinpoints;\n"
	"missed ones happened while advice ran already.\n";

static const char *state_name(const struct weft_status *status)
{
	static const char *const names[] = {
		[WEFT_STATE_LOADED] = "loaded",
		[WEFT_STATE_WOVEN] = "woven",
		[WEFT_STATE_RETIRING] = "retiring",
		[WEFT_STATE_GONE] = "gone",
	};

	if (status->state == WEFT_STATE_WOVEN && status->nr_settling)
		return "settling";
	return status->state < sizeof(names) / sizeof(names[0]) ? names[status->state] : "unknown";
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
		printf("%-24s %-9s %8u %12llu %8llu %10llu %8llu %8llu  ", status->name,
		       state_name(status), status->nr_splices, status->hits, status->missed,
		       status->records, status->lost, status->unread);
		if (status->bound)
			printf("pid %u (bound)\n", status->owner);
		else
			printf("-\n");
	}
}

static void print_json(const struct wv_statuses *statuses)
{
	wv_vec_for_each(status, &statuses->list) {
		_cleanup_str_ struct wv_str line = { 0 };

		wv_str_add(&line, "{\"aspect\":");
		wv_str_add_json(&line, status->name);
		wv_str_addf(&line,
			    ",\"state\":\"%s\",\"joinpoints\":%u,\"splices\":%u,\"settling\":%u,\"hits\":%llu,"
			    "\"missed\":%llu,\"records\":%llu,\"lost\":%llu,\"unread\":%llu,"
			    "\"bound\":%s,\"owner\":%u}",
			    state_name(status), status->nr_joinpoints, status->nr_splices, status->nr_settling,
			    status->hits, status->missed, status->records, status->lost,
			    status->unread, status->bound ? "true" : "false", status->owner);
		if (!line.failed)
			puts(line.data);
	}
}

int wv_cmd_list(int argc, char **argv, struct wv_error *error)
{
	static const struct option options[] = { { "json", no_argument, NULL, 'j' }, { 0 } };
	struct wv_statuses statuses;
	struct wv_device device;
	bool json = false;
	int option, err;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'j')
			return wv_usage(error, "list", "unknown option '%s'", argv[optind - 1]);
		json = true;
	}
	if (optind < argc)
		return wv_usage(error, "list", "takes no names");
	err = wv_device_open(&device, error);
	if (err)
		return err;
	err = wv_device_list(&device, &statuses, error);
	wv_device_close(&device);
	if (err)
		return err;
	if (json)
		print_json(&statuses);
	else
		print_text(&statuses);
	wv_statuses_deinit(&statuses);
	return 0;
}
