// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares modification times; see newer.h. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "index/newer.h"

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

size_t wv_newer_sources(const struct wv_paths *paths, const char *image_path, char *example,
			size_t size)
{
	struct stat image, source;
	size_t newer = 0;

	if (!paths->directory.data || stat(image_path, &image))
		return 0;
	for (uint32_t i = 0; i < paths->names.strings.n; i++) {
		const char *name = wv_pool_get(&paths->names, i);
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s%s%s", name[0] == '/' ? "" : paths->directory.data,
			 name[0] == '/' ? "" : "/", name);
		if (stat(path, &source) || !is_newer(&source.st_mtim, &image.st_mtim))
			continue;
		if (!newer++)
			snprintf(example, size, "%s", wv_paths_name(paths, i));
	}
	return newer;
}
