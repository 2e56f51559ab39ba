// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of a weave's limits; see limit-options.h. */
#include "base/limits.h"
#include "cmds/cmd.h"
#include "cmds/limit-options.h"

int wv_limits_of_options(const struct wv_limit_options *options, const char *command,
			 uint64_t *budget_ret, uint32_t *share_ret, struct wv_error *error)
{
	*budget_ret = 0;
	*share_ret = 0;
	if (options->budget && !wv_budget_parse(options->budget, budget_ret))
		return wv_usage(error, command, "'%s' is not a budget: write %s", options->budget,
				WV_BUDGET_FORM);
	if (options->share && !wv_share_parse(options->share, share_ret))
		return wv_usage(error, command, "'%s' is not a share: write %s", options->share,
				WV_SHARE_FORM);
	return 0;
}
