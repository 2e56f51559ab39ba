// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds, fetches and unpacks Debian's packages; see packages.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/progress.h"
#include "base/replace.h"
#include "module/prepared.h"
#include "prepare/folders.h"
#include "prepare/packages.h"
#include "prepare/programs.h"

int wv_package_installed(const char *package, struct wv_str *ret, struct wv_error *error)
{
	static const char installed[] = "ii ";
	_cleanup_str_ struct wv_str text = { 0 };
	char *argv[] = { "dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}\n",
			 (char *)package, NULL };
	bool ok;
	int failed = wv_program_text(argv, true, &text, &ok, error);
	wv_str_deinit(ret);
	if (ok && !strncmp(wv_str_text(&text), installed, sizeof(installed) - 1)) {
		const char *version = text.data + sizeof(installed) - 1;

		version += strspn(version, " ");
		wv_str_add_n(ret, version, strcspn(version, "\n"));
	}
	return failed;
}

void wv_package_of_source(const struct wv_prepare *prepare, char package[80])
{
	unsigned int major, minor;

	*package = '\0';
	if (sscanf(wv_str_text(&prepare->version), "%u.%u.", &major, &minor) == 2)
		snprintf(package, 80, "linux-source-%u.%u", major, minor);
}

/* ---- finding the packages that are needed ---------------------------------------------------- */

/*
 * Sets @value to the value of the first line "@key: VALUE" of @text, a package's description; to ""
 * if there is no such line.
 */
static void read_key(const struct wv_str *text, const char *key, char *value, size_t size)
{
	size_t n = strlen(key);

	*value = '\0';
	for (const char *line = wv_str_text(text); line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) || line[n] != ':')
			continue;
		snprintf(value, size, "%.*s", (int)strcspn(line + n + 2, "\n"), line + n + 2);
		return;
	}
}

static int no_package(const char *package, struct wv_error *error)
{
	return wv_fail(error, WV_E_FAILURE,
		       "the package lists do not have %s: run apt-get update, or name what there "
		       "is with --source, --vmlinux and --config",
		       package);
}

/* Sets @ret to apt's description of @package, which is "NAME" or "NAME=VERSION". */
static int describe(const char *package, struct wv_str *ret, struct wv_error *error)
{
	char *argv[] = { "apt-cache", "show", "--no-all-versions", (char *)package, NULL };
	bool ok;
	int failed = wv_program_text(argv, true, ret, &ok, error);

	if (!failed && (!ok || !ret->n || strncmp(ret->data, "Package:", 8)))
		failed = no_package(package, error);
	return failed;
}

static struct wv_package_group *add_group(struct wv_packages *packages, const char *name)
{
	struct wv_package_group *group = wv_vec_push(&packages->groups);

	if (group)
		*group = (struct wv_package_group){ .name = name };
	return group;
}

/*
 * Sets *@package_ret to "NAME=VERSION" for the package @name, and @text to the package's
 * description. VERSION is prepare->version. If the package lists do not have this version and @any
 * is true, VERSION is the one that apt would install. The caller frees *@package_ret, also after a
 * failure.
 */
static int find_version(const struct wv_prepare *prepare, const char *name, bool any,
			char **package_ret, struct wv_str *text, struct wv_error *error)
{
	char version[256];
	int ret;

	if (asprintf(package_ret, "%s=%s", name, wv_str_text(&prepare->version)) < 0) {
		*package_ret = NULL;
		return wv_no_memory(error);
	}
	ret = describe(*package_ret, text, error);
	if (!ret || !any)
		return ret;
	ret = describe(name, text, error);
	read_key(text, "Version", version, sizeof(version));
	free(*package_ret);
	if (asprintf(package_ret, "%s=%s", name, version) < 0) {
		*package_ret = NULL;
		ret = wv_no_memory(error);
	}
	return ret;
}

/*
 * Adds the package @name to the last group of @packages, and its sizes to those of @packages. The
 * version of the package is prepare->version; or, if apt does not have this version and @any is
 * true, the one that apt would install. Unless @depends_ret is NULL, adds to it the text "Depends"
 * of the package's description: the packages that this package needs.
 */
static int add_package(struct wv_prepare *prepare, struct wv_packages *packages, const char *name,
		       bool any, struct wv_str *depends_ret, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	_cleanup_free_ char *package = NULL;
	struct wv_package_group *group = &packages->groups.data[packages->groups.n - 1];
	char value[4096], **slot;
	int ret = find_version(prepare, name, any, &package, &text, error);

	if (ret)
		return ret;
	slot = wv_vec_push(&group->packages);
	if (!slot)
		return wv_no_memory(error);
	*slot = wv_take(package);
	read_key(&text, "Size", value, sizeof(value));
	packages->download += strtoull(value, NULL, 10);
	read_key(&text, "Installed-Size", value, sizeof(value));
	packages->unpacked += strtoull(value, NULL, 10) * 1024;
	read_key(&text, "Depends", value, sizeof(value));
	if (depends_ret)
		wv_str_add(depends_ret, value);
	return 0;
}

