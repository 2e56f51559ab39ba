// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes how many shadows are not exact; see precision-text.h. */
#include "base/notation.h"
#include "database/pointcut.h"
#include "module/precision-text.h"

void wv_precision_text(const uint32_t n[WEFT_PRECISION_OPTIMIZED_OUT], struct wv_str *out)
{
	const uint32_t exact = n[WEFT_PRECISION_EXACT];
	const char *before = " (";
	uint32_t others = 0;

	for (size_t i = WEFT_PRECISION_EXACT + 1; i < WEFT_PRECISION_OPTIMIZED_OUT; i++)
		others += n[i];
	if (!others)
		return;
	wv_str_addf(out, "of %s of accesses %u %s exact and %u %s not",
		    wv_count_text((size_t)exact + others, "shadow").text, exact,
		    wv_plural(exact, "is", "are"), others, wv_plural(others, "is", "are"));
	for (size_t i = WEFT_PRECISION_EXACT + 1; i < WEFT_PRECISION_OPTIMIZED_OUT; i++) {
		if (!n[i])
			continue;
		wv_str_addf(out, "%s%s %u", before, wv_precision_name(i), n[i]);
		before = ", ";
	}
	wv_str_add(out, "): what runs there may be another access, so counts may be too high; "
			"precision=\"exact\" leaves such out");
}

void wv_precision_json(const uint32_t n[WEFT_PRECISION_OPTIMIZED_OUT], struct wv_json *json)
{
	wv_json_begin_object(json, "accesses");
	for (size_t i = 0; i < WEFT_PRECISION_OPTIMIZED_OUT; i++)
		if (n[i])
			wv_json_unsigned(json, wv_precision_name(i), n[i]);
	wv_json_end_object(json);
}
