// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft weave`: an aspect, or its module, into the running kernel. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>

#include "aspect/module.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "live/device.h"
#include "live/weave.h"
#include "report/ledger.h"

const char wv_help_weave[] =
	"      --bound           unweave when this process ends, however it ends; it waits for a signal\n"
	"      --settled         return when windows of several instructions are jumps; until then, which\n"
	"                        takes a moment, they are traps\n"
	"      --traps           splice by traps only: slow, but each changes one byte\n"
	"\n"
	"Of an aspect's source (ASPECT.xml) the module is taken from the cache, or compiled into it:\n"
	WV_MODULE_HELP
	"\n"
	"Needs root and weft.ko. Weaves every shadow that can be spliced and says which cannot, and why.\n";

/*
 * Blocks until somebody wants us to end. What was bound to the device goes when the process does.
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

static int wait_settled(const struct wv_device *device, const char *name, struct wv_error *error)
{
	uint32_t left = 0;
	int err = wv_wait_settled(device, name, &left, error);

	if (!err && left)
		printf("%s: %u splices are still traps: a grace period is stalled, or a kprobe sits on a splice\n", name,
		       left);
	return err;
}

static int weave(const char *path, const struct wv_weave_options *options, bool settled, struct wv_error *error)
{
	struct wv_aspect_module *module;
	struct wv_device device;
	struct wv_ledger ledger = { 0 };
	int err = wv_aspect_module_open(path, &module, error);

	if (err)
		return err;
	err = wv_device_open(&device, error);
	if (err)
		goto out_module;
	err = wv_weave(&device, path, module, options, &ledger, error);
	if (ledger.matched)
		wv_ledger_print(err ? stderr : stdout, module, &ledger);
	if (!err)
		printf("%s woven\n", module->header.name);
	if (!err && settled)
		err = wait_settled(&device, module->header.name, error);
	if (!err && options->bound)
		wait_for_end();
	wv_ledger_deinit(&ledger);
	wv_device_close(&device);
out_module:
	wv_aspect_module_destroy(module);
	return err;
}

int wv_cmd_weave(int argc, char **argv, struct wv_error *error)
{
	enum { BOUND = WV_OPTION_OTHERS, SETTLED, TRAPS };
	static const struct option known[] = { WV_MODULE_OPTIONS, { "bound", no_argument, NULL, BOUND },
					       { "settled", no_argument, NULL, SETTLED },
					       { "traps", no_argument, NULL, TRAPS }, { 0 } };
	struct wv_weave_options how = { 0 };
	struct wv_module_options options = { 0 };
	char path[PATH_MAX];
	size_t count;
	bool settled = false, taken = true;
	int option, err = 0;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":" WV_MODULE_LETTERS, known, NULL)) != -1) {
		if (option == ':')
			return wv_usage(error, "weave", "%s needs a value", argv[optind - 1]);
		if (option == BOUND)
			how.bound = true;
		else if (option == SETTLED)
			settled = true;
		else if (option == TRAPS)
			how.traps = true;
		else
			err = wv_module_option(&options, "weave", option, optarg, &taken, error);
		if (!err && !taken)
			err = wv_usage(error, "weave", "unknown option '%s'", argv[optind - 1]);
		if (err)
			return err;
	}
	if (argc - optind != 1)
		return wv_usage(error, "weave", "name one aspect (.xml) or aspect module (.ko)");
	options.aspect = argv[optind];
	if (!wv_is_aspect_file(options.aspect))
		return weave(options.aspect, &how, settled, error);
	err = wv_module_defaults(&options, "weave", error);
	if (!err)
		err = wv_module_cached(&options, path, &count, error);
	return err ? err : weave(path, &how, settled, error);
}
