// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the files of a kernel; see locate.h. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/banner.h"
#include "module/prepared.h"
#include "prepare/locate.h"
#include "prepare/folders.h"
#include "prepare/packages.h"
#include "prepare/prepared-images.h"
#include "prepare/programs.h"

static void set(struct wv_str *str, const char *text)
{
	wv_str_deinit(str);
	wv_str_add(str, text);
}

/* Formats a path. If the file at this path can be read, sets @str to it and returns true. */
static bool take_if_there(struct wv_str *str, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool take_if_there(struct wv_str *str, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (n < 0 || n >= PATH_MAX || access(path, R_OK))
		return false;
	set(str, path);
	return true;
}

/*
 * Sets @str to the absolute path of a file that the command line names. Fails if the file cannot be
 * read. Does nothing if @path is NULL.
 */
static int take_given(struct wv_str *str, const char *path, struct wv_error *error)
{
	_cleanup_free_ char *absolute = path ? realpath(path, NULL) : NULL;

	if (path && (!absolute || access(absolute, R_OK)))
		return wv_fail_errno(error, errno, "%s", path);
	if (path)
		set(str, absolute);
	return 0;
}

/* ---- finding the release --------------------------------------------------------------------- */

static int read_banner(const char *path, char banner[WV_BANNER_MAX], struct wv_error *error)
{
	_cleanup_image_ struct wv_image *image = NULL;
	int ret = wv_image_open(path, &image, error);

	if (!ret)
		ret = wv_image_banner(image, banner, error);
	if (!ret && !*banner)
		ret = wv_fail(error, WV_E_FORMAT,
			      "%s is not a vmlinux, as it has no linux_banner: name another with "
			      "--vmlinux",
			      path);
	return ret;
}

/* Sets @release to the third word of the banner, "Linux version RELEASE (...". */
static void banner_release(const char *banner, char release[WV_BANNER_MAX])
{
	*release = '\0';
	sscanf(banner, "Linux version %511s", release);
}

/*
 * Sets @out to the version of the kernel's package, which Debian writes into the banner: the word
 * that follows " Debian " and begins with a digit. Empty: the banner has none.
 */
static void banner_version(const char *banner, struct wv_str *out)
{
	const char *at = banner;

	wv_str_deinit(out);
	while ((at = strstr(at, " Debian "))) {
		at += strlen(" Debian ");
		if (isdigit((unsigned char)*at))
			wv_str_add_n(out, at, strcspn(at, " \n"));
	}
}

static int find_release(struct wv_prepare *prepare, struct wv_error *error)
{
	char banner[WV_BANNER_MAX], release[WV_BANNER_MAX];
	struct utsname name;
	int ret;

	if (prepare->release) {
		set(&prepare->release_found, prepare->release);
		return 0;
	}
	if (prepare->image) {
		ret = read_banner(prepare->image, banner, error);
		if (ret)
			return ret;
		banner_release(banner, release);
		set(&prepare->release_found, release);
		return 0;
	}
	if (uname(&name))
		return wv_fail_errno(error, errno, "the running kernel's release");
	set(&prepare->release_found, name.release);
	return 0;
}

static bool is_running(const char *release)
{
	struct utsname name;

	return !uname(&name) && !strcmp(name.release, release);
}

/* ---- finding the files ----------------------------------------------------------------------- */

/*
 * Sets .version, the version of the package that has the wanted kernel. If the running kernel has
 * the wanted release, its banner names the version. Otherwise, or if its banner names none, takes
 * the version of the installed package linux-image-RELEASE. Leaves .version empty if that is not
 * installed, or if the command line names an image.
 */
static int find_version(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	const char *release = wv_str_text(&prepare->release_found);
	bool running = is_running(release) && wv_read_text("/proc/version", &text);
	char package[PATH_MAX];

	if (running && !prepare->image)
		banner_version(wv_str_text(&text), &prepare->version);
	/* If the command line names an image, .version is read from the image's banner later. */
	if (prepare->version.n || prepare->image)
		return 0;
	snprintf(package, sizeof(package), "linux-image-%s", release);
	return wv_package_installed(package, &prepare->version, error);
}

/*
 * Returns whether the image that was found has the wanted version (.version). An image of the
 * wanted release may have another version, if it is from an older build and an earlier run has left
 * it.
 */
static bool is_this_version(struct wv_prepare *prepare)
{
	char banner[WV_BANNER_MAX];
	struct wv_error ignored;

	return !prepare->version.n ||
	       (!read_banner(prepare->image_found.data, banner, &ignored) &&
		wv_banner_has(banner, prepare->version.data));
}

static void find_image(struct wv_prepare *prepare)
{
	const char *release = wv_str_text(&prepare->release_found);

	if (prepare->image_found.n)
		return;
	if ((take_if_there(&prepare->image_found, "/usr/lib/debug/boot/vmlinux-%s", release) ||
	     take_if_there(&prepare->image_found, "/usr/lib/debug/lib/modules/%s/vmlinux",
			   release) ||
	     take_if_there(&prepare->image_found, "%s/" WV_PREPARED_IMAGE, prepare->folder)) &&
	    !is_this_version(prepare))
		wv_str_deinit(&prepare->image_found);
	if (prepare->image_found.n || !wv_package_group_is_there(prepare, WV_GROUP_DEBUG) ||
	    take_if_there(&prepare->image_found,
			  "%s/" WV_GROUP_DEBUG "/usr/lib/debug/boot/vmlinux-%s", prepare->folder,
			  release))
		return;
	take_if_there(&prepare->image_found,
		      "%s/" WV_GROUP_DEBUG "/usr/lib/debug/lib/modules/%s/vmlinux",
		      prepare->folder, release);
}

static void find_config(struct wv_prepare *prepare)
{
	const char *release = wv_str_text(&prepare->release_found);

	if (prepare->config_found.n ||
	    take_if_there(&prepare->config_found, "/boot/config-%s", release) ||
	    take_if_there(&prepare->config_found, "/lib/modules/%s/config", release) ||
	    take_if_there(&prepare->config_found, "/lib/modules/%s/build/.config", release))
		return;
	take_if_there(&prepare->config_found, "%s/" WV_PREPARED_HEADERS "/.config",
		      prepare->folder);
}

void wv_prepare_locate_fetched(struct wv_prepare *prepare)
{
	char banner[WV_BANNER_MAX];
	struct wv_error ignored; /* wv_prepare_image() reads the banner again, and reports errors */

	find_image(prepare);
	find_config(prepare);
	if (!prepare->version.n && prepare->image_found.n &&
	    !read_banner(prepare->image_found.data, banner, &ignored))
		banner_version(banner, &prepare->version);
}

int wv_prepare_locate(struct wv_prepare *prepare, struct wv_error *error)
{
	int ret = find_release(prepare, error);

	if (!ret)
		ret = wv_prepared_folder(wv_str_text(&prepare->release_found), prepare->folder,
					 error);
	if (!ret && (size_t)snprintf(prepare->log, sizeof(prepare->log), "%s/prepare.log",
				     prepare->folder) >= sizeof(prepare->log))
		ret = wv_fail_errno(error, ENAMETOOLONG, "%s", prepare->folder);
	if (!ret)
		ret = take_given(&prepare->image_found, prepare->image, error);
	if (!ret)
		ret = take_given(&prepare->config_found, prepare->config, error);
	if (!ret)
		ret = take_given(&prepare->source_found, prepare->source, error);
	if (!ret)
		ret = find_version(prepare, error);
	if (ret)
		return ret;
	wv_prepare_locate_fetched(prepare);
	return 0;
}

/* ---- locking the folder of the kernel's files ------------------------------------------------ */

int wv_prepare_lock(struct wv_prepare *prepare, struct wv_error *error)
{
	char path[PATH_MAX + 8];
	int ret = wv_make_folders(prepare->folder, error);

	if (!ret)
		ret = wv_prepared_check(prepare->folder, error);
	if (ret)
		return ret;
	snprintf(path, sizeof(path), "%s/lock", prepare->folder);
	prepare->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (prepare->lock < 0)
		return wv_fail_errno(error, errno, "%s", path);
	if (flock(prepare->lock, LOCK_EX | LOCK_NB))
		return wv_fail(error, WV_E_STATE,
			       "another `weft prepare` works in %s: wait until it has ended",
			       prepare->folder);
	if (truncate(prepare->log, 0) && errno != ENOENT)
		return wv_fail_errno(error, errno, "%s", prepare->log);
	return 0;
}

/* ---- checking the image ---------------------------------------------------------------------- */

static int check_release(const struct wv_prepare *prepare, const char *banner,
			 struct wv_error *error)
{
	char release[WV_BANNER_MAX];

	banner_release(banner, release);
	if (!strcmp(release, prepare->release_found.data))
		return 0;
	return wv_fail(error, WV_E_MISMATCH,
		       "%s is the image of Linux %s, and not of %s: name that kernel with "
		       "--kernel, or its own image with --vmlinux",
		       prepare->image_found.data, release, prepare->release_found.data);
}

static int link_image(const struct wv_prepare *prepare, struct wv_error *error)
{
	char path[PATH_MAX + 16], new_path[PATH_MAX + 20];

	snprintf(path, sizeof(path), "%s/" WV_PREPARED_IMAGE, prepare->folder);
	snprintf(new_path, sizeof(new_path), "%s.new", path);
	if (!strcmp(path, prepare->image_found.data))
		return 0;
	unlink(new_path);
	if (symlink(prepare->image_found.data, new_path) || rename(new_path, path))
		return wv_fail_errno(error, errno, "%s", path);
	return 0;
}

int wv_prepare_image(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_image_ struct wv_image *image = NULL;
	char banner[WV_BANNER_MAX] = "";
	int ret;

	if (!prepare->config_found.n)
		return wv_fail(error, WV_E_FAILURE,
			       "no configuration of Linux %s is here: name it with --config",
			       prepare->release_found.data);
	ret = wv_image_open(prepare->image_found.data, &image, error);
	if (!ret)
		ret = wv_image_banner(image, banner, error);
	if (!ret)
		ret = check_release(prepare, banner, error);
	if (!ret)
		ret = wv_prepared_vmlinux(prepare, image, error);
	if (!ret)
		ret = link_image(prepare, error);
	banner_version(banner, &prepare->version);
	set(&prepare->banner, banner);
	return ret;
}
