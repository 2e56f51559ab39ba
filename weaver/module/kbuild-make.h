/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs kbuild: writes the folder with the sources, and starts make in it, without a shell. Of the
 * environment make gets only PATH, HOME and TMPDIR. If weft itself was started by a make, the rest
 * of the environment may have settings of that make (MAKEFLAGS), which are wrong for this one. The
 * memory of make and its children is limited.
 */
#ifndef WV_KBUILD_MAKE_H
#define WV_KBUILD_MAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A module's source. */
struct wv_module_source {
	const char *name; /* name of the module; no other source of the same run has it */
	const char *text; /* the module's C source */
};

/* The folders of a run. Strings are paths that belong to the caller. */
struct wv_kbuild_folders {
	const char *kernel;  /* build folder of the kernel */
	const char *runtime; /* folder of advice.h, absolute */
	const char *kmod;    /* folder of weft.ko's Module.symvers, absolute */
};

/*
 * Writes the sources, each to a NAME.c, and a Kbuild file into @folder, which must exist. After
 * this the folder has all that `make M=` needs to build the modules. @more is added to the Kbuild
 * file.
 */
int wv_kbuild_sources(const struct wv_kbuild_folders *folders,
		      const struct wv_module_source *sources, size_t n, const char *more,
		      const char *folder, struct wv_error *error);

/*
 * Runs make over @folder, which wv_kbuild_sources() has filled; all of make's output goes to the
 * file @log. *@ok_ret says whether make built the modules. Each is a NAME.ko with debug
 * information.
 */
int wv_kbuild_make(const struct wv_kbuild_folders *folders, bool parallel, const char *folder,
		   const char *log, bool *ok_ret, struct wv_error *error);

/* The lines of the Kbuild file that are the same for all modules. */
extern const char wv_kbuild_text[];

#endif /* WV_KBUILD_MAKE_H */
