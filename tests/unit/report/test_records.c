// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests records as the device returns them: they must be printed whole, and refused if their sizes
 * are wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "report/records.h"

enum { ROOM = 512 };

static union {
	uint64_t align;
	char bytes[ROOM];
} buffer;

#define VALUE(from, to, conversion) { .start = (from), .end = (to), .type = (conversion) }

static size_t padded(size_t size)
{
	return (size + 8) & ~(size_t)7;
}

static size_t put_values(size_t at, const char *text, uint32_t lost,
			 const struct weft_value *values, uint32_t n, const char *names)
{
	struct weft_record record = {
		.time = 1234000056789ull,
		.cpu = 1,
		.pid = 77,
		.comm = "sixteen-bytes-xy",
		.lost = lost,
		.text_size = strlen(text),
		.nr_values = n,
		.names_size = strlen(names),
	};
	size_t end = at + sizeof(record);

	strcpy(buffer.bytes + end, text);
	end += padded(record.text_size);
	if (n)
		memcpy(buffer.bytes + end, values, n * sizeof(*values));
	end += n * sizeof(*values);
	strcpy(buffer.bytes + end, names);
	end += padded(record.names_size);
	record.size = end - at;
	memcpy(buffer.bytes + at, &record, sizeof(record));
	return end;
}

static size_t put(size_t at, const char *text, uint32_t lost)
{
	return put_values(at, text, lost, NULL, 0, "");
}

static int print_as(bool json, size_t used, char **text_ret)
{
	const struct wv_device none = { .fd = -1 };
	struct wv_record_printer printer = { .device = &none, .aspect = "test", .json = json };
	struct wv_error error;
	size_t size;
	FILE *out = open_memstream(text_ret, &size);
	int ret = wv_records_print(&printer, out, buffer.bytes, used, &error);

	fclose(out);
	wv_record_printer_deinit(&printer);
	return ret;
}

static int print(size_t used, char **text_ret)
{
	return print_as(false, used, text_ret);
}

static void test_lines(void **state)
{
	size_t used = put(put(0, "first", 0), "second", 3);
	char *text;

	assert_int_equal(print(used, &text), 0);
	assert_string_equal(text, " 1234.000056789 [001] sixteen-bytes-xy-77 +0x0: first\n"
				  "(3 records lost on cpu 1: the buffer was full)\n"
				  " 1234.000056789 [001] sixteen-bytes-xy-77 +0x0: second\n");
	free(text);
}

/* Any user can choose such names and texts: a terminal must not obey them. */
static void test_controls(void **state)
{
	size_t used = put(0, "a\033[2J\tb\nc\x7f \xc2\x9b \xc3\xa4\xc2", 0);
	struct weft_record *record = (struct weft_record *)buffer.bytes;
	char *text;

	memcpy(record->comm, "\033]0;\n\xc2\x9bname, a..", sizeof(record->comm));
	assert_int_equal(print(used, &text), 0);
	assert_string_equal(text, " 1234.000056789 [001] ?]0;???name, a..-77 +0x0: "
				  "a?[2J\tb\nc? ?? \xc3\xa4\xc2\n");
	free(text);
}

static void test_json(void **state)
{
	size_t used = put(put(0, "a \"quoted\"\n\x01", 0), "\xff", 3);
	char *text;

	assert_int_equal(print_as(true, used, &text), 0);
	assert_string_equal(
		text, "{\"time_ns\":1234000056789,\"cpu\":1,\"pid\":0,\"tid\":77,\"uid\":0,"
		      "\"comm\":\"sixteen-bytes-xy\",\"aspect\":\"test\",\"joinpoint\":\"\","
		      "\"function\":\"\","
		      "\"file\":\"\",\"line\":0,\"column\":0,\"symbol\":\"\",\"offset\":0,"
		      "\"text\":\"a \\\"quoted\\\"\\u000a\\u0001\",\"values\":[],\"lost\":0}\n"
		      "{\"time_ns\":1234000056789,\"cpu\":1,\"pid\":0,\"tid\":77,\"uid\":0,"
		      "\"comm\":\"sixteen-bytes-xy\",\"aspect\":\"test\",\"joinpoint\":\"\","
		      "\"function\":\"\","
		      "\"file\":\"\",\"line\":0,\"column\":0,\"symbol\":\"\",\"offset\":0,"
		      "\"text\":\"\\ufffd\",\"values\":[],\"lost\":3}\n");
	free(text);
}

