// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds and checks the folders that a module is built against; see kernel-folders.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/abi.h"
#include "module/kernel-folders.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "image/image.h"

static bool has_file(const char *folder, const char *name)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return false;
	return !access(path, R_OK);
}

static void build_id_text(const uint8_t *build_id, size_t size,
			  char text[2 * WEFT_BUILD_ID_MAX + 8])
{
	if (!size)
		strcpy(text, "none");
	for (size_t i = 0; i < size && i < WEFT_BUILD_ID_MAX; i++)
		sprintf(text + 2 * i, "%02x", build_id[i]);
}

static int check_build_id(const char *folder, const char *db, const uint8_t *wanted,
			  size_t wanted_size, struct wv_error *error)
{
	_cleanup_image_ struct wv_image *image = NULL;
	char path[PATH_MAX], of_db[2 * WEFT_BUILD_ID_MAX + 8], of_kernel[2 * WEFT_BUILD_ID_MAX + 8];
	const uint8_t *found;
	size_t size;
	int ret;

	snprintf(path, sizeof(path), "%s/vmlinux", folder);
	ret = wv_image_open(path, &image, error);
	if (ret)
		return ret;
	found = wv_image_build_id(image, &size);
	if (size && size == wanted_size && !memcmp(found, wanted, size))
		return 0;
	build_id_text(wanted, wanted_size, of_db);
	build_id_text(found, size, of_kernel);
	return wv_fail(
		error, WV_E_MISMATCH,
		"the database and the kernel do not belong together: %s has the build-id %s, "
		"%s/vmlinux %s; index that vmlinux, or name the folder of the other kernel",
		db, of_db, folder, of_kernel);
}

/* Does the kernel's configuration switch @option off? */
static bool is_off(const char *folder, const char *option)
{
	_cleanup_fclose_ FILE *file = NULL;
	char path[PATH_MAX], wanted[64], line[256];
	bool off = false;

	snprintf(path, sizeof(path), "%s/.config", folder);
	snprintf(wanted, sizeof(wanted), "# %s is not set\n", option);
	file = fopen(path, "re");
	while (file && !off && fgets(line, sizeof(line), file))
		off = !strcmp(line, wanted);
	return off;
}

int wv_kernel_check(const char *folder, const char *db, const uint8_t *build_id,
		    size_t build_id_size, struct wv_error *error)
{
	static const struct {
		const char *name, *remedy;
	} needed[] = {
		{ "Makefile", "name the folder in which the kernel was built" },
		{ ".config", "configure and build the kernel there (make defconfig, make)" },
		{ "vmlinux", "build the kernel there (make); headers alone are not enough" },
		{ "Module.symvers",
		  "build the kernel there with its modules (make vmlinux modules)" },
	};
	struct stat status;

	if (stat(folder, &status))
		return wv_fail_errno(error, errno, "kernel folder %s", folder);
	if (!S_ISDIR(status.st_mode))
		return wv_fail(error, WV_E_FAILURE,
			       "kernel folder %s: not a folder; name the one in which the kernel "
			       "was built",
			       folder);
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!has_file(folder, needed[i].name))
			return wv_fail(error, WV_E_FAILURE, "kernel folder %s has no %s: %s",
				       folder, needed[i].name, needed[i].remedy);
	if (is_off(folder, "CONFIG_SMP"))
		return wv_fail(error, WV_E_FAILURE,
			       "kernel folder %s: the kernel is built without CONFIG_SMP, and weft "
			       "needs its per-CPU variables: build it with CONFIG_SMP",
			       folder);
	return check_build_id(folder, db, build_id, build_id_size, error);
}

/*
 * @path becomes @suffix in the folder of the running program. False: that is unknown, or too long.
 */
static bool beside_program(const char *suffix, char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (n < 0)
		return false;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash || (size_t)(slash - path) + strlen(suffix) + 2 > PATH_MAX)
		return false;
	strcpy(slash + 1, suffix);
	return true;
}

/*
 * Finds a folder that contains @file: @given if not NULL, else the first of @suffixes beside the
 * program. *@ret is an absolute path. @remedy: what an error message advises.
 */
static int find(const char *given, const char *const suffixes[2], const char *file,
		const char *remedy, char **ret, struct wv_error *error)
{
	struct wv_str tried = { 0 };
	char path[PATH_MAX];
	int failed;

	if (given && has_file(given, file)) {
		*ret = realpath(given, NULL);
		return *ret ? 0 : wv_fail_errno(error, errno, "%s", given);
	}
	if (given)
		return wv_fail(error, WV_E_FAILURE, "%s has no %s: %s", given, file, remedy);
	for (size_t i = 0; i < 2; i++) {
		if (!beside_program(suffixes[i], path))
			continue;
		if (has_file(path, file)) {
			*ret = realpath(path, NULL);
			return *ret ? 0 : wv_fail_errno(error, errno, "%s", path);
		}
		wv_str_addf(&tried, "%s%s", tried.n ? " and " : "", path);
	}
	failed = wv_fail(error, WV_E_FAILURE, "no %s in %s: %s", file,
			 tried.data ? tried.data : "any folder", remedy);
	wv_str_deinit(&tried);
	return failed;
}

int wv_find_kmod(const char *option, char **ret, struct wv_error *error)
{
	static const char *const suffixes[] = { "kmod", "../share/weft/kmod" };

	return find(option, suffixes, "Module.symvers",
		    "build weft.ko for this kernel, or name its folder with --kmod", ret, error);
}

int wv_find_runtime(const char *option, char **ret, struct wv_error *error)
{
	static const char *const suffixes[] = { "runtime", "../share/weft/runtime" };

	return find(option ? option : getenv("WEFT_RUNTIME"), suffixes, "advice.h",
		    "name the folder of weft's runtime headers with --runtime", ret, error);
}

#define DEBUG_MODULES "/usr/lib/debug/lib/modules/"

/* Adds the modules of the installed debug package of the kernel that is built in @folder. */
static int add_installed(const char *folder, struct wv_module_files *modules,
			 struct wv_error *error)
{
	_cleanup_fclose_ FILE *file = NULL;
	char path[PATH_MAX], release[128];

	snprintf(path, sizeof(path), "%s/include/config/kernel.release", folder);
	file = fopen(path, "re");
	if (!file || !fgets(release, sizeof(release), file))
		return 0;
	release[strcspn(release, "\n")] = '\0';
	snprintf(path, sizeof(path), DEBUG_MODULES "%s", release);
	return access(path, R_OK) ? 0 : wv_module_files_add(modules, path, error);
}

int wv_kernel_files_find(const char *folder, const char *modules, const wv_parts *parts,
			 struct wv_kernel_files *ret, struct wv_error *error)
{
	char *vmlinux = NULL;
	int err = 0;

	*ret = (struct wv_kernel_files){ 0 };
	if (asprintf(&vmlinux, "%s/vmlinux", folder ? folder : "") < 0)
		return wv_no_memory(error);
	ret->vmlinux = vmlinux;
	if (parts->n > 1 && modules)
		err = wv_module_files_add(&ret->modules, modules, error);
	else if (parts->n > 1 && folder && has_file(folder, "modules.order"))
		err = wv_module_files_add(&ret->modules, folder, error);
	else if (parts->n > 1 && folder)
		err = add_installed(folder, &ret->modules, error);
	if (err)
		wv_kernel_files_deinit(ret);
	return err;
}

void wv_kernel_files_deinit(struct wv_kernel_files *files)
{
	free((char *)files->vmlinux);
	wv_module_files_deinit(&files->modules);
	*files = (struct wv_kernel_files){ 0 };
}
