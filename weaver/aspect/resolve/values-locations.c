// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Groups shadows by the C text of their variables. Hundreds of shadows have only a few texts (a
 * register, or memory relative to one), and variables of one struct change theirs at the same
 * shadows: they share one table from joinpoint to a small number. A switch over the joinpoints for
 * each variable would cost the compiler seconds and each hit a search.
 */
#include <stdlib.h>

#include "aspect/resolve/values-locations.h"
#include "base/pool.h"

/* Gives cases with equal texts the same number. */
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
 * If there were no errors, all variables of an advice have the same joinpoints in the same order.
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
