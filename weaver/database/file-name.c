// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares file names with what users write; see file-name.h. A '*' does not match a '/'. */
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "database/file-name.h"
#include "base/suggest.h"

bool wv_is_pattern(const char *wanted)
{
	return strpbrk(wanted, "*?");
}

bool wv_file_is_folder(const char *wanted)
{
	size_t n = strlen(wanted);

	return n && wanted[n - 1] == '/';
}

const char *wv_file_folder(const char *name, const char *wanted, char *buffer, size_t size)
{
	const char *end = name;

	for (; end && *wanted; wanted++)
		if (*wanted == '/') {
			end = strchr(end, '/');
			end += !!end;
		}
	snprintf(buffer, size, "%.*s", end ? (int)(end - name) : 0, name);
	return buffer;
}

/*
 * If @wanted begins with "/" or "./", and so is a path from the top of the source tree, returns the
 * path without this beginning. Otherwise returns NULL.
 */
static const char *from_top(const char *wanted)
{
	if (*wanted == '.' && wanted[1] == '/')
		wanted++;
	return *wanted == '/' ? wanted + strspn(wanted, "/") : NULL;
}

const char *wv_file_part(const char *name, const char *wanted)
{
	return from_top(wanted) ? name + strspn(name, "/") : wv_path_tail(name, wanted);
}

bool wv_file_is(const char *name, const char *wanted)
{
	const char *top = from_top(wanted);
	char folder[PATH_MAX];
	const char *part = wv_file_part(name, wanted);

	wanted = top ? top : wanted;
	if (wv_file_is_folder(wanted))
		part = wv_file_folder(top ? part : name, wanted, folder, sizeof(folder));
	return wv_is_pattern(wanted) ? !fnmatch(wanted, part, FNM_PATHNAME | FNM_NOESCAPE)
				     : !strcmp(wanted, part);
}
