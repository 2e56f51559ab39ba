// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests what is made of the records of `weft ktrace`: that the tables of events and variables are
 * those of aspects/ktrace/ktrace.xml, which variables of a CPU are known after records were lost,
 * and the bytes that the Basic Encoding Rules give.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "aspect/oneliner/ktrace-aspect.h"
#include "trace/ktrace-ber.h"
#include "trace/ktrace.h"

static void compare_events(const struct wv_ktrace_section *section, uint32_t events)
{
	const uint32_t all = (1u << WV_KTRACE_EVENTS) - 1;

	for (unsigned int i = 0; section->of_n && i < WV_KTRACE_EVENTS; i++) {
		char of[128], *found;

		snprintf(of, sizeof(of), ", %.*s,", (int)section->of_n, section->of);
		found = strstr(of, wv_ktrace_events[i]);
		assert_int_equal(!!(events & 1u << i),
				 found && found[strlen(wv_ktrace_events[i])] == ',');
	}
	if (!section->of_n)
		assert_int_equal(events, all);
}

static void test_tables(void **state)
{
	const char *at = wv_ktrace_whole;
	struct wv_ktrace_section section;
	size_t events = 0, variables = 0, fields = 0;

	while (wv_ktrace_next_section(&at, &section)) {
		const char *name = section.is_event ? wv_ktrace_events[events++]
						    : wv_ktrace_variables[variables++].name;

		assert_int_equal(strlen(name), section.name_n);
		assert_memory_equal(name, section.name, section.name_n);
		if (!section.is_event)
			compare_events(&section, wv_ktrace_variables[variables - 1].events);
	}
	assert_int_equal(events, WV_KTRACE_EVENTS);
	assert_int_equal(variables, WV_KTRACE_VARIABLES);
	for (size_t i = 0; i < WV_KTRACE_VARIABLES; i++)
		fields += wv_ktrace_fields(&wv_ktrace_variables[i]);
	assert_int_equal(fields, WV_KTRACE_FIELDS);
	assert_int_equal(wv_ktrace_fields(&wv_ktrace_variables[0]), WV_KTRACE_REGISTERS);
	assert_string_equal(wv_ktrace_variables[0].fields[WV_KTRACE_AX], "ax");
	assert_string_equal(wv_ktrace_variables[0].fields[WV_KTRACE_CS], "cs");
}

/* ---- records --------------------------------------------------------------------------------- */

static uint64_t room[128];

static size_t padded(size_t size)
{
	return (size + 8) & ~(size_t)7;
}

/*
 * Makes a record of the text @text, with the values that begin after the blanks in it: as many as
 * @names, which are separated by commas.
 */
static struct weft_record *record(uint32_t cpu, uint64_t time, const char *text, const char *names)
{
	struct weft_record *record = (struct weft_record *)room;
	struct weft_value *values;
	const char *at = text;

	*record = (struct weft_record){ .cpu = cpu, .time = time, .pid = 7,
					.text_size = (uint32_t)strlen(text),
					.names_size = (uint32_t)strlen(names) };
	strcpy(record->text, text);
	values = (struct weft_value *)(record->text + padded(record->text_size));
	while (*names && (at = strchr(at, ' '))) {
		at++;
		values[record->nr_values++] = (struct weft_value){
			.start = (uint16_t)(at - text),
			.end = (uint16_t)(at - text + strcspn(at, " ")),
			.type = strchr(text, 'x') ? 'x' : 'u',
		};
	}
	strcpy((char *)(values + record->nr_values), names);
	return record;
}

