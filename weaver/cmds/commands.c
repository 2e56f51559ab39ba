// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of commands, in the order in which `weft help` lists them; see commands.h. */
#include <string.h>

#include "cmds/commands.h"
#include "base/suggest.h"

const struct wv_cmd *const wv_cmds[] = {
	&wv_cmd_count, &wv_cmd_hist, &wv_cmd_time, &wv_cmd_log, &wv_cmd_watch, &wv_cmd_stacks,
	&wv_cmd_drill, &wv_cmd_ktrace,
	&wv_cmd_index, &wv_cmd_prepare, &wv_cmd_points, &wv_cmd_plan, &wv_cmd_explain, &wv_cmd_diff,
	&wv_cmd_learn, &wv_cmd_compile, &wv_cmd_weave, &wv_cmd_run, &wv_cmd_record, &wv_cmd_unweave,
	&wv_cmd_list, &wv_cmd_read, &wv_cmd_publish, &wv_cmd_unpublish, &wv_cmd_export,
	&wv_cmd_report, &wv_cmd_serve,
	&wv_cmd_doctor, &wv_cmd_help, NULL
};

const struct wv_cmd *wv_cmd_find(const char *name)
{
	for (const struct wv_cmd *const *cmd = wv_cmds; *cmd; cmd++)
		if (!strcmp((*cmd)->name, name))
			return *cmd;
	return NULL;
}

int wv_cmd_unknown(struct wv_error *error, const char *name)
{
	struct wv_suggestion suggestion = { .wanted = name };
	char hint[256];

	for (const struct wv_cmd *const *cmd = wv_cmds; *cmd; cmd++)
		wv_suggestion_offer(&suggestion, (*cmd)->name);
	return wv_fail(error, WV_E_USAGE, "no command '%s'%s (`weft help` lists them)", name,
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
}
