/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the folders that a module is built against: the kernel's folder, the folder of weft.ko and
 * the folder of the runtime headers.
 */
#ifndef WV_KERNEL_FOLDERS_H
#define WV_KERNEL_FOLDERS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aspect/resolve/finder.h"
#include "aspect/resolve/text-parts.h"
#include "base/error.h"

#define WV_RELEASE_MAX 65 /* bytes of a kernel's release, with the terminating zero */

/*
 * The release of the kernel that was built in @folder, or whose headers are in @folder; "":
 * unknown.
 */
void wv_kernel_release(const char *folder, char release[WV_RELEASE_MAX]);

/*
 * The image of the kernel that was built in @folder, or whose headers are in @folder, with its
 * debug information. It is looked for in this order: vmlinux in @folder; below /usr/lib/debug,
 * where distributions' debug packages have it; where `weft prepare` has unpacked it. False: there
 * is none.
 */
bool wv_kernel_image(const char *folder, char path[PATH_MAX]);

/*
 * Checks that modules can be built in @folder, a kernel's build folder or a folder of its headers,
 * and that the image, if there is one, has the given build-id. -WV_E_FAILURE: something is missing;
 * the message has the remedy. -WV_E_MISMATCH: another build-id; the message has both. @db is the
 * path of the database, for the message.
 */
int wv_kernel_check(const char *folder, const char *db, const uint8_t *build_id,
		    size_t build_id_size, struct wv_error *error);

/*
 * The folder with weft.ko's Module.symvers: @option if given, else kmod/ beside the running
 * program, else what `make install` or DKMS has built for the kernel of the folder @kernel:
 * ../lib/weft/kmod/RELEASE, /var/lib/dkms/weft/kernel-RELEASE-x86_64. The caller frees *@ret.
 */
int wv_find_kmod(const char *option, const char *kernel, char **ret, struct wv_error *error);

/*
 * The folder with advice.h: @option, $WEFT_RUNTIME, runtime/ beside the program, or
 * ../share/weft/runtime, in this order. The caller frees *@ret.
 */
int wv_find_runtime(const char *option, char **ret, struct wv_error *error);

/*
 * Fills @ret for a kernel's build folder @folder, which may be NULL. @parts: the parts of the
 * selection; files of modules are looked for only if some of these are in modules. They are looked
 * for in the folder @modules. If that is NULL: among the modules that were built in @folder, or
 * else in the debug package of its release. A file that is not found is reported only when it is
 * needed. To be freed with wv_kernel_files_deinit().
 */
int wv_kernel_files_find(const char *folder, const char *modules, const wv_parts *parts,
			 struct wv_kernel_files *ret, struct wv_error *error);
void wv_kernel_files_deinit(struct wv_kernel_files *files);

#endif /* WV_KERNEL_FOLDERS_H */
