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

/* Opens @path if it is a file with the build-id of @image and with debug information. */
static struct wv_image *open_candidate(const struct wv_image *image, const char *path)
{
	_cleanup_image_ struct wv_image *found = NULL;
	const uint8_t *wanted, *own;
	size_t n, own_n;
	struct wv_error ignored;

	if (access(path, R_OK) || wv_image_open(path, &found, &ignored))
		return NULL;
	wanted = wv_image_build_id(image, &n);
	own = wv_image_build_id(found, &own_n);
	if (n != own_n || memcmp(wanted, own, n) || !wv_image_has_debug(found) ||
	    wv_image_is_relocatable(found) != wv_image_is_relocatable(image))
		return NULL;
	return wv_take(found);
}

/* The paths below the debug folder that follow from where @image lies. */
static struct wv_image *find_by_path(const struct wv_image *image)
{
	_cleanup_free_ char *own = realpath(wv_image_path(image), NULL);
	static const char *const formats[] = { "%s%.*s", "%s%.*s.debug" };
	struct wv_image *ret = NULL;
	const char *end, *from = own;
	char path[PATH_MAX];

	if (!own)
		return NULL;
	/* Without the suffix of a compressed module. Where /lib is a link, paths have it anyway. */
	end = strstr(strrchr(own, '/'), ".ko");
	end = end ? end + strlen(".ko") : own + strlen(own);
	for (size_t i = 0; !ret && i < 4; i++) {
		if (i == 2 && strncmp(own, "/usr/", strlen("/usr/")))
			break;
		from = i < 2 ? own : own + strlen("/usr");
		if (snprintf(path, sizeof(path), formats[i % 2], debug_folder(),
			     (int)(end - from), from) < (int)sizeof(path))
			ret = open_candidate(image, path);
	}
	return ret;
}

int wv_debug_file_find(struct wv_image *image, struct wv_image **ret, struct wv_error *error)
{
	_cleanup_image_ struct wv_image *found = NULL;
	char path[PATH_MAX];
	int failed;

	*ret = wv_image_has_debug(image) ? image : wv_image_debug(image);
	/* Without a build-id nothing says what belongs to the image. */
	if (*ret || !build_id_path(image, path))
		return 0;
	found = open_candidate(image, path);
	if (!found)
		found = find_by_path(image);
	if (!found)
		return 0;
	failed = wv_image_place_as(found, image, error);
	if (failed)
		return failed;
	*ret = wv_take(found);
	wv_image_keep_debug(image, *ret);
	return 0;
}

int wv_debug_file_missing(const struct wv_image *image, struct wv_error *error)
{
	char path[PATH_MAX];

	if (!build_id_path(image, path))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
				  "has no debug information, and no build-id to find it by: build "
				  "it with CONFIG_DEBUG_INFO");
	return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
			  "has no debug information, and there is no %.300s: install the kernel's "
			  "debug package (linux-image-RELEASE-dbg), name the folder in which it is "
			  "unpacked with WEFT_DEBUG=FOLDER/usr/lib/debug, or leave the file out",
			  path);
}
