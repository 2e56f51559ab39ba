/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the joinpoint database of a kernel that was built elsewhere without the plugin, from the
 * distribution's packages. kbuild compiles the units of the kernel's source again, with the plugin
 * and with the compiler and the configuration that the kernel was built with. cmds/cmd-prepare.c
 * takes the steps in order. Each step can be repeated after it failed or was interrupted, and
 * continues where it stopped.
 */
#ifndef WV_PREPARE_H
#define WV_PREPARE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/pool.h"
#include "base/str.h"
#include "base/vec.h"
#include "image/module-files.h"

/* An image whose units may be compiled, and which is indexed afterwards. */
struct wv_prepared_image {
	char *path; /* the image's file; owned by this struct */
	char name[WV_MODULE_NAME_SIZE]; /* name of the module, or "vmlinux" */
	bool kept; /* index the image even if none of its units is compiled in this run */
	WV_VEC(uint32_t) units; /* numbers, in .units of struct wv_prepare, of the image's units */
};

void wv_prepared_image_deinit(struct wv_prepared_image *image);

struct wv_prepare {
	/*
	 * Values from the command line, or NULL.
	 * .release: the kernel's release; NULL: that of the running kernel.
	 * .source: a folder or a tar file.
	 * .compiler: a program.
	 * .image, .config, .plugin: files.
	 * .modules: the folder of the modules.
	 */
	const char *release, *source, *image, *config, *compiler, *plugin, *modules;
	size_t jobs; /* maximum number of parallel compiles; 0: as many as there are processors */

	/*
	 * The members below are set by the functions that prepare (wv_prepare_image() and others),
	 * and freed by wv_prepare_deinit().
	 */
	char folder[PATH_MAX];	     /* folder for all files of this kernel (module/prepared.h) */
	char log[PATH_MAX];	     /* the file with the output of all programs */
	int lock; /* descriptor of the locked lock file of .folder; -1: not locked */
	struct wv_str release_found; /* .release; if that is NULL, the release that was found */
	/* version of the kernel's package: "6.1.192-2"; empty: not known, or not Debian */
	struct wv_str version;
	/* paths of what was found; empty: not found, or not looked for yet */
	struct wv_str source_found, image_found, config_found, compiler_found, plugin_found;
	struct wv_str banner;	      /* banner of the image (image/banner.h) */
	struct wv_str kernel_version; /* version of the source: "6.1.192" */
	/* paths of the kernel's modules; empty before prepared-images.c has looked for them */
	struct wv_module_files module_files;
	/*
	 * the folder of the source from which the image was built, as its debug information names
	 * it (image/paths.h)
	 */
	struct wv_str source_root;
	WV_VEC(struct wv_prepared_image) images; /* the vmlinux, and the modules to prepare */
	struct wv_pool units;	      /* main sources of the images' units: "fs/namei.c" */
	WV_VEC(uint32_t) chosen;      /* the units to compile, by their numbers in .units */
};

void wv_prepare_init(struct wv_prepare *prepare);
void wv_prepare_deinit(struct wv_prepare *prepare);

#define _cleanup_prepare_ __attribute__((cleanup(wv_prepare_deinit)))

#endif /* WV_PREPARE_H */
