// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks for files; see installed.h. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "live/installed.h"

/*
 * Finds the first file of the system that matches one of the @n patterns, in which each %s stands
 * for @what. Sets @path to the file's path in the system, without the system's root. Returns false
 * if there is no such file.
 */
static bool find(const struct wv_system *system, const char *const *patterns, size_t n,
		 const char *what, char path[PATH_MAX])
{
	bool found = false;

	for (size_t i = 0; i < n && !found; i++) {
		size_t root = snprintf(path, PATH_MAX, "%s", system->root);
		glob_t files;

		if (root >= PATH_MAX)
			return false;
		snprintf(path + root, PATH_MAX - root, patterns[i], what);
		found = !glob(path, GLOB_BRACE, NULL, &files);
		if (found)
			snprintf(path, PATH_MAX, "%s", files.gl_pathv[0] + root);
		globfree(&files);
	}
	return found;
}

#define FIND(system, what, path, ...)                                                         \
	({                                                                                    \
		static const char *const patterns_[] = { __VA_ARGS__ };                       \
		find(system, patterns_, sizeof(patterns_) / sizeof(*patterns_), what, path);  \
	})

/* The folder of what root has prepared for a release of the kernel (module/prepared.h). */
#define PREPARED "/var/lib/weft/%s"

static bool find_module(const struct wv_system *system, char path[PATH_MAX])
{
	return FIND(system, system->release, path, "/lib/modules/%s/updates/dkms/weft.ko*",
		    "/lib/modules/%s/updates/weft.ko*", "/lib/modules/%s/extra/weft.ko*");
}

bool wv_has_module(const struct wv_system *system)
{
	char path[PATH_MAX];

	return find_module(system, path);
}

void wv_installed_module(const struct wv_system *system, struct wv_health_check *check)
{
	char path[PATH_MAX], remedy[128];

	if (find_module(system, path)) {
		wv_health_set(check, WV_HEALTH_OK, "", "%.200s", path);
		return;
	}
	if (FIND(system, "", path, "/usr/src/weft-*/dkms.conf%s"))
		snprintf(remedy, sizeof(remedy), "dkms autoinstall -k %.65s", system->release);
	else
		snprintf(remedy, sizeof(remedy), "apt install weft-dkms, or make kmod");
	wv_health_set(check, WV_HEALTH_MISSING, remedy, "not built for %.65s", system->release);
}

void wv_installed_debug(const struct wv_system *system, struct wv_health_check *check)
{
	char path[PATH_MAX], remedy[160];

	if (FIND(system, system->release, path, "/usr/lib/debug/boot/vmlinux-%s",
		 "/usr/lib/debug/lib/modules/%s/vmlinux", PREPARED "/vmlinux")) {
		wv_health_set(check, WV_HEALTH_OK, "", "%.200s", path);
		return;
	}
	snprintf(remedy, sizeof(remedy), "apt install linux-image-%.65s-dbg, or let `weft prepare` "
		 "fetch it", system->release);
	wv_health_set(check, WV_HEALTH_WARNING, remedy, "no vmlinux of %.65s", system->release);
}

void wv_installed_source(const struct wv_system *system, struct wv_health_check *check)
{
	char path[PATH_MAX], remedy[160], version[32] = "";
	unsigned int major, minor;

	if (sscanf(system->release, "%u.%u", &major, &minor) == 2)
		snprintf(version, sizeof(version), "%u.%u", major, minor);
	if (FIND(system, system->release, path, PREPARED "/source/Makefile") ||
	    FIND(system, version, path, "/usr/src/linux-source-%s.tar.xz",
		 "/usr/src/linux-source-%s/Makefile")) {
		wv_health_set(check, WV_HEALTH_OK, "", "%.200s", path);
		return;
	}
	snprintf(remedy, sizeof(remedy),
		 "apt install linux-source-%s, or let `weft prepare` fetch it", version);
	wv_health_set(check, WV_HEALTH_WARNING, remedy, "no source of Linux %s", version);
}

