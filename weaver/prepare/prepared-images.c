// SPDX-License-Identifier: GPL-2.0-or-later
/* The images that a preparation is for; see prepared-images.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/progress.h"
#include "base/suggest.h"
#include "database/image-names.h"
#include "database/within.h"
#include "image/debug-file.h"
#include "image/dwarf/units.h"
#include "module/prepared.h"
#include "prepare/folders.h"
#include "prepare/prepared-images.h"

/* ---- adding images and their units ----------------------------------------------------------- */

static int take_units(struct wv_prepare *prepare, struct wv_prepared_image *ret,
		      const struct wv_units *units, const struct wv_paths *paths,
		      struct wv_error *error)
{
	wv_vec_for_each(file, &units->files) {
		uint32_t *slot = wv_vec_push(&ret->units);

		if (!slot)
			return wv_no_memory(error);
		*slot = wv_pool_add(&prepare->units, wv_paths_name(paths, *file));
		if (*slot == WV_POOL_FAILED)
			return wv_no_memory(error);
	}
	return 0;
}

/*
 * Adds the image @image, whose name is @name, and its units. A unit's name is the path of its main
 * source from the top of the source tree. @kept is .kept of struct wv_prepared_image.
 */
static int add_image(struct wv_prepare *prepare, struct wv_image *image, const char *name,
		     bool kept, struct wv_error *error)
{
	struct wv_prepared_image *slot = wv_vec_push(&prepare->images);
	struct wv_paths paths = { 0 };
	struct wv_units units = { 0 };
	int ret;

	if (!slot)
		return wv_no_memory(error);
	slot->kept = kept;
	slot->path = strdup(wv_image_path(image));
	snprintf(slot->name, sizeof(slot->name), "%s", name);
	ret = slot->path ? 0 : wv_no_memory(error);
	if (!ret && prepare->source_root.n)
		ret = wv_paths_set_root(&paths, prepare->source_root.data, error);
	if (!ret)
		ret = wv_units_read(image, &paths, &units, error);
	if (!ret && !units.files.n)
		ret = wv_debug_file_missing(image, error);
	if (!ret)
		ret = take_units(prepare, slot, &units, &paths, error);
	if (!ret && prepare->images.n == 1)
		wv_str_add(&prepare->source_root, wv_paths_root(&paths));
	wv_units_deinit(&units);
	wv_paths_deinit(&paths);
	return ret;
}

int wv_prepared_vmlinux(struct wv_prepare *prepare, struct wv_image *image, struct wv_error *error)
{
	return add_image(prepare, image, WV_VMLINUX, true, error);
}

/* ---- finding the modules' files -------------------------------------------------------------- */

/*
 * Sets @path to the folder of the modules that belong to the image: it is in the unpacked package
 * that has the image, or is the folder in which the image was built. Returns false if there is no
 * such folder.
 */
static bool beside_image(const struct wv_prepare *prepare, char path[PATH_MAX])
{
	static const char boot[] = "/boot/vmlinux-";
	_cleanup_free_ char *image = realpath(wv_str_text(&prepare->image_found), NULL);
	const char *release = wv_str_text(&prepare->release_found);
	const char *at = image ? strstr(image, boot) : NULL;
	char list[PATH_MAX + 16];

	if (!image)
		return false;
	if (at && !strcmp(at + strlen(boot), release))
		snprintf(path, PATH_MAX, "%.*s/lib/modules/%.512s", (int)(at - image), image,
			 release);
	else
		snprintf(path, PATH_MAX, "%.*s", (int)(strrchr(image, '/') - image), image);
	snprintf(list, sizeof(list), "%s/modules.order", path);
	return !access(list, R_OK);
}

/*
 * Finds the files of the modules. A module in a debug package has code and debug information. The
 * debug information of an installed module is in another file (image/debug-file.h).
 */
static int find_files(struct wv_prepare *prepare, struct wv_error *error)
{
	const char *release = wv_str_text(&prepare->release_found);
	struct wv_module_files *files = &prepare->module_files;
	char path[PATH_MAX];
	int ret = 0;

	if (files->list.n)
		return 0;
	if (prepare->modules)
		return wv_module_files_add(files, prepare->modules, error);
	if (beside_image(prepare, path))
		ret = wv_module_files_add(files, path, error);
	if (!ret && !files->list.n && !prepare->image) {
		snprintf(path, sizeof(path), "/usr/lib/debug/lib/modules/%.512s", release);
		ret = wv_module_files_add(files, path, error);
	}
	if (!ret && !files->list.n && !prepare->image) {
		snprintf(path, sizeof(path), "/lib/modules/%.512s", release);
		ret = wv_module_files_add(files, path, error);
	}
	return ret;
}

