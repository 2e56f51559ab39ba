// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes XML; see xml-writer.h. */
#include "aspect/xml/xml-writer.h"

enum { INDENT = 2 };

/*
 * Adds @text, with references for special characters. In an attribute, a tab is written as a
 * reference, because readers would turn it into a blank; a line break is written as a blank,
 * because xml.h reads no reference to a line break.
 */
static void add_escaped(struct wv_str *out, const char *text, bool attribute)
{
	for (; *text; text++) {
		if (*text == '&')
			wv_str_add(out, "&amp;");
		else if (*text == '<')
			wv_str_add(out, "&lt;");
		else if (*text == '>')
			wv_str_add(out, "&gt;");
		else if (*text == '"' && attribute)
			wv_str_add(out, "&quot;");
		else if (*text == '\t' && attribute)
			wv_str_add(out, "&#9;");
		else if (*text == '\r' || (*text == '\n' && attribute))
			wv_str_add(out, " ");
		else
			wv_str_add_n(out, text, 1);
	}
}

static void finish_tag(struct wv_xml_writer *writer)
{
	if (writer->in_tag)
		wv_str_add(writer->out, ">\n");
	writer->in_tag = false;
}

static void indent(struct wv_xml_writer *writer)
{
	wv_str_addf(writer->out, "%*s", (int)writer->depth * INDENT, "");
}

void wv_xml_begin(struct wv_xml_writer *writer, const char *element)
{
	finish_tag(writer);
	indent(writer);
	wv_str_addf(writer->out, "<%s", element);
	writer->in_tag = true;
	writer->depth++;
}

void wv_xml_attribute(struct wv_xml_writer *writer, const char *name, const char *value)
{
	if (!value)
		return;
	wv_str_addf(writer->out, " %s=\"", name);
	add_escaped(writer->out, value, true);
	wv_str_add(writer->out, "\"");
}

void wv_xml_lines(struct wv_xml_writer *writer, const char *lines)
{
	finish_tag(writer);
	add_escaped(writer->out, lines, false);
}

void wv_xml_end(struct wv_xml_writer *writer, const char *element)
{
	writer->depth--;
	if (writer->in_tag) {
		wv_str_add(writer->out, "/>\n");
		writer->in_tag = false;
		return;
	}
	indent(writer);
	wv_str_addf(writer->out, "</%s>\n", element);
}
