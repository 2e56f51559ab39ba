/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A JSON writer (RFC 8259). It writes quotes, commas, colons and brackets; the caller passes keys
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
 * This adds {"symbol":"vfs_read","live":["rax"]} and a newline to the string. Output is one object
 * on each line: the outermost value must be an object, and its end writes the newline.
 *
 * @key is the name of a value in an object. It is NULL in an array and for the outermost object.
 * Wrong use is a bug and fails an assertion: a key in an array, a missing key in an object, an end
 * that does not match its beginning, a value outside of the outermost object, more than
 * WV_JSON_DEPTH_MAX levels. If memory runs out, .failed of the string is set.
 */
#ifndef WV_JSON_WRITER_H
#define WV_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum { WV_JSON_DEPTH_MAX = 32 };

struct wv_json {
	struct wv_str *out;
	unsigned int depth; /* number of open objects and arrays */
	uint32_t arrays;    /* bit n: the open value at depth n + 1 is an array */
	bool comma;	    /* the next value needs a comma before it */
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
 * Writes a string. Quotes, backslashes and control characters are escaped. Valid UTF-8 is
 * unchanged; each byte outside valid UTF-8 becomes U+FFFD (overlong forms and surrogates are not
 * valid).
 */
void wv_json_text(struct wv_json *json, const char *key, const char *text);

/* Like wv_json_text(), but writes neither key nor value if @text is NULL or "". */
void wv_json_text_if(struct wv_json *json, const char *key, const char *text);

/*
 * Like wv_json_text(), for a struct wv_str. If @text has failed (out of memory), json->out fails
 * too.
 */
void wv_json_str(struct wv_json *json, const char *key, const struct wv_str *text);

void wv_json_unsigned(struct wv_json *json, const char *key, uint64_t value);
void wv_json_signed(struct wv_json *json, const char *key, int64_t value);

/*
 * Writes @value with @decimals digits after the point, or null if @value is infinite or not a
 * number.
 */
void wv_json_real(struct wv_json *json, const char *key, double value, unsigned int decimals);

/*
 * Writes an address or another 64-bit word as a string, "0x1f", since many JSON readers round large
 * numbers. 0 is "0".
 */
void wv_json_hex(struct wv_json *json, const char *key, uint64_t value);

void wv_json_bool(struct wv_json *json, const char *key, bool value);
void wv_json_null(struct wv_json *json, const char *key);

#endif /* WV_JSON_WRITER_H */
