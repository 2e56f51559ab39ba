// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions that every command uses; see cmd.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"

int wv_usage(struct wv_error *error, const char *name, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return wv_fail(error, WV_E_USAGE, "%s (see `weft help %s`)", message, name);
}

void wv_cmd_notes(const struct wv_cmd *cmd, struct wv_str *out)
{
	wv_str_add(out, cmd->intro ? cmd->intro : "");
	if (cmd->list)
		cmd->list(out);
	wv_str_add(out, cmd->notes ? cmd->notes : "");
}

bool wv_is_aspect_file(const char *text)
{
	static const char suffix[] = ".xml";
	size_t n = strlen(text);

	return n >= sizeof(suffix) && !strcmp(text + n - (sizeof(suffix) - 1), suffix);
}

int wv_print(const struct wv_str *out, struct wv_error *error)
{
	if (out->failed)
		return wv_no_memory(error);
	if (out->data && (fputs(out->data, stdout) == EOF || fflush(stdout)))
		return wv_fail_errno(error, errno, "the output cannot be written");
	return 0;
}
