/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pointcut as data. The command line (pointcut-parse.h) and an aspect's XML are parsed into it,
 * and query.h takes it. pointcut-kinds.c has a row for each type, with everything else about the
 * type.
 */
#ifndef WV_POINTCUT_H
#define WV_POINTCUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* In the order in which help lists the types. */
enum wv_pointcut_type {
	WV_POINTCUT_MEMBER,
	WV_POINTCUT_ENTRY,
	WV_POINTCUT_EXIT,
	WV_POINTCUT_BLOCK,
	WV_POINTCUT_CALLS,
	WV_POINTCUT_CALLERS,
	WV_POINTCUT_LINE,
	WV_POINTCUT_INSTRUCTION,
	WV_POINTCUT_TRACEPOINT, /* a tracepoint of the kernel proper: .module is WV_VMLINUX */
	WV_POINTCUT_FILE, /* every access in a file */
	WV_POINTCUT_TYPES /* number of types */
};

#define WV_KIND_BIT(kind) (1u << (kind)) /* a set of enum weft_kind (runtime/joinpoint-table.h) */
#define WV_KINDS_ALL ((1u << WEFT_KIND_COUNT) - 1)

struct wv_pointcut {
	enum wv_pointcut_type type;
	/*
	 * only in the modules of this name, or WV_VMLINUX for the kernel itself; may have * and ?.
	 * NULL: in all images of the database
	 */
	char *module;
	/*
	 * MEMBER: tag or typedef of the struct; "": it has neither. May also be the struct that the
	 * expression begins with, if the member is at the end of a path or in a macro, as in
	 * sock.sk_state.
	 */
	char *structure;
	/*
	 * MEMBER: its name; or the path from .structure to it ("__sk_common.skc_state"), which
	 * leaves out members without a name, as C does
	 */
	char *member;
	uint32_t kinds;	 /* MEMBER, FILE: WV_KIND_BIT()s */
	bool exact;	 /* MEMBER: only shadows of precision exact */
	/*
	 * name of the symbol, for TRACEPOINT of the tracepoint; for all types except MEMBER, LINE
	 * and FILE
	 */
	char *symbol;
	bool inlined;	 /* ENTRY: inlined instances as well */
	bool only_inlined; /* ENTRY: inlined instances only */
	uint64_t offset; /* INSTRUCTION: bytes from the symbol's start */
	bool at_start; /* only the function of this name that begins .start bytes after _text */
	uint64_t start;
	bool ends;	 /* BLOCK: pick each block's last instruction instead of its first */
	char *file;	 /* LINE, FILE: matches whole path components from the end */
	uint32_t line;	 /* LINE: its number */
};

/* The last name of a member's path; the whole name if it is no path. */
const char *wv_member_last(const char *member);
static inline bool wv_member_is_path(const char *member)
{
	return wv_member_last(member) != member;
}

/* Makes a deep copy. -1: out of memory. */
int wv_pointcut_copy(const struct wv_pointcut *pointcut, struct wv_pointcut *ret);
void wv_pointcut_deinit(struct wv_pointcut *pointcut);

/* Converts "get|set" to a set of kinds, and a kind to its word. */
int wv_kinds_parse(const char *text, uint32_t *ret, struct wv_error *error);
const char *wv_kind_name(unsigned int kind);

/* Converts enum weft_precision (runtime/abi.h) to its word. */
const char *wv_precision_name(unsigned int precision);

/* The word for enum weft_fate; "unknown" for all other numbers. */
const char *wv_fate_name(unsigned int fate);

#endif /* WV_POINTCUT_H */
