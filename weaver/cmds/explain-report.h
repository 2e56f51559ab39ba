/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `weft explain` shows what it found out. */
#ifndef WEFT_CMDS_EXPLAIN_REPORT_H
#define WEFT_CMDS_EXPLAIN_REPORT_H

#include "base/str.h"
#include "joinpoint/splices.h"
#include "splice/preview.h"

struct wv_explanation {
	struct wv_choice choice;
	uint32_t live; /* WR_BIT()s, or WEFT_LIVE_UNKNOWN */
	bool careful;
	const char *owner; /* of the shadow's instruction, or NULL */
	bool spliced; /* there is a .preview */
	struct wv_preview preview;
};

/* All add to @out. @db names addresses. */
int wv_explain_text(struct wv_db *db, const struct wv_explanation *explanation, struct wv_str *out,
		    struct wv_error *error);
int wv_explain_json(struct wv_db *db, const struct wv_explanation *explanation, struct wv_str *out,
		    struct wv_error *error);

#endif /* WEFT_CMDS_EXPLAIN_REPORT_H */
