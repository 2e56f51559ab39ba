// SPDX-License-Identifier: GPL-2.0-or-later
/* Small steps that several commands take; see options.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/options.h"

int wv_option_once(const char *command, const char *option, const char *text, const char **value,
		   struct wv_error *error)
{
	if (*value)
		return wv_usage(error, command, "%s is given twice: '%s' and '%s'", option, *value, text);
	*value = text;
	return 0;
}

int wv_option_number(const char *command, const char *text, size_t *ret, struct wv_error *error)
{
	char *end;

	errno = 0;
	*ret = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno)
		return wv_usage(error, command, "'%s' is no number", text);
	return 0;
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
