// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers the different C texts of each variable. A variable with hundreds of shadows has only a
 * few different texts: a register, or memory relative to a register. So the generated C has a table
 * with the number of the text for each joinpoint, and chooses the text by this number. A switch
 * over all joinpoints instead would take the compiler seconds, and would search at each hit. If the
 * texts of several variables change at the same joinpoints, as those of members of one struct do,
 * these variables have one table in common.
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
 * Returns whether two variables of one advice have equal numbers at all joinpoints, so that one
 * table can serve both. Compares the numbers by index: if there were no errors, all variables of an
 * advice have the same joinpoints in the same order.
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
