// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the XML reader: the line and column of every element, attribute and byte of text, and what
 * the reader refuses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka-all.h"

#include "aspect/xml/xml-text.h"
#include "aspect/xml/xml.h"

static char path[64];

static void write_file(const char *bytes, size_t n)
{
	FILE *stream;

	strcpy(path, "/tmp/weft-test-XXXXXX");
	close(mkstemp(path));
	stream = fopen(path, "w");
	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, n, stream), n);
	fclose(stream);
}

static struct wv_xml *read_text(const char *text)
{
	struct wv_error error = { 0 };
	struct wv_xml *xml = NULL;

	write_file(text, strlen(text));
	if (wv_xml_read(path, &xml, NULL, &error))
		fail_msg("%u:%u: %s", error.line, error.column, error.message);
	unlink(path);
	return xml;
}

static void refuse_bytes(const char *bytes, size_t n, unsigned int line, unsigned int column,
			 const char *message)
{
	struct wv_error error = { 0 };
	struct wv_xml *xml = NULL;

	write_file(bytes, n);
	assert_int_equal(wv_xml_read(path, &xml, NULL, &error), -WV_E_ASPECT);
	unlink(path);
	assert_null(xml);
	assert_contains(error.message, message);
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, column);
	assert_string_equal(error.file, path);
}

static void refuse(const char *text, unsigned int line, unsigned int column, const char *message)
{
	refuse_bytes(text, strlen(text), line, column, message);
}

static void assert_place(struct wv_text_location location, unsigned int line, unsigned int column)
{
	assert_int_equal(location.line, line);
	assert_int_equal(location.column, column);
}

static void elements_and_attributes_have_places(void **state)
{
	struct wv_xml *xml = read_text("<?xml version='1.0'?>\n<!-- <x> -->\n<a  one=\"1\"\n"
				       "\ttwo = 'a&lt;b>'><b/>\n  <c x=\">\"></c ></a>\n");
	struct wv_xml_node *root = xml->root;

	assert_string_equal(root->name, "a");
	assert_place(root->location, 3, 1);
	assert_int_equal(root->attributes.n, 2);
	assert_string_equal(root->attributes.data[0].name, "one");
	assert_string_equal(root->attributes.data[0].value, "1");
	assert_place(root->attributes.data[0].location, 3, 5);
	assert_place(root->attributes.data[0].value_location, 3, 10);
	assert_string_equal(root->attributes.data[1].value, "a<b>");
	assert_place(root->attributes.data[1].location, 4, 2);
	assert_place(root->attributes.data[1].value_location, 4, 9);
	assert_int_equal(root->children.n, 2);
	assert_string_equal(root->children.data[0]->name, "b");
	assert_place(root->children.data[0]->location, 4, 18);
	assert_string_equal(root->children.data[1]->name, "c");
	assert_place(root->children.data[1]->location, 5, 3);
	assert_string_equal(root->children.data[1]->attributes.data[0].value, ">");
	wv_xml_destroy(xml);
}

/* Checks a node's text, and the line and column of the marker character in it. */
static void assert_text(const struct wv_xml *xml, const struct wv_xml_node *node, const char *text,
			const char *marker, unsigned int line, unsigned int column)
{
	struct wv_xml_text decoded;
	struct wv_error error;

	assert_int_equal(wv_xml_text(xml, node, &decoded, &error), 0);
	assert_string_equal(decoded.bytes.data, text);
	assert_non_null(strstr(decoded.bytes.data, marker));
	assert_place(wv_xml_text_location(&decoded, strstr(decoded.bytes.data, marker) -
							 decoded.bytes.data),
		     line, column);
	wv_xml_text_deinit(&decoded);
}

static void text_keeps_its_places(void **state)
{
	struct wv_xml *xml = read_text("<a>x &lt; Y</a>");

	assert_text(xml, xml->root, "x < Y", "x", 1, 4);
	assert_text(xml, xml->root, "x < Y", "<", 1, 6);
	assert_text(xml, xml->root, "x < Y", "Y", 1, 11);
	wv_xml_destroy(xml);
	xml = read_text("<a>\n<![CDATA[a < b &lt;]]> Y\n Z</a>");
	assert_text(xml, xml->root, "\na < b &lt; Y\n Z", "a", 2, 10);
	assert_text(xml, xml->root, "\na < b &lt; Y\n Z", "Y", 2, 24);
	assert_text(xml, xml->root, "\na < b &lt; Y\n Z", "Z", 3, 2);
	wv_xml_destroy(xml);
	xml = read_text("<a>p<!-- no\n\n --> Y<?pi\n?>Z</a>");
	assert_text(xml, xml->root, "p \n\n Y \nZ", "Y", 3, 6);
	assert_text(xml, xml->root, "p \n\n Y \nZ", "Z", 4, 3);
	wv_xml_destroy(xml);
	xml = read_text("<a>&#x41;&#66;&#xe9;Y</a>");
	assert_text(xml, xml->root, "AB\xc3\xa9Y", "Y", 1, 21);
	wv_xml_destroy(xml);
}

static void text_around_children(void **state)
{
	struct wv_xml *xml = read_text("<a>1<b>in</b>2<c/>3<d x='/>'/>4</a>");

	assert_text(xml, xml->root, "1234", "2", 1, 14);
	assert_text(xml, xml->root, "1234", "3", 1, 19);
	assert_text(xml, xml->root, "1234", "4", 1, 31);
	assert_text(xml, xml->root->children.data[0], "in", "n", 1, 9);
	assert_text(xml, xml->root->children.data[1], "", "", 1, 15);
	wv_xml_destroy(xml);
}

