// SPDX-License-Identifier: GPL-2.0-or-later
/* Printing records; see records.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/records.h"

/* More joinpoints than this are not remembered but asked for each time. */
enum { MAX_REMEMBERED = 1 << 16 };

void wv_record_printer_deinit(struct wv_record_printer *printer)
{
	wv_vec_deinit(&printer->joinpoints);
}

static const struct weft_joinpoint_text *joinpoint_of(struct wv_record_printer *printer,
						      uint32_t index,
						      struct weft_joinpoint_text *fallback)
{
	struct weft_joinpoint_text *slot = fallback;

	while (index < MAX_REMEMBERED && printer->joinpoints.n <= index)
		if (!wv_vec_push(&printer->joinpoints))
			break;
	if (index < printer->joinpoints.n)
		slot = &printer->joinpoints.data[index];
	if (!slot->name[0])
		wv_device_joinpoint(printer->device, printer->aspect, index, slot);
	return slot;
}

static void print_one(struct wv_record_printer *printer, FILE *out,
		      const struct weft_record *record, const char *text)
{
	struct weft_joinpoint_text fallback = { .name = "" };
	const struct weft_joinpoint_text *joinpoint =
		joinpoint_of(printer, record->joinpoint, &fallback);

	if (record->lost)
		fprintf(out, "(%u records lost on cpu %u: the buffer was full)\n", record->lost,
			record->cpu);
	fprintf(out, "%5llu.%09llu [%03u] %.16s-%u ",
		(unsigned long long)(record->time / 1000000000),
		(unsigned long long)(record->time % 1000000000), record->cpu, record->comm,
		record->pid);
	if (printer->show_aspect)
		fprintf(out, "%s ", printer->aspect);
	if (record->joinpoint == WEFT_JOINPOINT_START || record->joinpoint == WEFT_JOINPOINT_END)
		fprintf(out, "%s: %s\n", joinpoint->symbol, text);
	else
		fprintf(out, "%s+%#x: %s\n", joinpoint->symbol, joinpoint->symbol_offset, text);
}

int wv_records_print(struct wv_record_printer *printer, FILE *out, const void *buffer, size_t used,
		     struct wv_error *error)
{
	const char *at = buffer, *end = at + used;

	while (at < end) {
		struct weft_record record;

		if ((size_t)(end - at) < sizeof(record))
			return wv_fail(error, WV_E_FORMAT, "a record ends too early");
		memcpy(&record, at, sizeof(record));
		if (record.size > (size_t)(end - at) || record.size <= sizeof(record) ||
		    record.text_size >= record.size - sizeof(record) ||
		    at[sizeof(record) + record.text_size])
			return wv_fail(error, WV_E_FORMAT, "a record's sizes do not add up");
		print_one(printer, out, &record, at + sizeof(record));
		at += record.size;
	}
	return 0;
}
