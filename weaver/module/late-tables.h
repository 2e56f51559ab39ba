/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of an aspect's module that are known only when it is compiled
 * (runtime/code-tables.h): which code is of which line of the XML, and which kernel functions, of
 * those that it calls, advice may be left in.
 */
#ifndef WV_LATE_TABLES_H
#define WV_LATE_TABLES_H

#include "base/error.h"

struct wv_db;

/*
 * Writes them to the module at @path, which has its debug information still. @file: the XML's name,
 * without a folder. @db: the kernel's. @graph: the compiler's (call-graph.h).
 */
int wv_late_tables_write(const char *path, const char *file, struct wv_db *db, const char *graph,
			 struct wv_error *error);

#endif /* WV_LATE_TABLES_H */
