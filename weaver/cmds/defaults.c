// SPDX-License-Identifier: GPL-2.0-or-later
/* Default kernel and database; see defaults.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmds/defaults.h"

const char *wv_default_kernel(void)
{
	const char *named = getenv("WEFT_KERNEL");
	static char path[PATH_MAX];
	struct utsname name;

	if (named && *named)
		return named;
	if (uname(&name))
		return NULL;
	snprintf(path, sizeof(path), "/lib/modules/%s/build", name.release);
	return access(path, F_OK) ? NULL : path;
}

const char *wv_default_database(const char *kernel)
{
	const char *named = getenv("WEFT_DB");
	static char path[PATH_MAX];

	if (named && *named)
		return named;
	if (!kernel ||
	    (size_t)snprintf(path, sizeof(path), "%s/vmlinux.weft", kernel) >= sizeof(path))
		return NULL;
	return access(path, F_OK) ? NULL : path;
}
