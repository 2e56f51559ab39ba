// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds and checks the folders that a module is built against; see kernel-folders.h. */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/abi.h"
#include "module/kernel-folders.h"
#include "module/prepared.h"
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

void wv_build_id_write(const uint8_t *build_id, size_t size, char text[WV_BUILD_ID_TEXT])
{
	if (!size)
		strcpy(text, "none");
	for (size_t i = 0; i < size && i < WEFT_BUILD_ID_MAX; i++)
		sprintf(text + 2 * i, "%02x", build_id[i]);
}

void wv_kernel_release(const char *folder, char release[WV_RELEASE_MAX])
{
	static const char format[] = "#define UTS_RELEASE \"%64[^\"]\"";
	_cleanup_fclose_ FILE *file = NULL;
	char path[PATH_MAX], line[256];

	release[0] = '\0';
	if ((size_t)snprintf(path, sizeof(path), "%s/include/generated/utsrelease.h", folder) >=
	    sizeof(path))
		return;
	file = fopen(path, "re");
	while (file && !release[0] && fgets(line, sizeof(line), file))
		if (sscanf(line, format, release) != 1)
			release[0] = '\0';
}

/* ---- finding and checking the kernel's image ------------------------------------------------- */

/*
 * Opens the image @path; NULL if it has no code. The vmlinux of a headers package may have only
 * types (BTF).
 */
static struct wv_image *open_with_code(const char *path)
{
	struct wv_error ignored;
	struct wv_image *image;

	if (access(path, R_OK) || wv_image_open(path, &image, &ignored))
		return NULL;
	wv_vec_for_each(section, wv_image_sections(image))
		if (section->flags & SHF_EXECINSTR)
			return image;
	wv_image_close(image);
	return NULL;
}

/*
 * Finds and opens the image of the kernel of @folder, and sets @path to its path. NULL: there is
 * none.
 */
static struct wv_image *open_image(const char *folder, char path[PATH_MAX])
{
	/* Paths of the image in distributions' debug packages. */
	static const char *const debug[] = { "/usr/lib/debug/boot/vmlinux-%s",
					     "/usr/lib/debug/lib/modules/%s/vmlinux" };
	struct wv_image *image = NULL;
	char release[WV_RELEASE_MAX];

	if ((size_t)snprintf(path, PATH_MAX, "%s/vmlinux", folder) < PATH_MAX)
		image = open_with_code(path);
	wv_kernel_release(folder, release);
	for (size_t i = 0; !image && release[0] && i < sizeof(debug) / sizeof(*debug); i++) {
		snprintf(path, PATH_MAX, debug[i], release);
		image = open_with_code(path);
	}
	if (!image && release[0] && wv_prepared_find(release, WV_PREPARED_IMAGE, path))
		image = open_with_code(path);
	return image;
}

bool wv_kernel_image(const char *folder, char path[PATH_MAX])
{
	_cleanup_image_ struct wv_image *image = open_image(folder, path);

	return image;
}

/*
 * Compares the build-id of the kernel in @folder with @wanted. If there is no image, nothing is
 * compared here: weft.ko compares the aspect's build-id with that of the kernel in which it runs.
 */
static int check_build_id(const char *folder, const char *db, const uint8_t *wanted,
			  size_t wanted_size, struct wv_error *error)
{
	char path[PATH_MAX], of_db[WV_BUILD_ID_TEXT], of_kernel[WV_BUILD_ID_TEXT];
	_cleanup_image_ struct wv_image *image = NULL;
	const uint8_t *found;
	size_t size;

	image = open_image(folder, path);
	if (!image)
		return 0;
	found = wv_image_build_id(image, &size);
	if ((size && size == wanted_size && !memcmp(found, wanted, size)))
		return 0;
	wv_build_id_write(wanted, wanted_size, of_db);
	wv_build_id_write(found, size, of_kernel);
	return wv_fail(
		error, WV_E_MISMATCH,
		"the database and the kernel do not belong together: %s has the build-id %s, "
		"%s %s; index that vmlinux, or name the folder of the other kernel",
		db, of_db, path, of_kernel);
}

/* Returns whether the .config in @folder says "# @option is not set". */
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
		{ "Makefile", "name the folder in which the kernel was built, or its headers" },
		{ ".config", "configure and build the kernel there (make defconfig, make)" },
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
 * Sets @path to @suffix in the folder of the running program. False: the folder is unknown, or the
 * path is too long.
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

