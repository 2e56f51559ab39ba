/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cache of compiled aspects: ${XDG_CACHE_HOME:-~/.cache}/weft/aspects/KEY.ko. KEY is a hash of
 * everything that a module depends on. If any of this changes, the module gets another KEY, and the
 * old module is not found any more. The WV_CACHE_MAX most recently used modules are kept.
 */
#ifndef WV_CACHE_H
#define WV_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "module/signing.h"
#include "base/str.h"

#define WV_CACHE_MAX 100

struct wv_cache_inputs {
	/*
	 * path of the aspect's file. Its name and content are hashed, and the sizes and times of
	 * the programs that it names.
	 */
	const char *aspect;
	const struct wv_str *text; /* content of the aspect, if it is in no file; else NULL */
	const uint8_t *build_id; /* build-id of the kernel */
	size_t build_id_size;
	const char *kernel; /* build folder; its path and the content of its .config are hashed */
	/*
	 * path of the database. The size and time of the database and of the program weft are
	 * hashed.
	 */
	const char *db;
	bool filtered;
	/*
	 * The key's path is hashed, and the sizes and times of the key's file and of the
	 * certificate.
	 */
	const struct wv_signing *signing;
	/*
	 * Folders of weft.ko's Module.symvers and of the runtime headers. Their contents are
	 * hashed.
	 */
	const char *kmod, *runtime;
};

/*
 * Sets @path to the path of the cached module for @inputs, whether this file exists or not. Creates
 * the folder. Returns -WV_E_FAILURE if the folder belongs to another user or others can write to
 * it: they could put a module there that weft would load into the kernel.
 */
int wv_cache_path(const struct wv_cache_inputs *inputs, char path[PATH_MAX],
		  struct wv_error *error);

/*
 * Sets @path to the path in the cache of a template (template.h), as wv_cache_path() does for a
 * module. A template depends on its C @source instead of the aspect's text. Templates are in
 * ${XDG_CACHE_HOME:-~/.cache}/weft/templates, and are not signed.
 */
int wv_cache_template_path(const struct wv_cache_inputs *inputs, const struct wv_str *source,
			   char path[PATH_MAX], struct wv_error *error);

/*
 * Sets @path to the folder @name of the cache, and creates it. @what: what is stored in it, for
 * messages. Returns -WV_E_FAILURE if the folder cannot be created, belongs to another user, or
 * others can write to it.
 */
int wv_cache_folder(const char *name, const char *what, char path[PATH_MAX],
		    struct wv_error *error);

/* Returns whether the module @path exists. If it does, sets its time of last use to now. */
bool wv_cache_has(const char *path);

/*
 * wv_cache_note() stores the messages of the compile beside the module, for later runs; @notes is
 * NULL if there are no messages. wv_cache_notes() appends the stored messages to @out; nothing if
 * there are none.
 */
void wv_cache_note(const char *path, const char *notes);
void wv_cache_notes(const char *path, struct wv_str *out);

/*
 * Removes the least recently used modules from the folder that @path is in, until WV_CACHE_MAX are
 * left.
 */
void wv_cache_trim(const char *path);

#endif /* WV_CACHE_H */
