/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the rows of one image, table by table, and the list of names of all images. Each function
 * returns 0, or a negative error code with the error in store->error.
 */
#ifndef WV_STORE_ROWS_H
#define WV_STORE_ROWS_H

#include <stdbool.h>

struct wv_section;
struct wv_store;

/* Writes all rows of store->contents. */
int wv_store_rows(struct wv_store *store);

/*
 * Each of the following functions writes the rows of one table; wv_store_rows() calls them. First
 * come the tables about the image (store-image.c).
 */
int wv_store_meta(struct wv_store *store);
int wv_store_image(struct wv_store *store);
int wv_store_units(struct wv_store *store);
int wv_store_mentions(struct wv_store *store);
int wv_store_sections(struct wv_store *store);

/*
 * The tables about accesses (store-accesses.c). wv_store_joinpoints() also fills the table of
 * macros.
 */
int wv_store_files(struct wv_store *store);
int wv_store_fields(struct wv_store *store);
int wv_store_functions(struct wv_store *store);
int wv_store_joinpoints(struct wv_store *store);
int wv_store_shadows(struct wv_store *store);
int wv_store_fates(struct wv_store *store);

/* The tables about code (store-code.c). */
int wv_store_symbols(struct wv_store *store);
int wv_store_lines(struct wv_store *store);
int wv_store_inlines(struct wv_store *store);
int wv_store_copies(struct wv_store *store);
int wv_store_places(struct wv_store *store);
int wv_store_calls(struct wv_store *store);
int wv_store_owners(struct wv_store *store);
int wv_store_branch_targets(struct wv_store *store);
int wv_store_text(struct wv_store *store);

/*
 * Fills the table `names` (store-names.c). Called once, after the rows of all images and
 * WV_SCHEMA_INDEXES.
 */
int wv_store_names(struct wv_store *store);

/* Returns whether the section is one whose code the database has. */
bool wv_store_is_text(const struct wv_section *section);

#endif /* WV_STORE_ROWS_H */
