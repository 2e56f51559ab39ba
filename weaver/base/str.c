// SPDX-License-Identifier: GPL-2.0-or-later
/* The growing string; see str.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

void wv_str_deinit(struct wv_str *str)
{
	free(str->data);
	memset(str, 0, sizeof(*str));
}

static __attribute__((noinline)) bool grow(struct wv_str *str, size_t more)
{
	size_t wanted = str->size ? str->size : 256;
	char *moved;

	if (str->failed)
		return false;
	while (wanted <= str->n + more)
		wanted *= 2;
	moved = realloc(str->data, wanted);
	if (!moved) {
		str->failed = true;
		return false;
	}
	str->data = moved;
	str->size = wanted;
	return true;
}

/* Makes room for @more bytes and a NUL. Returns false if the string has failed. */
static inline bool reserve(struct wv_str *str, size_t more)
{
	return (!str->failed && str->n + more < str->size) || grow(str, more);
}

void wv_str_add_n(struct wv_str *str, const char *text, size_t n)
{
	if (!reserve(str, n))
		return;
	memcpy(str->data + str->n, text, n);
	str->n += n;
	str->data[str->n] = '\0';
}

void wv_str_add(struct wv_str *str, const char *text)
{
	wv_str_add_n(str, text, strlen(text));
}

/*
 * Formats into the free space first. If that is too small, which is rare, grows and formats again.
 */
void wv_str_addf(struct wv_str *str, const char *format, ...)
{
	size_t room = str->failed ? 0 : str->size - str->n;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(room ? str->data + str->n : NULL, room, format, args);
	va_end(args);
	if (n < 0 || !reserve(str, n))
		return;
	if ((size_t)n >= room) {
		va_start(args, format);
		vsnprintf(str->data + str->n, n + 1, format, args);
		va_end(args);
	}
	str->n += n;
}

#define DIGITS_MAX 20 /* digits of the largest 64-bit number in decimal */

static void add_digits(struct wv_str *str, uint64_t value, unsigned int base)
{
	char digits[DIGITS_MAX];
	size_t first = sizeof(digits);

	do {
		digits[--first] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	wv_str_add_n(str, digits + first, sizeof(digits) - first);
}

void wv_str_add_decimal(struct wv_str *str, uint64_t value)
{
	add_digits(str, value, 10);
}

void wv_str_add_hex(struct wv_str *str, uint64_t value)
{
	add_digits(str, value, 16);
}

void wv_str_add_c(struct wv_str *str, const char *text)
{
	wv_str_add(str, "\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			wv_str_addf(str, "\\%c", *text);
		else if ((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7f)
			wv_str_addf(str, "\\%03o", (unsigned char)*text);
		else
			wv_str_add_n(str, text, 1);
	}
	wv_str_add(str, "\"");
}

void wv_str_add_comment(struct wv_str *str, const char *text)
{
	for (; *text; text++)
		wv_str_add_n(str, *text == '*' || (unsigned char)*text < ' ' ? "?" : text, 1);
}

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

size_t wv_one_line(char *text)
{
	char *to = text;

	/* Mostly there is nothing to replace. */
	while (!is_control(*to))
		to++;
	for (const char *from = to; *from; from++) {
		if (!is_control(*from))
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	*to = '\0';
	return to - text;
}