static int add_of_release(struct wv_prepare *prepare, struct wv_packages *packages,
			  const char *group, const char *format, struct wv_str *depends_ret,
			  struct wv_error *error)
{
	char name[PATH_MAX];

	if (!add_group(packages, group))
		return wv_no_memory(error);
	snprintf(name, sizeof(name), format, wv_str_text(&prepare->release_found));
	return add_package(prepare, packages, name, false, depends_ret, error);
}

/*
 * Adds the package with the kernel's headers, and two packages that it depends on:
 * - the headers that several kernels have in common. The dependency says "(= VERSION)", so their
 *   version must be .version.
 * - kbuild's programs. The dependency may say "(>= VERSION)", because one package may have the
 *   programs for several kernels. Then another version will do.
 */
static int add_headers(struct wv_prepare *prepare, struct wv_packages *packages,
		       struct wv_error *error)
{
	static const char *const wanted[] = { "linux-headers-", "linux-kbuild-" };
	_cleanup_str_ struct wv_str depends = { 0 };
	char name[256];
	int ret = add_of_release(prepare, packages, WV_GROUP_HEADERS, "linux-headers-%s", &depends,
				 error);

	for (const char *at = wv_str_text(&depends); !ret && *at;) {
		size_t n = strcspn(at, " ,(|");
		const char *relation = at + strcspn(at, ",(");

		for (size_t i = 0; i < 2 && !ret; i++) {
			if (strncmp(at, wanted[i], strlen(wanted[i])))
				continue;
			snprintf(name, sizeof(name), "%.*s", (int)n, at);
			ret = add_package(prepare, packages, name, strncmp(relation, "(=", 2),
					  NULL, error);
		}
		at += strcspn(at, ",");
		at += strspn(at, ", ");
	}
	return ret;
}

/* Sets .version to the version of the image's package that apt would install. */
static int find_candidate(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	char package[PATH_MAX], version[256];
	int ret;

	snprintf(package, sizeof(package), "linux-image-%s-dbg",
		 wv_str_text(&prepare->release_found));
	ret = describe(package, &text, error);
	read_key(&text, "Version", version, sizeof(version));
	wv_str_deinit(&prepare->version);
	wv_str_add(&prepare->version, version);
	return ret;
}

int wv_packages_find(struct wv_prepare *prepare, struct wv_packages *ret, struct wv_error *error)
{
	char package[80], headers[PATH_MAX];
	bool image = prepare->image_found.n, source = prepare->source_found.n;
	/*
	 * If the command line names an image, no headers are fetched: the user has them already, or
	 * does not need them.
	 */
	bool has_headers = prepare->image ||
			   wv_headers_find(wv_str_text(&prepare->release_found), headers);
	int failed = 0;

	*ret = (struct wv_packages){ 0 };
	if (image && source && has_headers)
		return 0;
	if (!wv_program_exists("apt-get"))
		return wv_fail(error, WV_E_FAILURE,
			       "%s of Linux %s are not here, and there is no apt-get to fetch "
			       "them: name all with --source, --vmlinux and --config",
			       !image ? "image and debug information" :
			       !source ? "the files of the source" : "the headers",
			       wv_str_text(&prepare->release_found));
	if (!prepare->version.n)
		failed = find_candidate(prepare, error);
	if (!failed && !image)
		failed = add_of_release(prepare, ret, WV_GROUP_DEBUG, "linux-image-%s-dbg", NULL,
					error);
	if (!failed && !has_headers)
		failed = add_headers(prepare, ret, error);
	wv_package_of_source(prepare, package);
	if (!failed && !source && !add_group(ret, WV_GROUP_SOURCE))
		failed = wv_no_memory(error);
	else if (!failed && !source)
		failed = add_package(prepare, ret, package, false, NULL, error);
	return failed;
}

void wv_packages_deinit(struct wv_packages *packages)
{
	wv_vec_for_each(group, &packages->groups) {
		wv_vec_for_each(package, &group->packages)
			free(*package);
		wv_vec_deinit(&group->packages);
	}
	wv_vec_deinit(&packages->groups);
}

/* ---- fetching and unpacking packages --------------------------------------------------------- */