/*
 * Sets @version to the major version of the GCC that the kernel was built with; to "" if @config
 * does not have it, or if the kernel was built with another compiler.
 */
static void gcc_of(const char *config, char version[16])
{
	static const char key[] = "\nCONFIG_GCC_VERSION=";
	const char *at = config ? strstr(config, key) : NULL;

	version[0] = '\0';
	if (at && atoi(at + strlen(key)) >= 10000)
		snprintf(version, 16, "%d", atoi(at + strlen(key)) / 10000);
}

void wv_installed_plugin(const struct wv_system *system, struct wv_health_check *check)
{
	char path[PATH_MAX], remedy[160], version[16];

	gcc_of(system->config, version);
	if (!version[0]) {
		wv_health_set(check, WV_HEALTH_WARNING,
			      "install the kernel's configuration in /boot (its image package)",
			      "which GCC %.65s was built with is not known", system->release);
		return;
	}
	if (FIND(system, version, path, "/usr/lib/gcc/*/%s/plugin/weft_joinpoints.so")) {
		wv_health_set(check, WV_HEALTH_OK, "", "%.200s", path);
		return;
	}
	snprintf(remedy, sizeof(remedy), "apt install gcc-%s-plugin-weft", version);
	wv_health_set(check, WV_HEALTH_WARNING, remedy,
		      "none for GCC %s, which built this kernel: `weft prepare` needs it", version);
}

/* ---- the key that signs modules -------------------------------------------------------------- */

/*
 * Returns the bytes of a small file of the system, which the caller frees, and sets *@size_ret to
 * their number. Returns NULL if the file cannot be read.
 */
static char *read_file(const struct wv_system *system, const char *name, size_t *size_ret)
{
	enum { FILE_MAX = 1 << 20 };
	_cleanup_fclose_ FILE *file = NULL;
	char path[PATH_MAX], *bytes;

	snprintf(path, sizeof(path), "%s%s", system->root, name);
	file = fopen(path, "re");
	bytes = file ? malloc(FILE_MAX) : NULL;
	*size_ret = bytes ? fread(bytes, 1, FILE_MAX, file) : 0;
	return bytes;
}

/*
 * Returns whether the kernel trusts the certificate in the file @certificate: whether it is in the
 * list of machine owner keys (MOK), which the boot loader shim hands to the kernel.
 */
static bool is_enrolled(const struct wv_system *system, const char *certificate)
{
	static const char list[] = "/sys/firmware/efi/efivars/"
				   "MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23";
	size_t size, list_size;
	_cleanup_free_ char *bytes = read_file(system, certificate, &size);
	_cleanup_free_ char *enrolled = read_file(system, list, &list_size);

	return bytes && enrolled && size && memmem(enrolled, list_size, bytes, size);
}

void wv_installed_key(const struct wv_system *system, bool enforced, struct wv_health_check *check)
{
	char path[PATH_MAX], remedy[200];

	if (!enforced) {
		wv_health_set(check, WV_HEALTH_OK, "", "modules need no signature");
		return;
	}
	if (!FIND(system, "", path, "/var/lib/dkms/mok.pub%s",
		  "/var/lib/shim-signed/mok/MOK.der%s")) {
		wv_health_set(check, WV_HEALTH_MISSING,
			      "apt install openssl mokutil; `dkms build --force weft/VERSION` "
			      "makes a key; `mokutil --import /var/lib/dkms/mok.pub`; reboot",
			      "the kernel loads signed modules only, and there is no key");
		return;
	}
	if (is_enrolled(system, path)) {
		wv_health_set(check, WV_HEALTH_OK, "", "the kernel trusts %.180s", path);
		return;
	}
	snprintf(remedy, sizeof(remedy), "mokutil --import %.120s, then reboot and enrol it", path);
	wv_health_set(check, WV_HEALTH_MISSING, remedy,
		      "the kernel loads signed modules only, and %.100s is not enrolled", path);
}
