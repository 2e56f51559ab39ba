// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft unweave`: takes aspects out of the running kernel, and checks that the text is restored. */
#include <stdio.h>
#include <string.h>

#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "cmds/show-progress.h"
#include "live/requests.h"
#include "live/apply.h"

static void print_result(const char *name, const struct wv_unweave_result *result)
{
	if (result->was_woven) {
		printf("%s unwoven: %s\n", name, wv_count_text(result->restored, "splice").text);
		printf("text restored: %zu of %s identical", result->same,
		       wv_count_text(result->bytes, "byte").text);
		if (result->shared)
			printf(" (%zu more %s spliced for other aspects)", result->shared,
			       wv_plural(result->shared, "is", "are"));
		putchar('\n');
	} else if (result->module_removed) {
		if (result->had_faulted)
			printf("%s: its advice had faulted, and it was unwoven then: ", name);
		else if (result->had_ended)
			printf("%s: its time had ended, and it was unwoven then: ", name);
		else
			printf("%s was loaded, not woven: ", name);
		printf("module removed\n");
	}
	if (result->end_faulted)
		printf("%s: its end block faulted at %s: %s\n", name,
		       wv_source_text(result->fault.file, result->fault.line, 0).text,
		       result->fault.kind);
	if (result->is_retiring && result->inside)
		printf("%s is still retiring (%s in its around-advice, or in what that has called: "
		       "/proc/PID/stack has a function of the module): run `weft unweave %s` again "
		       "to remove its module\n",
		       name, wv_count_text(result->inside, "execution").text, name);
	else if (result->is_retiring)
		printf("%s is still retiring (a grace period is stalled, or a kprobe sits on a "
		       "splice: see "
		       "the kernel log): run `weft unweave %s` again to remove its module\n",
		       name, name);
}

static int unweave(const struct wv_device *device, const char *name, struct wv_error *error)
{
	struct wv_unweave_result result;
	int err;

	wv_progress_begin("unweaving", name);
	err = wv_unweave(device, name, &result, error);
	wv_progress_end();
	if (err && !result.was_woven)
		return err;
	print_result(name, &result);
	return err ? err : wv_unweave_check(name, &result, error);
}

static int unweave_all(const struct wv_device *device, struct wv_error *error)
{
	struct wv_statuses statuses;
	int err = wv_device_list(device, &statuses, error), first = 0;

	if (err)
		return err;
	/* If one aspect cannot be unwoven, go on with the others. */
	wv_vec_for_each(status, &statuses.list) {
		struct wv_error one;

		if (status->state == WEFT_STATE_GONE)
			continue;
		err = unweave(device, status->name, &one);
		if (err && !first) {
			first = err;
			*error = one;
		}
	}
	wv_statuses_deinit(&statuses);
	return first;
}

struct options {
	bool all;
};

static const struct wv_option known[] = {
	WV_FLAG(struct options, all, "all", 0, "every aspect, woven or merely loaded"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	struct options options = { 0 };
	struct wv_device device;
	int first, err = wv_options_parse(&wv_cmd_unweave, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (options.all == (first < argc))
		return wv_usage(error, "unweave", "name aspects, or give --all");
	err = wv_device_open(&device, error);
	if (err)
		return err;
	if (options.all)
		err = unweave_all(&device, error);
	for (int i = first; !err && i < argc; i++)
		err = unweave(&device, argv[i], error);
	wv_device_close(&device);
	return err;
}

const struct wv_cmd wv_cmd_unweave = {
	.name = "unweave",
	.run = run,
	.summary = "take an aspect out of the running kernel",
	.usage = "NAME... | --all",
	.options = known,
	.operands = { WV_COMPLETE_WOVEN },
	.more = true,
	.notes = "Reads the text back from the live kernel and compares it with what stood there "
		 "before. Unread records stay\n"
		 "readable with `weft read NAME`.\n",
};