int wv_check_space(const struct wv_prepare *prepare, uint64_t bytes, struct wv_error *error)
{
	struct statvfs status;
	uint64_t there;

	if (statvfs(prepare->folder, &status))
		return wv_fail_errno(error, errno, "%s", prepare->folder);
	there = (uint64_t)status.f_bavail * status.f_frsize;
	if (there >= bytes)
		return 0;
	return wv_fail(error, WV_E_FAILURE,
		       "%s has %.1f GB free, and %.1f GB are needed: make room, or set "
		       "WEFT_PREPARED to a folder with more",
		       prepare->folder, there / 1e9, bytes / 1e9);
}

/*
 * What count_bytes() needs to report the progress of a download.
 * .folder: the folder into which apt writes the packages, also those that are not complete yet.
 * .total: size of all packages in bytes.
 */
struct arriving {
	char folder[PATH_MAX + 32];
	uint64_t total;
};

static void count_bytes(void *context)
{
	const struct arriving *arriving = context;
	char path[2 * PATH_MAX];
	struct dirent *entry;
	struct stat status;
	uint64_t bytes = 0;
	DIR *folder = opendir(arriving->folder);

	while (folder && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "%s/%s", arriving->folder, entry->d_name);
		bytes += !stat(path, &status) && S_ISREG(status.st_mode) ? status.st_size : 0;
	}
	if (folder)
		closedir(folder);
	wv_progress_count(bytes < arriving->total ? bytes : arriving->total, arriving->total);
}

static int download(struct wv_prepare *prepare, const struct wv_packages *packages,
		    struct arriving *arriving, struct wv_error *error)
{
	WV_VEC(char *) argv = { 0 };
	char *fixed[] = { "apt-get", "-q", "-o", "APT::Sandbox::User=root", "download" };
	long offset = wv_program_log_size(prepare);
	bool ok = false, full = false;
	int ret = 0;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed) && !full; i++) {
		char **slot = wv_vec_push(&argv);

		full = !slot || !(*slot = fixed[i]);
	}
	wv_vec_for_each(group, &packages->groups)
		wv_vec_for_each(package, &group->packages) {
			char **slot = full ? NULL : wv_vec_push(&argv);

			full = !slot || !(*slot = *package);
		}
	if (full || !wv_vec_push(&argv))
		ret = wv_no_memory(error);
	wv_progress_stage("downloading");
	if (!ret) {
		const struct wv_child child = { .argv = argv.data,
						.folder = arriving->folder,
						.log = prepare->log,
						.environment = true,
						.advice = WV_GO_ON,
						.tick = count_bytes,
						.context = arriving };

		ret = wv_child_succeeds(&child, &ok, error);
	}
	wv_vec_deinit(&argv);
	return ret || ok ? ret :
			   wv_program_fail(prepare, offset, WV_E_FAILURE,
					   "the packages cannot be downloaded", error);
}

/*
 * Returns whether a file named @file is the package @package ("NAME=VERSION"). apt names such a
 * file NAME_VERSION_ARCHITECTURE.deb, with "%3a" in place of each colon. The folder may also have
 * files of other versions, from an interrupted run.
 */
static bool is_deb(const char *file, const char *package)
{
	static const char colon[] = "%3a";
	const size_t n = sizeof(colon) - 1;

	for (; *package; package++) {
		if (*package == ':' && !strncmp(file, colon, n))
			file += n;
		else if (*file++ != (*package == '=' ? '_' : *package))
			return false;
	}
	return *file == '_';
}

static bool find_deb(const char *folder, const char *package, char path[2 * PATH_MAX])
{
	struct dirent *entry;
	bool found = false;
	DIR *list = opendir(folder);

	while (list && !found && (entry = readdir(list))) {
		found = is_deb(entry->d_name, package);
		snprintf(path, 2 * PATH_MAX, "%s/%s", folder, entry->d_name);
	}
	if (list)
		closedir(list);
	return found;
}

static int unpack_package(struct wv_prepare *prepare, const char *downloads, const char *package,
			  char *folder, struct wv_error *error)
{
	char path[2 * PATH_MAX], what[PATH_MAX];
	char *argv[] = { "dpkg-deb", "-x", path, folder, NULL };
	long offset = wv_program_log_size(prepare);
	bool ok;
	int ret;

	if (!find_deb(downloads, package, path))
		return wv_fail(error, WV_E_FAILURE, "apt-get has not downloaded %s; see %s",
			       package, prepare->log);
	ret = wv_program_run(prepare, argv, &ok, error);
	if (ret)
		return ret;
	if (ok)
		return 0;
	unlink(path);
	snprintf(what, sizeof(what), "the package %s is damaged, and removed; run it again",
		 package);
	return wv_program_fail(prepare, offset, WV_E_FORMAT, what, error);
}

