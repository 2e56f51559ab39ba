// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads lines of objdump's listings (declared in listing.h). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "listing.h"

bool listing_parse(char *from, struct line *ret)
{
	char *at, *end;

	*ret = (struct line){ 0 };
	while (*from == ' ')
		from++;
	ret->address = strtoull(from, &at, 16);
	if (at == from || at[0] != ':' || at[1] != '\t')
		return false;
	for (at += 2; ret->length < LENGTH_MAX && isxdigit((unsigned char)*at); at = end + 1) {
		ret->bytes[ret->length++] = strtoul(at, &end, 16);
		if (*end != ' ')
			return false;
	}
	at += strspn(at, " ");
	if (!ret->length || *at != '\t')
		return false;
	ret->text = at + 1;
	return true;
}

bool listing_is_none(const char *text)
{
	return strstr(text, "(bad)") || !strncmp(text, ".byte", 5) || !strcmp(text, "rex.W\n") ||
	       !strncmp(text, "finit", 5);
}
