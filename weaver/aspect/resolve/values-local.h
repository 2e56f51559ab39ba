/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds $(name): locals and parameters at a shadow. */
#ifndef WV_VALUES_LOCAL_H
#define WV_VALUES_LOCAL_H

#include "aspect/resolve/finder.h"

/*
 * Finds the local variable or parameter @name. If it is unavailable, @ret->found.why is the reason.
 */
void wv_find_local(struct wv_finder *finder, const char *name, struct wv_finding *ret);

/*
 * Calls @visit for each local variable and parameter that is available at the finder's joinpoint.
 */
void wv_find_available(struct wv_finder *finder, void (*visit)(const char *name, void *context),
		      void *context);

#endif /* WV_VALUES_LOCAL_H */
