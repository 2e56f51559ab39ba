// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads and writes files in the test's own folder (declared in files.h). */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "files.h"

#define NAMES_MAX 64

static char folder[] = "/tmp/weft-unit-XXXXXX";
static char paths[NAMES_MAX][128];

static void remove_folder(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[512];

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] != '.')
			unlink(path);
	}
	if (dir)
		closedir(dir);
	rmdir(folder);
}

const char *files_path(const char *name)
{
	static bool made;
	char wanted[128];

	if (!made) {
		assert_non_null(mkdtemp(folder));
		atexit(remove_folder);
		made = true;
	}
	snprintf(wanted, sizeof(wanted), "%s/%s", folder, name);
	for (size_t i = 0; i < NAMES_MAX; i++) {
		if (!paths[i][0])
			strcpy(paths[i], wanted);
		if (!strcmp(paths[i], wanted))
			return paths[i];
	}
	fail_msg("too many files");
	return NULL;
}

const char *files_write(const char *name, const void *bytes, size_t n)
{
	const char *path = files_path(name);
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, n, stream), n);
	assert_int_equal(fclose(stream), 0);
	return path;
}

unsigned char *files_read(const char *path, size_t *size_ret)
{
	FILE *stream = fopen(path, "r");
	unsigned char *bytes;
	long size;

	assert_non_null(stream);
	fseek(stream, 0, SEEK_END);
	size = ftell(stream);
	rewind(stream);
	bytes = malloc(size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, size, stream), size);
	fclose(stream);
	*size_ret = size;
	return bytes;
}

size_t files_count(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}
