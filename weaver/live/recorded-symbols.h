/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions whose names the records of a recording have by their addresses (%ps, %pS): only the
 * kernel that was recorded knows them, so they are added to the recording's table at its end.
 */
#ifndef WV_RECORDED_SYMBOLS_H
#define WV_RECORDED_SYMBOLS_H

#include "base/error.h"
#include "live/growing-file.h"

/* Reads the recording @path and adds the symbols to @table, its table. */
int wv_record_symbols(const char *path, struct wv_growing *table, struct wv_error *error);

#endif /* WV_RECORDED_SYMBOLS_H */
