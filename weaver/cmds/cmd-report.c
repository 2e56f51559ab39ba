// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft report`: shows the metrics of an aspect. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/replace.h"
#include "base/whole-file.h"
#include "cmds/cmd.h"
#include "cmds/kernel-report.h"
#include "cmds/live-view.h"
#include "cmds/options.h"
#include "live/requests.h"
#include "live/read-metrics.h"
#include "live/once-states.h"
#include "report/arrange.h"
#include "report/html.h"
#include "report/metrics-report.h"
#include "report/once-report.h"
#include "report/tag-report.h"

struct options {
	const char *name, *html, *tree, *output;
	const char *sort;
	size_t top;
	bool json, openmetrics, watch, reset, open;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = 1;
}

static int write_file(const char *path, const struct wv_str *text, struct wv_error *error)
{
	if (text->failed)
		return wv_no_memory(error);
	return wv_replace_file(path, (const unsigned char *)text->data, text->n, error);
}

/* Writes a page with the totals that the kernel has now to options->html. */
static int make_page(const struct wv_device *device, const struct options *options,
		     const struct weft_status *status, const struct wv_readings *readings,
		     const struct wv_once *once, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	int err = wv_kernel_page(device,
				 &(struct wv_page){ .status = status, .readings = readings,
						    .once = once, .tree = options->tree },
				 &text, error);

	return err ? err : write_file(options->html, &text, error);
}

/* ---- comparing two reports ------------------------------------------------------------------- */

/*
 * Checks that the text looks like a report that weft has written with --json. weft does not parse
 * the text; only the page's script does.
 */
static int check_report(const struct wv_compared *report, struct wv_error *error)
{
	const char *text = wv_str_text(&report->text);

	if (*text == '{' && (strstr(text, "\"metric\"") || strstr(text, "\"once\"")))
		return 0;
	return wv_fail(error, WV_E_FORMAT,
		       "%s: not a report with metrics, as weft report --json writes it",
		       report->name);
}

static int compare(const struct options *options, char *const names[2], struct wv_error *error)
{
	struct wv_compared compared[2] = { { .name = names[0] }, { .name = names[1] } };
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_page_facts facts;
	int err = 0;

	for (unsigned int i = 0; !err && i < 2; i++) {
		err = wv_whole_file(names[i], &compared[i].text, error);
		if (!err)
			err = check_report(&compared[i], error);
	}
	if (!err) {
		wv_page_facts_get(&facts);
		wv_compare_html(&facts, compared, &text);
		err = write_file(options->html, &text, error);
	}
	wv_str_deinit(&compared[0].text);
	wv_str_deinit(&compared[1].text);
	return err;
}

/* ---- writing OpenMetrics for monitors -------------------------------------------------------- */

static int write_openmetrics(const struct options *options, char *const *names, size_t n,
			     struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_device device;
	int err = wv_device_open(&device, error);

	if (err)
		return err;
	err = wv_kernel_openmetrics(&device, names, n, WV_ABSENT_FAILS, &text, error);
	wv_device_close(&device);
	if (err)
		return err;
	return options->output ? write_file(options->output, &text, error) :
				 wv_print(&text, error);
}

/* ---- showing one report ---------------------------------------------------------------------- */

static void make_text(const struct wv_device *device, const struct weft_status *status,
		      const struct wv_readings *readings, const struct wv_text_view *view,
		      const struct wv_once *once, struct wv_str *text)
{
	wv_metrics_text(readings, view, text);
	wv_inexact_text(status, text);
	wv_dropped_text(status, text);
	wv_once_text(once, text);
	wv_tags_text(device, status, text);
}

/* Makes the report of the readings, as text, JSON or HTML according to @options. */
static int make_report(const struct wv_device *device, const struct options *options,
		       const struct wv_readings *readings, const struct wv_once *once,
		       const struct wv_text_view *view, struct wv_str *text,
		       struct wv_error *error)
{
	struct weft_status status;
	int err;

	if (!readings->list.n && !once->list.n && !wv_tags_any(device, options->name))
		return wv_fail(error, WV_E_STATE, "%s has no metrics", options->name);
	err = wv_kernel_status(device, options->name, &status, error);
	if (err)
		return err;
	if (options->html)
		return make_page(device, options, &status, readings, once, error);
	if (options->json) {
		wv_metrics_json(&status, readings, text);
		wv_once_json(options->name, once, text);
		wv_tags_json_line(device, options->name, text);
		return 0;
	}
	make_text(device, &status, readings, view, once, text);
	return 0;
}

static int sort(const struct options *options, struct wv_readings *readings,
		struct wv_error *error)
{
	if (!options->sort || wv_readings_sort(readings, options->sort))
		return 0;
	return wv_fail(error, WV_E_USAGE, "no metric of %s has a column '%s' (or sort by key)",
		       options->name, options->sort);
}

