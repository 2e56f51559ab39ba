/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses which units of the images are compiled. The argument @module of these functions is a
 * pattern (wv_module_is() in database/within.h): only units of the images whose name it matches are
 * chosen. If @module is NULL, units of all images in prepare->images are chosen.
 */
#ifndef WV_CHOOSE_UNITS_H
#define WV_CHOOSE_UNITS_H

#include "prepare/prepare.h"

/* Chooses the unit with the number @unit in prepare->units, unless it is chosen already. */
int wv_units_choose(struct wv_prepare *prepare, uint32_t unit, struct wv_error *error);

/*
 * Calls @fits with the name of each unit that was compiled from C, and chooses the unit if @fits
 * sets *@ret to true. Sets *@found_ret to the number of units for which it did.
 */
int wv_units_choose_if(struct wv_prepare *prepare, const char *module,
		       int (*fits)(const char *name, void *context, bool *ret,
				   struct wv_error *error),
		       void *context, size_t *found_ret, struct wv_error *error);

/* Chooses all units that were compiled from C. */
int wv_units_choose_all(struct wv_prepare *prepare, const char *module, struct wv_error *error);

/*
 * Chooses the units in or below the folder @folder of the source; if @folder is a file, the unit of
 * this file. Returns -WV_E_NO_MATCH if the images have no such unit.
 */
int wv_units_choose_folder(struct wv_prepare *prepare, const char *folder, struct wv_error *error);

/*
 * Chooses the units whose main source is @file. @file may be the end of a path: namei.c means
 * fs/namei.c and fs/ext4/namei.c. Returns -WV_E_NO_MATCH if there is no such unit.
 */
int wv_units_choose_file(struct wv_prepare *prepare, const char *module, const char *file,
			 struct wv_error *error);

#endif /* WV_CHOOSE_UNITS_H */
