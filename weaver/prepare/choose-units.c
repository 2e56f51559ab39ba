// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses units; see choose-units.h. */
#include <string.h>

#include "image/dwarf/units.h"
#include "prepare/choose-units.h"

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

/* Whether a unit's name is in or below a folder; "" is the top. */
static bool is_below(const char *name, const char *folder)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	return !strncmp(name, folder, n) && (!n || !name[n] || name[n] == '/');
}

/* Whether a unit's name ends with a file's, by whole components. */
static bool ends_with(const char *name, const char *file)
{
	size_t n = strlen(name), m = strlen(file);

	return n >= m && !strcmp(name + n - m, file) && (n == m || name[n - m - 1] == '/');
}

/* Chooses the units whose name @fits @wanted. */
static int choose_by(struct wv_prepare *prepare, bool (*fits)(const char *name, const char *wanted),
		     const char *wanted, struct wv_error *error)
{
	size_t found = 0;
	int ret = 0;

	for (size_t i = 0; i < prepare->units.strings.n && !ret; i++) {
		const char *name = wv_pool_get(&prepare->units, i);

		if (!wv_unit_is_c(name) || !fits(name, wanted))
			continue;
		found++;
		ret = wv_units_choose(prepare, i, error);
	}
	if (!ret && !found)
		ret = wv_fail(error, WV_E_NO_MATCH, "nothing of %s is compiled into %s", wanted,
			      prepare->image_found.data);
	return ret;
}

int wv_units_choose_all(struct wv_prepare *prepare, struct wv_error *error)
{
	return choose_by(prepare, is_below, "", error);
}

int wv_units_choose_folder(struct wv_prepare *prepare, const char *folder, struct wv_error *error)
{
	return choose_by(prepare, is_below, folder, error);
}

int wv_units_choose_file(struct wv_prepare *prepare, const char *file, struct wv_error *error)
{
	return choose_by(prepare, ends_with, file, error);
}
