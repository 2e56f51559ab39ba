/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The notation of locations, accesses and counts, the same in tables, messages, JSON and pages.
 *
 * Each wv_str_add_*() appends to a string. The matching wv_*_text() is for arguments of a printf
 * format: it returns the text by value, which lives until the end of the full expression:
 *
 *	wv_fail(error, WV_E_NO_MATCH, "nothing at %s", wv_symbol_text(name, 5).text);
 */
#ifndef WV_NOTATION_H
#define WV_NOTATION_H

#include <stdint.h>

#include "base/str.h"

/* Bytes for a kernel symbol (at most 511) and an offset. Longer text is truncated. */
enum { WV_PHRASE_MAX = 544 };

struct wv_phrase {
	char text[WV_PHRASE_MAX];
};

/* Write a location in the code: "vfs_read+0x5". If @symbol is NULL, "?" is written for it. */
void wv_str_add_symbol(struct wv_str *out, const char *symbol, uint64_t offset);
struct wv_phrase wv_symbol_text(const char *symbol, uint64_t offset);

/*
 * Returns @path without its folders. Generated C uses this name for the XML file, and so do the
 * messages of the compiler.
 */
const char *wv_base_name(const char *path);

/* Adds the prefix of names in a module: "ext4:". Adds nothing if @module is NULL. */
void wv_str_add_module(struct wv_str *out, const char *module);

/*
 * Returns a location in the code of the vmlinux (@module is NULL) or of a module: "ext4:foo+0x5".
 */
struct wv_phrase wv_shadow_text(const char *module, const char *symbol, uint64_t offset);

/* Adds an address as symbol + offset; if @symbol is NULL, as a number: "0xffffffff81000005". */
void wv_str_add_address(struct wv_str *out, uint64_t address, const char *symbol, uint64_t offset);

/*
 * Write a location in the source: "fs/namei.c:2404:7". The column is left out if it is 0, line and
 * column if the line is 0. If @file is NULL, only "?" is written.
 */
void wv_str_add_source(struct wv_str *out, const char *file, unsigned int line,
		       unsigned int column);
struct wv_phrase wv_source_text(const char *file, unsigned int line, unsigned int column);

/*
 * Write an access of a member: "sk_buff.destructor call". If @structure is NULL: ".len get". If
 * @member is NULL, only @kind is written.
 */
void wv_str_add_access(struct wv_str *out, const char *structure, const char *member,
		       const char *kind);
struct wv_phrase wv_access_text(const char *structure, const char *member, const char *kind);

/* Returns a count with its noun: "1 byte", "2 bytes". Only for nouns whose plural adds an s. */
struct wv_phrase wv_count_text(uint64_t n, const char *noun);

/* Returns @one if @n is 1, otherwise @more. */
const char *wv_plural(uint64_t n, const char *one, const char *more);

#endif /* WV_NOTATION_H */
