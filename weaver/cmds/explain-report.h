/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats the results of `weft explain`. */
#ifndef WV_EXPLAIN_REPORT_H
#define WV_EXPLAIN_REPORT_H

#include "base/str.h"
#include "plan/choose-all.h"
#include "splice/preview.h"

struct wv_explanation {
	struct wv_choice choice;
	uint32_t live; /* WR_BIT()s, or WEFT_LIVE_UNKNOWN */
	bool sanitize;
	const char *owner; /* owner of the shadow's instruction, or NULL */
	bool spliced; /* .preview is valid */
	struct wv_preview preview;
};

/* Both append to @out. @db supplies the names of addresses. */
int wv_explain_text(struct wv_db *db, const struct wv_explanation *explanation, struct wv_str *out,
		    struct wv_error *error);
int wv_explain_json(struct wv_db *db, const struct wv_explanation *explanation, struct wv_str *out,
		    struct wv_error *error);

#endif /* WV_EXPLAIN_REPORT_H */