static void test_state(void **state)
{
	struct wv_ktrace ktrace = { 0 };
	struct wv_ktrace_event event;
	struct weft_record *made;
	struct wv_error error;
	bool any;

	made = record(1, 5, "pid 10 11 12", "pid, tid, uid");
	assert_int_equal(wv_ktrace_add(&ktrace, made, &event, &any, &error), 0);
	assert_false(any);
	made = record(1, 5, "free-memory 99", "weft_unit(free_memory, \"pages\")");
	assert_int_equal(wv_ktrace_add(&ktrace, made, &event, &any, &error), 0);
	/* The values of one CPU's variables must not count for another CPU. */
	made = record(0, 6, "mount", "");
	assert_int_equal(wv_ktrace_add(&ktrace, made, &event, &any, &error), 0);
	assert_true(any);
	assert_int_equal(event.number, WV_KTRACE_MOUNT);
	assert_int_equal(event.state->known, 0);
	made = record(1, 7, "syscall-exit", "");
	assert_int_equal(wv_ktrace_add(&ktrace, made, &event, &any, &error), 0);
	assert_int_equal(event.number, WV_KTRACE_SYSCALL_EXIT);
	assert_int_equal(event.state->value[WV_KTRACE_REGISTERS + 1], 11);
	assert_int_equal(__builtin_popcountll(event.state->known), 4);
	/* After a loss, only those values are known that come in records after the loss. */
	made = record(1, 8, "ppid 4", "ppid");
	made->lost = 3;
	assert_int_equal(wv_ktrace_add(&ktrace, made, &event, &any, &error), 0);
	made = record(1, 9, "page-free", "");
	assert_int_equal(wv_ktrace_add(&ktrace, made, &event, &any, &error), 0);
	assert_int_equal(event.lost, 3);
	assert_int_equal(__builtin_popcountll(event.state->known), 1);
	/* Records of other aspects. */
	made = record(1, 9, "page-freed", "");
	assert_int_equal(wv_ktrace_add(&ktrace, made, &event, &any, &error), -WV_E_FORMAT);
	made = record(1, 9, "pid 7", "pids");
	assert_int_equal(wv_ktrace_add(&ktrace, made, &event, &any, &error), -WV_E_FORMAT);
	wv_ktrace_deinit(&ktrace);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/*
 * Adds @event to the stream of @ber, and compares the bytes that are written for it with @wanted.
 */
static void adds(struct wv_ktrace_ber *ber, const struct wv_ktrace_event *event,
		 const char *wanted, size_t n)
{
	char *data;
	size_t size;

	ber->out = open_memstream(&data, &size);
	assert_non_null(ber->out);
	wv_ktrace_ber_add(ber, event);
	fclose(ber->out);
	assert_int_equal(size, n);
	assert_memory_equal(data, wanted, n);
	free(data);
}
#define ADDS(ber, event, wanted) adds(ber, event, wanted, sizeof(wanted) - 1)

static void test_bytes(void **state)
{
	struct wv_ktrace_state now = { .known = 7ull << WV_KTRACE_REGISTERS };
	struct weft_record record = { .cpu = 1, .time = 0x1234 };
	struct wv_ktrace_event event = { .number = WV_KTRACE_MOUNT, .record = &record,
					 .state = &now };
	struct wv_ktrace_ber ber = { .any_cpu = false };

	now.value[WV_KTRACE_REGISTERS] = 127;
	now.value[WV_KTRACE_REGISTERS + 1] = 128;
	/*
	 * The CPU, with a tag of two bytes; the event; the variable `pid` with three fields, of
	 * which one is 0.
	 */
	ADDS(&ber, &event, "\x5f\x20\x01\x01" "\x4e\x02\x12\x34"
			   "\x71\x0a\x80\x01\x7f\x81\x02\x00\x80\x82\x01\x00");
	/* No value has changed, so only the event is written. */
	ADDS(&ber, &event, "\x4e\x02\x12\x34");
	/*
	 * One field has changed. Its new value takes nine bytes, because it is positive and has the
	 * highest bit set.
	 */
	now.value[WV_KTRACE_REGISTERS + 2] = -1ull;
	ADDS(&ber, &event, "\x4e\x02\x12\x34" "\x71\x0b\x82\x09\x00\xff\xff\xff\xff\xff\xff\xff"
			   "\xff");
	/*
	 * This event has no registers. A variable with a single field is written as a plain
	 * INTEGER.
	 */
	now.known = 1 | 1ull << (WV_KTRACE_REGISTERS + 3);
	now.value[WV_KTRACE_REGISTERS + 3] = 300;
	ADDS(&ber, &event, "\x4e\x02\x12\x34" "\x52\x02\x01\x2c");
	/* After a loss all known values are written again. */
	event.lost = 200;
	ADDS(&ber, &event, "\x5f\x1f\x02\x00\xc8" "\x4e\x02\x12\x34" "\x52\x02\x01\x2c");
}

static void test_long(void **state)
{
	struct wv_ktrace_state now = { .known = (1ull << WV_KTRACE_REGISTERS) - 1 };
	struct weft_record record = { .cpu = 0, .time = 1 };
	struct wv_ktrace_event event = { .number = WV_KTRACE_SYSCALL_ENTRY, .record = &record,
					 .state = &now };
	struct wv_ktrace_ber ber = { .any_cpu = true };
	char *data;
	size_t size;

	memset(now.value, 0xff, sizeof(now.value));
	ber.out = open_memstream(&data, &size);
	assert_non_null(ber.out);
	wv_ktrace_ber_add(&ber, &event);
	fclose(ber.out);
	/* The length takes two bytes, since the value has more than 127 bytes. */
	assert_int_equal(size, 3 + 3 + 18 * 11);
	assert_memory_equal(data, "\x41\x01\x01\x70\x81\xc6\x80\x09\x00\xff", 10);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables), cmocka_unit_test(test_state),
		cmocka_unit_test(test_bytes), cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
