/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Versions of Linux, by their first two numbers alone: 6.12 is a series of stable releases. The
 * third number is ignored, because distributions do not identify stable releases by it.
 */
#ifndef WV_LINUX_VERSION_H
#define WV_LINUX_VERSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* A series as a number: the later the series, the larger the number. 0: no series. */
typedef uint32_t wv_linux_version;

/*
 * Returns the series that @text begins with: 6.12 for "6.12.117+deb13"; 0 if @text does not begin
 * with a version.
 */
wv_linux_version wv_linux_version_of(const char *text);

/*
 * A version as text, "6.12", for messages. wv_linux_version_text() returns the struct by value, so
 * that a caller can use its text within one expression.
 */
struct wv_linux_text {
	char text[24];
};
struct wv_linux_text wv_linux_version_text(wv_linux_version version);

/* The series from .first to .last, both included. */
struct wv_linux_range {
	wv_linux_version first, last;
};

/*
 * Parses a range of versions: "6.12" (only this series), "6.12.." (this one and later), "..6.11"
 * (this one and earlier) or "6.2..6.9". Returns -WV_E_USAGE if @text is none of these, or if no
 * version can be in the range.
 */
int wv_linux_range_parse(const char *text, struct wv_linux_range *ret, struct wv_error *error);

static inline bool wv_linux_in(wv_linux_version version, const struct wv_linux_range *range)
{
	return version >= range->first && version <= range->last;
}

#endif /* WV_LINUX_VERSION_H */
