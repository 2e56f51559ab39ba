/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the joinpoint database, a file made by `weft index`. The code that reads it and the code
 * that writes it (index/build.h) share the schema (schema.h, documented in docs/database.md), so
 * the reader needs to know nothing of ELF or DWARF. query.h evaluates pointcuts.
 */
#ifndef WV_DB_H
#define WV_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/linux-version.h"
#include "runtime/abi.h"

struct wv_db;

/* Opens @path read-only and checks that it is a database of this version. */
int wv_db_open(const char *path, struct wv_db **ret, struct wv_error *error);
void wv_db_close(struct wv_db *db);

static inline void wv_cleanup_db(struct wv_db **db)
{
	wv_db_close(*db);
}
#define _cleanup_db_ __attribute__((cleanup(wv_cleanup_db)))

/*
 * Returns the build-id of the indexed image; @size is 0 if the image has none. Valid until
 * wv_db_close().
 */
const uint8_t *wv_db_build_id(const struct wv_db *db, size_t *size);

/*
 * Returns the name of the program from which the database was made; NULL: it was made from a
 * kernel. Valid until wv_db_close().
 */
const char *wv_db_program(const struct wv_db *db);

/* Returns what the joinpoints are in, for messages: "this kernel", or the program's name. */
const char *wv_db_target(const struct wv_db *db);

/* Returns the vmlinux's version of Linux (6.12); 0 if the database does not have it. */
wv_linux_version wv_db_linux_version(const struct wv_db *db);

/*
 * Returns the link address of _text, from which offsets of shadows count. The offset of a shadow in
 * a module has the number of the module's image in its upper bits. The sum of this offset and the
 * address of _text is what weft uses as the shadow's address. No kernel has the shadow at this
 * address. But the sum identifies the shadow's location in the database, and the differences
 * between sums within one module are the true distances in bytes.
 */
uint64_t wv_db_text_address(const struct wv_db *db);

/*
 * Returns the name of a symbol for the link address @address: of the function or label that begins
 * at @address or, if none does, of the function that contains @address. Returns NULL if there is
 * neither. The name is valid until the next call. Sets *@offset_ret to the distance in bytes from
 * the symbol's beginning to @address.
 */
const char *wv_db_symbol_at(struct wv_db *db, uint64_t address, uint64_t *offset_ret);

/*
 * Copies up to @size bytes of text, starting at the link address @address. Returns
 * the number of bytes copied.
 */
size_t wv_db_text_bytes(struct wv_db *db, uint64_t address, uint8_t *buffer, size_t size);

/* Like wv_db_text_bytes(), starting @offset bytes after _text. */
size_t wv_db_bytes(struct wv_db *db, uint64_t offset, uint8_t *buffer, size_t size);

/*
 * Returns the name of image number @image: WV_VMLINUX for 0, else a module's name. NULL: there is
 * no such image.
 */
const char *wv_db_image_name(const struct wv_db *db, uint64_t image);

/*
 * Reads the build-id of a module; *@size_ret is 0 if the module has none or is not in the database.
 */
int wv_db_module_build_id(const struct wv_db *db, const char *module,
			  uint8_t ret[WEFT_BUILD_ID_MAX], size_t *size_ret, struct wv_error *error);

/* Returns the name of the module that contains @address; NULL: the vmlinux contains it. */
const char *wv_db_module_at(const struct wv_db *db, uint64_t address);

/*
 * Returns how far away the image that contains @address is from the vmlinux, in the addresses of
 * wv_db_text_address(). The distance is 0 for the vmlinux itself, and a multiple of 4 GB for a
 * module.
 */
uint64_t wv_db_away(const struct wv_db *db, uint64_t address);

/* Returns the link address of the vmlinux's symbol @name; 0 if there is none. */
uint64_t wv_db_symbol_address(struct wv_db *db, const char *name);

/*
 * Sets *@ret to the address of the import symbol (WV_SYMBOL_IMPORT in schema.h) by which the module
 * with the image number @image refers to the symbol @name of another image; to 0 if this module
 * does not refer to the symbol.
 */
int wv_db_import(struct wv_db *db, const char *name, uint64_t image, uint64_t *ret,
		 struct wv_error *error);

#endif /* WV_DB_H */
