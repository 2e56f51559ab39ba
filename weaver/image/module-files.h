/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a kernel's modules, found in folders. */
#ifndef WV_MODULE_FILES_H
#define WV_MODULE_FILES_H

#include "base/error.h"
#include "base/vec.h"

#define WV_MODULE_NAME_SIZE 256

/* Writes a module's name as the kernel knows it, from the path of its file: nf_conntrack. */
void wv_module_name(const char *path, char name[WV_MODULE_NAME_SIZE]);

struct wv_module_files {
	WV_VEC(char *) list; /* paths, ascending; owned */
};

/*
 * Adds the modules of @folder. If it has a modules.order, as a kernel's build folder and
 * /lib/modules/RELEASE have, adds the modules in that list. Otherwise adds all NAME.ko in and below
 * the folder. A module may be compressed: NAME.ko.xz, .ko.zst, .ko.gz. A module in the list that
 * has no file was not built, and is left out. It is no error if there is no module, or no such
 * folder.
 */
int wv_module_files_add(struct wv_module_files *files, const char *folder, struct wv_error *error);
void wv_module_files_deinit(struct wv_module_files *files);

#define _cleanup_module_files_ __attribute__((cleanup(wv_module_files_deinit)))

/* The path of the module that the kernel knows by this name; NULL: none. */
const char *wv_module_files_find(const struct wv_module_files *files, const char *name);

#endif /* WV_MODULE_FILES_H */
