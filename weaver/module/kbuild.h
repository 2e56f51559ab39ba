/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of kbuild over a generated source, in a temporary folder that is always removed
 * afterwards. No shell, no inherited environment (a surrounding make would pass its settings
 * through it), bounded memory.
 */
#ifndef WV_KBUILD_H
#define WV_KBUILD_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

struct wv_kbuild {
	const char *name;   /* name of the module */
	const char *source; /* C source of the module */
	const char *kernel; /* build folder of the kernel */
	const char *runtime; /* folder of advice.h, absolute */
	const char *kmod;   /* folder of weft.ko's Module.symvers, absolute */
	/* path of the .ko; replaced atomically, untouched on failure; NULL: discard */
	const char *output;
	/*
	 * NULL, or called when the module is built, before it is written to .output: an error keeps
	 * it from being written. @calls: what the compiler says of its functions (call-graph.h); ""
	 * if it cannot.
	 */
	int (*check)(void *context, const char *calls, struct wv_error *error);
	void *context;
};

/*
 * Returns 0 if kbuild could be run: *@built_ret says whether it made the module, and @log gets all
 * its output. Errors are those of the system, not of the source.
 */
int wv_kbuild_run(const struct wv_kbuild *build, bool *built_ret, struct wv_str *log,
		  struct wv_error *error);

/*
 * Writes @name.c and a Kbuild file, which are all that `make M=` needs, into @folder, which must
 * exist.
 */
int wv_kbuild_write(const struct wv_kbuild *build, const char *folder, struct wv_error *error);

#endif /* WV_KBUILD_H */
