/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats chosen splices, for `weft plan` and `weft explain`. */
#ifndef WV_PLAN_REPORT_H
#define WV_PLAN_REPORT_H

#include "aspect/resolve/select.h"
#include "base/json-writer.h"
#include "base/str.h"
#include "base/text-table.h"
#include "plan/choose-all.h"
#include "x86/decode.h"

/* Appends @address as "symbol+0x12"; if no symbol contains it, as a number. */
void wv_plan_name(struct wv_db *db, uint64_t address, struct wv_str *out);

/*
 * Appends why a shadow got no better splice, with the address of the obstacle: "there is a branch
 * target at vfs_read+0x8".
 */
void wv_plan_why(struct wv_db *db, const struct wv_why *why, struct wv_str *out);

/*
 * Returns one word such as "branch-target". For a trap: why the shadow got no better splice. For a
 * refusal: its name. For all other splices: "".
 */
const char *wv_plan_reason(const struct wv_choice *choice);

/* Append the output of --all: as text, or as one JSON object. */
void wv_plan_shares(const struct wv_splice_totals *totals, const struct wv_text_totals *text,
		    struct wv_str *out);
void wv_plan_shares_json(const struct wv_splice_totals *totals, const struct wv_text_totals *text,
			 struct wv_str *out);

/* Adds the keys of @choice to the object that is open in @json. */
void wv_plan_keys(const struct wv_choice *choice, struct wv_json *json);

/*
 * Add the shadow @uprobe, which is in a program: as a row of the four columns of `weft plan`, or as
 * one JSON object.
 */
void wv_plan_uprobe(const struct wv_selected *uprobe, struct wv_decoder *decoder,
		    struct wv_text_table *table);
void wv_plan_uprobe_json(const struct wv_selected *uprobe, struct wv_decoder *decoder,
			 struct wv_json *json);

#endif /* WV_PLAN_REPORT_H */
