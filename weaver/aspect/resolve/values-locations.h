/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers the C texts of variables, so that shadows with equal texts share one number. */
#ifndef WV_VALUES_LOCATIONS_H
#define WV_VALUES_LOCATIONS_H

#include "aspect/resolve/values.h"

/*
 * Sets .text_number of all cases in @values, and .nr_texts and .table of all variables. Call it
 * after all cases have been added.
 */
int wv_values_number(struct wv_values *values, struct wv_error *error);

#endif /* WV_VALUES_LOCATIONS_H */
