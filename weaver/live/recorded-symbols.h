/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds names of functions to a recording's table. Of a function that is printed with %ps or %pS, a
 * record has only the address. Only the kernel that was recorded knows which function is at this
 * address, so the names are added when the recording ends.
 */
#ifndef WV_RECORDED_SYMBOLS_H
#define WV_RECORDED_SYMBOLS_H

#include "base/error.h"
#include "live/growing-file.h"

/*
 * Reads the records of the recording @path, and adds the symbols that are needed to print them to
 * @table, the recording's table.
 */
int wv_record_symbols(const char *path, struct wv_growing *table, struct wv_error *error);

#endif /* WV_RECORDED_SYMBOLS_H */
