/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON writer (RFC 8259). It places quotes, commas, colons and brackets; a caller gives keys
 * and values:
 *
 *	struct wv_json json = WV_JSON(&out);
 *
 *	wv_json_begin_object(&json, NULL);
 *	wv_json_text(&json, "symbol", "vfs_read");
 *	wv_json_begin_array(&json, "live");
 *	wv_json_text(&json, NULL, "rax");
 *	wv_json_end_array(&json);
 *	wv_json_end_object(&json);
 *
 * adds {"symbol":"vfs_read","live":["rax"]} and a newline. Output is one object a line: what stands
 * outside of every other value is an object, and the end of that object ends the line.
 *
 * @key is the name of a value in an object, and NULL in an array and for the outermost object.
 * Wrong use is a bug and fails an assertion: a key where there can be none, none where one is
 * needed, an end that does not match its beginning, a value outside of the outermost object, more
 * than WV_JSON_DEPTH_MAX levels. Running out of memory sets .failed of the string.
 */
#ifndef WV_JSON_WRITER_H
#define WV_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum { WV_JSON_DEPTH_MAX = 32 };

struct wv_json {
	struct wv_str *out;
	unsigned int depth; /* objects and arrays that are open */
	uint32_t arrays;    /* bit n: the one at depth n + 1 is an array */
	bool comma;	    /* a value stands before the next one */
};

#define WV_JSON(string)         \
	{                       \
		.out = (string) \
	}

void wv_json_begin_object(struct wv_json *json, const char *key);
void wv_json_end_object(struct wv_json *json);
void wv_json_begin_array(struct wv_json *json, const char *key);
void wv_json_end_array(struct wv_json *json);

/*
 * A string. Quotes, backslashes and control characters are escaped. UTF-8 stays as it is; each byte
 * that is no part of valid UTF-8 (overlong forms and surrogates are not valid) becomes U+FFFD.
 */
void wv_json_text(struct wv_json *json, const char *key, const char *text);

/* The same, left out with its key where @text is NULL or "". */
void wv_json_text_if(struct wv_json *json, const char *key, const char *text);

/* The same of a text that was put together. Where memory ran out for that, the output fails too. */
void wv_json_str(struct wv_json *json, const char *key, const struct wv_str *text);

void wv_json_unsigned(struct wv_json *json, const char *key, uint64_t value);
void wv_json_signed(struct wv_json *json, const char *key, int64_t value);

/* With @decimals digits behind the point; null where @value is infinite or not a number. */
void wv_json_real(struct wv_json *json, const char *key, double value, unsigned int decimals);

/*
 * An address or another 64-bit word, as a string, since many readers of JSON round large numbers:
 * "0x1f", and "0" for 0.
 */
void wv_json_hex(struct wv_json *json, const char *key, uint64_t value);

void wv_json_bool(struct wv_json *json, const char *key, bool value);
void wv_json_null(struct wv_json *json, const char *key);

#endif /* WV_JSON_WRITER_H */
