/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that limit the time that advice takes, for `weave`, `run` and other commands that
 * weave: --budget limits the time at a hit, --share the time of all advice on a CPU.
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
 * The option rows of commands that limit advice. @type is the struct of the command's options. @in
 * says where in @type its struct wv_limit_options is: the name of the member, and a dot, such as
 * "limits.".
 */
#define WV_LIMIT_OPTIONS(type, in)                                                               \
	WV_TEXT(type, in budget, "budget", 0, "TIME", WV_COMPLETE_ANY,                           \
		"advice that runs longer than TIME at a hit is left and unwoven (the aspect's, " \
		"else 1ms); 0: never"),                                                          \
		WV_TEXT(type, in share, "share", 0, "PERCENT", WV_COMPLETE_ANY,                  \
			"an aspect whose advice takes more of a CPU is unwoven (the aspect's, "  \
			"else 10%); 0: never")

/*
 * Sets *@budget_ret and *@share_ret to what the options say, as .budget and .share of struct
 * weft_weave have it; to 0 if an option was not given. Returns -WV_E_USAGE for a wrong value.
 * @command is the command's name, for the message.
 */
int wv_limits_of_options(const struct wv_limit_options *options, const char *command,
			 uint64_t *budget_ret, uint32_t *share_ret, struct wv_error *error);

#endif /* WV_LIMIT_OPTIONS_H */
