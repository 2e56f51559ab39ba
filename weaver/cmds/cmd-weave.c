// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft weave`: weaves an aspect, from XML or from a compiled module, into the running kernel. */
#include <signal.h>
#include <stdio.h>

#include "module/module-file.h"
#include "base/notation.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/incomplete.h"
#include "cmds/options.h"
#include "cmds/show-progress.h"
#include "cmds/unseen.h"
#include "cmds/filter-options.h"
#include "cmds/limit-options.h"
#include "live/load-kmod.h"
#include "live/requests.h"
#include "live/apply.h"
#include "report/summary.h"

struct options {
	struct wv_module_options module;
	struct wv_weave_options how;
	struct wv_filter_options filter;
	struct wv_limit_options limits;
	bool optimized;
};

/*
 * Waits for a signal that asks the process to end. Called when a bound aspect is woven: weft.ko
 * unweaves the aspect when the process exits.
 */
static void wait_for_end(void)
{
	sigset_t signals;
	int which;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	fflush(stdout);
	sigwait(&signals, &which);
}

static int wait_optimized(const struct wv_device *device, const char *name, struct wv_error *error)
{
	uint32_t left = 0;
	int err;

	wv_progress_begin("waiting for the jumps of", name);
	err = wv_wait_optimized(device, name, &left, error);
	wv_progress_end();
	if (!err && left)
		printf("%s: %s still %s: a grace period is stalled, or a kprobe sits on a splice\n",
		       name, wv_count_text(left, "splice").text,
		       wv_plural(left, "is a trap", "are traps"));
	return err;
}

/*
 * Weaves the module @path. If @given is true, the command line names this module. If it is false,
 * weft has compiled the module from the aspect, now or earlier.
 */
static int weave(const char *path, const struct options *asked, bool given, struct wv_error *error)
{
	const struct wv_weave_options *options = &asked->how;
	struct wv_aspect_module *module;
	struct wv_device device;
	struct wv_summary summary = { 0 };
	int err = wv_aspect_module_open(path, &module, error);

	if (err)
		return err;
	if (given)
		wv_warn_module_incomplete(module);
	err = wv_device_open_loading(&device, error);
	if (err)
		goto out_module;
	wv_progress_begin("weaving", module->header.name);
	err = wv_weave(&device, path, module, options, &summary, error);
	wv_progress_end();
	wv_summary_print_dropped(module, &summary);
	if (summary.matched || summary.waiting)
		wv_summary_print(err ? stderr : stdout, module, &summary,
				 asked->module.verbose);
	if (!err && summary.refused.splices.n)
		err = wv_print_unseen(stdout, &device, module->header.name, error);
	if (!err)
		printf("%s woven\n", module->header.name);
	if (!err && asked->optimized)
		err = wait_optimized(&device, module->header.name, error);
	if (!err && options->bound)
		wait_for_end();
	wv_summary_deinit(&summary);
	wv_device_close(&device);
out_module:
	wv_aspect_module_destroy(module);
	return err;
}

static const struct wv_option known[] = {
	WV_FLAG(struct options, how.bound, "bound", 0,
		"unweave when this process ends, however it ends; it waits for a signal"),
	WV_FLAG(struct options, optimized, "optimized", 0,
		"return when all splices are optimized; until then those of several instructions "
		"are traps, for a moment"),
	WV_FLAG(struct options, how.traps, "traps", 0,
		"splice by traps only: slow, but each changes one byte"),
	WV_FLAG(struct options, how.pending, "pending", 0,
		"modules that are not loaded are woven when they are, before their init runs; and "
		"again when they come back"),
	WV_FLAG(struct options, how.balance, "check", 0,
		"see at each hit whether advice gives back what it takes: preemption, interrupts, "
		"RCU, locks; slower"),
	WV_FILTER_OPTIONS(struct options, filter.),
	WV_TIME(struct options, how.after, "after", 0,
		"the aspect's time begins TIME after it is woven: 2s, 1.5ms; each advice's start "
		"and stop times count from there"),
	WV_TIME(struct options, how.lasts, "for", 0,
		"it lasts TIME; then the kernel unweaves the aspect by itself"),
	WV_LIMIT_OPTIONS(struct options, limits.),
	WV_MODULE_OPTIONS(struct options, module.),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	struct options options = { .module = WV_MODULE_DEFAULTS, .filter = WV_FILTER_DEFAULTS };
	_cleanup_str_ struct wv_str text = { 0 };
	char path[PATH_MAX];
	int first, err = wv_options_parse(&wv_cmd_weave, argc, argv, &options, &first, error);
	size_t count;

	if (err)
		return err;
	if (argc - first != 1)
		return wv_usage(error, "weave", "name one aspect (.xml) or aspect module (.ko)");
	err = wv_filter_of_options(&options.filter, "weave", &options.how.filter, error);
	if (!err)
		err = wv_limits_of_options(&options.limits, "weave", &options.how.budget,
					   &options.how.share, error);
	if (err)
		return err;
	options.module.what.filtered = options.how.filter.asks;
	options.how.urgent = options.optimized;
	if (!wv_is_aspect_source(argv[first]))
		return weave(argv[first], &options, true, error);
	err = wv_module_take(&options.module, argv[first], &text, error);
	if (!err)
		err = wv_module_complete(&options.module, "weave", error);
	if (!err)
		err = wv_module_cached(&options.module, path, &count, error);
	return err ? err : weave(path, &options, false, error);
}

const struct wv_cmd wv_cmd_weave = {
	.name = "weave",
	.run = run,
	.summary = "put an aspect into the running kernel",
	.usage = "[options] ASPECT.xml|ASPECT.ko|-",
	.options = known,
	.operands = { WV_COMPLETE_ASPECT },
	.notes = "Needs root and weft.ko, which is loaded if it is installed. Of an aspect's "
		 "source (ASPECT.xml, or - for standard input) the\n"
		 "module is taken from the cache, or compiled into it. Weaves every shadow that "
		 "can be spliced and says\n"
		 "why others cannot, with an example for each reason; with --verbose, which.\n",
	.examples = "weft weave sock_state.xml --kernel linux\n",
};
