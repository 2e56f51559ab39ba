// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses units; see choose-units.h. */
#include <string.h>

#include "database/within.h"
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

/* Returns whether the unit @name is in or below @folder; "" is the top folder of the source. */
static bool is_below(const char *name, const char *folder)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	return !strncmp(name, folder, n) && (!n || !name[n] || name[n] == '/');
}

/* Returns whether the path @name ends with the path @file, compared by whole components. */
static bool ends_with(const char *name, const char *file)
{
	size_t n = strlen(name), m = strlen(file);

	return n >= m && !strcmp(name + n - m, file) && (n == m || name[n - m - 1] == '/');
}

int wv_units_choose_if(struct wv_prepare *prepare, const char *module,
		       int (*fits)(const char *name, void *context, bool *ret,
				   struct wv_error *error),
		       void *context, size_t *found_ret, struct wv_error *error)
{
	bool fit;
	int ret = 0;

	*found_ret = 0;
	wv_vec_for_each(image, &prepare->images) {
		if (module && !wv_module_is(image->name, module))
			continue;
		for (size_t i = 0; i < image->units.n && !ret; i++) {
			const char *name = wv_pool_get(&prepare->units, image->units.data[i]);

			if (!wv_unit_is_c(name))
				continue;
			ret = fits(name, context, &fit, error);
			if (ret || !fit)
				continue;
			(*found_ret)++;
			ret = wv_units_choose(prepare, image->units.data[i], error);
		}
	}
	return ret;
}

struct by_name {
	bool (*fits)(const char *name, const char *wanted);
	const char *wanted;
};

static int fits_name(const char *name, void *context, bool *ret, struct wv_error *error)
{
	const struct by_name *by = context;

	(void)error;
	*ret = by->fits(name, by->wanted);
	return 0;
}

/*
 * Chooses the units for whose name @fits(name, @wanted) is true, in the images that @module matches
 * (choose-units.h). Returns -WV_E_NO_MATCH if there is no such unit.
 */
static int choose_by(struct wv_prepare *prepare, const char *module,
		     bool (*fits)(const char *name, const char *wanted), const char *wanted,
		     struct wv_error *error)
{
	const char *image =
		module && strcmp(module, WV_VMLINUX) ? module : prepare->image_found.data;
	struct by_name by = { fits, wanted };
	size_t found;
	int ret = wv_units_choose_if(prepare, module, fits_name, &by, &found, error);

	if (ret || found)
		return ret;
	if (!*wanted)
		return wv_fail(error, WV_E_NO_MATCH,
			       "the debug information of %s names no source file of C", image);
	return wv_fail(error, WV_E_NO_MATCH,
		       "nothing of %s is compiled into %s: what modules have is asked for with "
		       "--module NAME, or as MODULE:POINTCUT", wanted, image);
}

int wv_units_choose_all(struct wv_prepare *prepare, const char *module, struct wv_error *error)
{
	return choose_by(prepare, module, is_below, "", error);
}

int wv_units_choose_folder(struct wv_prepare *prepare, const char *folder, struct wv_error *error)
{
	return choose_by(prepare, NULL, is_below, folder, error);
}

int wv_units_choose_file(struct wv_prepare *prepare, const char *module, const char *file,
			 struct wv_error *error)
{
	return choose_by(prepare, module, ends_with, file, error);
}
