// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decodes text; see xml-text.h. For every decoded byte its location in the file can be found. If a
 * byte's column does not follow from that of the byte before it (a reference was replaced, a
 * comment removed), the column is stored.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/xml/xml-text.h"

static void add_byte(const struct wv_xml *xml, struct wv_xml_text *text, size_t offset, char byte,
		     unsigned int *expected)
{
	unsigned int column = wv_xml_location(xml, offset).column;

	if (!text->bytes.n)
		text->location = wv_xml_location(xml, offset);
	if (column != *expected) {
		struct wv_xml_column *here = wv_vec_push(&text->columns);

		if (here)
			*here = (struct wv_xml_column){ text->bytes.n, column };
		else
			text->bytes.failed = true;
	}
	wv_str_add_n(&text->bytes, &byte, 1);
	*expected = byte == '\n' ? 1 : column + 1;
}

static size_t encode_utf8(unsigned long code, char *out)
{
	if (code < 0x80) {
		out[0] = code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = 0xc0 | code >> 6;
		out[1] = 0x80 | (code & 0x3f);
		return 2;
	}
	if (code < 0x10000) {
		out[0] = 0xe0 | code >> 12;
		out[1] = 0x80 | (code >> 6 & 0x3f);
		out[2] = 0x80 | (code & 0x3f);
		return 3;
	}
	out[0] = 0xf0 | code >> 18;
	out[1] = 0x80 | (code >> 12 & 0x3f);
	out[2] = 0x80 | (code >> 6 & 0x3f);
	out[3] = 0x80 | (code & 0x3f);
	return 4;
}

size_t wv_xml_reference(const char *s, char *out, size_t *n_ret)
{
	static const struct {
		const char *text;
		char byte;
	} known[] = {
		{ "&lt;", '<' },   { "&gt;", '>' },    { "&amp;", '&' },
		{ "&quot;", '"' }, { "&apos;", '\'' },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (!strncmp(s, known[i].text, strlen(known[i].text))) {
			*out = known[i].byte;
			*n_ret = 1;
			return strlen(known[i].text);
		}
	}
	if (s[1] == '#' && s[2] == 'x')
		*n_ret = encode_utf8(strtoul(s + 3, NULL, 16), out);
	else
		*n_ret = encode_utf8(strtoul(s + 2, NULL, 10), out);
	return strcspn(s, ";") + 1;
}

static int add_reference(const struct wv_xml *xml, struct wv_xml_text *text, size_t *offset,
			 unsigned int *expected, struct wv_error *error)
{
	char bytes[4];
	size_t n, length = wv_xml_reference(xml->bytes + *offset, bytes, &n);

	if (bytes[0] == '\n' || bytes[0] == '\r') {
		struct wv_text_location location = wv_xml_location(xml, *offset);

		return wv_fail_at(error, WV_E_ASPECT, xml->path, location.line, location.column,
				  "a line break cannot be written as a character reference");
	}
	for (size_t i = 0; i < n; i++)
		add_byte(xml, text, *offset + i, bytes[i], expected);
	*offset += length;
	return 0;
}

/*
 * Replaces a comment or processing instruction by a blank, so that the words around it stay
 * separate, and by its line breaks, so that the following text keeps its line number.
 */
static void drop(const struct wv_xml *xml, struct wv_xml_run run, struct wv_xml_text *text,
		 unsigned int *expected)
{
	add_byte(xml, text, run.start, ' ', expected);
	for (size_t offset = run.start; offset < run.end; offset++)
		if (xml->bytes[offset] == '\n')
			add_byte(xml, text, offset, '\n', expected);
}

