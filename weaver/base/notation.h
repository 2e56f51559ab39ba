/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How places and counts are written: in tables, messages, JSON and pages the same, as all of them
 * ask here.
 *
 * A wv_str_add_*() adds to a string. Its unlabelled duplicate wv_*_text() is for the arguments of a
 * printf format: it returns the text by value, and that lives until the full expression ends:
 *
 *	wv_fail(error, WV_E_NO_MATCH, "nothing at %s", wv_symbol_text(name, 5).text);
 */
#ifndef WV_NOTATION_H
#define WV_NOTATION_H

#include <stdint.h>

#include "base/str.h"

/* A symbol of the kernel's has up to 511 bytes. What is longer is cut off. */
enum { WV_PHRASE_MAX = 544 };

struct wv_phrase {
	char text[WV_PHRASE_MAX];
};

/* A place in the code, "vfs_read+0x5"; a symbol that is NULL is "?". */
void wv_str_add_symbol(struct wv_str *out, const char *symbol, uint64_t offset);
struct wv_phrase wv_symbol_text(const char *symbol, uint64_t offset);

/* An address, by its symbol where it has one; where that is NULL, "0xffffffff81000005". */
void wv_str_add_address(struct wv_str *out, uint64_t address, const char *symbol, uint64_t offset);

/*
 * A place in the source, "fs/namei.c:2404:7": without the column where that is 0, without both
 * where the line is. A file that is NULL is "?", and has neither.
 */
void wv_str_add_source(struct wv_str *out, const char *file, unsigned int line,
		       unsigned int column);
struct wv_phrase wv_source_text(const char *file, unsigned int line, unsigned int column);

/* An access of a member, "sk_buff.destructor call"; of what is no member the kind alone. */
void wv_str_add_access(struct wv_str *out, const char *structure, const char *member,
		       const char *kind);
struct wv_phrase wv_access_text(const char *structure, const char *member, const char *kind);

/* How many there are of something: "1 byte", "2 bytes". Of nouns that get an s. */
struct wv_phrase wv_count_text(uint64_t n, const char *noun);

/* One of two words, by how many there are. */
const char *wv_plural(uint64_t n, const char *one, const char *more);

#endif /* WV_NOTATION_H */
