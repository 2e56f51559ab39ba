/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers the C texts of variables, so that joinpoints with equal texts have the same number. */
#ifndef WV_VALUES_LOCATIONS_H
#define WV_VALUES_LOCATIONS_H

#include "aspect/resolve/values.h"

/*
 * Sets .text_number of all cases in @values, and .nr_texts and .table of all variables. To be
 * called when all cases have been added.
 */
int wv_values_number(struct wv_values *values, struct wv_error *error);

#endif /* WV_VALUES_LOCATIONS_H */
