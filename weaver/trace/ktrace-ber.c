// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes events by the Basic Encoding Rules; see ktrace-ber.h. */
#include <string.h>

#include "trace/ktrace-ber.h"

/* Values of the bits in the first byte of a tag (ITU-T X.690, 8.1.2). */
enum { CLASS_APPLICATION = 0x40, CLASS_CONTEXT = 0x80, CONSTRUCTED = 0x20, LONG_TAG = 0x1f };

/*
 * Maximum bytes of an INTEGER, and of any value. The longest value is that of a variable with
 * WV_KTRACE_FIELDS_MAX fields: each field is an INTEGER after one byte of tag and one byte of
 * length.
 */
enum { INTEGER_MAX = 9, VALUE_MAX = WV_KTRACE_FIELDS_MAX * (2 + INTEGER_MAX) };

struct bytes {
	uint8_t data[VALUE_MAX];
	size_t n;
};

static void put_tag(FILE *out, unsigned int form, unsigned int tag)
{
	if (tag < LONG_TAG) {
		fputc((int)(form | tag), out);
		return;
	}
	/*
	 * A large tag follows in bytes that have seven bits of it each, the most significant first.
	 * Bit 7 is set in all of these bytes but the last.
	 */
	fputc((int)(form | LONG_TAG), out);
	if (tag >= 128)
		fputc((int)(tag >> 7 | 0x80), out);
	fputc((int)(tag & 0x7f), out);
}

static void put(FILE *out, unsigned int form, unsigned int tag, const struct bytes *value)
{
	put_tag(out, form, tag);
	/*
	 * A length above 127 is written as 0x80 plus the number of bytes of the length, and then
	 * these bytes.
	 */
	_Static_assert(VALUE_MAX < 256, "a length has more than one byte");
	if (value->n > 127)
		fputc(0x81, out);
	fputc((int)value->n, out);
	fwrite(value->data, 1, value->n, out);
}

/*
 * Appends @value as an INTEGER: big-endian, in as few bytes as possible. The first bit is the sign,
 * so it must be 0.
 */
static void add_integer(struct bytes *bytes, uint64_t value)
{
	unsigned int n = 1;

	while (n < INTEGER_MAX && value >> (8 * n - 1))
		n++;
	while (n--)
		bytes->data[bytes->n++] = n < 8 ? (uint8_t)(value >> 8 * n) : 0;
}

static void put_integer(FILE *out, unsigned int tag, uint64_t value)
{
	struct bytes bytes = { .n = 0 };

	add_integer(&bytes, value);
	put(out, CLASS_APPLICATION, tag, &bytes);
}

/*
 * Returns whether the value of the field @field has to be written: it is known, and it is not the
 * one that was written last. If so, notes it as written.
 */
static bool has_changed(struct wv_ktrace_ber *ber, const struct wv_ktrace_state *state,
			size_t field)
{
	const uint64_t bit = 1ull << field;

	if (!(state->known & bit) ||
	    (ber->told.known & bit && ber->told.value[field] == state->value[field]))
		return false;
	ber->told.known |= bit;
	ber->told.value[field] = state->value[field];
	return true;
}

/* Writes the variable @number, whose @n fields begin at @first, if any of them has changed. */
static void put_variable(struct wv_ktrace_ber *ber, const struct wv_ktrace_state *state,
			 unsigned int number, size_t first, size_t n)
{
	const unsigned int tag = WV_KTRACE_TAG_VARIABLE + number;
	struct bytes value = { .n = 0 };

	for (size_t i = 0; i < n; i++) {
		struct bytes field = { .n = 0 };

		if (!has_changed(ber, state, first + i))
			continue;
		add_integer(&field, state->value[first + i]);
		if (n > 1) {
			value.data[value.n++] = (uint8_t)(CLASS_CONTEXT | i);
			value.data[value.n++] = (uint8_t)field.n;
		}
		memcpy(value.data + value.n, field.data, field.n);
		value.n += field.n;
	}
	if (value.n)
		put(ber->out, CLASS_APPLICATION | (n > 1 ? CONSTRUCTED : 0), tag, &value);
}

void wv_ktrace_ber_add(struct wv_ktrace_ber *ber, const struct wv_ktrace_event *event)
{
	size_t first = 0;

	if (event->lost) {
		put_integer(ber->out, WV_KTRACE_TAG_LOST, event->lost);
		ber->told.known = 0;
	}
	if (!ber->any_cpu || ber->cpu != event->record->cpu) {
		ber->any_cpu = true;
		ber->cpu = event->record->cpu;
		put_integer(ber->out, WV_KTRACE_TAG_CPU, ber->cpu);
	}
	put_integer(ber->out, WV_KTRACE_TAG_EVENT + event->number, event->record->time);
	for (unsigned int i = 0; i < WV_KTRACE_VARIABLES; i++) {
		const struct wv_ktrace_variable *variable = &wv_ktrace_variables[i];
		const size_t n = wv_ktrace_fields(variable);

		if (variable->events & 1u << event->number)
			put_variable(ber, event->state, i, first, n);
		first += n;
	}
}
