/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summary of a weave as text: matched = call + jump + springboard + trap + refused, refusals by
 * reason, and what was refused.
 */
#ifndef WV_SUMMARY_H
#define WV_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "module/module-file.h"
#include "live/apply.h"

/*
 * Prints the summary. If @all, each refused shadow has a line; else each reason has one, with its
 * first shadow and the number of others.
 */
void wv_summary_print(FILE *out, const struct wv_aspect_module *module,
		     const struct wv_summary *summary, bool all);
/* Prints only the first line of the summary: the totals, and refusals counted by reason. */
void wv_summary_print_brief(FILE *out, const struct wv_aspect_module *module,
			    const struct wv_summary *summary);
/* Says on standard error that records of an earlier weave were dropped, if some were. */
void wv_summary_print_dropped(const struct wv_aspect_module *module,
			      const struct wv_summary *summary);

#endif /* WV_SUMMARY_H */
