/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the joinpoint database of a program, which is an executable file or a shared library.
 * Programs are small, compared with a kernel, so a program is indexed only when its database is
 * needed.
 */
#ifndef WV_PROGRAM_DATABASE_H
#define WV_PROGRAM_DATABASE_H

#include <limits.h>

#include "base/error.h"

/*
 * Sets @ret to the path of the database of @program. This is PROGRAM.weft beside the program, if
 * there is such a file. Otherwise it is a file in the cache, whose name has the program's build-id;
 * if this file does not exist, it is made now. Returns:
 * - -WV_E_FORMAT: the file is no program, or has neither a build-id nor debug information.
 * - -WV_E_MISMATCH: PROGRAM.weft is of another build.
 */
int wv_program_database(const char *program, char ret[PATH_MAX], struct wv_error *error);

#endif /* WV_PROGRAM_DATABASE_H */
