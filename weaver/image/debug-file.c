// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds files of debug information; see debug-file.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/debug-file.h"

enum { BUILD_ID_TEXT = 2 * WEFT_BUILD_ID_MAX + 1 };

static const char *debug_folder(void)
{
	const char *named = getenv("WEFT_DEBUG");

	return named && *named ? named : "/usr/lib/debug";
}

/*
 * The places where the debug file of an image may be:
 * - BY_BUILD_ID: below the debug folder, by the image's build-id;
 * - BY_PATH, BY_PATH_DEBUG: below the debug folder, at the image's own path;
 * - BY_MODULES, BY_MODULES_DEBUG: below the debug folder, at the part of the image's path from
 *   /lib/modules on, for an image in a package that was unpacked elsewhere.
 * The names with _DEBUG stand for a file that has ".debug" at its end.
 */
enum place { BY_BUILD_ID, BY_PATH, BY_PATH_DEBUG, BY_MODULES, BY_MODULES_DEBUG, PLACES };

static bool build_id_path(const struct wv_image *image, char path[PATH_MAX])
{
	char text[BUILD_ID_TEXT] = "";
	const uint8_t *build_id;
	size_t n;

	build_id = wv_image_build_id(image, &n);
	for (size_t i = 0; i < n && i < WEFT_BUILD_ID_MAX; i++)
		sprintf(text + 2 * i, "%02x", build_id[i]);
	return n > 1 && snprintf(path, PATH_MAX, "%s/.build-id/%.2s/%s.debug", debug_folder(), text,
				 text + 2) < PATH_MAX;
}

/*
 * Writes to @path the path that the debug file of @image has at @place. Returns false if there is
 * none: the image has no build-id, its own path has no part from /lib/modules on, or the result is
 * too long.
 */
static bool place_path(const struct wv_image *image, enum place place, char path[PATH_MAX])
{
	static const char modules[] = "/lib/modules/";
	_cleanup_free_ char *own = NULL;
	const char *from, *end;

	if (place == BY_BUILD_ID)
		return build_id_path(image, path);
	from = own = realpath(wv_image_path(image), NULL);
	if (own && place >= BY_MODULES)
		from = strstr(own, modules);
	if (!from)
		return false;
	/* Leave out the suffix of a compressed module. */
	end = strstr(strrchr(from, '/'), ".ko");
	end = end ? end + strlen(".ko") : from + strlen(from);
	return snprintf(path, PATH_MAX, "%s%.*s%s", debug_folder(), (int)(end - from), from,
			place == BY_PATH_DEBUG || place == BY_MODULES_DEBUG ? ".debug" : "") <
	       PATH_MAX;
}

static bool is_same_build(const struct wv_image *left, const struct wv_image *right)
{
	const uint8_t *a, *b;
	size_t n, m;

	a = wv_image_build_id(left, &n);
	b = wv_image_build_id(right, &m);
	return n && n == m && !memcmp(a, b, n) &&
	       wv_image_is_relocatable(left) == wv_image_is_relocatable(right);
}

int wv_debug_file_find(struct wv_image *image, struct wv_image **ret, struct wv_error *error)
{
	char path[PATH_MAX];

	*ret = wv_image_has_debug(image) ? image : wv_image_debug(image);
	for (enum place place = 0; place < PLACES && !*ret; place++) {
		_cleanup_image_ struct wv_image *found = NULL;
		struct wv_error ignored;
		int failed;

		if (!place_path(image, place, path) || access(path, R_OK) ||
		    wv_image_open(path, &found, &ignored) || !wv_image_has_debug(found) ||
		    !is_same_build(image, found))
			continue;
		failed = wv_image_place_as(found, image, error);
		if (failed)
			return failed;
		*ret = wv_take(found);
		wv_image_keep_debug(image, *ret);
	}
	return 0;
}

int wv_debug_file_missing(const struct wv_image *image, struct wv_error *error)
{
	char path[PATH_MAX];

	if (!build_id_path(image, path))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
				  "has no debug information, and no build-id to find it by: build "
				  "it with CONFIG_DEBUG_INFO");
	for (enum place place = 0; place < PLACES; place++)
		if (place_path(image, place, path) && !access(path, R_OK))
			return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
					  "has no debug information, and %.300s is of another "
					  "build: install the kernel and its debug package in the "
					  "same version", path);
	build_id_path(image, path);
	return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
			  "has no debug information, and there is no %.300s: install the kernel's "
			  "debug package (linux-image-RELEASE-dbg), name the folder in which it is "
			  "unpacked with WEFT_DEBUG=FOLDER/usr/lib/debug, or leave the file out",
			  path);
}
