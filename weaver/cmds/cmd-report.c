// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft report`: shows the metrics of an aspect. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/replace.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "live/requests.h"
#include "live/read-metrics.h"
#include "live/once-states.h"
#include "report/html.h"
#include "report/metrics-report.h"
#include "report/once-report.h"

struct options {
	const char *name, *html;
	bool json, watch, reset;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = 1;
}

static int make_page(const struct wv_device *device, const struct options *options,
		     const struct wv_readings *readings, const struct wv_once *once,
		     struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	const struct weft_status *status;
	struct wv_statuses statuses;
	struct wv_spliced shadows = { 0 };
	struct wv_error ignored;
	int err = wv_device_list(device, &statuses, error);

	if (err)
		return err;
	status = wv_statuses_find(&statuses, options->name);
	if (!status)
		err = wv_fail(error, WV_E_STATE, "no aspect %s", options->name);
	else if (status->state == WEFT_STATE_WOVEN)
		wv_device_shadows(device, options->name, &shadows, &ignored);
	if (!err) {
		wv_metrics_html(status, &shadows, readings, once, &text);
		err = text.failed ? wv_no_memory(error)
				  : wv_replace_file(options->html, (const unsigned char *)text.data,
						    text.n, error);
	}
	wv_spliced_deinit(&shadows);
	wv_statuses_deinit(&statuses);
	return err;
}

static void make_text(const struct weft_status *status, const struct wv_readings *readings,
		      const struct wv_once *once, struct wv_str *text)
{
	wv_metrics_text(readings, text);
	wv_inexact_text(status, text);
	wv_dropped_text(status, text);
	wv_once_text(once, text);
}

/* The status of the aspect. If the kernel has forgotten it since, all is zero except the name. */
static int find_status(const struct wv_device *device, const char *name, struct weft_status *ret,
		       struct wv_error *error)
{
	const struct weft_status *status;
	struct wv_statuses statuses;
	int err = wv_device_list(device, &statuses, error);

	if (err)
		return err;
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	status = wv_statuses_find(&statuses, name);
	if (status)
		*ret = *status;
	wv_statuses_deinit(&statuses);
	return 0;
}

/* Prints the readings as text, JSON or HTML; the options decide. */
static int print_report(const struct wv_device *device, const struct options *options,
			const struct wv_readings *readings, const struct wv_once *once,
			struct wv_str *text, struct wv_error *error)
{
	struct weft_status status;
	int err;

	if (!readings->list.n && !once->list.n)
		return wv_fail(error, WV_E_STATE, "%s has no metrics", options->name);
	if (options->html)
		return make_page(device, options, readings, once, error);
	err = find_status(device, options->name, &status, error);
	if (err)
		return err;
	if (options->json) {
		wv_metrics_json(&status, readings, text);
		wv_once_json(options->name, once, text);
		return 0;
	}
	make_text(&status, readings, once, text);
	return 0;
}

static int show(const struct wv_device *device, const struct options *options,
		struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_readings readings;
	struct wv_once once;
	int err = wv_readings_get(device, options->name, &readings, error);

	if (err)
		return err;
	err = wv_once_get(device, options->name, &once, error);
	if (!err)
		err = print_report(device, options, &readings, &once, &text, error);
	wv_once_deinit(&once);
	wv_readings_deinit(&readings);
	if (err)
		return err;
	if (options->watch && !options->html && !options->json && isatty(STDOUT_FILENO))
		/* moves the terminal's cursor to the top left and clears the screen */
		fputs("\033[H\033[J", stdout);
	return wv_print(&text, error);
}

static int report(const struct options *options, struct wv_error *error)
{
	static const struct timespec pause = { .tv_sec = 1 };
	struct wv_device device;
	int err = wv_device_open(&device, error);

	if (err)
		return err;
	do {
		err = show(&device, options, error);
		if (!err && options->reset)
			err = wv_readings_reset(&device, options->name, error);
	} while (!err && options->watch && !interrupted && (nanosleep(&pause, NULL), !interrupted));
	wv_device_close(&device);
	return err;
}

static const struct wv_option known[] = {
	WV_FLAG(struct options, json, "json", 0, "one object a line for each metric"),
	WV_TEXT(struct options, html, "html", 0, "FILE", WV_COMPLETE_FILE,
		"write one page with tables and plots, which needs nothing else, to FILE"),
	WV_FLAG(struct options, watch, "watch", 'w', "again every second until interrupted"),
	WV_FLAG(struct options, reset, "reset", 0,
		"afterwards start at nothing again; what is left of an aspect that is gone is "
		"forgotten"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	/* SA_RESTART: a signal does not break off the write of a line. */
	const struct sigaction end = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct options options = { 0 };
	int first, err = wv_options_parse(&wv_cmd_report, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (argc - first != 1)
		return wv_usage(error, "report", "name one aspect");
	if (options.html && options.json)
		return wv_usage(error, "report", "--html and --json exclude each other");
	options.name = argv[first];
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	return report(&options, error);
}

const struct wv_cmd wv_cmd_report = {
	.name = "report",
	.run = run,
	.summary = "show what an aspect's metrics have counted",
	.usage = "[options] NAME",
	.options = known,
	.operands = { WV_COMPLETE_WOVEN },
	.notes = "Tables, bars, percentiles, what could not be counted, and where advice with "
		 "once=\"yes\" has not run. Metrics stay\n"
		 "readable after `weft unweave`, until --reset, or until an aspect of that name is "
		 "woven again.\n",
	.examples = "weft report --watch file_times\nweft report --html times.html file_times\n",
};
