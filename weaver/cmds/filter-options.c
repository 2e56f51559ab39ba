// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the filter of a weave from options; see filter-options.h. */
#include <stdint.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/filter-options.h"

static int take_number(size_t number, const char *option, const char *command, uint32_t bit,
		       struct weft_filter *filter, uint32_t *ret, struct wv_error *error)
{
	if (number == WV_ANYBODY)
		return 0;
	if (number > UINT32_MAX)
		return wv_usage(error, command, "--%s %zu: there is no such number", option,
				number);
	filter->asks |= bit;
	*ret = number;
	return 0;
}

int wv_filter_of_options(const struct wv_filter_options *options, const char *command,
			 struct weft_filter *ret, struct wv_error *error)
{
	int err;

	memset(ret, 0, sizeof(*ret));
	err = take_number(options->pid, "pid", command, WEFT_FILTER_PID, ret, &ret->pid, error);
	if (!err)
		err = take_number(options->uid, "uid", command, WEFT_FILTER_UID, ret, &ret->uid,
				  error);
	if (err || !options->comm)
		return err;
	if (!*options->comm || strlen(options->comm) >= sizeof(ret->comm))
		return wv_usage(error, command,
				"--comm '%s': a comm has 1 to %zu bytes, the kernel truncates "
				"names to that",
				options->comm, sizeof(ret->comm) - 1);
	ret->asks |= WEFT_FILTER_COMM;
	strcpy(ret->comm, options->comm);
	return 0;
}