static void line_breaks_of_other_systems(void **state)
{
	struct wv_xml *xml = read_text("<a>\r\none\r\n two</a>\r\n");

	assert_text(xml, xml->root, "\none\n two", "two", 3, 2);
	wv_xml_destroy(xml);
}

/* Elements in a comment are ignored, even if the comment has a text that looks like its end. */
static void ends_of_comments(void **state)
{
	struct wv_xml *xml = read_text("<!--><a/>-->\n<b><!--><c/>--><?p?></b>\n");

	(void)state;
	assert_string_equal(xml->root->name, "b");
	assert_int_equal(xml->root->children.n, 0);
	wv_xml_destroy(xml);
}

static void byte_order_mark(void **state)
{
	struct wv_xml *xml = read_text("\xef\xbb\xbf<a>\n<b>x</b></a>");

	assert_place(xml->root->children.data[0]->location, 2, 1);
	assert_text(xml, xml->root->children.data[0], "x", "x", 2, 4);
	wv_xml_destroy(xml);
}

/*
 * libxml2 reads large files piece by piece and drops what it has read. Lines and columns must be
 * right even at the end of such a file.
 */
static void places_in_a_large_file(void **state)
{
	struct wv_str text = { 0 };
	struct wv_xml *xml;

	wv_str_add(&text, "<a>");
	for (int i = 0; i < 20000; i++)
		wv_str_addf(&text, "<b i='%d'>some text &amp; more</b>\n", i);
	wv_str_add(&text, "<c>X</c></a>");
	xml = read_text(text.data);
	assert_int_equal(xml->root->children.n, 20001);
	assert_place(xml->root->children.data[20000]->location, 20001, 1);
	assert_text(xml, xml->root->children.data[20000], "X", "X", 20001, 4);
	assert_place(xml->root->children.data[12345]->attributes.data[0].value_location, 12346, 7);
	wv_xml_destroy(xml);
	wv_str_deinit(&text);
}

static void not_well_formed(void **state)
{
	refuse("<a>\n<b></a>", 2, 8, "mismatch");
	refuse("<a>\n x &&  y</a>", 2, 4, "&amp;");
	refuse("<a>\n if (x < 3)</a>", 2, 8, "CDATA");
	refuse("<a x='1' x='2'/>", 1, 15, "Attribute x redefined");
	refuse("<a>&nope;</a>", 1, 4, "nope");
	refuse("<a b='&'/>", 1, 7, "this '&'");
	refuse("<a b='<'/>", 1, 7, "this '<'");
	refuse("<a/><b/>", 1, 5, "Extra content");
	refuse("<a>\n", 2, 1, "Premature end");
	refuse("", 1, 1, "empty");
	refuse("  \n", 2, 1, "empty");
	refuse("\n hello", 2, 2, "no '<'");
}

static void only_utf8(void **state)
{
	refuse_bytes("<a>\n\0</a>", 9, 2, 1, "NUL");
	refuse_bytes("\xff\xfe<\0a\0", 6, 1, 4, "NUL");
	refuse("<a>\n\xe9t\xe9</a>", 2, 1, "UTF-8");
}

static void nothing_but_the_file_is_read(void **state)
{
	refuse("<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM 'file:///etc/passwd'>\n<a/>", 2, 1,
	       "document type");
	refuse("<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>", 1, 1,
	       "document type");
	refuse("<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://localhost/x'> %p;]><a/>", 1, 1,
	       "document type");
}

static void limits(void **state)
{
	struct wv_str text = { 0 };
	struct wv_error error = { 0 };
	struct wv_xml *xml = NULL;

	for (int i = 0; i < 100000; i++)
		wv_str_add(&text, "<a>");
	write_file(text.data, text.n);
	assert_int_equal(wv_xml_read(path, &xml, NULL, &error), -WV_E_ASPECT);
	unlink(path);
	while (text.n <= WV_XML_MAX)
		wv_str_add(&text, "                                                       ");
	write_file(text.data, text.n);
	assert_int_equal(wv_xml_read(path, &xml, NULL, &error), -WV_E_ASPECT);
	assert_non_null(strstr(error.message, "larger"));
	unlink(path);
	assert_int_equal(wv_xml_read("/tmp", &xml, NULL, &error), -WV_E_ASPECT);
	assert_non_null(strstr(error.message, "regular"));
	assert_int_equal(wv_xml_read("/tmp/weft-no-such-file", &xml, NULL, &error), -WV_E_FAILURE);
	wv_str_deinit(&text);
}

static void line_break_as_a_reference(void **state)
{
	struct wv_xml *xml = read_text("<a>\nx&#10;y</a>");
	struct wv_xml_text text;
	struct wv_error error;

	assert_int_equal(wv_xml_text(xml, xml->root, &text, &error), -WV_E_ASPECT);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 2);
	wv_xml_destroy(xml);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_and_attributes_have_places),
		cmocka_unit_test(text_keeps_its_places),
		cmocka_unit_test(text_around_children),
		cmocka_unit_test(line_breaks_of_other_systems),
		cmocka_unit_test(ends_of_comments),
		cmocka_unit_test(byte_order_mark),
		cmocka_unit_test(places_in_a_large_file),
		cmocka_unit_test(not_well_formed),
		cmocka_unit_test(only_utf8),
		cmocka_unit_test(nothing_but_the_file_is_read),
		cmocka_unit_test(limits),
		cmocka_unit_test(line_break_as_a_reference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
