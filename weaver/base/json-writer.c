// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON writer; see json-writer.h. */
#include <assert.h>
#include <math.h>

#include "base/json-writer.h"
#include "base/utf8.h"

static bool is_plain(unsigned char c)
{
	return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
}

static void add_string(struct wv_str *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	wv_str_add_n(out, "\"", 1);
	while (*s) {
		size_t n = 0;

		while (is_plain(s[n]))
			n++;
		if (*s >= 0x80)
			n = wv_utf8_length((const char *)s);
		if (n) {
			wv_str_add_n(out, (const char *)s, n);
			s += n;
			continue;
		}
		if (*s == '"' || *s == '\\')
			wv_str_addf(out, "\\%c", *s);
		else if (*s < ' ')
			wv_str_addf(out, "\\u%04x", *s);
		else
			wv_str_add(out, "\\ufffd"); /* WV_UTF8_REPLACEMENT as a JSON escape */
		s++;
	}
	wv_str_add_n(out, "\"", 1);
}

static bool in_array(const struct wv_json *json)
{
	return json->depth && json->arrays >> (json->depth - 1) & 1;
}

/* Writes the text before a value: a comma if needed, and in an object the key. */
static void begin_value(struct wv_json *json, const char *key)
{
	assert(json->depth);
	assert(in_array(json) == !key);
	if (json->comma)
		wv_str_add_n(json->out, ",", 1);
	json->comma = true;
	if (key) {
		add_string(json->out, key);
		wv_str_add_n(json->out, ":", 1);
	}
}

static void begin(struct wv_json *json, const char *key, bool array)
{
	assert(json->depth < WV_JSON_DEPTH_MAX);
	if (json->depth)
		begin_value(json, key);
	else
		assert(!key && !array);
	wv_str_add_n(json->out, array ? "[" : "{", 1);
	json->arrays &= ~(UINT32_C(1) << json->depth);
	json->arrays |= (uint32_t)array << json->depth;
	json->depth++;
	json->comma = false;
}

static void end(struct wv_json *json, bool array)
{
	assert(json->depth && in_array(json) == array);
	json->depth--;
	json->comma = json->depth;
	wv_str_add(json->out, array ? "]" : json->depth ? "}" : "}\n");
}

void wv_json_begin_object(struct wv_json *json, const char *key)
{
	begin(json, key, false);
}

void wv_json_end_object(struct wv_json *json)
{
	end(json, false);
}

void wv_json_begin_array(struct wv_json *json, const char *key)
{
	begin(json, key, true);
}

void wv_json_end_array(struct wv_json *json)
{
	end(json, true);
}

void wv_json_text(struct wv_json *json, const char *key, const char *text)
{
	assert(text);
	begin_value(json, key);
	add_string(json->out, text);
}

void wv_json_text_if(struct wv_json *json, const char *key, const char *text)
{
	if (text && *text)
		wv_json_text(json, key, text);
}

void wv_json_str(struct wv_json *json, const char *key, const struct wv_str *text)
{
	wv_json_text(json, key, wv_str_text(text));
	json->out->failed |= text->failed;
}

void wv_json_unsigned(struct wv_json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	wv_str_add_decimal(json->out, value);
}

void wv_json_signed(struct wv_json *json, const char *key, int64_t value)
{
	begin_value(json, key);
	if (value < 0)
		wv_str_add_n(json->out, "-", 1);
	wv_str_add_decimal(json->out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void wv_json_real(struct wv_json *json, const char *key, double value, unsigned int decimals)
{
	if (!isfinite(value)) {
		wv_json_null(json, key);
		return;
	}
	begin_value(json, key);
	wv_str_addf(json->out, "%.*f", (int)decimals, value);
}

void wv_json_hex(struct wv_json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	wv_str_add(json->out, value ? "\"0x" : "\"");
	wv_str_add_hex(json->out, value);
	wv_str_add_n(json->out, "\"", 1);
}

void wv_json_bool(struct wv_json *json, const char *key, bool value)
{
	begin_value(json, key);
	wv_str_add(json->out, value ? "true" : "false");
}

void wv_json_null(struct wv_json *json, const char *key)
{
	begin_value(json, key);
	wv_str_add(json->out, "null");
}
