// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses and formats time spans; see duration.h. A parsed text must be a whole number of
 * nanoseconds: it is never rounded.
 */
#include <stdio.h>
#include <string.h>

#include "base/duration.h"

static const struct unit {
	const char *name;
	uint64_t nanoseconds;
} units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }, { "min", 60000000000 }
};

enum { NR_UNITS = sizeof(units) / sizeof(units[0]) };

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < NR_UNITS; i++)
		if (!strcmp(units[i].name, name))
			return &units[i];
	return NULL;
}

bool wv_duration_parse(const char *text, uint64_t *ret)
{
	const uint64_t most = UINT64_C(1) << 60;
	const size_t digits = strspn(text, "0123456789");
	const size_t decimals = text[digits] == '.' ? strspn(text + digits + 1, "0123456789") : 0;
	const struct unit *unit = find_unit(text + digits + (decimals ? decimals + 1 : 0));
	uint64_t value = 0, part;

	if (!digits || !unit)
		return false;
	for (size_t i = 0; i < digits; i++) {
		value = value * 10 + (uint64_t)(text[i] - '0');
		if (value > most / unit->nanoseconds)
			return false;
	}
	value *= unit->nanoseconds;
	part = unit->nanoseconds;
	for (size_t i = 0; i < decimals; i++) {
		uint64_t digit = (uint64_t)(text[digits + 1 + i] - '0');

		/* Refuse a digit that is worth a fraction of a nanosecond, instead of rounding. */
		if (digit && (digit * part) % 10)
			return false;
		value += digit * part / 10;
		part /= 10;
	}
	*ret = value;
	return value <= most;
}

const char *wv_duration_text(uint64_t nanoseconds, char text[WV_DURATION_TEXT])
{
	const struct unit *unit = &units[0];

	/* Minutes only from 2 min on: 90 s is easier to read than 1.5 min. */
	for (size_t i = 1; i < NR_UNITS; i++)
		if (nanoseconds >= units[i].nanoseconds * (i == NR_UNITS - 1 ? 2 : 1))
			unit = &units[i];
	snprintf(text, WV_DURATION_TEXT, "%.3g %s", (double)nanoseconds / (double)unit->nanoseconds,
		 unit->name);
	return text;
}
