// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints records; see records.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json-writer.h"
#include "base/notation.h"
#include "report/records.h"
#include "report/value-text.h"
#include "report/visible.h"

/* Joinpoints from this number on are not cached: their names are requested each time. */
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
	if (!slot->name[0] && printer->recording)
		wv_recording_joinpoint(printer->recording, index, slot);
	else if (!slot->name[0])
		wv_device_joinpoint(printer->device, printer->aspect, index, slot);
	return slot;
}

static void put_line(FILE *out, const char *text)
{
	wv_visible_print(out, text, strlen(text));
	fputc('\n', out);
}

/*
 * Returns "SYMBOL+0x12", or "MODULE:SYMBOL+0x12", with the name of the module or program that the
 * joinpoint is in.
 */
static struct wv_phrase place_of(const struct weft_joinpoint_text *joinpoint)
{
	return wv_shadow_text(joinpoint->module[0] ? wv_base_name(joinpoint->module) : NULL,
			      joinpoint->symbol, joinpoint->symbol_offset);
}

/*
 * Prints a line about a changed value, such as " 123.456789012 bash[812] inode ffff888003a4d200
 * i_state 0 -> 7 FUNCTION+0x12 (FILE:LINE) set". The first line of @text comes before the location.
 * If @text has more lines (a stack), they come after it.
 */
static void print_change(FILE *out, const struct weft_record *record,
			 const struct weft_joinpoint_text *joinpoint, const char *text)
{
	const size_t n = strcspn(text, "\n");
	/* the access, "sock.sk_state set": its kind is the last word */
	const char *kind = strrchr(joinpoint->what, ' ');

	fprintf(out, "%5llu.%09llu %s[%u] ", (unsigned long long)(record->time / 1000000000),
		(unsigned long long)(record->time % 1000000000),
		wv_visible_comm(record->comm).text, record->pid);
	wv_visible_print(out, text, n);
	fprintf(out, "  %s", place_of(joinpoint).text);
	if (joinpoint->file[0])
		fprintf(out, " (%s)", wv_source_text(joinpoint->file, joinpoint->line, 0).text);
	fputs(kind ? kind : "", out);
	put_line(out, text + n);
}

static void print_lost(FILE *out, const struct weft_record *record)
{
	if (record->lost)
		fprintf(out, "(%s lost on cpu %u: the buffer was full)\n",
			wv_count_text(record->lost, "record").text, record->cpu);
}

static void print_text(const struct wv_record_printer *printer, FILE *out,
		       const struct weft_record *record,
		       const struct weft_joinpoint_text *joinpoint, const char *text)
{
	const bool block = record->joinpoint == WEFT_JOINPOINT_START ||
			   record->joinpoint == WEFT_JOINPOINT_END;

	print_lost(out, record);
	if (block && printer->bare_blocks) {
		put_line(out, text);
		return;
	}
	if (!block && printer->changes) {
		print_change(out, record, joinpoint, text);
		return;
	}
	fprintf(out, "%5llu.%09llu [%03u] %s-%u ",
		(unsigned long long)(record->time / 1000000000),
		(unsigned long long)(record->time % 1000000000), record->cpu,
		wv_visible_comm(record->comm).text, record->pid);
	if (printer->show_aspect)
		fprintf(out, "%s ", printer->aspect);
	if (block)
		fprintf(out, "%s: ", joinpoint->symbol);
	else
		fprintf(out, "%s: ", place_of(joinpoint).text);
	put_line(out, text);
}

/* A record that has been checked, with pointers to its data. */
struct whole {
	struct weft_record record;
	const char *text, *names;
	const struct weft_value *values;
};

