// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses budgets and shares; see limits.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "runtime/abi.h"

bool wv_budget_parse(const char *text, uint64_t *ret)
{
	if (!strcmp(text, "0")) {
		*ret = WEFT_BUDGET_NONE;
		return true;
	}
	return wv_duration_parse(text, ret) && *ret >= WEFT_BUDGET_LEAST &&
	       *ret <= WEFT_BUDGET_MOST;
}

bool wv_share_parse(const char *text, uint32_t *ret)
{
	unsigned long percent;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	percent = strtoul(text, &end, 10);
	if (*end == '%')
		end++;
	*ret = percent ? (uint32_t)percent : WEFT_SHARE_NONE;
	return !*end && percent <= 100;
}
