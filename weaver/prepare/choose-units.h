/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of an image's units are compiled. */
#ifndef WV_CHOOSE_UNITS_H
#define WV_CHOOSE_UNITS_H

#include "prepare/prepare.h"

/* Chooses all units that were compiled from C. */
int wv_units_choose_all(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Chooses the units in or below @folder of the source, or the one whose file it is. -WV_E_NO_MATCH:
 * the image has none there.
 */
int wv_units_choose_folder(struct wv_prepare *prepare, const char *folder, struct wv_error *error);

#endif /* WV_CHOOSE_UNITS_H */
