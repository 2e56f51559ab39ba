// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads lines of a source tree; see source-lines.h. Keeps the file that was read last in memory.
 * Callers ask for all lines of one file before those of the next, so each file is read only once.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "cmds/source-lines.h"

void wv_source_deinit(struct wv_source *source)
{
	wv_str_deinit(&source->path);
	wv_str_deinit(&source->newer);
	wv_str_deinit(&source->missing);
	wv_str_deinit(&source->text);
	wv_vec_deinit(&source->lines);
}

/* Splits source->text into source->lines, and removes the blanks at both ends of each line. */
static void cut(struct wv_source *source)
{
	char *at = source->text.data;

	while (at && *at) {
		char *newline = strchrnul(at, '\n'), *end = newline;
		const char **line = wv_vec_push(&source->lines);
		bool last = !*newline;

		if (!line)
			return;
		while (at < end && isspace((unsigned char)*at))
			at++;
		while (end > at && isspace((unsigned char)end[-1]))
			end--;
		*end = '\0';
		*line = at;
		at = last ? NULL : newline + 1;
	}
}

static void load(struct wv_source *source, const char *file)
{
	_cleanup_fclose_ FILE *stream = NULL;
	struct stat status;
	char buffer[8192];
	size_t n;

	source->path.n = source->text.n = source->lines.n = 0;
	if (file[0] == '/')
		wv_str_addf(&source->path, "%s", file);
	else
		wv_str_addf(&source->path, "%s/%s", source->tree, file);
	if (source->path.failed)
		return;
	stream = fopen(source->path.data, "re");
	source->found += stream != NULL;
	if (!stream && !source->missing.n)
		wv_str_add(&source->missing, source->path.data);
	if (stream && source->indexed && !source->newer.n && !fstat(fileno(stream), &status) &&
	    status.st_mtim.tv_sec > source->indexed)
		wv_str_add(&source->newer, source->path.data);
	while (stream && (n = fread(buffer, 1, sizeof(buffer), stream)))
		wv_str_add_n(&source->text, buffer, n);
	if (source->text.n && !source->text.failed)
		cut(source);
}

const char *wv_source_line(struct wv_source *source, const char *file, unsigned int line)
{
	size_t n;

	if (!source->tree || !file || !line)
		return NULL;
	n = strlen(file);
	if (!source->path.data || source->path.n < n ||
	    strcmp(source->path.data + source->path.n - n, file))
		load(source, file);
	return line <= source->lines.n ? source->lines.data[line - 1] : NULL;
}
