// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds a recipe, or learns one; see recipe-find.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"
#include "module/build-folder.h"
#include "base/own-folder.h"
#include "module/cache.h"
#include "module/recipe-find.h"
#include "module/recipe-learn.h"

/*
 * RECIPES_MAX: how many recipes the cache keeps; each takes 50 MB. ABANDONED: age in seconds. The
 * folder of an unfinished recipe is removed when it is older, because the weft that made it was
 * probably killed. KEY_LENGTH: number of characters in the name of a finished recipe's folder.
 */
enum { RECIPES_MAX = 4, ABANDONED = 3600, KEY_LENGTH = 16 };

/*
 * Returns whether @path is a file of type @type (no link) that only root and the user who runs weft
 * can write.
 */
static bool is_own(const char *path, mode_t type)
{
	struct stat status;

	return !lstat(path, &status) && (status.st_mode & S_IFMT) == type &&
	       (!status.st_uid || status.st_uid == geteuid()) &&
	       !(status.st_mode & (S_IWGRP | S_IWOTH));
}

/*
 * Finds the recipe beside weft.ko, in @kmod, and sets @folder to its path without links. weft runs
 * the commands in a recipe, so nobody may be able to change them but root and the user who runs
 * weft. Returns false if somebody else can write or replace the recipe, or if there is none.
 */
static bool find_trusted(const char *kmod, char folder[PATH_MAX])
{
	char file[PATH_MAX + sizeof("/recipe")], above[PATH_MAX];
	struct wv_error error;

	if (snprintf(file, sizeof(file), "%s/recipe", kmod) >= PATH_MAX || !realpath(file, folder))
		return false;
	snprintf(file, sizeof(file), "%s/recipe", folder);
	return is_own(folder, S_IFDIR) && is_own(file, S_IFREG) &&
	       !wv_replaceable_above(folder, above, &error) && !above[0];
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/*
 * Removes unfinished folders in @folder that a killed weft has left. Returns the number of recipes;
 * @oldest is the path of the least recently used one.
 */
static int find_oldest(const char *folder, char oldest[PATH_MAX])
{
	struct dirent **list;
	time_t when = 0;
	int n = scandir(folder, &list, is_visible, NULL), recipes = 0;

	for (int i = 0; i < n; i++) {
		char path[PATH_MAX];
		struct stat status;
		bool ok = snprintf(path, sizeof(path), "%s/%s", folder, list[i]->d_name) <
				  PATH_MAX && !lstat(path, &status);

		if (ok && strlen(list[i]->d_name) == KEY_LENGTH) {
			if (!recipes++ || status.st_mtime < when) {
				when = status.st_mtime;
				strcpy(oldest, path);
			}
		} else if (ok && status.st_mtime < time(NULL) - ABANDONED) {
			wv_folder_remove(path);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return recipes;
}

static void trim(const char *folder)
{
	char oldest[PATH_MAX];
	int before = 0, n;

	while ((n = find_oldest(folder, oldest)) > RECIPES_MAX && n != before) {
		wv_folder_remove(oldest);
		before = n;
	}
}

int wv_recipe_find(struct wv_recipe *ret, const struct wv_kbuild_folders *folders,
		   struct wv_error *error)
{
	char path[PATH_MAX], folder[PATH_MAX - 2 * KEY_LENGTH], key[KEY_LENGTH + 1];
	int failed;

	if (find_trusted(folders->kmod, path) && wv_recipe_read(ret, path, folders))
		return 0;
	failed = wv_cache_folder("recipes", "the ways to build modules", path, error);
	if (failed)
		return failed;
	if (snprintf(folder, sizeof(folder), "%s", path) >= (int)sizeof(folder))
		return wv_fail_errno(error, ENAMETOOLONG, "%s", path);
	wv_recipe_key(folders, key);
	snprintf(path, sizeof(path), "%s/%s", folder, key);
	if (wv_recipe_read(ret, path, folders)) {
		utimensat(AT_FDCWD, path, NULL, 0); /* set its time of last use */
		return 0;
	}
	wv_progress_stage("learning how this kernel builds modules");
	failed = wv_recipe_learn(ret, path, folders, error);
	wv_progress_stage(NULL);
	if (!failed)
		trim(folder);
	return failed;
}
