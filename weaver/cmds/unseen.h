/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warns of metrics that miss hits, when an aspect has just been woven. */
#ifndef WV_UNSEEN_H
#define WV_UNSEEN_H

#include <stdio.h>

#include "live/requests.h"

/*
 * Prints which metrics of the aspect @name, which has just been woven, will miss hits because some
 * of their shadows were refused.
 */
int wv_print_unseen(FILE *out, const struct wv_device *device, const char *name,
		    struct wv_error *error);

#endif /* WV_UNSEEN_H */
