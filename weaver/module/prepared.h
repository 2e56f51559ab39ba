/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where `weft prepare` keeps its results: in one folder per kernel release, below $WEFT_PREPARED if
 * that is set, else /var/lib/weft for root, else ${XDG_CACHE_HOME:-~/.cache}/weft/prepared. All
 * users find what root has prepared.
 */
#ifndef WV_PREPARED_H
#define WV_PREPARED_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

/* The names of files and links in the folder of a release. */
#define WV_PREPARED_DATABASE "vmlinux.weft"
#define WV_PREPARED_IMAGE "vmlinux"   /* link to the image with its debug information */
#define WV_PREPARED_HEADERS "headers" /* link to the folder that modules are built against */
#define WV_PREPARED_SOURCE "source"   /* the unpacked source */
#define WV_PREPARED_DEBUG "debug"     /* the unpacked debug package */
#define WV_PREPARED_OBJECTS "objects" /* kbuild's object folder */

/*
 * Sets @path to the folder in which `weft prepare` of the user who runs weft stores its results for
 * @release; the folder need not exist.
 */
int wv_prepared_folder(const char *release, char path[PATH_MAX], struct wv_error *error);

/*
 * Finds the file or folder @name, one of the WV_PREPARED_* names, that an earlier `weft prepare`
 * has made for @release. What the user who runs weft has prepared comes first, then what root has
 * prepared. A folder that wv_prepared_check() refuses is passed over. False: there is none.
 */
bool wv_prepared_find(const char *release, const char *name, char path[PATH_MAX]);

/*
 * Checks that the folder @folder of a release can be trusted: weft uses all that is in the folder,
 * and the kernel runs code that was made from it. Returns -WV_E_FAILURE if others than root and the
 * user who runs weft can change the folder, or another error if there is no such folder.
 */
int wv_prepared_check(const char *folder, struct wv_error *error);

/*
 * Explains why wv_prepared_find() passes over what the user who runs weft has prepared for
 * @release: returns the error of wv_prepared_check(). Returns 0 if wv_prepared_find() does not pass
 * over it.
 */
int wv_prepared_refusal(const char *release, struct wv_error *error);

#endif /* WV_PREPARED_H */
