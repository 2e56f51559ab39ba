/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses pointcuts as written on the command line. The form decides the kind:
 *	sk_buff.destructor	accesses of a member (of the kinds of --kind; default: all)
 *	sk_buff.len@exact	the same, but only shadows of precision exact
 *	vfs_read		a function's entry and its inlined instances
 *	vfs_read%PART		a part of a function; pointcut-kinds.h lists them
 *	fs/namei.c:2400		a line
 *	vfs_read+0x12		an instruction
 *	tracepoint:sched_switch	a tracepoint of the kernel itself
 *	nf_conntrack:POINTCUT	any of these, in this module only
 * A text before the first colon, unless it is "tracepoint", names a file if it has a dot or a
 * slash, else a module.
 */
#ifndef WV_POINTCUT_PARSE_H
#define WV_POINTCUT_PARSE_H

#include <stdint.h>

#include "base/error.h"
#include "database/pointcut.h"

/*
 * Parses @text. @kinds is a set of WV_KIND_BIT()s, for a pointcut of a member. Returns -WV_E_USAGE
 * with the reason in @error if @text is no pointcut.
 */
int wv_pointcut_parse(const char *text, uint32_t kinds, struct wv_pointcut *ret,
		      struct wv_error *error);
/* Makes a pointcut for all accesses of kinds @kinds in @file, which is FILE or MODULE:FILE. */
int wv_pointcut_of_file(const char *file, uint32_t kinds, struct wv_pointcut *ret,
			struct wv_error *error);
/* Makes a pointcut for the tracepoint @name, which may be a pattern. */
int wv_pointcut_of_tracepoint(const char *name, struct wv_pointcut *ret, struct wv_error *error);
/* Makes a pointcut for the entry of a function. @text is FUNCTION or MODULE:FUNCTION. */
int wv_pointcut_of_function(const char *text, struct wv_pointcut *ret, struct wv_error *error);

#endif /* WV_POINTCUT_PARSE_H */
