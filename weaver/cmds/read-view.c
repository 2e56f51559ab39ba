// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads records through a view; see read-view.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/read-view.h"
#include "live/view-requests.h"
#include "report/records.h"
#include "runtime/value-names.h"

enum { BUFFER_SIZE = 256 * 1024, FOLLOW_MS = 100 };

struct indices {
	WV_VEC(uint32_t) list;
};

static bool is_at(const struct weft_joinpoint_text *joinpoint, const struct wv_texts *at)
{
	const char *symbol =
		wv_symbol_text(joinpoint->symbol, joinpoint->symbol_offset).text;

	for (size_t i = 0; i < at->n; i++)
		if (!strcmp(at->text[i], joinpoint->symbol) ||
		    !strcmp(at->text[i], joinpoint->function) || !strcmp(at->text[i], symbol))
			return true;
	return false;
}

/* Finds the joinpoints that options->at names, which a view has to be asked for. */
static int find_joinpoints(const struct wv_read_view *options, struct indices *ret,
			   struct wv_error *error)
{
	struct weft_view request = { .flags = WEFT_VIEW_NEW };
	struct weft_joinpoint_text joinpoint = { 0 };
	struct wv_device device;
	int err;

	snprintf(request.name, sizeof(request.name), "%s", options->name);
	err = wv_view_open(&device, &request, error);
	for (; !err && !ioctl(device.fd, WEFT_IOC_JOINPOINT, &joinpoint); joinpoint.index++) {
		uint32_t *index;

		if (!is_at(&joinpoint, &options->at))
			continue;
		index = wv_vec_push(&ret->list);
		if (!index)
			err = wv_no_memory(error);
		else
			*index = joinpoint.index;
	}
	if (!err || err == -WV_E_NO_MEMORY)
		wv_device_close(&device);
	if (!err && !ret->list.n)
		return wv_fail(error, WV_E_NO_MATCH, "%s has no joinpoint there", options->name);
	return err;
}

static int open_view(const struct wv_read_view *options, struct wv_device *device,
		     struct wv_error *error)
{
	struct weft_view request = { .flags = options->newest ? WEFT_VIEW_NEW : 0,
				     .pid = (uint32_t)options->pid };
	struct indices indices = { 0 };
	int err = 0;

	snprintf(request.name, sizeof(request.name), "%s", options->name);
	if (options->words && strlen(options->words) >= sizeof(request.words))
		return wv_usage(error, "read", "--words has at most %zu bytes",
				sizeof(request.words) - 1);
	if (options->words)
		snprintf(request.words, sizeof(request.words), "%s", options->words);
	if (options->fields && strlen(options->fields) >= sizeof(request.fields))
		return wv_usage(error, "read", "--fields has at most %zu bytes",
				sizeof(request.fields) - 1);
	if (options->fields && wr_arguments_count(options->fields) > WEFT_VIEW_FIELDS_MAX)
		return wv_usage(error, "read", "--fields names at most %d values",
				WEFT_VIEW_FIELDS_MAX);
	if (options->fields)
		snprintf(request.fields, sizeof(request.fields), "%s", options->fields);
	if (options->at.n)
		err = find_joinpoints(options, &indices, error);
	if (!err) {
		request.joinpoints = (uintptr_t)indices.list.data;
		request.nr_joinpoints = indices.list.n;
		err = wv_view_open(device, &request, error);
	}
	wv_vec_deinit(&indices.list);
	return err;
}

struct reading {
	const struct wv_read_view *options;
	struct wv_device device;
	struct wv_record_printer printer;
	void *buffer;
	uint64_t begin; /* the time at which the command began */
	uint64_t records;
	struct weft_view_read last; /* the last answer */
};

static void count(struct reading *reading)
{
	for (uint32_t at = 0; at < reading->last.used; reading->records++)
		at += ((const struct weft_record *)((char *)reading->buffer + at))->size;
}

/*
 * Prints the records that there are. Without --follow, stops after a buffer that has a record from
 * after the beginning, or when that is long ago: records that are not this user's come, too.
 */
static int drain(struct reading *reading, struct wv_error *error)
{
	const struct wv_read_view *options = reading->options;
	const uint64_t long_ago = 5000000000;
	bool goes_on = true;
	int err = 0;

	while (!err && goes_on && !*options->interrupted) {
		err = wv_view_read(&reading->device, reading->buffer, BUFFER_SIZE, &reading->last,
				   error);
		if (err)
			break;
		if (reading->last.used)
			err = wv_records_print(&reading->printer, stdout, reading->buffer,
					       reading->last.used, error);
		count(reading);
		goes_on = reading->last.used || reading->last.flags & WEFT_VIEW_MORE;
		if (!options->follow && reading->last.used &&
		    wv_records_newest(reading->buffer, reading->last.used) > reading->begin)
			goes_on = false;
		if (!options->follow && wv_clock_ns() > reading->begin + long_ago)
			goes_on = false;
	}
	errno = 0;
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = wv_fail_errno(error, errno ? errno : EIO, "the records cannot be written");
	return err;
}

static int report_lost(const struct reading *reading, struct wv_error *error)
{
	const uint64_t uncounted = reading->last.uncounted;
	struct weft_status status = { .records = reading->records, .lost = reading->last.lost };
	char others[96] = "";

	snprintf(status.name, sizeof(status.name), "%s", reading->options->name);
	if (reading->options->json)
		return wv_records_print_totals(stdout, &status, uncounted, error);
	if (uncounted)
		snprintf(others, sizeof(others),
			 ", and %" PRIu64 " of which nobody knows whether they were chosen",
			 uncounted);
	if (status.lost || uncounted)
		fprintf(stderr,
			"weft: note: %s: %s read, %" PRIu64 " more lost%s: the buffer was full, or "
			"this reader too slow\n",
			status.name, wv_count_text(status.records, "record").text,
			(uint64_t)status.lost, others);
	return 0;
}

int wv_read_view(const struct wv_read_view *options, struct wv_error *error)
{
	static const struct timespec pause = { .tv_nsec = FOLLOW_MS * 1000000L };
	_cleanup_free_ void *buffer = malloc(BUFFER_SIZE);
	struct reading reading = { .options = options, .buffer = buffer, .begin = wv_clock_ns() };
	int err;

	if (!buffer)
		return wv_no_memory(error);
	err = open_view(options, &reading.device, error);
	if (err)
		return err;
	reading.printer = (struct wv_record_printer){ .device = &reading.device,
						      .aspect = options->name,
						      .json = options->json };
	for (;;) {
		err = drain(&reading, error);
		if (err || !options->follow || *options->interrupted ||
		    reading.last.flags & WEFT_VIEW_ENDED)
			break;
		nanosleep(&pause, NULL);
	}
	if (!err)
		err = report_lost(&reading, error);
	wv_record_printer_deinit(&reading.printer);
	wv_device_close(&reading.device);
	return err;
}
