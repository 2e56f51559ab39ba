// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft read`: consumes and prints records, of one aspect or of all. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "cmds/cmd.h"
#include "live/device.h"
#include "report/records.h"

struct options {
	bool follow;
};

enum { BUFFER_SIZE = 256 * 1024, FOLLOW_MS = 100 };

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = 1;
}

/*
 * Reads what @name has now. *any_ret: something was printed. *gone_ret: the kernel does not know it
 * (any more).
 */
static int drain(const struct wv_device *device, const char *name, bool show_aspect, void *buffer,
		 bool *any_ret, bool *gone_ret, struct wv_error *error)
{
	struct wv_record_printer printer = {
		.device = device,
		.aspect = name,
		.show_aspect = show_aspect,
	};
	size_t used;
	int err;

	*any_ret = false;
	do {
		err = wv_device_read(device, name, buffer, BUFFER_SIZE, &used, gone_ret, error);
		if (!err && used)
			err = wv_records_print(&printer, stdout, buffer, used, error);
		*any_ret |= used != 0;
	} while (!err && used && !interrupted);
	wv_record_printer_deinit(&printer);
	return err;
}

/* One round over every aspect that has something. */
static int drain_all(const struct wv_device *device, void *buffer, struct wv_error *error)
{
	struct wv_statuses statuses;
	int err = wv_device_list(device, &statuses, error);
	bool any, gone;

	if (err)
		return err;
	wv_vec_for_each(status, &statuses.list) {
		if (!err && status->unread)
			err = drain(device, status->name, true, buffer, &any, &gone, error);
	}
	wv_statuses_deinit(&statuses);
	return err;
}

static int read_records(const struct wv_device *device, const char *name, bool follow,
			struct wv_error *error)
{
	static const struct timespec pause = { .tv_nsec = FOLLOW_MS * 1000000L };
	_cleanup_free_ void *buffer = malloc(BUFFER_SIZE);
	bool any = false, seen = false, gone = false;
	int err;

	if (!buffer)
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	for (;;) {
		err = name ? drain(device, name, false, buffer, &any, &gone, error) :
			     drain_all(device, buffer, error);
		if (!err && gone && !any && !seen)
			return wv_fail(error, WV_E_STATE, "no aspect %s, and no records of one", name);
		seen = true;
		fflush(stdout);
		if (err || !follow || interrupted || gone)
			return err;
		nanosleep(&pause, NULL);
	}
}

static const struct wv_option known[] = {
	WV_FLAG(struct options, follow, "follow", 'f', "go on until interrupted"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	const struct sigaction end = { .sa_handler = on_signal };
	struct options options = { 0 };
	struct wv_device device;
	int first, err = wv_options_parse(&wv_cmd_read, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (argc - first > 1)
		return wv_usage(error, "read", "name one aspect, or none for all");
	err = wv_device_open(&device, error);
	if (err)
		return err;
	/* What was consumed is printed before the end: a signal ends the loop, not the process. */
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	err = read_records(&device, argv[first], options.follow, error);
	wv_device_close(&device);
	return err;
}

const struct wv_cmd wv_cmd_read = {
	.name = "read",
	.run = run,
	.summary = "show the records that advice wrote",
	.usage = "[options] [NAME]",
	.options = known,
	.operands = { WV_COMPLETE_WOVEN },
	.notes = "A record is read once. A line is: time (seconds since boot), CPU, command and thread, the aspect where several\n"
		 "are read, the shadow, the text.\n",
};
