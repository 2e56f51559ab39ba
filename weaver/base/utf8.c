// SPDX-License-Identifier: GPL-2.0-or-later
/* Recognizes valid UTF-8. */
#include <stdbool.h>

#include "base/utf8.h"

/* Returns whether the first @n bytes at @s are continuation bytes of UTF-8 (10xxxxxx in binary). */
static bool continues(const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return false;
	}
	return true;
}

/*
 * The comparisons of s[1] refuse sequences that RFC 3629 forbids, although each byte alone is
 * allowed: characters in more bytes than they need, surrogates, and characters above U+10FFFF.
 */
size_t wv_utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		return continues(s + 1, 1) ? 2 : 0;
	if ((s[0] & 0xf0) == 0xe0) {
		if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))
			return 0;
		return continues(s + 1, 2) ? 3 : 0;
	}
	if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
			return 0;
		return continues(s + 1, 3) ? 4 : 0;
	}
	return 0;
}
