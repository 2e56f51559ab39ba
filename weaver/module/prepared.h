/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where `weft prepare` keeps what it makes of a kernel: a folder for each release, below
 * $WEFT_PREPARED if that is set, else /var/lib/weft for root, else
 * ${XDG_CACHE_HOME:-~/.cache}/weft/prepared. All users find what root has prepared.
 */
#ifndef WV_PREPARED_H
#define WV_PREPARED_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

/* What the folder of a release has. */
#define WV_PREPARED_DATABASE "vmlinux.weft"
#define WV_PREPARED_IMAGE "vmlinux"   /* leads to the image with its debug information */
#define WV_PREPARED_HEADERS "headers" /* leads to the folder that modules are built against */
#define WV_PREPARED_SOURCE "source"   /* unpacked */
#define WV_PREPARED_DEBUG "debug"     /* the debug package, unpacked */
#define WV_PREPARED_OBJECTS "objects" /* kbuild's object folder */

/* The folder of @release, which `weft prepare` of this user makes; it need not exist. */
int wv_prepared_folder(const char *release, char path[PATH_MAX], struct wv_error *error);

/*
 * Finds what an earlier `weft prepare` has left of @release: the file or folder @name, one of
 * those above; this user's own comes first. False: there is none.
 */
bool wv_prepared_find(const char *release, const char *name, char path[PATH_MAX]);

#endif /* WV_PREPARED_H */
