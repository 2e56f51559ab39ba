/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files of a kernel on this machine, and makes the folder for everything else. */
#ifndef WV_LOCATE_H
#define WV_LOCATE_H

#include "prepare/prepare.h"

/*
 * Finds what is on this machine: files that the command line names, that an earlier run has left,
 * or that are installed. Sets .release_found, .folder and, if they are found, .image_found,
 * .config_found, .source_found and .version. Those that stay empty have to be fetched (packages.h).
 * Creates nothing. Returns:
 * -WV_E_FAILURE: a file that the command line names cannot be read.
 * -WV_E_FORMAT: the image that it names is not a vmlinux.
 */
int wv_prepare_locate(struct wv_prepare *prepare, struct wv_error *error);

/* Looks for the image and the configuration again, after packages were fetched. */
void wv_prepare_locate_fetched(struct wv_prepare *prepare);

/*
 * Makes and locks .folder, and begins an empty log. Returns -WV_E_STATE if another weft works in
 * the folder.
 */
int wv_prepare_lock(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Checks the image, which must have been found: reads .version and .banner from its banner and
 * .units from its debug information, and makes a link to it in .folder. Returns -WV_E_FAILURE if
 * there is no configuration, -WV_E_MISMATCH if the image is of another release.
 */
int wv_prepare_image(struct wv_prepare *prepare, struct wv_error *error);

#endif /* WV_LOCATE_H */
