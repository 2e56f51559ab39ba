/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the text of records that are in a ring. */
#ifndef WK_RECORD_TEXT_H
#define WK_RECORD_TEXT_H

#include <linux/types.h>

#include "record/record-state.h"
#include "record/record-values.h"

enum {
	WK_TEXT_MAX = 1024,
	WK_NAMES_MAX = 512, /* bytes of a record's names, with the NUL */
	/* bytes of a struct weft_record; WR_VALUES_MAX is also for blanks between chosen values */
	WK_RECORD_MAX = sizeof(struct weft_record) + WK_TEXT_MAX + WR_VALUES_MAX +
			WR_VALUES_MAX * sizeof(struct weft_value) + WK_NAMES_MAX,
};

/* An unread record, as it is in its ring. */
struct wk_unread {
	const struct weft_statement *statement;
	const u8 *values;
	u32 size; /* bytes of the record */
	u32 joinpoint;
	u32 index; /* of ->statement in wk_records.statements */
	bool has_text; /* ->values is the record's text, formatted when it was written */
};

/* A reader's buffers; too large for the stack. */
struct wk_rendering {
	char format[WR_MARKED_MAX + WR_VALUES_MAX];
	char text[WK_TEXT_MAX + WR_VALUES_MAX * WR_MARKS_SIZE];
	struct weft_value values[WR_VALUES_MAX];
	char names[WK_NAMES_MAX];
	u8 record[WK_RECORD_MAX] __aligned(8); /* the result, a struct weft_record */
};

/* Describes @raw, a record in a ring of @records, as wr_ring_peek() returns it. */
struct wk_unread wk_unread_of(const struct wk_records *records, const void *raw);

/*
 * Makes a struct weft_record of @unread, the record at @cursor in the ring of @cpu, in
 * @rendering->record. @for_users: hashes the kernel's addresses also for %px, and for %pS where
 * there is no symbol. @fields: names of the values that the text then consists of
 * (wk_values_any()); "": the whole text.
 */
void wk_render(const struct wk_unread *unread, const struct wr_cursor *cursor, int cpu,
	       bool for_users, const char *fields, struct wk_rendering *rendering);

#endif /* WK_RECORD_TEXT_H */
