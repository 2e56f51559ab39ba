/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's source: finds and unpacks it, and checks that it belongs to the kernel. */
#ifndef WV_SOURCE_H
#define WV_SOURCE_H

#include "prepare/prepare.h"

/*
 * Sets .source_found to the source on this machine: the one that the command line names, the one
 * that an earlier run has unpacked, or the tar file of a package of exactly this version. Leaves
 * .source_found empty if the source has to be fetched.
 */
int wv_source_find(struct wv_prepare *prepare, struct wv_error *error);

/* Returns whether .source_found is a tar file that has to be unpacked. */
bool wv_source_is_packed(const struct wv_prepare *prepare);

/*
 * If .source_found is a tar file, unpacks the file and sets .source_found to the new folder. The
 * folder gets this name only when it is complete. Returns -WV_E_FORMAT if the file is damaged.
 */
int wv_source_unpack(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Checks that .source_found is the source of a kernel, that nothing was configured or built in it,
 * and that the source has the image's version. Sets .kernel_version. Returns -WV_E_MISMATCH if the
 * source has another version. Returns -WV_E_FAILURE if the folder is no kernel's source, if it was
 * configured or built in, if its Makefile gives no version, or if the path of the source or of the
 * preparation's folder has blanks or colons, which kbuild does not accept.
 */
int wv_source_check(struct wv_prepare *prepare, struct wv_error *error);

#endif /* WV_SOURCE_H */
