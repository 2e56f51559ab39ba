/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the two tables of an aspect's module that are known only after it is compiled
 * (runtime/code-tables.h): the line of the XML to which code belongs; and the kernel functions,
 * called by the module, that weft.ko may end in the middle, together with the advice that called
 * them, when they fault.
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
