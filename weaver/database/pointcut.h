/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pointcut as data. It is parsed from the command line (pointcut-parse.h) or from an aspect's
 * XML, and evaluated by query.h. The row of its type in pointcut-kinds.c has everything else about
 * the type.
 */
#ifndef WV_POINTCUT_H
#define WV_POINTCUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Types of pointcuts, in the order in which help lists them. */
enum wv_pointcut_type {
	WV_POINTCUT_MEMBER,
	WV_POINTCUT_ENTRY,
	WV_POINTCUT_EXIT,
	WV_POINTCUT_BLOCK,
	WV_POINTCUT_CALLS,
	WV_POINTCUT_CALLERS,
	WV_POINTCUT_LINE,
	WV_POINTCUT_INSTRUCTION,
	WV_POINTCUT_TRACEPOINT, /* a tracepoint of the vmlinux: .module is WV_VMLINUX */
	WV_POINTCUT_FILE, /* every access in a source file */
	WV_POINTCUT_TYPES /* number of types */
};

/* The bit for an enum weft_kind in a set of kinds. */
#define WV_KIND_BIT(kind) (1u << (kind))
#define WV_KINDS_ALL ((1u << WEFT_KIND_COUNT) - 1)

/*
 * A pointcut. The names in capitals before some comments are the types that use the member. The
 * strings are freed by wv_pointcut_deinit().
 */
struct wv_pointcut {
	enum wv_pointcut_type type;
	/*
	 * Only joinpoints in images whose name this pattern matches (wv_module_is() in within.h);
	 * NULL: in all images.
	 */
	char *module;
	/*
	 * MEMBER: tag or typedef of the struct; "" if it has neither. It is the struct that
	 * declares the member, or the struct with which the access's expression begins. In
	 * sock.sk_state it is the latter: sk_state is a macro for the path __sk_common.skc_state.
	 */
	char *structure;
	/*
	 * MEMBER: its name, or the path to it from .structure on ("__sk_common.skc_state"). As in
	 * C, a path has no name for anonymous members.
	 */
	char *member;
	uint32_t kinds;	 /* MEMBER, FILE: the kinds of access that are picked, as WV_KIND_BIT()s */
	bool exact;	 /* MEMBER: only shadows of precision exact */
	/*
	 * TRACEPOINT: its name; all other types except MEMBER, LINE and FILE: the name of the
	 * function's symbol
	 */
	char *symbol;
	bool inlined;	 /* ENTRY: inlined instances as well */
	bool only_inlined; /* ENTRY: inlined instances only */
	uint64_t offset; /* INSTRUCTION: bytes from the symbol's start */
	/*
	 * If .at_start is true, only the function that begins .start bytes after _text is meant,
	 * and no other function of this name.
	 */
	bool at_start;
	uint64_t start;
	bool ends;	 /* BLOCK: pick each block's last instruction instead of its first */
	char *file;	 /* LINE, FILE: a file or folder, as file-name.h matches it */
	uint32_t line;	 /* LINE: number of the line */
};

/* Returns the last name of a member's path; the whole name if it is no path. */
const char *wv_member_last(const char *member);
static inline bool wv_member_is_path(const char *member)
{
	return wv_member_last(member) != member;
}

/* Sets @ret to a copy of @pointcut with strings of its own. Returns -1 if memory runs out. */
int wv_pointcut_copy(const struct wv_pointcut *pointcut, struct wv_pointcut *ret);
void wv_pointcut_deinit(struct wv_pointcut *pointcut);

/*
 * wv_kinds_parse() converts "get|set" to a set of kinds. wv_kind_name() returns the word for one
 * kind.
 */
int wv_kinds_parse(const char *text, uint32_t *ret, struct wv_error *error);
const char *wv_kind_name(unsigned int kind);

/* Returns the word for an enum weft_precision (runtime/abi.h). */
const char *wv_precision_name(unsigned int precision);

/* Returns the word for an enum weft_fate; "unknown" for all other numbers. */
const char *wv_fate_name(unsigned int fate);

#endif /* WV_POINTCUT_H */
