/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cache of compiled aspects: ${XDG_CACHE_HOME:-~/.cache}/weft/aspects/KEY.ko. KEY is a hash of
 * everything that a module depends on, so an entry is never stale, only unused. The WV_CACHE_MAX
 * most recently used entries are kept.
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
	const char *aspect; /* hashed by content */
	const uint8_t *build_id; /* build-id of the kernel */
	size_t build_id_size;
	const char *kernel; /* build folder; its .config is hashed by content */
	const char *db;	    /* hashed by size and time, as is the weft program itself */
	bool filtered;
	/* folders; Module.symvers and the headers are hashed by content */
	const char *kmod, *runtime;
};

/*
 * Path of the cached module for @inputs, whether it exists or not; creates the folder.
 * -WV_E_FAILURE if the folder belongs to another user or others can write to it: a module from
 * there is loaded into the kernel.
 */
int wv_cache_path(const struct wv_cache_inputs *inputs, char path[PATH_MAX],
		  struct wv_error *error);

/* Whether the module exists. If it does, it is marked as used now. */
bool wv_cache_has(const char *path);

/*
 * wv_cache_note() stores the notes of the compile beside the module; NULL: no notes.
 * wv_cache_notes() appends them to @out.
 */
void wv_cache_note(const char *path, const char *notes);
void wv_cache_notes(const char *path, struct wv_str *out);

/* Removes the least recently used modules from the folder of @path until the limit is met. */
void wv_cache_trim(const char *path);

#endif /* WV_CACHE_H */
