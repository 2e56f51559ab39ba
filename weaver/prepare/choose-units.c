// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses units; see choose-units.h. */
#include <string.h>

#include "prepare/choose-units.h"

bool wv_unit_is_c(const char *name)
{
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, ".c") && *name != '.' && *name != '/' &&
	       strncmp(name, "../", 3);
}

int wv_units_choose(struct wv_prepare *prepare, uint32_t unit, struct wv_error *error)
{
	uint32_t *slot;

	wv_vec_for_each(chosen, &prepare->chosen)
		if (*chosen == unit)
			return 0;
	slot = wv_vec_push(&prepare->chosen);
	if (!slot)
		return wv_no_memory(error);
	*slot = unit;
	return 0;
}

int wv_units_choose_all(struct wv_prepare *prepare, struct wv_error *error)
{
	return wv_units_choose_folder(prepare, "", error);
}

int wv_units_choose_folder(struct wv_prepare *prepare, const char *folder, struct wv_error *error)
{
	size_t before = prepare->chosen.n, n = strlen(folder), found = 0;
	int ret = 0;

	while (n && folder[n - 1] == '/')
		n--;
	for (size_t i = 0; i < prepare->units.strings.n && !ret; i++) {
		const char *name = wv_pool_get(&prepare->units, i);

		if (!wv_unit_is_c(name) || strncmp(name, folder, n) || (n && name[n] && name[n] != '/'))
			continue;
		found++;
		ret = wv_units_choose(prepare, i, error);
	}
	if (!ret && !found)
		ret = wv_fail(error, WV_E_NO_MATCH, "nothing of %s is compiled into %s", folder,
			      prepare->image_found.data);
	if (ret)
		prepare->chosen.n = before;
	return ret;
}
