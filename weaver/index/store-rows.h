/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of one image, table by table. */
#ifndef WV_STORE_ROWS_H
#define WV_STORE_ROWS_H

struct wv_store;

/* Writes all rows of store->contents. */
int wv_store_rows(struct wv_store *store);

#endif /* WV_STORE_ROWS_H */
