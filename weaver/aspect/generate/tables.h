/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of an aspect's module: where its joinpoints are. They are made as the bytes of the
 * sections that runtime/abi.h describes, and written as C from these.
 */
#ifndef WV_TABLES_H
#define WV_TABLES_H

#include "aspect/resolve/select.h"
#include "base/str.h"
#include "base/vec.h"
#include "runtime/abi.h"

struct wv_tables {
	WV_VEC(struct weft_text_part) parts; /* the first one is the kernel itself */
	WV_VEC(struct weft_joinpoint) joinpoints;
	struct wv_str strings; /* texts, each with its NUL; the first one is "" */
};

/* Makes the tables. @ret need not be initialized; it must be freed even after a failure. */
int wv_tables_make(const struct wv_aspect *aspect, const struct wv_selection *selection,
		   struct wv_tables *ret, struct wv_error *error);
void wv_tables_deinit(struct wv_tables *tables);

/*
 * Writes the tables as C: wv_tables_write_strings() the strings, wv_tables_write() the others.
 */
void wv_tables_write_strings(const struct wv_tables *tables, struct wv_str *out);
void wv_tables_write(const struct wv_tables *tables, struct wv_str *out);

/*
 * Writes empty tables as C. After the module has been compiled, other tables can be put in their
 * place (module/template.h). The table of strings has wv_tables_room() bytes: so many that the
 * strings of @tables fit, since its size cannot change later.
 */
void wv_tables_write_empty(const struct wv_tables *tables, struct wv_str *out);
size_t wv_tables_room(const struct wv_tables *tables);

#endif /* WV_TABLES_H */
