/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints records as lines of text or of JSON. The names of a joinpoint are not in the records: they
 * come from the kernel or the recording, which is mostly asked for them only once.
 */
#ifndef WV_RECORDS_H
#define WV_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "live/requests.h"
#include "trace/recording.h"

struct wv_record_printer {
	const struct wv_device *device;
	/* the recording that has the records and the names; NULL: .device has the names */
	const struct wv_recording *recording;
	const char *aspect; /* name of the aspect that wrote the records */
	bool show_aspect; /* text format: print the aspect's name; JSON always has it */
	bool json;
	/*
	 * the text format of `weft watch`, which shows how a value changes: the record's text comes
	 * before its location
	 */
	bool changes;
	/*
	 * text format: of a record that a start or end block has written, print the text alone,
	 * without time, CPU and task; other records are printed as usual
	 */
	bool bare_blocks;
	/*
	 * names of joinpoints, indexed by joinpoint; .name is empty until weft has asked the kernel
	 * or the recording for this joinpoint
	 */
	WV_VEC(struct weft_joinpoint_text) joinpoints;
};

void wv_record_printer_deinit(struct wv_record_printer *printer);

/*
 * Prints the records in the @used bytes at @buffer, a line for each, and more lines if its text has
 * them. Returns -WV_E_FORMAT if the last record is not whole, or if the sizes in a record are
 * inconsistent.
 */
int wv_records_print(struct wv_record_printer *printer, FILE *out, const void *buffer, size_t used,
		     struct wv_error *error);

/*
 * Returns the time of the newest record in the @used bytes at @buffer, which wv_records_print() has
 * checked.
 */
uint64_t wv_records_newest(const void *buffer, size_t used);

/*
 * Prints a line of JSON with the numbers of records that an aspect has written and lost.
 * @uncounted: how many more records a view did not get, of which nobody knows whether the view
 * chooses them; 0 is not printed.
 */
int wv_records_print_totals(FILE *out, const struct weft_status *status, uint64_t uncounted,
			    struct wv_error *error);

#endif /* WV_RECORDS_H */