static void test_values(void **state)
{
	static const struct weft_value values[] = {
		VALUE(0, 3, 'd'),   VALUE(4, 9, 'u'),	VALUE(10, 14, 'x'), VALUE(15, 19, 'S'),
		VALUE(20, 22, 's'), VALUE(22, 22, 's'), VALUE(23, 27, 'd'),
	};
	static const struct {
		const char *names, *named;
	} cases[] = {
		{ "(int)a, weft_unit( f(b, \")\") , \"B\"), c[1,2], $target, d ? ',' : '\\'', e, g",
		  "\"values\":[{\"name\":\"(int)a\",\"unit\":\"\",\"type\":\"signed\",\"value\":-"
		  "12},"
		  "{\"name\":\"f(b, "
		  "\\\")\\\")\",\"unit\":\"B\",\"type\":\"unsigned\",\"value\":34},"
		  "{\"name\":\"c[1,2]\",\"unit\":\"\",\"type\":\"unsigned\",\"value\":255},"
		  "{\"name\":\"$target\",\"unit\":\"\",\"type\":\"symbol\",\"value\":\"read\"},"
		  "{\"name\":\"d ? ',' : "
		  "'\\\\''\",\"unit\":\"\",\"type\":\"text\",\"value\":\"of\"},"
		  "{\"name\":\"e\",\"unit\":\"\",\"type\":\"text\",\"value\":\"\"},"
		  "{\"name\":\"g\",\"unit\":\"\",\"type\":\"signed\",\"value\":\"none\"}]" },
		/* The text is what an author writes in XML with `&gt;`, `&amp;` and `&quot;`. */
		{ "current-> comm, & x, a & b, f(& y, c& d), p-> q[\"k \" ], a && !b, a < b",
		  "\"values\":[{\"name\":\"current->comm\",\"unit\":\"\",\"type\":\"signed\","
		  "\"value\":-12},"
		  "{\"name\":\"&x\",\"unit\":\"\",\"type\":\"unsigned\",\"value\":34},"
		  "{\"name\":\"a & b\",\"unit\":\"\",\"type\":\"unsigned\",\"value\":255},"
		  "{\"name\":\"f(&y, c&d)\",\"unit\":\"\",\"type\":\"symbol\",\"value\":\"read\"},"
		  "{\"name\":\"p->q[\\\"k "
		  "\\\"]\",\"unit\":\"\",\"type\":\"text\",\"value\":\"of\"},"
		  "{\"name\":\"a && !b\",\"unit\":\"\",\"type\":\"text\",\"value\":\"\"},"
		  "{\"name\":\"a < b\",\"unit\":\"\",\"type\":\"signed\",\"value\":\"none\"}]" },
		{ "a, b",
		  "\"values\":[{\"name\":\"\",\"unit\":\"\",\"type\":\"signed\",\"value\":-12}," },
	};
	char *text;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t used =
			put_values(0, "-12    34 00ff read of none", 0, values, 7, cases[i].names);

		assert_int_equal(print_as(true, used, &text), 0);
		assert_contains(text, cases[i].named);
		free(text);
	}
	assert_int_equal(
		print_as(true,
			 put_values(0, "-12", 0, &(struct weft_value)VALUE(0, 4, 'd'), 1, "a"),
			 &text),
		-WV_E_FORMAT);
	free(text);
	assert_int_equal(
		print_as(true,
			 put_values(0, "-12", 0, &(struct weft_value)VALUE(2, 1, 'd'), 1, "a"),
			 &text),
		-WV_E_FORMAT);
	free(text);
}

static void test_truncated(void **state)
{
	size_t used = put(0, "a record", 0);
	char *text;

	for (size_t cut = 1; cut < used; cut++) {
		assert_int_equal(print(cut, &text), -WV_E_FORMAT);
		free(text);
	}
}

static void test_lies(void **state)
{
	static const struct {
		size_t offset;
		uint32_t value;
	} lies[] = {
		{ offsetof(struct weft_record, size), 0 },
		{ offsetof(struct weft_record, size), sizeof(struct weft_record) },
		{ offsetof(struct weft_record, size), 0xffffffff },
		{ offsetof(struct weft_record, text_size), 0xffffffff },
		{ offsetof(struct weft_record, text_size), 5 },
		{ offsetof(struct weft_record, nr_values), 1 },
		{ offsetof(struct weft_record, nr_values), 0xffffffff },
		{ offsetof(struct weft_record, names_size), 8 },
		{ offsetof(struct weft_record, names_size), 0xffffffff },
	};
	char *text;

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		size_t used = put(0, "a record", 0);

		memcpy(buffer.bytes + lies[i].offset, &lies[i].value, sizeof(lies[i].value));
		assert_int_equal(print(used, &text), -WV_E_FORMAT);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_controls),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_lies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
