/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes valid UTF-8 (RFC 3629). The names of processes and files may consist of any bytes, but
 * JSON and OpenMetrics allow only valid UTF-8.
 */
#ifndef WV_UTF8_H
#define WV_UTF8_H

#include <stddef.h>

/* U+FFFD, the replacement character. It is written in place of a byte that is not valid UTF-8. */
#define WV_UTF8_REPLACEMENT "\xef\xbf\xbd"

/*
 * Returns the length in bytes, 1 to 4, of the character at the beginning of @text; 0 if the bytes
 * there are not valid UTF-8.
 */
size_t wv_utf8_length(const char *text);

#endif /* WV_UTF8_H */
