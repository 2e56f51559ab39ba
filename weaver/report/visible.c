// SPDX-License-Identifier: GPL-2.0-or-later
/* Hides control characters; see visible.h. */
#include <string.h>

#include "report/visible.h"

/*
 * Returns the number of bytes of the control character at @text; 0 if there is none. @n is the
 * number of bytes that are left. The control characters U+0080 to U+009F (C1) have two bytes in
 * UTF-8.
 */
static size_t control_length(const char *text, size_t n)
{
	const unsigned char *c = (const unsigned char *)text;

	if (*c < ' ' || *c == 0x7f)
		return 1;
	return n > 1 && c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
}

static void hide(char *text, size_t n)
{
	for (size_t i = 0, length; i < n; i += length ? length : 1) {
		length = control_length(text + i, n - i);
		memset(text + i, '?', length);
	}
}

void wv_visible_from(struct wv_str *str, size_t from)
{
	if (!str->failed && from < str->n)
		hide(str->data + from, str->n - from);
}

void wv_visible_print(FILE *out, const char *text, size_t n)
{
	size_t done = 0;

	for (size_t i = 0, length; i < n; i += length ? length : 1) {
		length = text[i] == '\n' || text[i] == '\t' ? 0 :
							      control_length(text + i, n - i);
		if (!length)
			continue;
		fwrite(text + done, 1, i - done, out);
		fputs(length == 1 ? "?" : "??", out);
		done = i + length;
	}
	fwrite(text + done, 1, n - done, out);
}

struct wv_visible_comm wv_visible_comm(const char comm[WV_COMM_SIZE])
{
	struct wv_visible_comm ret = { 0 };

	memcpy(ret.text, comm, WV_COMM_SIZE);
	hide(ret.text, strlen(ret.text));
	return ret;
}
