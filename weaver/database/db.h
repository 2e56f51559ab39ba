/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The joinpoint database, read side: a file made by `weft index`. Knows nothing of ELF or DWARF;
 * it shares the schema (schema.h, documented in docs/database.md) with the side that builds it
 * (build.h). Pointcuts are asked with query.h.
 */
#ifndef WV_DB_H
#define WV_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

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
 * The build-id of the image that was indexed; @size is 0 when it has none. Valid until
 * wv_db_close().
 */
const uint8_t *wv_db_build_id(const struct wv_db *db, size_t *size);

/* The link address of _text, which shadows are counted from. */
uint64_t wv_db_text_address(const struct wv_db *db);

/*
 * The name of the link address @address: a function or label that begins there, else the function
 * that holds it, else NULL. Valid until the next call. *@offset_ret is the distance from the name's
 * own address.
 */
const char *wv_db_symbol_at(struct wv_db *db, uint64_t address, uint64_t *offset_ret);

/*
 * Up to @size bytes of the vmlinux's text from the link address @address on; returns how many there
 * are.
 */
size_t wv_db_text_bytes(struct wv_db *db, uint64_t address, uint8_t *buffer, size_t size);

/* The same by the offset from _text. */
size_t wv_db_bytes(struct wv_db *db, uint64_t offset, uint8_t *buffer, size_t size);

/* The link address of a symbol by its name, or 0. */
uint64_t wv_db_symbol_address(struct wv_db *db, const char *name);

#endif /* WV_DB_H */
