/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debian's packages: which ones are needed, how large they are, fetching and unpacking them. Nothing
 * is installed: what is unpacked goes below .folder of struct wv_prepare.
 */
#ifndef WV_PACKAGES_H
#define WV_PACKAGES_H

#include <stdint.h>

#include "prepare/prepare.h"

/* The version of an installed package; *@ret is empty if it is not installed, or no Debian here. */
int wv_package_installed(struct wv_prepare *prepare, const char *package, struct wv_str *ret,
			 struct wv_error *error);

/* The package with the source of .version: "linux-source-6.1"; "" if .version is not known. */
void wv_package_of_source(const struct wv_prepare *prepare, char package[80]);

#endif /* WV_PACKAGES_H */
