/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the joinpoint database of a program, which is an executable file or a shared library. A
 * program is small beside a kernel, so it is indexed when it is needed.
 */
#ifndef WV_PROGRAM_DATABASE_H
#define WV_PROGRAM_DATABASE_H

#include <limits.h>

#include "base/error.h"

/*
 * Sets @ret to the path of the database of @program: PROGRAM.weft beside it, if there is such a
 * file; else one in the cache, whose name has the program's build-id, and which is made now unless
 * it exists. Returns:
 * -WV_E_FORMAT: the file is no program, or has neither a build-id nor debug information.
 * -WV_E_MISMATCH: PROGRAM.weft is of another build.
 */
int wv_program_database(const char *program, char ret[PATH_MAX], struct wv_error *error);

#endif /* WV_PROGRAM_DATABASE_H */
