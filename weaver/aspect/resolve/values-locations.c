// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers the different C texts of each variable. Hundreds of shadows have only a few different
 * texts (a register, or memory relative to a register). So the generated C chooses a text by its
 * number, which a table has for each joinpoint. A switch over all joinpoints would cost the
 * compiler seconds, and each hit a search. Variables whose texts change at the same joinpoints,
 * such as members of one struct, have a common table.
 */
#include <stdlib.h>

#include "aspect/resolve/values-locations.h"
#include "base/pool.h"

/* Gives equal texts of the variable the same number, from 0 in the order of the cases. */
static int number_cases(struct wv_value *value, struct wv_error *error)
{
	_cleanup_pool_ struct wv_pool texts = { 0 };

	wv_vec_for_each(one, &value->cases) {
		one->text_number = wv_pool_add(&texts, one->text);
		if (one->text_number == WV_POOL_FAILED)
			return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	}
	value->nr_texts = texts.strings.n;
	return 0;
}

/*
 * Returns whether two variables of one advice have equal numbers at all joinpoints, so that they
 * can have a common table. Numbers are compared by index: without errors, all variables of an
 * advice have the same joinpoints.
 */
static bool change_alike(const struct wv_value *one, const struct wv_value *other)
{
	if (one->nr_texts != other->nr_texts || one->cases.n != other->cases.n)
		return false;
	for (size_t i = 0; i < one->cases.n; i++)
		if (one->cases.data[i].text_number != other->cases.data[i].text_number)
			return false;
	return true;
}

int wv_values_number(struct wv_values *values, struct wv_error *error)
{
	wv_vec_for_each(own, &values->advices) {
		wv_vec_for_each(value, &own->list) {
			int failed = number_cases(value, error);

			if (failed)
				return failed;
			value->table = 0;
			while (!change_alike(value, &own->list.data[value->table]))
				value->table++;
		}
	}
	return 0;
}