int wv_prepared_has_modules(struct wv_prepare *prepare, bool *ret, struct wv_error *error)
{
	int failed = find_files(prepare, error);

	*ret = !failed && prepare->module_files.list.n;
	return failed;
}

static bool has_module(const struct wv_prepare *prepare, const char *name)
{
	wv_vec_for_each(image, &prepare->images)
		if (!strcmp(image->name, name))
			return true;
	return false;
}

static int add_module(struct wv_prepare *prepare, const char *path, bool kept,
		      struct wv_error *error)
{
	_cleanup_image_ struct wv_image *image = NULL;
	char name[WV_MODULE_NAME_SIZE];
	int ret;

	wv_module_name(path, name);
	if (has_module(prepare, name))
		return 0;
	ret = wv_image_open(path, &image, error);
	return ret ? ret : add_image(prepare, image, name, kept, error);
}

/* ---- choosing the modules to prepare --------------------------------------------------------- */

int wv_prepared_keep_modules(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_pool_ struct wv_pool names = { 0 };
	char database[PATH_MAX + 32];
	int ret;

	snprintf(database, sizeof(database), "%s/" WV_PREPARED_DATABASE, prepare->folder);
	ret = wv_db_module_names(database, &names, error);
	if (!ret && names.strings.n)
		ret = find_files(prepare, error);
	wv_vec_for_each(name, &names.strings) {
		const char *path = wv_module_files_find(&prepare->module_files, *name);

		if (ret)
			break;
		ret = path ? add_module(prepare, path, true, error) :
			     wv_fail(error, WV_E_FAILURE,
				     "%s has the module %s, and its file is not here: name the "
				     "folder of the modules with --modules, or remove the database "
				     "to begin without", database, *name);
	}
	return ret;
}

static int no_module(const struct wv_prepare *prepare, const char *pattern, struct wv_error *error)
{
	struct wv_suggestion suggestion = { .wanted = pattern };
	char name[WV_MODULE_NAME_SIZE], hint[512];

	if (!prepare->module_files.list.n)
		return wv_fail(error, WV_E_NO_MATCH,
			       "no modules of Linux %s with their debug information are here: name "
			       "their folder with --modules",
			       wv_str_text(&prepare->release_found));
	wv_vec_for_each(path, &prepare->module_files.list) {
		wv_module_name(*path, name);
		wv_suggestion_offer(&suggestion, name);
	}
	return wv_fail(error, WV_E_NO_MATCH, "Linux %s has no module '%s'%s",
		       wv_str_text(&prepare->release_found), pattern,
		       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
}

int wv_prepared_add_modules(struct wv_prepare *prepare, const char *pattern,
			    struct wv_error *error)
{
	bool found = wv_module_is(WV_VMLINUX, pattern);
	char name[WV_MODULE_NAME_SIZE];
	int ret = find_files(prepare, error);

	wv_progress_stage("reading modules");
	for (size_t i = 0; i < prepare->module_files.list.n && !ret; i++) {
		const char *path = prepare->module_files.list.data[i];

		wv_module_name(path, name);
		if (!wv_module_is(name, pattern))
			continue;
		found = true;
		wv_progress_count(i, prepare->module_files.list.n);
		ret = add_module(prepare, path, false, error);
	}
	return ret || found ? ret : no_module(prepare, pattern, error);
}

void wv_prepared_drop_modules(struct wv_prepare *prepare)
{
	_cleanup_free_ bool *chosen = calloc(prepare->units.strings.n + 1, sizeof(*chosen));
	size_t left = 0;

	if (!chosen)
		/* Out of memory: keep all images. More modules than needed are then indexed. */
		return;
	wv_vec_for_each(unit, &prepare->chosen)
		chosen[*unit] = true;
	wv_vec_for_each(image, &prepare->images) {
		bool any = image->kept;

		wv_vec_for_each(unit, &image->units)
			any |= chosen[*unit];
		if (any)
			prepare->images.data[left++] = *image;
		else
			wv_prepared_image_deinit(image);
	}
	prepare->images.n = left;
}
