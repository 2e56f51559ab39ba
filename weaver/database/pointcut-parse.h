/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointcuts as they are written on the command line. The form tells the kind:
 *   sk_buff.destructor		accesses of a member (kinds chosen by --kind; all when none is)
 *   vfs_read			a function's entry and its inlined copies
 *   vfs_read%PART		a part of a function: pointcut-kinds.h has the parts
 *   fs/namei.c:2400		a line
 *   vfs_read+0x12		an instruction
 */
#ifndef WV_POINTCUT_PARSE_H
#define WV_POINTCUT_PARSE_H

#include <stdint.h>

#include "base/error.h"
#include "database/pointcut.h"

/*
 * Parses the command line's form. @kinds is used for members. -WV_E_USAGE says what is wrong with
 * @text.
 */
int wv_pointcut_parse(const char *text, uint32_t kinds, struct wv_pointcut *ret,
		      struct wv_error *error);
/* Every access of these kinds in a file. */
int wv_pointcut_of_file(const char *file, uint32_t kinds, struct wv_pointcut *ret,
			struct wv_error *error);

#endif /* WV_POINTCUT_PARSE_H */
