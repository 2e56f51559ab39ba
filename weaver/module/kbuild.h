/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of kbuild over a generated source, in a temporary folder that is gone afterwards whatever
 * happens. No shell, no inherited environment (a surrounding make would speak through it), bounded
 * memory.
 */
#ifndef WV_KBUILD_H
#define WV_KBUILD_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

struct wv_kbuild {
	const char *name;   /* of the module */
	const char *source; /* its C */
	const char *kernel; /* build folder */
	const char *runtime; /* folder of advice.h, absolute */
	const char *kmod;   /* folder of weft.ko's Module.symvers, absolute */
	/* where the .ko goes; replaced in one step, untouched on failure; NULL: nowhere */
	const char *output;
};

/*
 * 0 when kbuild could be run: *@built_ret says whether it made the module, @log has all that it
 * printed. Errors are those of the system around it.
 */
int wv_kbuild_run(const struct wv_kbuild *build, bool *built_ret, struct wv_str *log,
		  struct wv_error *error);

/*
 * Writes @name.c and a Kbuild file into @folder, which must be there: all that a `make M=` needs.
 */
int wv_kbuild_write(const struct wv_kbuild *build, const char *folder, struct wv_error *error);

#endif /* WV_KBUILD_H */
