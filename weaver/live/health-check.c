// SPDX-License-Identifier: GPL-2.0-or-later
/* Fills in the results of checks; see health-check.h. */
#include <stdarg.h>
#include <stdio.h>

#include "live/health-check.h"

void wv_health_set(struct wv_health_check *check, enum wv_health_level level, const char *remedy,
		   const char *found, ...)
{
	va_list args;

	check->level = level;
	va_start(args, found);
	vsnprintf(check->found, sizeof(check->found), found, args);
	va_end(args);
	snprintf(check->remedy, sizeof(check->remedy), "%s", remedy);
}
