// SPDX-License-Identifier: GPL-2.0-or-later
/* Versions of Linux and ranges of them; see linux-version.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/linux-version.h"

#define BITS 16 /* bits of the second number in a wv_linux_version */
#define DIGITS 4 /* maximum digits of a number */

/* Reads a number of at most DIGITS digits; false: there is none, or a longer one. */
static bool read_number(const char **at, uint32_t *ret)
{
	const char *begin = *at;

	for (*ret = 0; isdigit((unsigned char)**at) && *at - begin < DIGITS; ++*at)
		*ret = 10 * *ret + (**at - '0');
	return *at > begin && !isdigit((unsigned char)**at);
}

/* Reads a version such as 6.12 and moves *@at after it. Returns 0 if there is no version. */
static wv_linux_version read_version(const char **at)
{
	uint32_t first, second;

	if (!read_number(at, &first) || !first || *(*at)++ != '.' || !read_number(at, &second))
		return 0;
	return first << BITS | second;
}

wv_linux_version wv_linux_version_of(const char *text)
{
	return read_version(&text);
}

struct wv_linux_text wv_linux_version_text(wv_linux_version version)
{
	struct wv_linux_text ret;

	snprintf(ret.text, sizeof(ret.text), "%u.%u", version >> BITS,
		 version & ((1u << BITS) - 1));
	return ret;
}

int wv_linux_range_parse(const char *text, struct wv_linux_range *ret, struct wv_error *error)
{
	const char *at = text;
	bool opens = !strncmp(at, "..", 2);
	bool good = true;

	*ret = (struct wv_linux_range){ .first = 1, .last = UINT32_MAX };
	if (!opens) {
		ret->first = ret->last = read_version(&at);
		good = ret->first;
	}
	if (good && !strncmp(at, "..", 2)) {
		at += 2;
		ret->last = *at || opens ? read_version(&at) : UINT32_MAX;
		good = ret->last;
	}
	if (!good || *at)
		return wv_fail(error, WV_E_USAGE,
			       "'%s' names no kernels: 6.12, 6.12.., ..6.11 and 6.2..6.9 do", text);
	if (ret->first > ret->last)
		return wv_fail(error, WV_E_USAGE, "no kernel is in '%s'", text);
	return 0;
}
