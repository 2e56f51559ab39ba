/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as lines of text or of JSON. The kernel is asked once what each joinpoint is called. */
#ifndef WV_RECORDS_H
#define WV_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "live/requests.h"

struct wv_record_printer {
	const struct wv_device *device;
	const char *aspect; /* whose records they are */
	bool show_aspect; /* in text; JSON always does */
	bool json;
	WV_VEC(struct weft_joinpoint_text) joinpoints; /* by index; .name empty: not asked yet */
};

void wv_record_printer_deinit(struct wv_record_printer *printer);

/*
 * Prints the @used bytes of whole records at @buffer, a line each. -WV_E_FORMAT where the sizes in
 * them do not add up.
 */
int wv_records_print(struct wv_record_printer *printer, FILE *out, const void *buffer, size_t used,
		     struct wv_error *error);

/* How many records an aspect has written in all and how many were lost: a line of JSON. */
int wv_records_print_totals(FILE *out, const struct weft_status *status, struct wv_error *error);

#endif /* WV_RECORDS_H */
