/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers the texts of variables' C, so that shadows of one text share one. */
#ifndef WV_VALUES_LOCATIONS_H
#define WV_VALUES_LOCATIONS_H

#include "aspect/resolve/values.h"

/* When all cases of @values are there. */
int wv_values_number(struct wv_values *values, struct wv_error *error);

#endif /* WV_VALUES_LOCATIONS_H */
