// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses records; see raw.h. */
#include <string.h>

#include "trace/raw.h"

static const char *parse_state(const uint8_t *at, size_t left, struct wv_raw *raw)
{
	struct weft_raw_state state;

	if (left < sizeof(state))
		return "a packet ends inside of a record";
	memcpy(&state, at, sizeof(state));
	if (state.event != WEFT_EVENT_TASK && state.event != WEFT_EVENT_OPEN)
		return "a record of another kind than there is";
	raw->is_state = true;
	raw->bytes = sizeof(state);
	raw->task = state;
	raw->time = state.time;
	return NULL;
}

/* @how: an enum weft_head. */
static bool has_form(const struct wv_trace_statement *statement, unsigned int form,
		     unsigned int how)
{
	switch (form) {
	case WEFT_FORM_TIGHT:
		return how == WEFT_HEAD_TIGHT && statement->content == WEFT_CONTENT_WORDS;
	case WEFT_FORM_NARROW:
		return how == WEFT_HEAD_PLAIN && statement->content == WEFT_CONTENT_WORDS;
	case WEFT_FORM_TEXT:
		return how == WEFT_HEAD_PLAIN && statement->content == WEFT_CONTENT_PACKED;
	default:
		return how == WEFT_HEAD_PLAIN;
	}
}

const char *wv_raw_parse(const struct wv_trace_table *table, const uint8_t *at, size_t left,
			 struct wv_raw *raw)
{
	/* zeroed, since a tight record may be the last one, and shorter than a narrow one */
	struct weft_raw_record narrow = { 0 };
	struct weft_raw_tight tight;
	struct weft_raw_wide wide;
	unsigned int event, form;
	bool is_tight;
	size_t head;

	if (left < sizeof(tight))
		return "a packet ends inside of a record";
	memcpy(&tight, at, sizeof(tight));
	is_tight = WEFT_HEAD_OF(tight.head) == WEFT_HEAD_TIGHT;
	if (!is_tight && left < sizeof(narrow))
		return "a packet ends inside of a record";
	memcpy(&narrow, at, is_tight ? sizeof(tight) : sizeof(narrow));
	if (narrow.head == WEFT_EVENT_EXTENDED)
		return parse_state(at, left, raw);
	raw->is_state = false;
	event = WEFT_HEAD_EVENT(is_tight ? tight.head : narrow.head);
	form = WEFT_EVENT_FORM(event);
	raw->statement = event < WEFT_EVENT(0, 0)
				 ? NULL
				 : wv_trace_statement_find(table, WEFT_EVENT_STATEMENT(event));
	if (!raw->statement)
		return "a record of a statement that the table does not have";
	if (!has_form(raw->statement, form, WEFT_HEAD_OF(tight.head)))
		return "a record in a form that its statement does not have";
	raw->has_text = form == WEFT_FORM_TEXT;
	if (is_tight) {
		head = sizeof(tight);
		raw->joinpoint = tight.joinpoint;
		raw->bytes = head + raw->statement->fields.size;
	} else if (form == WEFT_FORM_NARROW) {
		head = sizeof(narrow);
		raw->joinpoint = narrow.joinpoint;
		raw->bytes = head + raw->statement->fields.size;
	} else {
		head = sizeof(wide);
		if (left < head)
			return "a packet ends inside of a record";
		memcpy(&wide, at, head);
		raw->joinpoint = wide.joinpoint;
		raw->bytes = wide.size;
	}
	if (raw->bytes < head || raw->bytes % WEFT_RECORD_ALIGN || raw->bytes > left)
		return "a record of a wrong size";
	raw->time += is_tight ? (uint16_t)(tight.time - (uint16_t)raw->time) :
				(uint32_t)(narrow.time - (uint32_t)raw->time);
	raw->values = at + head;
	raw->size = raw->bytes - head;
	return NULL;
}

size_t wv_raw_content(const struct wv_raw *raw)
{
	struct wv_arguments arguments = { .bytes = raw->values, .n = raw->size };
	struct wv_error ignored;

	if (raw->is_state)
		return raw->bytes;
	if (raw->has_text)
		return raw->bytes - raw->size + strnlen((const char *)raw->values, raw->size - 1) +
		       1;
	arguments.fields = &raw->statement->fields;
	while (arguments.field < arguments.fields->n) {
		struct wv_argument argument;

		if (wv_argument_take(&arguments, &argument, &ignored))
			return raw->bytes;
	}
	return raw->bytes - raw->size + arguments.at;
}
