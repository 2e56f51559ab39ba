/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of an image's units are compiled. */
#ifndef WV_CHOOSE_UNITS_H
#define WV_CHOOSE_UNITS_H

#include "prepare/prepare.h"

/* Chooses the unit with that number, if it is not chosen already. */
int wv_units_choose(struct wv_prepare *prepare, uint32_t unit, struct wv_error *error);

/* Chooses all units that were compiled from C. */
int wv_units_choose_all(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Chooses the units in or below @folder of the source, or the one whose file it is. -WV_E_NO_MATCH:
 * the image has none there.
 */
int wv_units_choose_folder(struct wv_prepare *prepare, const char *folder, struct wv_error *error);

/*
 * Chooses the units whose main source is @file, as far as that says: namei.c is fs/namei.c and
 * fs/ext4/namei.c. -WV_E_NO_MATCH: there are none.
 */
int wv_units_choose_file(struct wv_prepare *prepare, const char *file, struct wv_error *error);

#endif /* WV_CHOOSE_UNITS_H */
