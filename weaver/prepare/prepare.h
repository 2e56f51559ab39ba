/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the joinpoint database of a kernel that was built elsewhere without the plugin, from the
 * distribution's packages: the units of its source are compiled again with the plugin, by kbuild,
 * the compiler and the configuration that the kernel was built with. The steps are in the order in
 * which cmds/cmd-prepare.c takes them; each can be taken again after it failed or was interrupted,
 * and goes on where it stopped.
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

struct wv_prepare {
	/*
	 * What the command line names, or NULL. .release: the kernel, default the running one.
	 * .source: a folder or a tar file. .compiler: a program. .plugin: a file.
	 */
	const char *release, *source, *image, *config, *compiler, *plugin;
	size_t jobs; /* 0: as many as there are processors */

	/* found by the steps, and freed by wv_prepare_deinit() */
	char folder[PATH_MAX];	     /* where all is kept (module/prepared.h) */
	char log[PATH_MAX];	     /* the file with the output of all programs */
	int lock;		     /* held while this program works in .folder; -1: not held */
	struct wv_str release_found; /* .release, or its default */
	struct wv_str version;	     /* of the package: "6.1.192-2"; empty: not of Debian */
	struct wv_str source_found, image_found, config_found, compiler_found, plugin_found;
	struct wv_str banner;	      /* of the image (image/banner.h) */
	struct wv_str kernel_version; /* of the source: "6.1.192" */
	struct wv_pool units;	      /* main sources of the image's units: "fs/namei.c" */
	WV_VEC(uint32_t) chosen;      /* numbers in .units of those to compile */
};

void wv_prepare_init(struct wv_prepare *prepare);
void wv_prepare_deinit(struct wv_prepare *prepare);

#define _cleanup_prepare_ __attribute__((cleanup(wv_prepare_deinit)))

#endif /* WV_PREPARE_H */
