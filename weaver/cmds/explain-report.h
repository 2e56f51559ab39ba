/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats the results of `weft explain`. */
#ifndef WV_EXPLAIN_REPORT_H
#define WV_EXPLAIN_REPORT_H

#include "base/str.h"
#include "plan/choose-all.h"
#include "splice/preview.h"

struct wv_explanation {
	struct wv_choice choice;
	/* WR_BIT()s of the registers that are live at the shadow, or WEFT_LIVE_UNKNOWN */
	uint32_t live;
	bool sanitize;
	/*
	 * name of the kernel's mechanism that rewrites the shadow's instruction, such as ftrace;
	 * NULL: there is none
	 */
	const char *owner;
	bool spliced; /* the shadow gets a splice: .preview is valid */
	struct wv_preview preview;
};

/*
 * Append the report to @out, as text and as JSON. Addresses are shown with the names of symbols in
 * @db.
 */
int wv_explain_text(struct wv_db *db, const struct wv_explanation *explanation, struct wv_str *out,
		    struct wv_error *error);
int wv_explain_json(struct wv_db *db, const struct wv_explanation *explanation, struct wv_str *out,
		    struct wv_error *error);

#endif /* WV_EXPLAIN_REPORT_H */
