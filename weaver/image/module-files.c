// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds files of modules; see module-files.h. */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/module-files.h"

static const char suffix[] = ".ko";

void wv_module_name(const char *path, char name[WV_MODULE_NAME_SIZE])
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	snprintf(name, WV_MODULE_NAME_SIZE, "%.*s", (int)strcspn(base, "."), base);
	for (char *at = name; *at; at++)
		if (*at == '-')
			*at = '_';
}

static int add(struct wv_module_files *files, const char *path, struct wv_error *error)
{
	char **slot = wv_vec_push(&files->list);

	if (!slot)
		return wv_no_memory(error);
	*slot = strdup(path);
	return *slot ? 0 : wv_no_memory(error);
}

static int add_listed(struct wv_module_files *files, const char *folder, FILE *list,
		      struct wv_error *error)
{
	char line[PATH_MAX], path[PATH_MAX];
	int ret = 0;

	while (!ret && fgets(line, sizeof(line), list)) {
		line[strcspn(line, "\n")] = '\0';
		/* Of modules outside of the kernel's tree kbuild lists whole paths. */
		if (snprintf(path, sizeof(path), "%s%s%s", line[0] == '/' ? "" : folder,
			     line[0] == '/' ? "" : "/", line) >= (int)sizeof(path) ||
		    access(path, F_OK))
			continue;
		ret = add(files, path, error);
	}
	return ret;
}

static int add_all(struct wv_module_files *files, const char *folder, struct wv_error *error)
{
	char *const roots[] = { (char *)folder, NULL };
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int ret = 0;

	if (!walk)
		return wv_fail_errno(error, errno, "%s", folder);
	while (!ret && (entry = fts_read(walk))) {
		const size_t n = sizeof(suffix) - 1;

		if (entry->fts_info == FTS_F && entry->fts_namelen > n &&
		    !strcmp(entry->fts_name + entry->fts_namelen - n, suffix))
			ret = add(files, entry->fts_path, error);
	}
	fts_close(walk);
	return ret;
}

static int compare(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int wv_module_files_add(struct wv_module_files *files, const char *folder, struct wv_error *error)
{
	_cleanup_fclose_ FILE *list = NULL;
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%s/modules.order", folder);
	list = fopen(path, "re");
	ret = list ? add_listed(files, folder, list, error) : add_all(files, folder, error);
	if (!ret && files->list.n)
		qsort(files->list.data, files->list.n, sizeof(*files->list.data), compare);
	return ret;
}

void wv_module_files_deinit(struct wv_module_files *files)
{
	wv_vec_for_each(path, &files->list)
		free(*path);
	wv_vec_deinit(&files->list);
}

const char *wv_module_files_find(const struct wv_module_files *files, const char *name)
{
	wv_vec_for_each(path, &files->list) {
		char own[WV_MODULE_NAME_SIZE];

		wv_module_name(*path, own);
		if (!strcmp(own, name))
			return *path;
	}
	return NULL;
}
