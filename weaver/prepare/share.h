/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exports a database as a file for other machines with the same kernel, and imports such a file.
 * The file has a heading with the kernel's release and build-id, and then the database. All of it
 * is compressed as by gzip, which has a checksum: so damage is noticed when the file is read.
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

/*
 * The first reads the build-id of the vmlinux @path. The second reads the build-id that is stored
 * in the database @path: that of the vmlinux from which the database was made.
 */
int wv_build_id_of_image(const char *path, struct wv_build_id *ret, struct wv_error *error);
int wv_build_id_of_database(const char *path, struct wv_build_id *ret, struct wv_error *error);

/*
 * Exports the database @database of the kernel @release to the file @path. The file gets this name
 * only when it is complete.
 */
int wv_share_export(const char *database, const char *release, const char *path,
		    struct wv_error *error);

/* The heading of an exported file. */
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
 * Writes the database in the exported file @path to the file @database, which gets this name only
 * when it is complete. @shared is the heading of the exported file. Returns -WV_E_FORMAT if the
 * exported file is truncated or damaged, -WV_E_MISMATCH if the build-id in its database is not that
 * in its heading.
 */
int wv_share_import(const char *path, const struct wv_shared *shared, const char *database,
		    struct wv_error *error);

#endif /* WV_SHARE_H */
