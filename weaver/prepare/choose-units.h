/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses which of the images' units are compiled. Where a function has @module, it is a pattern:
 * only units of the images that it names are chosen (wv_module_is() in database/within.h). NULL:
 * units of all images in .images.
 */
#ifndef WV_CHOOSE_UNITS_H
#define WV_CHOOSE_UNITS_H

#include "prepare/prepare.h"

/* Chooses the unit with the number @unit in .units, if it is not chosen already. */
int wv_units_choose(struct wv_prepare *prepare, uint32_t unit, struct wv_error *error);

/* Chooses the C units for which @fits sets *@ret. *@found_ret: the number of these units. */
int wv_units_choose_if(struct wv_prepare *prepare, const char *module,
		       int (*fits)(const char *name, void *context, bool *ret,
				   struct wv_error *error),
		       void *context, size_t *found_ret, struct wv_error *error);

/* Chooses all units that were compiled from C. */
int wv_units_choose_all(struct wv_prepare *prepare, const char *module, struct wv_error *error);

/*
 * Chooses the units in or below @folder of the source, or the one unit whose file @folder is.
 * -WV_E_NO_MATCH: the images have no such unit.
 */
int wv_units_choose_folder(struct wv_prepare *prepare, const char *folder, struct wv_error *error);

/*
 * Chooses the units whose main source is @file, which may be the end of a path: namei.c is
 * fs/namei.c and fs/ext4/namei.c. -WV_E_NO_MATCH: there are none.
 */
int wv_units_choose_file(struct wv_prepare *prepare, const char *module, const char *file,
			 struct wv_error *error);

#endif /* WV_CHOOSE_UNITS_H */
