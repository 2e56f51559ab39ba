// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft doctor`: what this machine lacks, each with the remedy. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "cmds/cmd.h"
#include "live/health.h"

const char wv_help_doctor[] =
	"  --json           one object a line: check, status (ok, warning, missing), found, remedy\n"
	"  --kernel BUILD   the kernel build folder that aspects are compiled with\n"
	"  --db DB          the joinpoint database (WEFT_DB in the environment)\n"
	"\n"
	"Exits with 1 when something is missing that weaving needs.\n";

static const char *const level_names[] = {
	[WV_HEALTH_OK] = "ok",
	[WV_HEALTH_WARNING] = "warning",
	[WV_HEALTH_MISSING] = "missing",
};

static void print_text(const struct wv_health_check *check)
{
	printf("%-8s %-15s %s\n", level_names[check->level], check->name, check->found);
	if (check->remedy[0])
		printf("%-24s -> %s\n", "", check->remedy);
}

static void print_json(const struct wv_health_check *check)
{
	_cleanup_str_ struct wv_str line = { 0 };

	wv_str_add(&line, "{\"check\":");
	wv_str_add_json(&line, check->name);
	wv_str_addf(&line, ",\"status\":\"%s\",\"found\":", level_names[check->level]);
	wv_str_add_json(&line, check->found);
	if (check->remedy[0]) {
		wv_str_add(&line, ",\"remedy\":");
		wv_str_add_json(&line, check->remedy);
	}
	wv_str_add(&line, "}");
	if (!line.failed)
		puts(line.data);
}

int wv_cmd_doctor(int argc, char **argv, struct wv_error *error)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "kernel", required_argument, NULL, 'k' },
		{ "db", required_argument, NULL, 'd' },
		{ 0 },
	};
	const char *kernel = NULL, *db = getenv("WEFT_DB");
	struct wv_health health;
	bool json = false;
	size_t missing = 0;
	int option, err;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		switch (option) {
		case 'j':
			json = true;
			break;
		case 'k':
			kernel = optarg;
			break;
		case 'd':
			db = optarg;
			break;
		default:
			return wv_usage(error, "doctor", "%s '%s'",
					option == ':' ? "no value for" : "unknown option",
					argv[optind - 1]);
		}
	}
	if (optind < argc)
		return wv_usage(error, "doctor", "takes no names");
	err = wv_health_check(kernel, db, &health, error);
	if (err)
		return err;
	wv_vec_for_each(check, &health.checks) {
		missing += check->level == WV_HEALTH_MISSING;
		if (json)
			print_json(check);
		else
			print_text(check);
	}
	wv_health_deinit(&health);
	return missing ? wv_fail(error, WV_E_FAILURE, "%zu things are missing for weaving", missing) : 0;
}
