/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A string that grows. All zero is an empty one; .data is NULL until something was added. Running
 * out of memory sets .failed and drops what follows, so that a long run of additions is checked
 * once, at its end.
 */
#ifndef WV_STR_H
#define WV_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wv_str {
	char *data; /* always NUL-terminated when not NULL */
	size_t n, size;
	bool failed;
};

void wv_str_deinit(struct wv_str *str);
void wv_str_add(struct wv_str *str, const char *text);
void wv_str_add_n(struct wv_str *str, const char *text, size_t n);
void wv_str_addf(struct wv_str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A number in decimal, or in hexadecimal without a prefix: where there are thousands, formats cost
 * more than all else.
 */
void wv_str_add_decimal(struct wv_str *str, uint64_t value);
void wv_str_add_hex(struct wv_str *str, uint64_t value);

/* @text as a C string literal with its quotes. */
void wv_str_add_c(struct wv_str *str, const char *text);

/* What is in it; "" where nothing is. */
static inline const char *wv_str_text(const struct wv_str *str)
{
	return str->data ? str->data : "";
}

#define _cleanup_str_ __attribute__((cleanup(wv_str_deinit)))

/*
 * Makes @text one line without control characters, each row of them a space: names come from files
 * that are not trusted, and other libraries' messages have lines. Returns its length.
 */
size_t wv_one_line(char *text);

#endif /* WV_STR_H */