/* Prints a record as a line of JSON; docs/aspect-language.md lists its keys. */
static int print_json(const struct wv_record_printer *printer, FILE *out, const struct whole *whole,
		      const struct weft_joinpoint_text *joinpoint, struct wv_error *error)
{
	const struct weft_record *record = &whole->record;
	_cleanup_str_ struct wv_str line = { 0 };
	struct wv_json json = WV_JSON(&line);
	char comm[sizeof(record->comm) + 1];

	snprintf(comm, sizeof(comm), "%.*s", (int)sizeof(record->comm), record->comm);
	wv_json_begin_object(&json, NULL);
	wv_json_unsigned(&json, "time_ns", record->time);
	wv_json_unsigned(&json, "cpu", record->cpu);
	wv_json_unsigned(&json, "pid", record->tgid);
	wv_json_unsigned(&json, "tid", record->pid);
	wv_json_unsigned(&json, "uid", record->uid);
	wv_json_text(&json, "comm", comm);
	wv_json_text(&json, "aspect", printer->aspect);
	wv_json_text(&json, "joinpoint", joinpoint->what);
	wv_json_text(&json, "function", joinpoint->function);
	wv_json_text(&json, "file", joinpoint->file);
	wv_json_unsigned(&json, "line", joinpoint->line);
	wv_json_unsigned(&json, "column", joinpoint->column);
	if (joinpoint->module[0])
		wv_json_text(&json, "module", wv_base_name(joinpoint->module));
	wv_json_text(&json, "symbol", joinpoint->symbol);
	wv_json_unsigned(&json, "offset", joinpoint->symbol_offset);
	wv_json_text(&json, "text", whole->text);
	wv_values_json(whole->values, record->nr_values, whole->text, whole->names, &json);
	wv_json_unsigned(&json, "lost", record->lost);
	wv_json_end_object(&json);
	if (line.failed)
		return wv_no_memory(error);
	fputs(line.data, out);
	return 0;
}

int wv_records_print_totals(FILE *out, const struct weft_status *status, uint64_t uncounted,
			    struct wv_error *error)
{
	_cleanup_str_ struct wv_str line = { 0 };
	struct wv_json json = WV_JSON(&line);

	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, "aspect", status->name);
	wv_json_unsigned(&json, "records", status->records);
	wv_json_unsigned(&json, "lost", status->lost);
	if (uncounted)
		wv_json_unsigned(&json, "uncounted", uncounted);
	wv_json_end_object(&json);
	if (line.failed)
		return wv_no_memory(error);
	fputs(line.data, out);
	return 0;
}

static size_t padded(size_t size)
{
	return (size + sizeof(uint64_t)) & ~(sizeof(uint64_t) - 1);
}

/*
 * Checks the record at @at and fills @ret; @left is the number of bytes from @at to the buffer's
 * end.
 */
static int take(const char *at, size_t left, struct whole *ret, struct wv_error *error)
{
	struct weft_record *record = &ret->record;
	size_t size = sizeof(*record);

	if (left < sizeof(*record))
		return wv_fail(error, WV_E_FORMAT, "a record ends too early");
	memcpy(record, at, sizeof(*record));
	ret->text = at + size;
	size += padded(record->text_size);
	ret->values = (const struct weft_value *)(at + size);
	size += record->nr_values * sizeof(*ret->values);
	ret->names = at + size;
	size += padded(record->names_size);
	if (record->size > left || record->size != size || ret->text[record->text_size] ||
	    ret->names[record->names_size])
		return wv_fail(error, WV_E_FORMAT, "a record's sizes do not add up");
	for (size_t i = 0; i < record->nr_values; i++)
		if (ret->values[i].start > ret->values[i].end ||
		    ret->values[i].end > record->text_size)
			return wv_fail(error, WV_E_FORMAT,
				       "a value lies outside of its record's text");
	return 0;
}

int wv_records_print(struct wv_record_printer *printer, FILE *out, const void *buffer, size_t used,
		     struct wv_error *error)
{
	const char *at = buffer, *end = at + used;

	while (at < end) {
		struct weft_joinpoint_text fallback = { .name = "" };
		const struct weft_joinpoint_text *joinpoint;
		struct whole whole;
		int err = take(at, (size_t)(end - at), &whole, error);

		if (err)
			return err;
		joinpoint = joinpoint_of(printer, whole.record.joinpoint, &fallback);
		if (!printer->json)
			print_text(printer, out, &whole.record, joinpoint, whole.text);
		else
			err = print_json(printer, out, &whole, joinpoint, error);
		if (err)
			return err;
		at += whole.record.size;
	}
	return 0;
}

uint64_t wv_records_newest(const void *buffer, size_t used)
{
	struct weft_record record;
	uint64_t newest = 0;

	for (const char *at = buffer, *end = at + used; at < end; at += record.size) {
		memcpy(&record, at, sizeof(record));
		if (record.time > newest)
			newest = record.time;
	}
	return newest;
}
