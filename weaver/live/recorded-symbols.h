/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds names of functions to a recording's table. Records have only the addresses of functions that
 * they print with %ps or %pS. The kernel that was recorded is the only one that knows their names,
 * so they are added when the recording ends.
 */
#ifndef WV_RECORDED_SYMBOLS_H
#define WV_RECORDED_SYMBOLS_H

#include "base/error.h"
#include "live/growing-file.h"

/*
 * Reads the records of the recording @path and adds the symbols that they need to @table, the
 * recording's table.
 */
int wv_record_symbols(const char *path, struct wv_growing *table, struct wv_error *error);

#endif /* WV_RECORDED_SYMBOLS_H */
