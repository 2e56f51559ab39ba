/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out which of Debian's packages are needed and how large they are, fetches the packages, and
 * unpacks them. Does not install them: they are unpacked below .folder of struct wv_prepare.
 */
#ifndef WV_PACKAGES_H
#define WV_PACKAGES_H

#include <stdint.h>

#include "base/vec.h"
#include "prepare/prepare.h"

/*
 * Sets @ret to the version of the installed package @package; empty if the package is not
 * installed, or if this system is not Debian.
 */
int wv_package_installed(const char *package, struct wv_str *ret, struct wv_error *error);

/*
 * Sets @package to the name of the package with the source of .version, such as "linux-source-6.1";
 * "" if .version is not known.
 */
void wv_package_of_source(const struct wv_prepare *prepare, char package[80]);

/* Packages that are unpacked together, below .folder/NAME. */
struct wv_package_group {
	const char *name;
	WV_VEC(char *) packages; /* each is "NAME=VERSION", such as "linux-source-6.1=6.1.192-2" */
};

struct wv_packages {
	WV_VEC(struct wv_package_group) groups;
	/* .download: bytes to download. .unpacked: bytes on the disk when unpacked. */
	uint64_t download, unpacked;
};

/*
 * Sets @ret to the packages that have those of these files that were not found: the image, the
 * source, the headers that modules are built against. @ret has no group if all were found. If
 * .version is empty, sets it to the version that apt would install. Returns -WV_E_FAILURE if this
 * system is not Debian, or if its package lists do not have the packages.
 */
int wv_packages_find(struct wv_prepare *prepare, struct wv_packages *ret, struct wv_error *error);
void wv_packages_deinit(struct wv_packages *packages);

/*
 * Downloads and unpacks the packages. After an interrupted run, downloads only the packages that
 * are not complete yet. Returns -WV_E_FORMAT if a package is damaged, and removes this package.
 */
int wv_packages_fetch(struct wv_prepare *prepare, struct wv_packages *packages,
		      struct wv_error *error);

/* Returns whether .folder/@group has the unpacked packages of version .version. */
bool wv_package_group_is_there(const struct wv_prepare *prepare, const char *group);

/* Returns an error unless the file system of .folder has @bytes free. */
int wv_check_space(const struct wv_prepare *prepare, uint64_t bytes, struct wv_error *error);

#endif /* WV_PACKAGES_H */
