/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the summary of a weave as text: matched = call + jump + springboard + trap + refused, the
 * number of refusals for each reason, and the refused shadows.
 */
#ifndef WV_SUMMARY_H
#define WV_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "module/module-file.h"
#include "live/apply.h"

/*
 * Prints the summary. If @all is true, there is a line for each refused shadow. Otherwise there is
 * a line for each reason, with the first shadow that was refused for it and the number of others.
 */
void wv_summary_print(FILE *out, const struct wv_aspect_module *module,
		     const struct wv_summary *summary, bool all);
/* Prints only the first line of the summary: the totals, and refusals counted by reason. */
void wv_summary_print_brief(FILE *out, const struct wv_aspect_module *module,
			    const struct wv_summary *summary);
/* If records of an earlier weave were dropped, says so on standard error. */
void wv_summary_print_dropped(const struct wv_aspect_module *module,
			      const struct wv_summary *summary);

#endif /* WV_SUMMARY_H */
