/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats records as lines of text or of JSON. The kernel is asked once for each joinpoint's name.
 */
#ifndef WV_RECORDS_H
#define WV_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "live/requests.h"

struct wv_record_printer {
	const struct wv_device *device;
	const char *aspect; /* the aspect that wrote the records */
	bool show_aspect; /* in text; JSON always has it */
	bool json;
	/*
	 * in text: for people who look at changes (`weft watch`): the text first, then where it was
	 */
	bool changes;
	bool bare_blocks; /* in text: of what start and end blocks write, the text alone */
	/* names of joinpoints, by the joinpoint's index; .name empty: not asked for yet */
	WV_VEC(struct weft_joinpoint_text) joinpoints;
};

void wv_record_printer_deinit(struct wv_record_printer *printer);

/*
 * Prints the records in the @used bytes at @buffer, one per line. The last record must be whole.
 * -WV_E_FORMAT if the sizes in a record are inconsistent.
 */
int wv_records_print(struct wv_record_printer *printer, FILE *out, const void *buffer, size_t used,
		     struct wv_error *error);

/*
 * Prints how many records an aspect has written in all and how many were lost, as a line of JSON.
 */
int wv_records_print_totals(FILE *out, const struct weft_status *status, struct wv_error *error);

#endif /* WV_RECORDS_H */
