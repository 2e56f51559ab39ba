/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files of a kernel on this machine, and makes the folder for everything else. */
#ifndef WV_LOCATE_H
#define WV_LOCATE_H

#include "prepare/prepare.h"

/*
 * Sets .release_found and .folder. Sets those of .image_found, .config_found, .source_found and
 * .version that are known: named on the command line, left by an earlier run, or installed. Files
 * that stay empty have to be fetched (packages.h). Makes nothing. -WV_E_FAILURE: a file that the
 * command line names does not exist. -WV_E_MISMATCH: the image is of another release.
 */
int wv_prepare_locate(struct wv_prepare *prepare, struct wv_error *error);

/* Looks for the image and the configuration again, after packages were fetched. */
void wv_prepare_locate_fetched(struct wv_prepare *prepare);

/*
 * Makes .folder and locks it, and begins an empty log. -WV_E_STATE: another weft works there.
 */
int wv_prepare_lock(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Checks the image, when it is there: reads .version from its banner and .units from its debug
 * information, and leaves a link to it in .folder.
 */
int wv_prepare_image(struct wv_prepare *prepare, struct wv_error *error);

#endif /* WV_LOCATE_H */
