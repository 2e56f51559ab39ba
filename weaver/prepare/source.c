// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds, unpacks and checks the kernel's source; see source.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace.h"
#include "image/banner.h"
#include "module/prepared.h"
#include "prepare/folders.h"
#include "prepare/packages.h"
#include "prepare/programs.h"
#include "prepare/source.h"

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static bool has_file(const char *folder, const char *name)
{
	char path[PATH_MAX];

	return (size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) < sizeof(path) &&
	       !access(path, F_OK);
}

/* ---- finding the unpacked source ------------------------------------------------------------- */

static void unpacked_path(const struct wv_prepare *prepare, const char *suffix,
			  char path[PATH_MAX + 32])
{
	snprintf(path, PATH_MAX + 32, "%s/" WV_PREPARED_SOURCE "%s", prepare->folder, suffix);
}

/*
 * Adds a text by which a later run recognizes the source: the version of Debian's package or, if
 * the command line names the source, the path, size and time of the tar file @tar. Adds nothing if
 * @tar does not exist.
 */
static void add_identity(const struct wv_prepare *prepare, const char *tar, struct wv_str *out)
{
	struct stat status;

	if (!prepare->source)
		wv_str_addf(out, "Debian %s\n", wv_str_text(&prepare->version));
	else if (!stat(tar, &status))
		wv_str_addf(out, "%s %lld %lld.%09ld\n", tar, (long long)status.st_size,
			    (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/*
 * Returns whether an earlier run has unpacked exactly this source: the tar file @tar, or Debian's
 * package of .version.
 */
static bool is_unpacked(const struct wv_prepare *prepare, const char *tar)
{
	_cleanup_str_ struct wv_str wanted = { 0 }, found = { 0 };
	char folder[PATH_MAX + 32], stamp[PATH_MAX + 32];

	unpacked_path(prepare, "", folder);
	unpacked_path(prepare, ".identity", stamp);
	add_identity(prepare, tar, &wanted);
	return wanted.n && is_folder(folder) && wv_read_text(stamp, &found) &&
	       !strcmp(wanted.data, wv_str_text(&found));
}

bool wv_source_is_packed(const struct wv_prepare *prepare)
{
	return !is_folder(wv_str_text(&prepare->source_found));
}

/*
 * Sets .source_found to the tar file of Debian's package of the source, such as linux-source-6.1
 * for .version "6.1.192-2": of the package that weft has unpacked, or of an installed one that has
 * exactly this version.
 */
static int find_installed(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_str_ struct wv_str version = { 0 };
	char package[80], path[PATH_MAX + 128];
	int ret;

	wv_package_of_source(prepare, package);
	snprintf(path, sizeof(path), "%s/" WV_GROUP_SOURCE "/usr/src/%s.tar.xz", prepare->folder,
		 package);
	if (wv_package_group_is_there(prepare, WV_GROUP_SOURCE) && !access(path, R_OK)) {
		wv_str_add(&prepare->source_found, path);
		return 0;
	}
	snprintf(path, sizeof(path), "/usr/src/%s.tar.xz", package);
	if (!*package || access(path, R_OK))
		return 0;
	ret = wv_package_installed(package, &version, error);
	if (!ret && version.n && !strcmp(version.data, wv_str_text(&prepare->version)))
		wv_str_add(&prepare->source_found, path);
	return ret;
}

int wv_source_find(struct wv_prepare *prepare, struct wv_error *error)
{
	char folder[PATH_MAX + 32];
	const char *given = wv_str_text(&prepare->source_found);

	if (*given && is_folder(given))
		return 0;
	if ((*given || prepare->version.n) && is_unpacked(prepare, given)) {
		unpacked_path(prepare, "", folder);
		wv_str_deinit(&prepare->source_found);
		wv_str_add(&prepare->source_found, folder);
		return 0;
	}
	return *given || !prepare->version.n ? 0 : find_installed(prepare, error);
}

int wv_source_unpack(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_str_ struct wv_str identity = { 0 };
	char folder[PATH_MAX + 32], new_folder[PATH_MAX + 32], stamp[PATH_MAX + 32];
	/*
	 * Without the two --no options, tar run by root would give the files to the owners that the
	 * archive names; these users could change them.
	 */
	char *argv[] = { "tar", "-C", new_folder, "--strip-components=1", "--no-same-owner",
			 "--no-same-permissions", "-xf", prepare->source_found.data, NULL };
	long offset = wv_program_log_size(prepare);
	bool ok = false;
	int ret;

	if (!wv_source_is_packed(prepare))
		return 0;
	unpacked_path(prepare, "", folder);
	unpacked_path(prepare, ".new", new_folder);
	unpacked_path(prepare, ".identity", stamp);
	add_identity(prepare, prepare->source_found.data, &identity);
	wv_remove_folder(new_folder);
	if (mkdir(new_folder, 0755))
		return wv_fail_errno(error, errno, "%s", new_folder);
	ret = wv_program_run(prepare, argv, &ok, error);
	if (!ret && !ok)
		ret = wv_program_fail(prepare, offset, WV_E_FORMAT,
				      "the source cannot be unpacked", error);
	if (!ret) {
		unlink(stamp);
		wv_remove_folder(folder);
		if (rename(new_folder, folder))
			ret = wv_fail_errno(error, errno, "%s", folder);
	}
	if (!ret)
		ret = wv_replace_file(stamp, (const unsigned char *)wv_str_text(&identity),
				      identity.n, error);
	if (ret) {
		wv_remove_folder(new_folder);
		return ret;
	}
	wv_str_deinit(&prepare->source_found);
	wv_str_add(&prepare->source_found, folder);
	snprintf(new_folder, sizeof(new_folder), "%s/" WV_GROUP_SOURCE, prepare->folder);
	wv_remove_folder(new_folder);
	return 0;
}

/* ---- checking the source --------------------------------------------------------------------- */

int wv_source_check(struct wv_prepare *prepare, struct wv_error *error)
{
	const char *source = prepare->source_found.data;
	char *argv[] = { "make", "-s", "--no-print-directory", "-C", (char *)source,
			 "kernelversion", NULL };
	bool ok;
	int ret;

	if (!has_file(source, "Kbuild") || !has_file(source, "scripts/Makefile.build"))
		return wv_fail(error, WV_E_FAILURE,
			       "%s: not a kernel's source tree: name its top folder with --source",
			       source);
	if (has_file(source, ".config") || has_file(source, "include/config"))
		return wv_fail(error, WV_E_FAILURE,
			       "%s: a kernel was built in it; unpack it anew, or run make mrproper "
			       "there",
			       source);
	if (strpbrk(source, " \t:") || strpbrk(prepare->folder, " \t:"))
		return wv_fail(error, WV_E_FAILURE,
			       "kbuild does not take a path with blanks or colons: %s",
			       strpbrk(source, " \t:") ? source : prepare->folder);
	ret = wv_program_text(argv, false, &prepare->kernel_version, &ok, error);
	if (!ret && (!ok || !prepare->kernel_version.n))
		ret = wv_fail(error, WV_E_FAILURE,
			      "%s: its Makefile does not give the version: name a whole source "
			      "tree with --source",
			      source);
	if (ret)
		return ret;
	prepare->kernel_version.n = wv_one_line(prepare->kernel_version.data);
	while (prepare->kernel_version.n &&
	       prepare->kernel_version.data[prepare->kernel_version.n - 1] == ' ')
		prepare->kernel_version.data[--prepare->kernel_version.n] = '\0';
	if (wv_banner_has(wv_str_text(&prepare->banner), prepare->kernel_version.data))
		return 0;
	return wv_fail(error, WV_E_MISMATCH,
		       "%s is the source of Linux %s, and the kernel is '%.200s': take the source "
		       "of that version",
		       source, prepare->kernel_version.data, wv_str_text(&prepare->banner));
}
