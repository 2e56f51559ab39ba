// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes locations, accesses and counts; see notation.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/notation.h"

static const char unknown[] = "?";

const char *wv_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void wv_str_add_symbol(struct wv_str *out, const char *symbol, uint64_t offset)
{
	wv_str_add(out, symbol ? symbol : unknown);
	wv_str_add_n(out, "+0x", 3);
	wv_str_add_hex(out, offset);
}

void wv_str_add_address(struct wv_str *out, uint64_t address, const char *symbol, uint64_t offset)
{
	if (symbol) {
		wv_str_add_symbol(out, symbol, offset);
		return;
	}
	wv_str_add_n(out, "0x", 2);
	wv_str_add_hex(out, address);
}

void wv_str_add_module(struct wv_str *out, const char *module)
{
	if (!module)
		return;
	wv_str_add(out, module);
	wv_str_add_n(out, ":", 1);
}

struct wv_phrase wv_shadow_text(const char *module, const char *symbol, uint64_t offset)
{
	struct wv_phrase phrase;

	snprintf(phrase.text, sizeof(phrase.text), "%s%s%s+0x%" PRIx64, module ? module : "",
		 module ? ":" : "", symbol ? symbol : unknown, offset);
	return phrase;
}

struct wv_phrase wv_symbol_text(const char *symbol, uint64_t offset)
{
	return wv_shadow_text(NULL, symbol, offset);
}

void wv_str_add_source(struct wv_str *out, const char *file, unsigned int line, unsigned int column)
{
	wv_str_add(out, file ? file : unknown);
	if (!file || !line)
		return;
	wv_str_add_n(out, ":", 1);
	wv_str_add_decimal(out, line);
	if (!column)
		return;
	wv_str_add_n(out, ":", 1);
	wv_str_add_decimal(out, column);
}

struct wv_phrase wv_source_text(const char *file, unsigned int line, unsigned int column)
{
	struct wv_phrase phrase;

	if (!file || !line)
		snprintf(phrase.text, sizeof(phrase.text), "%s", file ? file : unknown);
	else if (!column)
		snprintf(phrase.text, sizeof(phrase.text), "%s:%u", file, line);
	else
		snprintf(phrase.text, sizeof(phrase.text), "%s:%u:%u", file, line, column);
	return phrase;
}

void wv_str_add_access(struct wv_str *out, const char *structure, const char *member,
		       const char *kind)
{
	if (member) {
		wv_str_add(out, structure ? structure : "");
		wv_str_add_n(out, ".", 1);
		wv_str_add(out, member);
		wv_str_add_n(out, " ", 1);
	}
	wv_str_add(out, kind);
}

struct wv_phrase wv_access_text(const char *structure, const char *member, const char *kind)
{
	struct wv_phrase phrase;

	if (member)
		snprintf(phrase.text, sizeof(phrase.text), "%s.%s %s", structure ? structure : "",
			 member, kind);
	else
		snprintf(phrase.text, sizeof(phrase.text), "%s", kind);
	return phrase;
}

const char *wv_plural(uint64_t n, const char *one, const char *more)
{
	return n == 1 ? one : more;
}

struct wv_phrase wv_count_text(uint64_t n, const char *noun)
{
	struct wv_phrase phrase;

	snprintf(phrase.text, sizeof(phrase.text), "%" PRIu64 " %s%s", n, noun,
		 wv_plural(n, "", "s"));
	return phrase;
}
