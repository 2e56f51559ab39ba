/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How choices of splices are shown: by `weft plan`, and in parts by `weft explain`. */
#ifndef WV_PLAN_REPORT_H
#define WV_PLAN_REPORT_H

#include "base/json-writer.h"
#include "base/str.h"
#include "plan/choose-all.h"

/* "symbol+0x12", or the address where no symbol holds it. */
void wv_plan_name(struct wv_db *db, uint64_t address, struct wv_str *out);

/*
 * Why a shadow got no better splice, in words: "a branch comes to vfs_read+0x8, behind the
 * displaced range's first byte".
 */
void wv_plan_why(struct wv_db *db, const struct wv_why *why, struct wv_str *out);

/* One word for it: "branch target"; for a trap and a refusal, what decided. "" for others. */
const char *wv_plan_reason(const struct wv_choice *choice);

/* All of --all, for people and as one JSON object. */
void wv_plan_shares(const struct wv_splice_totals *totals, const struct wv_text_totals *text,
		    struct wv_str *out);
void wv_plan_shares_json(const struct wv_splice_totals *totals, const struct wv_text_totals *text,
			 struct wv_str *out);

/* Adds the keys of @choice to the object that is open in @json. */
void wv_plan_keys(const struct wv_choice *choice, struct wv_json *json);

#endif /* WV_PLAN_REPORT_H */
