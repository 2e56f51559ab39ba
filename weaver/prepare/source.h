/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's source: finds and unpacks it, and checks that it belongs to the kernel. */
#ifndef WV_SOURCE_H
#define WV_SOURCE_H

#include "prepare/prepare.h"

/*
 * Sets .source_found to the source on this machine: the one that the command line names, the one
 * that an earlier run has unpacked, or the tar file of an installed package of exactly this
 * version. Leaves it empty if the source has to be fetched.
 */
int wv_source_find(struct wv_prepare *prepare, struct wv_error *error);

/* Returns whether .source_found is a tar file that has to be unpacked. */
bool wv_source_is_packed(const struct wv_prepare *prepare);

/*
 * If .source_found is a tar file, unpacks it and sets .source_found to the folder. The folder gets
 * its name when it is complete. Returns -WV_E_FORMAT if the file is damaged.
 */
int wv_source_unpack(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Checks that .source_found is the source of a kernel, that no kernel was built in it, and that it
 * has the image's version. Sets .kernel_version. Returns -WV_E_MISMATCH if it is another version,
 * -WV_E_FAILURE if one of the others does not hold, or if kbuild cannot work in its path.
 */
int wv_source_check(struct wv_prepare *prepare, struct wv_error *error);

#endif /* WV_SOURCE_H */
