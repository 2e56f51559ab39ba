/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes two tables of an aspect's module that can be made only after it is compiled
 * (runtime/code-tables.h):
 * - the line of the XML from which each piece of code comes.
 * - the kernel functions that the module calls and that weft.ko may end in the middle. If such a
 *   function faults, weft.ko ends it together with the advice that has called it.
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