/* The folders in which a file is looked for, in this order. */
struct places {
	char path[3][PATH_MAX];
	size_t n;
};

static void add_beside_program(struct places *places, const char *suffix)
{
	places->n += beside_program(suffix, places->path[places->n]);
}

/*
 * Sets *@ret to the absolute path of the first of @places that contains @file; the caller frees it.
 * If none does, the message lists @places and ends in @remedy.
 */
static int find(const struct places *places, const char *file, const char *remedy, char **ret,
		struct wv_error *error)
{
	_cleanup_str_ struct wv_str tried = { 0 };

	for (size_t i = 0; i < places->n; i++) {
		const char *path = places->path[i];

		if (has_file(path, file)) {
			*ret = realpath(path, NULL);
			return *ret ? 0 : wv_fail_errno(error, errno, "%s", path);
		}
		wv_str_addf(&tried, "%s%s", i ? " or " : "", path);
	}
	return wv_fail(error, WV_E_FAILURE, "no %s in %s: %s", file,
		       tried.data ? tried.data : "any folder", remedy);
}

int wv_find_kmod(const char *option, const char *kernel, char **ret, struct wv_error *error)
{
	struct places places = { 0 };
	char release[WV_RELEASE_MAX], installed[WV_RELEASE_MAX + 32];

	if (option) {
		snprintf(places.path[places.n++], PATH_MAX, "%s", option);
	} else {
		add_beside_program(&places, "kmod");
		wv_kernel_release(kernel, release);
		snprintf(installed, sizeof(installed), "../lib/weft/kmod/%s", release);
		if (release[0]) {
			add_beside_program(&places, installed);
			snprintf(places.path[places.n++], PATH_MAX,
				 "/var/lib/dkms/weft/kernel-%s-x86_64", release);
		}
	}
	return find(&places, "Module.symvers",
		    "build weft.ko for this kernel (`dkms autoinstall`, or `make kmod`), or name "
		    "its folder with --kmod",
		    ret, error);
}

int wv_find_runtime(const char *option, char **ret, struct wv_error *error)
{
	const char *named = option ? option : getenv("WEFT_RUNTIME");
	struct places places = { 0 };

	if (named) {
		snprintf(places.path[places.n++], PATH_MAX, "%s", named);
	} else {
		add_beside_program(&places, "runtime");
		add_beside_program(&places, "../share/weft/runtime");
	}
	return find(&places, "advice.h", "name the folder of weft's runtime headers with --runtime",
		    ret, error);
}

#define DEBUG_MODULES "/usr/lib/debug/lib/modules/"

/*
 * Adds the modules in the debug package of the kernel that was built in @folder: the installed
 * package, or the one that `weft prepare` has fetched.
 */
static int add_debug_package(const char *folder, struct wv_module_files *modules,
			     struct wv_error *error)
{
	char path[PATH_MAX], release[WV_RELEASE_MAX], name[WV_RELEASE_MAX + 64];

	wv_kernel_release(folder, release);
	if (!release[0])
		return 0;
	snprintf(path, sizeof(path), DEBUG_MODULES "%s", release);
	snprintf(name, sizeof(name), WV_PREPARED_DEBUG DEBUG_MODULES "%s", release);
	if (access(path, R_OK) && !wv_prepared_find(release, name, path))
		return 0;
	return wv_module_files_add(modules, path, error);
}

int wv_kernel_files_find(const char *folder, const char *modules, const wv_parts *parts,
			 struct wv_kernel_files *ret, struct wv_error *error)
{
	char image[PATH_MAX];
	char *vmlinux = NULL;
	int err = 0;

	*ret = (struct wv_kernel_files){ 0 };
	if (folder && wv_kernel_image(folder, image))
		vmlinux = strdup(image);
	else if (asprintf(&vmlinux, "%s/vmlinux", folder ? folder : "") < 0)
		vmlinux = NULL;
	if (!vmlinux)
		return wv_no_memory(error);
	ret->vmlinux = vmlinux;
	if (parts->n > 1 && modules)
		err = wv_module_files_add(&ret->modules, modules, error);
	else if (parts->n > 1 && folder && has_file(folder, "modules.order"))
		err = wv_module_files_add(&ret->modules, folder, error);
	else if (parts->n > 1 && folder)
		err = add_debug_package(folder, &ret->modules, error);
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