/*
 * Changes the makefile of Debian's headers, unpacked in @new_folder, so that the headers can be
 * used in @folder. The makefile contains the absolute path at which the headers are usually
 * installed.
 */
static int mend_headers(const struct wv_prepare *prepare, const char *folder,
			const char *new_folder, struct wv_error *error)
{
	static const char place[] = "/usr/src/linux-headers-";
	_cleanup_str_ struct wv_str text = { 0 }, mended = { 0 };
	char path[2 * PATH_MAX];
	const char *at, *next;

	snprintf(path, sizeof(path), "%s%s%s/Makefile", new_folder, place,
		 prepare->release_found.data);
	if (!wv_read_text(path, &text))
		return wv_fail_errno(error, errno, "%s", path);
	for (at = wv_str_text(&text); (next = strstr(at, place)); at = next + strlen(place)) {
		wv_str_add_n(&mended, at, next - at);
		wv_str_addf(&mended, "%s%s", folder, place);
	}
	wv_str_add(&mended, at);
	return mended.failed ? wv_no_memory(error) :
			       wv_replace_file(path, (const unsigned char *)mended.data, mended.n,
					       error);
}

static int link_headers(const struct wv_prepare *prepare, const char *folder,
			struct wv_error *error)
{
	char path[PATH_MAX + 32], target[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/" WV_PREPARED_HEADERS, prepare->folder);
	snprintf(target, sizeof(target), "%s/usr/src/linux-headers-%s", folder,
		 prepare->release_found.data);
	unlink(path);
	return symlink(target, path) ? wv_fail_errno(error, errno, "%s", path) : 0;
}

static void version_path(const char *folder, char path[2 * PATH_MAX])
{
	snprintf(path, 2 * PATH_MAX, "%s/.weft-version", folder);
}

bool wv_package_group_is_there(const struct wv_prepare *prepare, const char *group)
{
	_cleanup_str_ struct wv_str version = { 0 };
	char folder[PATH_MAX + 32], path[2 * PATH_MAX];

	snprintf(folder, sizeof(folder), "%s/%s", prepare->folder, group);
	version_path(folder, path);
	return prepare->version.n && wv_read_text(path, &version) &&
	       !strcmp(wv_str_text(&version), prepare->version.data);
}

static int unpack_group(struct wv_prepare *prepare, const char *downloads,
			const struct wv_package_group *group, struct wv_error *error)
{
	char folder[PATH_MAX + 32], new_folder[PATH_MAX + 64], path[2 * PATH_MAX];
	bool headers = !strcmp(group->name, WV_GROUP_HEADERS);
	int ret = 0;

	snprintf(folder, sizeof(folder), "%s/%s", prepare->folder, group->name);
	snprintf(new_folder, sizeof(new_folder), "%s.new", folder);
	wv_remove_folder(new_folder);
	if (mkdir(new_folder, 0755))
		return wv_fail_errno(error, errno, "%s", new_folder);
	wv_vec_for_each(package, &group->packages)
		if (!ret)
			ret = unpack_package(prepare, downloads, *package, new_folder, error);
	if (!ret && headers)
		ret = mend_headers(prepare, folder, new_folder, error);
	version_path(new_folder, path);
	if (!ret)
		ret = wv_replace_file(path, (const unsigned char *)prepare->version.data,
				      prepare->version.n, error);
	if (!ret) {
		wv_remove_folder(folder);
		if (rename(new_folder, folder))
			ret = wv_fail_errno(error, errno, "%s", folder);
	}
	if (ret)
		wv_remove_folder(new_folder);
	return ret || !headers ? ret : link_headers(prepare, folder, error);
}

int wv_packages_fetch(struct wv_prepare *prepare, struct wv_packages *packages,
		      struct wv_error *error)
{
	struct arriving arriving = { .total = packages->download };
	int ret;

	if (!packages->groups.n)
		return 0;
	snprintf(arriving.folder, sizeof(arriving.folder), "%s/downloads", prepare->folder);
	ret = wv_check_space(prepare, packages->download + packages->unpacked, error);
	if (!ret && mkdir(arriving.folder, 0755) && errno != EEXIST)
		ret = wv_fail_errno(error, errno, "%s", arriving.folder);
	if (!ret)
		ret = download(prepare, packages, &arriving, error);
	wv_progress_stage("unpacking packages");
	wv_vec_for_each(group, &packages->groups)
		if (!ret)
			ret = unpack_group(prepare, arriving.folder, group, error);
	if (!ret)
		wv_remove_folder(arriving.folder);
	return ret;
}
