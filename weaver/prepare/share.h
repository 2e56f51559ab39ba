/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A database as one file, for other machines with the same kernel. The file begins with a heading
 * that has the kernel's release and build-id. It is compressed by gzip, which finds damage by its
 * checksum.
 */
#ifndef WV_SHARE_H
#define WV_SHARE_H

#include <stdint.h>

#include "module/kernel-folders.h"
#include "prepare/prepare.h"
#include "runtime/abi.h"

struct wv_build_id {
	uint8_t bytes[WEFT_BUILD_ID_MAX];
	size_t size; /* bytes in use; 0: the build-id is not known */
};

/* Read the build-id of a vmlinux, or the one that is stored in a database. */
int wv_build_id_of_image(const char *path, struct wv_build_id *ret, struct wv_error *error);
int wv_build_id_of_database(const char *path, struct wv_build_id *ret, struct wv_error *error);

/* Writes the database @database of the kernel @release to the file @path, in one step. */
int wv_share_export(const char *database, const char *release, const char *path,
		    struct wv_error *error);

struct wv_shared {
	char release[WV_RELEASE_MAX];
	struct wv_build_id build_id;
};

/*
 * Reads the heading of an exported file into @ret. Returns -WV_E_FORMAT if it is not an exported
 * file.
 */
int wv_share_read(const char *path, struct wv_shared *ret, struct wv_error *error);

/*
 * Writes the database in the exported file @path to @database, in one step. Returns -WV_E_FORMAT if
 * the file is truncated or damaged, -WV_E_MISMATCH if the database's build-id is not the heading's.
 */
int wv_share_import(const char *path, const struct wv_shared *shared, const char *database,
		    struct wv_error *error);

#endif /* WV_SHARE_H */
