// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks and frees values of variables; see values.h. */
#include <stdlib.h>

#include "aspect/resolve/values.h"

bool wv_values_wanted(const struct wv_aspect *aspect)
{
	wv_vec_for_each(advice, &aspect->advices)
		if (advice->code.named.n || advice->around)
			return true;
	return false;
}

bool wv_values_wanted_of_kernel(const struct wv_aspect *aspect)
{
	wv_vec_for_each(advice, &aspect->advices)
		if ((advice->code.named.n || advice->around) &&
		    !aspect->pointcuts.data[advice->pointcut].program)
			return true;
	return false;
}

bool wv_values_lack(const struct wv_values *values, size_t index)
{
	if (index >= values->advices.n)
		return false;
	wv_vec_for_each(value, &values->advices.data[index].list)
		if (!value->cases.n)
			return true;
	return false;
}

void wv_values_deinit(struct wv_values *values)
{
	wv_vec_for_each(own, &values->advices) {
		wv_vec_for_each(value, &own->list) {
			wv_vec_for_each(one, &value->cases)
				free(one->text);
			wv_vec_deinit(&value->cases);
		}
		wv_vec_deinit(&own->list);
	}
	wv_vec_deinit(&values->advices);
}
