/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debian's packages: finds which ones are needed and how large they are, fetches and unpacks them.
 * Nothing is installed: everything is unpacked below .folder of struct wv_prepare.
 */
#ifndef WV_PACKAGES_H
#define WV_PACKAGES_H

#include <stdint.h>

#include "base/vec.h"
#include "prepare/prepare.h"

/*
 * The version of an installed package; *@ret is empty if it is not installed, or if this is no
 * Debian.
 */
int wv_package_installed(const char *package, struct wv_str *ret, struct wv_error *error);

/* The package with the source of .version: "linux-source-6.1"; "" if .version is not known. */
void wv_package_of_source(const struct wv_prepare *prepare, char package[80]);

/* Packages that are unpacked together, below .folder/NAME. */
struct wv_package_group {
	const char *name;
	WV_VEC(char *) packages; /* "linux-source-6.1=6.1.192-2" */
};

struct wv_packages {
	WV_VEC(struct wv_package_group) groups;
	uint64_t download, unpacked; /* bytes */
};

/*
 * Finds the packages that have the missing files: the image, the source, the headers that modules
 * are built against. If nothing is missing, there is no group. -WV_E_FAILURE: this is no Debian, or
 * its package lists do not have the packages. If .version is not known, sets it to the version that
 * apt offers.
 */
int wv_packages_find(struct wv_prepare *prepare, struct wv_packages *ret, struct wv_error *error);
void wv_packages_deinit(struct wv_packages *packages);

/*
 * Downloads and unpacks the packages. If weft is interrupted, the next run does not download again
 * what is complete. -WV_E_FORMAT: a package is damaged; it is removed.
 */
int wv_packages_fetch(struct wv_prepare *prepare, struct wv_packages *packages,
		      struct wv_error *error);

/* Does .folder/@group have the unpacked packages of version .version? */
bool wv_package_group_is_there(const struct wv_prepare *prepare, const char *group);

/* Checks that the file system of .folder has @bytes free. */
int wv_check_space(const struct wv_prepare *prepare, uint64_t bytes, struct wv_error *error);

#endif /* WV_PACKAGES_H */
