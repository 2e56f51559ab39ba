// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests what becomes of records in a trace of Perfetto: tracks, slices that enclose each other or
 * overlap, counters. The library that has written the trace also reads it here; protoc does so in
 * the guest (tests/vm/cases/export.sh).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "trace/perfetto.h"
#include <perfetto.pb-c.h>

static const struct wv_trace_about about = { .aspect = "aspect", .offset = 1000000 };
static const struct weft_joinpoint_text point = {
	.what = "f exit", .symbol = "f", .symbol_offset = 18, .file = "a.c", .line = 7
};

static struct wv_perfetto perfetto;
static char *bytes;
static size_t size;

static int begin(void **state)
{
	perfetto = (struct wv_perfetto){ .about = &about, .out = open_memstream(&bytes, &size) };
	return !perfetto.out;
}

static int end(void **state)
{
	wv_perfetto_deinit(&perfetto);
	free(bytes);
	return 0;
}

/* Adds a record whose text is one value. @type: the letter of the value's conversion. */
static void add(uint64_t time, uint32_t tid, const char *comm, const char *text, char type,
		const char *names)
{
	static uint64_t memory[64];
	struct weft_record *record = (void *)memory;
	const size_t text_end = sizeof(*record) + (strlen(text) + 8) / 8 * 8;
	struct weft_value value = { .end = (uint16_t)strlen(text), .type = (uint8_t)type };
	struct wv_error error;

	memset(memory, 0, sizeof(memory));
	*record = (struct weft_record){
		.time = time, .cpu = 3, .pid = tid, .tgid = tid ? 40 : 0, .nr_values = 1,
		.text_size = (uint32_t)strlen(text), .names_size = (uint32_t)strlen(names),
	};
	snprintf(record->comm, sizeof(record->comm), "%s", comm);
	strcpy(record->text, text);
	memcpy((char *)memory + text_end, &value, sizeof(value));
	strcpy((char *)memory + text_end + sizeof(value), names);
	assert_int_equal(wv_perfetto_add(&perfetto, record, &point, &error), 0);
}

static Perfetto__Protos__Trace *all(void)
{
	Perfetto__Protos__Trace *trace;

	fclose(perfetto.out);
	trace = perfetto__protos__trace__unpack(NULL, size, (const uint8_t *)bytes);
	assert_non_null(trace);
	assert_int_equal(trace->n_packet, perfetto.packets);
	return trace;
}

/*
 * Returns event number @n of @type, without counting the events on CPUs' tracks. NULL: there are
 * fewer.
 */
static const Perfetto__Protos__TracePacket *event(const Perfetto__Protos__Trace *trace, int type,
						  int n)
{
	uint64_t cpu = 0;

	for (size_t i = 0; i < trace->n_packet; i++) {
		const Perfetto__Protos__TracePacket *packet = trace->packet[i];

		if (packet->track_descriptor && packet->track_descriptor->name &&
		    !strcmp(packet->track_descriptor->name, "CPU 3"))
			cpu = packet->track_descriptor->uuid;
	}
	for (size_t i = 0; i < trace->n_packet; i++) {
		const Perfetto__Protos__TrackEvent *this = trace->packet[i]->track_event;

		if (this && (int)this->type == type && this->track_uuid != cpu && !n--)
			return trace->packet[i];
	}
	return NULL;
}

static const Perfetto__Protos__TrackDescriptor *track(const Perfetto__Protos__Trace *trace,
						      uint64_t uuid)
{
	for (size_t i = trace->n_packet; i--;)
		if (trace->packet[i]->track_descriptor &&
		    trace->packet[i]->track_descriptor->uuid == uuid)
			return trace->packet[i]->track_descriptor;
	fail_msg("a track that is not described");
	return NULL;
}

enum {
	BEGIN = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN,
	END = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_END,
	INSTANT = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_INSTANT,
	COUNTER = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_COUNTER
};

/*
 * Of two slices of a track, one must enclose the other or end before it. Slices for which this is
 * not so must get another track.
 */
