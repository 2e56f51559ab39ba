/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats records as lines of text or of JSON. The kernel, or the recording, is asked once for each
 * joinpoint's name.
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
	/* the recording that has the records and the names; NULL: ->device has them */
	const struct wv_recording *recording;
	const char *aspect; /* name of the aspect that wrote the records */
	bool show_aspect; /* text format: print the aspect's name; JSON always has it */
	bool json;
	/*
	 * text format of `weft watch`, for people who watch a value change: the record's text comes
	 * before its location
	 */
	bool changes;
	bool bare_blocks; /* text format: print only the text of records of start and end blocks */
	/*
	 * names of joinpoints, indexed by joinpoint; .name is empty until weft has asked the kernel
	 * or the recording for this joinpoint
	 */
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
 * Returns the time of the newest record in the @used bytes at @buffer, which wv_records_print() has
 * checked.
 */
uint64_t wv_records_newest(const void *buffer, size_t used);

/*
 * Prints how many records an aspect has written in all and how many were lost, as a line of JSON.
 * @uncounted: how many more a view did not get of which nobody knows whether it chooses them; 0 is
 * not printed.
 */
int wv_records_print_totals(FILE *out, const struct weft_status *status, uint64_t uncounted,
			    struct wv_error *error);

#endif /* WV_RECORDS_H */
