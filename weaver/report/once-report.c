// SPDX-License-Identifier: GPL-2.0-or-later
/* Hit and not hit, in words; see once-report.h. */
#include "report/once-report.h"

void wv_once_text(const struct wv_once *once, struct wv_str *out)
{
	if (!once->list.n)
		return;
	wv_str_addf(out, "\nhit, and taken out: %zu of %zu joinpoints\n", once->nr_hit, once->list.n);
	wv_vec_for_each(joinpoint, &once->list)
		if (!joinpoint->hit)
			wv_str_addf(out, "  not hit: %s+0x%x, %s:%u\n", joinpoint->text.symbol,
				    joinpoint->text.symbol_offset, joinpoint->text.file, joinpoint->text.line);
}

static void add_joinpoint(const struct wv_once_joinpoint *joinpoint, struct wv_str *out)
{
	wv_str_add(out, "{\"symbol\":");
	wv_str_add_json(out, joinpoint->text.symbol);
	wv_str_addf(out, ",\"offset\":%u,\"file\":", joinpoint->text.symbol_offset);
	wv_str_add_json(out, joinpoint->text.file);
	wv_str_addf(out, ",\"line\":%u,\"hit\":%s}", joinpoint->text.line, joinpoint->hit ? "true" : "false");
}

void wv_once_json(const char *aspect, const struct wv_once *once, struct wv_str *out)
{
	const char *separator = "";

	if (!once->list.n)
		return;
	wv_str_add(out, "{\"aspect\":");
	wv_str_add_json(out, aspect);
	wv_str_addf(out, ",\"once\":%zu,\"hit\":%zu,\"joinpoints\":[", once->list.n, once->nr_hit);
	wv_vec_for_each(joinpoint, &once->list) {
		wv_str_add(out, separator);
		add_joinpoint(joinpoint, out);
		separator = ",";
	}
	wv_str_add(out, "]}\n");
}
