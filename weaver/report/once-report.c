// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports advice that runs once; see once-report.h. */
#include "base/json-writer.h"
#include "base/notation.h"
#include "report/once-report.h"

void wv_once_text(const struct wv_once *once, struct wv_str *out)
{
	if (!once->list.n)
		return;
	wv_str_addf(out, "\nhit, and taken out: %zu of %s\n", once->nr_hit,
		    wv_count_text(once->list.n, "joinpoint").text);
	wv_vec_for_each(joinpoint, &once->list) {
		const struct weft_joinpoint_text *text = &joinpoint->text;

		if (!joinpoint->hit)
			wv_str_addf(out, "  not hit: %s, %s\n",
				    wv_symbol_text(text->symbol, text->symbol_offset).text,
				    wv_source_text(text->file, text->line, 0).text);
	}
}

static void add_joinpoint(const struct wv_once_joinpoint *joinpoint, struct wv_json *json)
{
	wv_json_begin_object(json, NULL);
	wv_json_text(json, "symbol", joinpoint->text.symbol);
	wv_json_unsigned(json, "offset", joinpoint->text.symbol_offset);
	wv_json_text(json, "file", joinpoint->text.file);
	wv_json_unsigned(json, "line", joinpoint->text.line);
	wv_json_bool(json, "hit", joinpoint->hit);
	wv_json_end_object(json);
}

void wv_once_json(const char *aspect, const struct wv_once *once, struct wv_str *out)
{
	struct wv_json json = WV_JSON(out);

	if (!once->list.n)
		return;
	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, "aspect", aspect);
	wv_json_unsigned(&json, "once", once->list.n);
	wv_json_unsigned(&json, "hit", once->nr_hit);
	wv_json_begin_array(&json, "joinpoints");
	wv_vec_for_each(joinpoint, &once->list)
		add_joinpoint(joinpoint, &json);
	wv_json_end_array(&json);
	wv_json_end_object(&json);
}
