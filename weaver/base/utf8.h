/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 (RFC 3629). Names of processes and files may be any bytes; formats of text may not. */
#ifndef WV_UTF8_H
#define WV_UTF8_H

#include <stddef.h>

/* U+FFFD, the replacement character, which is written for a byte that is not valid UTF-8. */
#define WV_UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The length in bytes of the character at @text, 1 to 4; 0 if the bytes there are not UTF-8. */
size_t wv_utf8_length(const char *text);

#endif /* WV_UTF8_H */
