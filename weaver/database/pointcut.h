/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pointcut as data: what the command line and an aspect's XML are parsed into and what the database is asked.
 *
 * Written on the command line, its form tells its kind (DESIGN section 4):
 *   sk_buff.destructor		accesses of a member (kinds chosen by --kind; all when none is)
 *   vfs_read			a function's entry and its inlined copies; vfs_read%entry and vfs_read%inlined only those
 *   vfs_read%exit		where it is left: returns and tail calls
 *   vfs_read%blocks		its basic blocks
 *   vfs_read%calls		the calls that it makes
 *   vfs_read%callers		the calls of it
 *   fs/namei.c:2400		a line
 *   vfs_read+0x12		an instruction
 */
#ifndef WV_POINTCUT_H
#define WV_POINTCUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum wv_pointcut_type {
	WV_POINTCUT_MEMBER,
	WV_POINTCUT_ENTRY,
	WV_POINTCUT_LINE,
	WV_POINTCUT_INSTRUCTION,
	WV_POINTCUT_EXIT,
	WV_POINTCUT_BLOCK,
	WV_POINTCUT_CALLS,
	WV_POINTCUT_CALLERS,
	WV_POINTCUT_FILE, /* every access in a file */
};

#define WV_KIND_BIT(kind) (1u << (kind)) /* of enum weft_kind in runtime/joinpoint-table.h */
#define WV_KINDS_ALL ((1u << WEFT_KIND_COUNT) - 1)

struct wv_pointcut {
	enum wv_pointcut_type type;
	char *structure; /* MEMBER: tag or typedef; also the outermost struct of a path or macro, as in sock.sk_state */
	char *member;	 /* MEMBER */
	uint32_t kinds;	 /* MEMBER, FILE: WV_KIND_BIT()s */
	char *symbol;	 /* all but MEMBER and LINE */
	bool inlined;	 /* ENTRY: inlined copies as well */
	bool only_inlined;
	uint64_t offset; /* INSTRUCTION */
	bool at_start;	 /* EXIT, BLOCK: only of the function of this name that begins at .start from _text on */
	uint64_t start;
	bool ends;	 /* BLOCK: their last instructions instead of their first */
	char *file;	 /* LINE, FILE: matches whole path components from the end */
	uint32_t line;	 /* LINE */
};

/* Parses the command line's form. @kinds is used for members. -WV_E_USAGE says what is wrong with @text. */
int wv_pointcut_parse(const char *text, uint32_t kinds, struct wv_pointcut *ret,
		      struct wv_error *error);
/* Every access of these kinds in a file. */
int wv_pointcut_of_file(const char *file, uint32_t kinds, struct wv_pointcut *ret,
			struct wv_error *error);
void wv_pointcut_deinit(struct wv_pointcut *pointcut);

/* The parts of a function that a pointcut can name, in FUNCTION%PART; NULL behind the last. */
const char *wv_function_part(size_t i);

/* "get|set" to a set of kinds, and a kind to its word. */
int wv_kinds_parse(const char *text, uint32_t *ret, struct wv_error *error);
const char *wv_kind_name(unsigned int kind);

/* enum weft_precision (runtime/abi.h) to its word. */
const char *wv_precision_name(unsigned int precision);

#endif /* WV_POINTCUT_H */