/* Shows the report in the view @live or, if @live is NULL, prints the report. */
static int show(const struct wv_device *device, const struct options *options,
		struct wv_live_view *live, struct wv_error *error)
{
	const struct wv_text_view once_view = { .top = options->top, .all_open = options->open };
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_readings readings;
	struct wv_once once;
	int err = wv_readings_get(device, options->name, &readings, error);

	if (err)
		return err;
	err = wv_once_get(device, options->name, &once, error);
	if (!err && live)
		err = wv_live_view_add(live, &readings, error);
	else if (!err)
		err = wv_readings_get_open(device, options->name, &readings, error);
	if (!err)
		err = sort(options, &readings, error);
	if (!err)
		err = make_report(device, options, &readings, &once,
				  live ? &live->text : &once_view, &text, error);
	wv_once_deinit(&once);
	wv_readings_deinit(&readings);
	if (err)
		return err;
	return live ? wv_live_view_show(live, &text, error) : wv_print(&text, error);
}

static void wait_second(const struct wv_live_view *live)
{
	struct timespec pause = { .tv_sec = 1 };

	if (live)
		pause = (struct timespec){ .tv_nsec = 50000000 };
	do {
		nanosleep(&pause, NULL);
	} while (live && !interrupted && !wv_live_view_is_due(live));
}

static int report(const struct options *options, struct wv_error *error)
{
	const bool in_place = options->watch && !options->html && !options->json;
	struct wv_live_view view, *live = in_place ? &view : NULL;
	struct wv_device device;
	int err = wv_device_open(&device, error);

	if (err)
		return err;
	if (live)
		wv_live_view_begin(live, options->top);
	do {
		err = show(&device, options, live, error);
		if (!err && options->reset)
			err = wv_readings_reset(&device, options->name, error);
	} while (!err && options->watch && !interrupted && (wait_second(live), !interrupted));
	if (live)
		wv_live_view_end(live, !err);
	wv_device_close(&device);
	return err;
}

static const struct wv_option known[] = {
	WV_FLAG(struct options, json, "json", 0, "one object a line for each metric"),
	WV_FLAG(struct options, openmetrics, "openmetrics", 0,
		"as OpenMetrics, for Prometheus and others: all aspects, or those that are named"),
	WV_TEXT(struct options, output, "output", 'o', "FILE", WV_COMPLETE_FILE,
		"with --openmetrics: to FILE, which is never seen half written"),
	WV_TEXT(struct options, html, "html", 0, "FILE", WV_COMPLETE_FILE,
		"write one page with tables and plots, which needs nothing else, to FILE; of two "
		"reports that --json has written, A.json and B.json, a comparison"),
	WV_TEXT(struct options, tree, "source", 's', "TREE", WV_COMPLETE_FOLDER,
		"with --html: show lines of this source tree, with their hits"),
	WV_VIEW_OPTIONS(struct options),
	WV_FLAG(struct options, watch, "watch", 'w',
		"again every second until interrupted, in place, with the last 20 seconds of each "
		"row"),
	WV_FLAG(struct options, open, "open", 0,
		"all starts of pairs that have not ended, not only the five oldest"),
	WV_FLAG(struct options, reset, "reset", 0,
		"afterwards start at nothing again; what is left of an aspect that is gone is "
		"forgotten"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	/* With SA_RESTART, a signal does not interrupt the output of a line. */
	const struct sigaction end = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct options options = { 0 };
	int first, err = wv_options_parse(&wv_cmd_report, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (options.html && options.json)
		return wv_usage(error, "report", "--html and --json exclude each other");
	if (options.output && !options.openmetrics)
		return wv_usage(error, "report", "--output needs --openmetrics");
	if (options.openmetrics && (options.html || options.json || options.watch || options.reset))
		return wv_usage(error, "report",
				"--openmetrics excludes --html, --json, --watch and --reset");
	if (options.openmetrics)
		return write_openmetrics(&options, argv + first, argc - first, error);
	if (options.html && argc - first == 2)
		return compare(&options, argv + first, error);
	if (argc - first != 1)
		return wv_usage(error, "report", "name one aspect%s",
				argc - first == 2 ? "; two reports are compared with --html" : "");
	if (options.tree && !options.html)
		return wv_usage(error, "report", "--source needs --html: only pages show source");
	options.name = argv[first];
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	return report(&options, error);
}

const struct wv_cmd wv_cmd_report = {
	.name = "report",
	.run = run,
	.summary = "show what an aspect's metrics have counted",
	.usage = "[options] NAME|A.json B.json",
	.options = known,
	.operands = { WV_COMPLETE_WOVEN },
	.notes = "Tables, bars, percentiles, what could not be counted, where advice with "
		 "once=\"yes\" has not run, and what tags have\n"
		 "counted. Metrics stay readable after `weft unweave`, until --reset, or until an "
		 "aspect of that name is woven again.\n",
	.examples = "weft report --watch file_times\nweft report --html times.html file_times\n"
		    "weft report --html change.html before.json after.json\n"
		    "weft report --openmetrics -o /var/lib/prometheus/node-exporter/weft.prom\n",
};
