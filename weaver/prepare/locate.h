/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the files of a kernel on this machine, and makes and locks the folder into which everything
 * else is put.
 */
#ifndef WV_LOCATE_H
#define WV_LOCATE_H

#include "prepare/prepare.h"

/*
 * Finds those files of the kernel that are on this machine. A file is one that the command line
 * names, that an earlier run has left, or that is installed. Sets .release_found, .folder and .log.
 * Sets .image_found, .config_found, .source_found and .version to what it finds. Files that it does
 * not find have to be fetched (packages.h). Creates no file. Returns:
 * -WV_E_FAILURE: a file that the command line names cannot be read.
 * -WV_E_FORMAT: the image that the command line names is not a vmlinux.
 */
int wv_prepare_locate(struct wv_prepare *prepare, struct wv_error *error);

/* Looks for the image and the configuration again, after packages were fetched. */
void wv_prepare_locate_fetched(struct wv_prepare *prepare);

/*
 * Makes and locks .folder, and empties the log of an earlier run. Returns -WV_E_STATE if another
 * `weft prepare` has locked the folder.
 */
int wv_prepare_lock(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Reads the image, .image_found: sets .version and .banner from its banner, and adds its units to
 * .images and .units from its debug information. Makes a link to the image in .folder. Returns
 * -WV_E_FAILURE if no configuration was found, -WV_E_MISMATCH if the image is of another release.
 */
int wv_prepare_image(struct wv_prepare *prepare, struct wv_error *error);

#endif /* WV_LOCATE_H */
