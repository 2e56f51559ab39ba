/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growable string. An all-zero struct is an empty string; .data is NULL until something is added.
 * If memory runs out, .failed is set and later additions are dropped, so that a series of additions
 * needs only one check, at its end.
 */
#ifndef WV_STR_H
#define WV_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wv_str {
	char *data; /* always NUL-terminated when not NULL */
	/* .n: bytes in the string, without the NUL. .size: bytes allocated. */
	size_t n, size;
	bool failed;
};

void wv_str_deinit(struct wv_str *str);
void wv_str_add(struct wv_str *str, const char *text);
void wv_str_add_n(struct wv_str *str, const char *text, size_t n);
void wv_str_addf(struct wv_str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Adds a number in decimal, or in hexadecimal without a prefix. Much faster than wv_str_addf(), for
 * callers that add thousands of numbers.
 */
void wv_str_add_decimal(struct wv_str *str, uint64_t value);
void wv_str_add_hex(struct wv_str *str, uint64_t value);

/* Adds @text as a C string literal with its quotes. */
void wv_str_add_c(struct wv_str *str, const char *text);

/* Adds @text, changed so that it cannot end the C comment or the line that it is written to. */
void wv_str_add_comment(struct wv_str *str, const char *text);

/* Returns the contents of the string; "" if it is empty. */
static inline const char *wv_str_text(const struct wv_str *str)
{
	return str->data ? str->data : "";
}

#define _cleanup_str_ __attribute__((cleanup(wv_str_deinit)))

/*
 * Makes @text one line: replaces each run of control characters by at most one space. Names from
 * untrusted files may contain control characters, and messages of libraries may have several lines.
 * Returns the new length.
 */
size_t wv_one_line(char *text);

#endif /* WV_STR_H */
