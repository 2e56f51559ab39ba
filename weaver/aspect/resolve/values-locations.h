/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers the different C texts that a variable has at its shadows. The generated C looks up the
 * number of the text for its joinpoint in a table, and chooses the text by this number.
 */
#ifndef WV_VALUES_LOCATIONS_H
#define WV_VALUES_LOCATIONS_H

#include "aspect/resolve/values.h"

/*
 * Sets .text_number of each variable's cases in @values, and the variable's .nr_texts and .table
 * (values.h). To be called when all cases have been added.
 */
int wv_values_number(struct wv_values *values, struct wv_error *error);

#endif /* WV_VALUES_LOCATIONS_H */
