/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds $(name): locals and parameters at a shadow. */
#ifndef WV_VALUES_LOCAL_H
#define WV_VALUES_LOCAL_H

#include "aspect/resolve/finder.h"

/* If it is unavailable, @ret holds the reason. */
void wv_find_local(struct wv_finder *finder, const char *name, struct wv_finding *ret);

/* Visits the locals that are available here. */
void wv_find_available(struct wv_finder *finder, void (*visit)(const char *name, void *context),
		      void *context);

#endif /* WV_VALUES_LOCAL_H */
