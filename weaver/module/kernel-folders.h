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

/* Bytes of a build-id as text, with the terminating zero. */
#define WV_BUILD_ID_TEXT (2 * WEFT_BUILD_ID_MAX + 8)

/* Writes a build-id in hexadecimal; "none" if @size is 0. */
void wv_build_id_write(const uint8_t *build_id, size_t size, char text[WV_BUILD_ID_TEXT]);

/*
 * Sets @release to that of the kernel that was built in @folder, or whose headers are in @folder;
 * "" if it is not known.
 */
void wv_kernel_release(const char *folder, char release[WV_RELEASE_MAX]);

/*
 * Sets @path to the image, with debug information, of the kernel that was built in @folder, or
 * whose headers are in @folder. Returns false if there is no image at any of these places, which
 * are tried in this order:
 * - vmlinux in @folder
 * - below /usr/lib/debug, where debug packages of distributions have it
 * - where `weft prepare` has unpacked it
 */
bool wv_kernel_image(const char *folder, char path[PATH_MAX]);

/*
 * Checks that modules can be built in @folder, which is a kernel's build folder or a folder of its
 * headers. If the kernel's image is there, checks its build-id, too. @db: the path of the database,
 * for the message. Returns:
 * -WV_E_FAILURE: something is missing; the message has the remedy.
 * -WV_E_MISMATCH: the build-id is another one; the message has both.
 */
int wv_kernel_check(const char *folder, const char *db, const uint8_t *build_id,
		    size_t build_id_size, struct wv_error *error);

/*
 * Sets *@ret to the folder with weft.ko's Module.symvers, which the caller frees: @option if given;
 * else kmod/ beside the running program; else what `make install` or DKMS has built for the kernel
 * of the folder @kernel: ../lib/weft/kmod/RELEASE, /var/lib/dkms/weft/kernel-RELEASE-x86_64.
 */
int wv_find_kmod(const char *option, const char *kernel, char **ret, struct wv_error *error);

/*
 * Sets *@ret to the folder with advice.h, which the caller frees: @option, $WEFT_RUNTIME, runtime/
 * beside the program, or ../share/weft/runtime, in this order.
 */
int wv_find_runtime(const char *option, char **ret, struct wv_error *error);

/*
 * Finds the files that have the DWARF of the kernel that was built in @folder, which may be NULL.
 * If some of @parts, the parts of the selection, are in modules, also finds the files of these
 * modules: in the folder @modules or, if this is NULL, among the modules that were built in
 * @folder, else in the debug package of the kernel's release. A missing file is reported only when
 * it is needed. The caller frees @ret by wv_kernel_files_deinit().
 */
int wv_kernel_files_find(const char *folder, const char *modules, const wv_parts *parts,
			 struct wv_kernel_files *ret, struct wv_error *error);
void wv_kernel_files_deinit(struct wv_kernel_files *files);

#endif /* WV_KERNEL_FOLDERS_H */
