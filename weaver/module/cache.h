/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache of compiled aspects: ${XDG_CACHE_HOME:-~/.cache}/weft/aspects/KEY.ko, where KEY is made
 * of all that a module depends on. An aspect that did not change is a file that is there; nothing
 * is ever out of date, only unused. The last WV_CACHE_MAX that were used are kept.
 */
#ifndef WV_CACHE_H
#define WV_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

#define WV_CACHE_MAX 100

struct wv_cache_inputs {
	const char *aspect; /* by content */
	const uint8_t *build_id; /* of the kernel */
	size_t build_id_size;
	const char *kernel; /* its folder: .config by content */
	const char *db;	    /* by size and time, as is weft itself */
	bool filtered;
	const char *kmod, *runtime; /* folders: Module.symvers and headers by content */
};

/*
 * Where the module of @inputs is or belongs; the folder is made. -WV_E_FAILURE where it is somebody
 * else's or others can write there: a module from it goes into the kernel.
 */
int wv_cache_path(const struct wv_cache_inputs *inputs, char path[PATH_MAX],
		  struct wv_error *error);

/* Whether it is there; it counts as used now. */
bool wv_cache_has(const char *path);

/* Keeps what was noted when it was compiled, NULL: nothing; and appends that to @out. */
void wv_cache_note(const char *path, const char *notes);
void wv_cache_notes(const char *path, struct wv_str *out);

/* Removes what was not used for longest, in the folder of @path, while there is too much. */
void wv_cache_trim(const char *path);

#endif /* WV_CACHE_H */