static void test_slices(void **state)
{
	static const struct {
		uint64_t begin, end;
		int lane;
	} slices[] = {
		{ 10, 20, 0 }, { 20, 30, 0 }, { 5, 40, 0 }, { 35, 50, 1 }, { 45, 60, 0 },
		{ 55, 61, 1 }, { 44, 62, 0 }, { 50, 63, 1 }, { 50, 63, 2 }, { 1, 70, 0 },
	};
	const int n = sizeof(slices) / sizeof(slices[0]);
	uint64_t lanes[3] = { 0 };
	Perfetto__Protos__Trace *trace;

	for (int i = 0; i < n; i++) {
		char text[16];

		snprintf(text, sizeof(text), "%d", (int)(slices[i].end - slices[i].begin));
		add(slices[i].end, 41, "task", text, 'u', i % 2 ? "(long)$elapsed" : "$elapsed");
	}
	trace = all();
	for (int i = 0; i < n; i++) {
		const Perfetto__Protos__TracePacket *first = event(trace, BEGIN, i);
		const Perfetto__Protos__TracePacket *last = event(trace, END, i);
		uint64_t *lane = &lanes[slices[i].lane];

		assert_int_equal(first->timestamp, slices[i].begin);
		assert_int_equal(last->timestamp, slices[i].end);
		assert_int_equal(first->track_event->track_uuid, last->track_event->track_uuid);
		assert_string_equal(first->track_event->name, "f");
		*lane = *lane ? *lane : first->track_event->track_uuid;
		assert_int_equal(first->track_event->track_uuid, *lane);
		assert_int_equal(track(trace, track(trace, *lane)->parent_uuid)->thread->tid, 41);
	}
	assert_int_not_equal(lanes[0], lanes[1]);
	assert_int_not_equal(lanes[0], lanes[2]);
	assert_int_not_equal(lanes[1], lanes[2]);
	assert_null(event(trace, BEGIN, n));
	assert_null(event(trace, INSTANT, 0));
	perfetto__protos__trace__free_unpacked(trace, NULL);
}

static void test_tasks_and_values(void **state)
{
	const Perfetto__Protos__TrackEvent *this;
	const Perfetto__Protos__TrackDescriptor *descriptor;
	Perfetto__Protos__Trace *trace;

	add(10, 41, "before", "-7", 'd', "weft_unit(x->y, \"B\")");
	add(11, 41, "after", "ff", 'x', "z");
	add(12, 0, "swapper/3", "word", 's', "s");
	add(13, 40, "main", "99", 'u', "$elapsed"); /* longer ago than time 0 of the clock */
	trace = all();
	assert_int_equal(trace->packet[0]->clock_snapshot->clocks[0]->timestamp, 10);
	assert_int_equal(trace->packet[0]->clock_snapshot->clocks[1]->timestamp, 1000010);
	this = event(trace, INSTANT, 0)->track_event;
	assert_string_equal(this->name, "f exit");
	assert_string_equal(this->categories[0], "aspect");
	assert_string_equal(this->debug_annotations[1]->string_value, "f+0x12");
	assert_string_equal(this->debug_annotations[2]->string_value, "a.c:7");
	assert_string_equal(this->debug_annotations[4]->name, "x->y");
	assert_int_equal(this->debug_annotations[4]->int_value, -7);
	descriptor = track(trace, this->track_uuid);
	assert_string_equal(descriptor->thread->thread_name, "after");
	assert_int_equal(descriptor->thread->pid, 40);
	assert_int_equal(event(trace, INSTANT, 1)->track_event->debug_annotations[4]->uint_value,
			 255);
	this = event(trace, INSTANT, 2)->track_event;
	assert_string_equal(track(trace, this->track_uuid)->name, "swapper/3");
	assert_string_equal(this->debug_annotations[4]->string_value, "word");
	assert_int_equal(event(trace, INSTANT, 3)->timestamp, 13);
	this = event(trace, COUNTER, 0)->track_event;
	assert_int_equal(this->counter_value, -7);
	assert_string_equal(track(trace, this->track_uuid)->counter->unit_name, "B");
	assert_null(event(trace, COUNTER, 1));
	perfetto__protos__trace__free_unpacked(trace, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_slices, begin, end),
		cmocka_unit_test_setup_teardown(test_tasks_and_values, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
