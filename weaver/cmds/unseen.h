/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints warnings of `weave` and `run` about metrics that miss hits, after the summary. */
#ifndef WV_UNSEEN_H
#define WV_UNSEEN_H

#include <stdio.h>

#include "live/requests.h"

/*
 * Prints which metrics of @name, an aspect that has just been woven, will miss hits because some of
 * their shadows were refused.
 */
int wv_print_unseen(FILE *out, const struct wv_device *device, const char *name,
		    struct wv_error *error);

#endif /* WV_UNSEEN_H */
