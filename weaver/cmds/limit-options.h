/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of `weave` and `run` that limit the time that advice takes: --budget for each hit,
 * --share of a CPU.
 */
#ifndef WV_LIMIT_OPTIONS_H
#define WV_LIMIT_OPTIONS_H

#include <stdint.h>

#include "base/error.h"
#include "cmds/option-row.h"

struct wv_limit_options {
	/* values of the options as given; NULL: the option was not given */
	const char *budget, *share;
};

/*
 * The option rows of commands that limit advice. @type: the struct of the command's options. @in:
 * the path from @type to its struct wv_limit_options, with a dot at its end, such as "limits.".
 */
#define WV_LIMIT_OPTIONS(type, in)                                                               \
	WV_TEXT(type, in budget, "budget", 0, "TIME", WV_COMPLETE_ANY,                           \
		"advice that runs longer than TIME at a hit is left and unwoven (the aspect's, " \
		"else 1ms); 0: never"),                                                          \
		WV_TEXT(type, in share, "share", 0, "PERCENT", WV_COMPLETE_ANY,                  \
			"an aspect whose advice takes more of a CPU is unwoven (the aspect's, "  \
			"else 10%); 0: never")

/*
 * Parses the options to the values of struct weft_weave; 0 if an option was not given. Returns
 * -WV_E_USAGE for a wrong value; the message has the name @command.
 */
int wv_limits_of_options(const struct wv_limit_options *options, const char *command,
			 uint64_t *budget_ret, uint32_t *share_ret, struct wv_error *error);

#endif /* WV_LIMIT_OPTIONS_H */
