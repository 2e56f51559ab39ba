// SPDX-License-Identifier: GPL-2.0-or-later
/* Default kernel and database; see defaults.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmds/defaults.h"
#include "module/kernel-folders.h"
#include "module/prepared.h"

/*
 * Like wv_prepared_find(). If that function does not use the folder of the user who runs weft,
 * prints a note that says why, at the first call only. The command then goes on with what is found
 * in other folders, or fails.
 */
static bool find_prepared(const char *release, const char *name, char path[PATH_MAX])
{
	static bool told;
	struct wv_error error;

	if (!told && wv_prepared_refusal(release, &error)) {
		fprintf(stderr, "weft: note: %s\n", error.message);
		told = true;
	}
	return wv_prepared_find(release, name, path);
}

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
	if (!access(path, F_OK) || find_prepared(name.release, WV_PREPARED_HEADERS, path))
		return path;
	return NULL;
}

/*
 * Sets @release to the release of the kernel in the folder @kernel or, if @kernel is NULL, of the
 * running kernel; to "" if it is not known.
 */
static void find_release(const char *kernel, char release[WV_RELEASE_MAX])
{
	struct utsname name;

	*release = '\0';
	if (kernel)
		wv_kernel_release(kernel, release);
	else if (!uname(&name))
		snprintf(release, WV_RELEASE_MAX, "%s", name.release);
}

const char *wv_default_database(const char *kernel)
{
	const char *named = getenv("WEFT_DB");
	char release[WV_RELEASE_MAX];
	static char path[PATH_MAX];

	if (named && *named)
		return named;
	if (kernel &&
	    (size_t)snprintf(path, sizeof(path), "%s/vmlinux.weft", kernel) < sizeof(path) &&
	    !access(path, F_OK))
		return path;
	find_release(kernel, release);
	return *release && find_prepared(release, WV_PREPARED_DATABASE, path) ? path : NULL;
}
