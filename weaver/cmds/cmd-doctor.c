// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft doctor`: reports what weft needs and this machine lacks, and how to get it. */
#include <stdlib.h>

#include "base/json-writer.h"
#include "base/notation.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/options.h"
#include "live/health.h"

struct options {
	struct wv_health_subject subject;
	bool json;
};

static const char *const level_names[] = {
	[WV_HEALTH_OK] = "ok",
	[WV_HEALTH_WARNING] = "warning",
	[WV_HEALTH_MISSING] = "missing",
};

static void add_text(struct wv_str *out, const struct wv_health_check *check)
{
	wv_str_addf(out, "%-8s %-15s %s\n", level_names[check->level], check->name, check->found);
	if (check->remedy[0])
		wv_str_addf(out, "%-24s -> %s\n", "", check->remedy);
}

static void add_json(struct wv_str *out, const struct wv_health_check *check)
{
	struct wv_json json = WV_JSON(out);

	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, "check", check->name);
	wv_json_text(&json, "status", level_names[check->level]);
	wv_json_text(&json, "found", check->found);
	wv_json_text_if(&json, "remedy", check->remedy);
	wv_json_end_object(&json);
}

static const struct wv_option known[] = {
	WV_FLAG(struct options, json, "json", 'j',
		"one object a line: check, status (ok, warning, missing), found, remedy"),
	WV_TEXT(struct options, subject.kernel, "kernel", 'k', "FOLDER", WV_COMPLETE_FOLDER,
		"the kernel build folder that aspects are compiled with"),
	WV_TEXT(struct options, subject.db, "db", 'd', "DB", WV_COMPLETE_DATABASE,
		"the joinpoint database (default: that of the other commands)"),
	WV_TEXT(struct options, subject.release, "release", 0, "RELEASE", WV_COMPLETE_ANY,
		"what is installed for that kernel, in place of the running one"),
	WV_TEXT(struct options, subject.root, "root", 0, "FOLDER", WV_COMPLETE_FOLDER,
		"what is installed in the system that lies in FOLDER: a chroot, an image"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_str_ struct wv_str out = { 0 };
	struct options options = { 0 };
	struct wv_health health;
	size_t missing = 0;
	int first, err = wv_options_parse(&wv_cmd_doctor, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (first < argc)
		return wv_usage(error, "doctor", "takes no names");
	if (options.subject.root && !options.subject.release)
		return wv_usage(error, "doctor", "--root needs --release: of which kernel?");
	if (!options.subject.db)
		options.subject.db = wv_default_database(options.subject.kernel ?:
							 wv_default_kernel());
	err = wv_health_check(&options.subject, &health, error);
	if (err)
		return err;
	wv_vec_for_each(check, &health.checks) {
		missing += check->level == WV_HEALTH_MISSING;
		if (options.json)
			add_json(&out, check);
		else
			add_text(&out, check);
	}
	wv_health_deinit(&health);
	err = wv_print(&out, error);
	if (err)
		return err;
	return missing ? wv_fail(error, WV_E_FAILURE, "%s %s missing for weaving",
				 wv_count_text(missing, "thing").text,
				 wv_plural(missing, "is", "are")) : 0;
}

const struct wv_cmd wv_cmd_doctor = {
	.name = "doctor",
	.run = run,
	.summary = "show what this machine lacks, and the remedy",
	.usage = "[options]",
	.options = known,
	.notes = "Exits with 1 when something is missing that weaving needs.\n",
};
