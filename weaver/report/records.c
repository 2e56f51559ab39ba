// SPDX-License-Identifier: GPL-2.0-or-later
/* Printing records; see records.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "report/records.h"
#include "report/value-text.h"

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

static void print_text(const struct wv_record_printer *printer, FILE *out, const struct weft_record *record,
		       const struct weft_joinpoint_text *joinpoint, const char *text)
{
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

static void add_text(struct wv_str *line, const char *key, const char *text)
{
	wv_str_addf(line, ",\"%s\":", key);
	wv_str_add_json(line, text);
}

/* A record, which was checked, and what is behind it. */
struct whole {
	struct weft_record record;
	const char *text, *names;
	const struct weft_value *values;
};

/* docs/aspect-language.md has the keys. */
static int print_json(const struct wv_record_printer *printer, FILE *out, const struct whole *whole,
		      const struct weft_joinpoint_text *joinpoint)
{
	const struct weft_record *record = &whole->record;
	_cleanup_str_ struct wv_str line = { 0 };
	char comm[sizeof(record->comm) + 1];

	snprintf(comm, sizeof(comm), "%.*s", (int)sizeof(record->comm), record->comm);
	wv_str_addf(&line, "{\"time_ns\":%llu,\"cpu\":%u,\"pid\":%u,\"tid\":%u,\"uid\":%u",
		    (unsigned long long)record->time, record->cpu, record->tgid, record->pid, record->uid);
	add_text(&line, "comm", comm);
	add_text(&line, "aspect", printer->aspect);
	add_text(&line, "joinpoint", joinpoint->what);
	add_text(&line, "function", joinpoint->function);
	add_text(&line, "file", joinpoint->file);
	wv_str_addf(&line, ",\"line\":%u,\"column\":%u", joinpoint->line, joinpoint->column);
	add_text(&line, "symbol", joinpoint->symbol);
	wv_str_addf(&line, ",\"offset\":%u", joinpoint->symbol_offset);
	add_text(&line, "text", whole->text);
	wv_str_add(&line, ",\"values\":");
	wv_values_json(whole->values, record->nr_values, whole->text, whole->names, &line);
	wv_str_addf(&line, ",\"lost\":%u}\n", record->lost);
	if (line.failed)
		return -WV_E_NO_MEMORY;
	fputs(line.data, out);
	return 0;
}

void wv_records_print_totals(FILE *out, const struct weft_status *status)
{
	fprintf(out, "{\"aspect\":\"%.*s\",\"records\":%llu,\"lost\":%llu}\n", WEFT_NAME_MAX, status->name,
		(unsigned long long)status->records, (unsigned long long)status->lost);
}

static size_t padded(size_t size)
{
	return (size + sizeof(uint64_t)) & ~(sizeof(uint64_t) - 1);
}

/* The record at @at, of which there are @left bytes. */
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
		if (ret->values[i].start > ret->values[i].end || ret->values[i].end > record->text_size)
			return wv_fail(error, WV_E_FORMAT, "a value lies outside of its record's text");
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
		else if (print_json(printer, out, &whole, joinpoint))
			return wv_no_memory(error);
		at += whole.record.size;
	}
	return 0;
}
