// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds files of modules; see module-files.h. */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/module-files.h"

/* Suffixes of modules as built, and as distributions compress them. */
static const char *const suffixes[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz" };

static bool is_module(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const size_t tail = strlen(suffixes[i]);

		if (n > tail && !strcmp(name + n - tail, suffixes[i]))
			return true;
	}
	return false;
}

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

/*
 * Finds the file of the module that a line of modules.order names. The line is one of these:
 * - In a build folder before 6.3, and in an installed modules.order, the name of the module
 *   (NAME.ko). An installed module may be compressed, but its line lacks the suffix.
 * - In a build folder since 6.3, the name of the object from which the module is linked (NAME.o).
 */
static bool find_listed(const char *folder, const char *line, char path[PATH_MAX])
{
	const size_t n = strcspn(line, "\n");
	const char *dot = memrchr(line, '.', n);
	/* For modules outside of the kernel's tree kbuild writes absolute paths. */
	const bool absolute = line[0] == '/';

	for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (snprintf(path, PATH_MAX, "%s%s%.*s%s", absolute ? "" : folder,
			     absolute ? "" : "/", (int)(dot - line), line,
			     suffixes[i]) < PATH_MAX && !access(path, F_OK))
			return true;
	return false;
}

static int add_listed(struct wv_module_files *files, const char *folder, FILE *list,
		      struct wv_error *error)
{
	char line[PATH_MAX], path[PATH_MAX];
	int ret = 0;

	while (!ret && fgets(line, sizeof(line), list))
		if (find_listed(folder, line, path))
			ret = add(files, path, error);
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
		if (entry->fts_info == FTS_F && is_module(entry->fts_name, entry->fts_namelen))
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
