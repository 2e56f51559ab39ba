/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `weave` and `run` that limit what advice may take of the processor. */
#ifndef WV_LIMIT_OPTIONS_H
#define WV_LIMIT_OPTIONS_H

#include <stdint.h>

#include "base/error.h"
#include "cmds/option-row.h"

struct wv_limit_options {
	const char *budget, *share; /* NULL: not given */
};

/* The option rows. @type is the command's struct; @in leads from it to its wv_limit_options. */
#define WV_LIMIT_OPTIONS(type, in)                                                               \
	WV_TEXT(type, in budget, "budget", 0, "TIME", WV_COMPLETE_ANY,                           \
		"advice that runs longer than TIME at a hit is left and unwoven (the aspect's, " \
		"else 1ms); 0: never"),                                                          \
		WV_TEXT(type, in share, "share", 0, "PERCENT", WV_COMPLETE_ANY,                  \
			"an aspect whose advice takes more of a CPU is unwoven (the aspect's, "  \
			"else 10%); 0: never")

/*
 * Makes the members of struct weft_weave; 0 where an option was not given. -WV_E_USAGE, with
 * @command's name, for a wrong value.
 */
int wv_limits_of_options(const struct wv_limit_options *options, const char *command,
			 uint64_t *budget_ret, uint32_t *share_ret, struct wv_error *error);

#endif /* WV_LIMIT_OPTIONS_H */
