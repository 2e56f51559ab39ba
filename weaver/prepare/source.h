/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's source: found, unpacked, and held against the kernel. */
#ifndef WV_SOURCE_H
#define WV_SOURCE_H

#include "prepare/prepare.h"

/*
 * Sets .source_found to what is there: named, unpacked by an earlier run, or the tar file of an
 * installed package of the very version. Empty: it has to be fetched.
 */
int wv_source_find(struct wv_prepare *prepare, struct wv_error *error);

/* Whether .source_found is still to be unpacked. */
bool wv_source_is_packed(const struct wv_prepare *prepare);

/*
 * Unpacks .source_found where it is a tar file; then it is the folder. What is unpacked appears in
 * one step. -WV_E_FORMAT: the file is damaged.
 */
int wv_source_unpack(struct wv_prepare *prepare, struct wv_error *error);

/*
 * Checks that .source_found is the source of a kernel, in which none was built, and of the version
 * of the image; sets .kernel_version. -WV_E_MISMATCH: another version.
 */
int wv_source_check(struct wv_prepare *prepare, struct wv_error *error);

#endif /* WV_SOURCE_H */
