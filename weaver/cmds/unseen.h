/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `weave` and `run` say of metrics behind the summary. */
#ifndef WV_UNSEEN_H
#define WV_UNSEEN_H

#include <stdio.h>

#include "live/requests.h"

/* Which metrics of @name, which was woven just now, do not see all that they were asked for. */
int wv_print_unseen(FILE *out, const struct wv_device *device, const char *name,
		    struct wv_error *error);

#endif /* WV_UNSEEN_H */
