/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the two tables of an aspect's module that are known only after it is compiled
 * (runtime/code-tables.h). The first has the line of the XML to which code belongs. The second has
 * kernel functions that the module calls; if one of them faults, weft.ko may end it in the middle,
 * together with the advice that called it.
 */
#ifndef WV_LATE_TABLES_H
#define WV_LATE_TABLES_H

#include "base/error.h"

struct wv_db;

/*
 * Writes both tables to the module at @path, which must still have its debug information. @file:
 * the XML file's name, without a folder. @db: the kernel's database. @graph: the compiler's call
 * graph (call-graph.h).
 */
int wv_late_tables_write(const char *path, const char *file, struct wv_db *db, const char *graph,
			 struct wv_error *error);

#endif /* WV_LATE_TABLES_H */
