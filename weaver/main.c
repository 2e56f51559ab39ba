// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft`: finds the subcommand in the table, runs it, prints what went wrong and exits with its code. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"

const struct wv_cmd wv_cmds[] = {
	{ "index", wv_cmd_index, "build the joinpoint database of a kernel",
	  "VMLINUX [MODULE.ko...] -o DB", wv_help_index },
	{ "points", wv_cmd_points, "show the joinpoints and shadows of a pointcut or an aspect",
	  "[options] --db DB POINTCUT|ASPECT.xml", wv_help_points },
	{ "drift", wv_cmd_drift, "tell which joinpoints differ between two kernels",
	  "[--json] OLD.weft NEW.weft POINTCUT|ASPECT.xml", wv_help_drift },
	{ "compile", wv_cmd_compile, "make a loadable module of an aspect",
	  "[options] ASPECT.xml [-o ASPECT.ko]", wv_help_compile },
	{ "weave", wv_cmd_weave, "put an aspect into the running kernel",
	  "[options] ASPECT.xml|ASPECT.ko", wv_help_weave },
	{ "run", wv_cmd_run, "weave an aspect while a command runs, and show its records",
	  "[options] ASPECT.xml|ASPECT.ko -- COMMAND...", wv_help_run },
	{ "unweave", wv_cmd_unweave, "take an aspect out of the running kernel",
	  "NAME... | --all", wv_help_unweave },
	{ "list", wv_cmd_list, "show the aspects in the running kernel", "[--json]", wv_help_list },
	{ "read", wv_cmd_read, "show the records that advice wrote",
	  "[--follow] [NAME]", wv_help_read },
	{ "doctor", wv_cmd_doctor, "say what this machine lacks, and the remedy",
	  "[--json] [options]", wv_help_doctor },
	{ NULL }
};

int wv_usage(struct wv_error *error, const char *name, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return wv_fail(error, WV_E_USAGE, "%s (see `weft help %s`)", message, name);
}

static const struct wv_cmd *find(const char *name)
{
	for (const struct wv_cmd *cmd = wv_cmds; cmd->name; cmd++)
		if (!strcmp(cmd->name, name))
			return cmd;
	return NULL;
}

static void print_table(FILE *out)
{
	fprintf(out, "usage: weft COMMAND [arguments]\n\n");
	for (const struct wv_cmd *cmd = wv_cmds; cmd->name; cmd++)
		fprintf(out, "  %-9s %s\n", cmd->name, cmd->summary);
	fprintf(out, "  %-9s %s\n\nExit codes: docs/exit-codes.md\n", "help", "show a command's arguments");
}

static int help(int argc, char **argv)
{
	const struct wv_cmd *cmd;

	if (argc < 2) {
		print_table(stdout);
		return 0;
	}
	cmd = find(argv[1]);
	if (!cmd) {
		fprintf(stderr, "weft: no command '%s'; `weft help` lists them\n", argv[1]);
		return WV_E_USAGE;
	}
	printf("weft %s: %s\n\nusage: weft %s %s\n", cmd->name, cmd->summary, cmd->name, cmd->usage);
	if (cmd->help)
		printf("\n%s", cmd->help);
	return 0;
}

int main(int argc, char **argv)
{
	struct wv_error error = { 0 };
	const struct wv_cmd *cmd;
	char text[1200];
	int ret;

	if (argc < 2) {
		print_table(stderr);
		return WV_E_USAGE;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help(argc - 1, argv + 1);
	cmd = find(argv[1]);
	if (!cmd) {
		fprintf(stderr, "weft: no command '%s'; `weft help` lists them\n", argv[1]);
		return WV_E_USAGE;
	}
	ret = cmd->run(argc - 1, argv + 1, &error);
	if (ret >= 0)
		return ret;
	fprintf(stderr, "weft: %s\n", wv_error_text(&error, text, sizeof(text)));
	return -ret;
}
