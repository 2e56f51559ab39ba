/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the images' units are compiled. @module, where a function has it: only units of images
 * that it names (wv_module_is() in database/within.h); NULL: of all that are in .images.
 */
#ifndef WV_CHOOSE_UNITS_H
#define WV_CHOOSE_UNITS_H

#include "prepare/prepare.h"

/* Chooses the unit with that number, if it is not chosen already. */
int wv_units_choose(struct wv_prepare *prepare, uint32_t unit, struct wv_error *error);

/* Chooses the units of C for which @fits sets *@ret. *@found_ret: how many they are. */
int wv_units_choose_if(struct wv_prepare *prepare, const char *module,
		       int (*fits)(const char *name, void *context, bool *ret,
				   struct wv_error *error),
		       void *context, size_t *found_ret, struct wv_error *error);

/* Chooses all units that were compiled from C. */
int wv_units_choose_all(struct wv_prepare *prepare, const char *module, struct wv_error *error);

/*
 * Chooses the units in or below @folder of the source, or the one whose file it is. -WV_E_NO_MATCH:
 * the images have none there.
 */
int wv_units_choose_folder(struct wv_prepare *prepare, const char *folder, struct wv_error *error);

/*
 * Chooses the units whose main source is @file, as far as that says: namei.c is fs/namei.c and
 * fs/ext4/namei.c. -WV_E_NO_MATCH: there are none.
 */
int wv_units_choose_file(struct wv_prepare *prepare, const char *module, const char *file,
			 struct wv_error *error);

#endif /* WV_CHOOSE_UNITS_H */