static int decode_run(const struct wv_xml *xml, struct wv_xml_run run, struct wv_xml_text *text,
		      unsigned int *expected, struct wv_error *error)
{
	size_t offset = run.start;

	if (run.kind == WV_XML_ASIDE)
		drop(xml, run, text, expected);
	while (run.kind != WV_XML_ASIDE && offset < run.end) {
		char byte = xml->bytes[offset];

		if (byte == '&' && run.kind == WV_XML_TEXT) {
			int ret = add_reference(xml, text, &offset, expected, error);

			if (ret)
				return ret;
			continue;
		}
		/*
		 * Drop a carriage return before a line break, as XML readers do; write a blank for
		 * any other.
		 */
		if (byte != '\r')
			add_byte(xml, text, offset, byte, expected);
		else if (xml->bytes[offset + 1] != '\n')
			add_byte(xml, text, offset, ' ', expected);
		offset++;
	}
	return 0;
}

static int decode_runs(const struct wv_xml *xml, const struct wv_xml_run *runs, size_t n,
		       struct wv_text_location location, struct wv_xml_text *ret,
		       struct wv_error *error)
{
	struct wv_xml_text text = { .location = location };
	unsigned int expected = 0;

	for (size_t i = 0; i < n; i++) {
		int failed = decode_run(xml, runs[i], &text, &expected, error);

		if (failed) {
			wv_xml_text_deinit(&text);
			return failed;
		}
	}
	wv_str_add(&text.bytes, "");
	if (text.bytes.failed) {
		wv_xml_text_deinit(&text);
		return wv_fail_errno(error, ENOMEM, "%s", xml->path);
	}
	*ret = text;
	return 0;
}

int wv_xml_text(const struct wv_xml *xml, const struct wv_xml_node *node, struct wv_xml_text *ret,
		struct wv_error *error)
{
	return decode_runs(xml, node->runs.data, node->runs.n, node->location, ret, error);
}

int wv_xml_value(const struct wv_xml *xml, const struct wv_xml_attribute *attribute,
		 struct wv_xml_text *ret, struct wv_error *error)
{
	struct wv_text_location location = attribute->value_location;
	struct wv_xml_run run = { .start = xml->lines.data[location.line - 1] + location.column -
					   1 };
	const char *end = strchr(xml->bytes + run.start, xml->bytes[run.start - 1]);

	run.end = end ? (size_t)(end - xml->bytes) : xml->n;
	return decode_runs(xml, &run, 1, location, ret, error);
}

int wv_xml_text_part(const struct wv_xml_text *text, size_t from, size_t to,
		     struct wv_xml_text *ret)
{
	struct wv_xml_text part = { .location = wv_xml_text_location(text, from) };
	struct wv_xml_column *first = wv_vec_push(&part.columns);
	bool failed = !first;

	if (first)
		*first = (struct wv_xml_column){ 0, part.location.column };
	wv_vec_for_each(column, &text->columns) {
		struct wv_xml_column *copy;

		if (column->offset <= from || column->offset >= to)
			continue;
		copy = wv_vec_push(&part.columns);
		failed |= !copy;
		if (copy)
			*copy = (struct wv_xml_column){ column->offset - from, column->column };
	}
	wv_str_add_n(&part.bytes, text->bytes.data + from, to - from);
	if (failed || part.bytes.failed) {
		wv_xml_text_deinit(&part);
		return -1;
	}
	*ret = part;
	return 0;
}

void wv_xml_text_deinit(struct wv_xml_text *text)
{
	wv_str_deinit(&text->bytes);
	wv_vec_deinit(&text->columns);
}

struct wv_text_location wv_xml_text_location(const struct wv_xml_text *text, size_t offset)
{
	struct wv_text_location location = text->location;
	size_t from = 0;

	for (size_t i = 0; i < offset && i < text->bytes.n; i++) {
		if (text->bytes.data[i] == '\n') {
			location.line++;
			location.column = 1;
			from = i + 1;
		}
	}
	wv_vec_for_each(column, &text->columns) {
		if (column->offset > offset)
			break;
		if (column->offset >= from) {
			location.column = column->column;
			from = column->offset;
		}
	}
	location.column += offset - from;
	return location;
}
